//! slime's opinion as it was set by hand before anything was learned: leaves are worth today's squares, moves
//! are as likely as what they gain at once says. What training starts from and is measured against.

use fifty::games::slime::moves::Kind;
use fifty::games::slime::prior::Prior;
use fifty::games::slime::search::Search;
use fifty::games::slime::traits::{LEVELS, TRAITS};
use fifty::games::slime::eval::{NETS, Net};

/// Puts it in place of what the search has learned.
pub fn set(search: &mut Search) {
    search.tree.leaf.nets = [(); NETS].map(|()| Net::from_numbers(|| 0.0));
    prior(&mut search.tree.policy);
}

/// Logarithms of likelihoods: the squares a move gains, and one less where its source empties.
fn prior(prior: &mut Prior) {
    prior.replies = 0.0;
    prior.table.fill(0.0);
    for (kind, offset) in [
        (Kind::Pass, None),
        (Kind::Spread, Some(1.0)),
        (Kind::Jump, Some(-1.0)),
        (Kind::Merge, Some(-1.0)),
    ] {
        // The first trait of a spread and of a jump counts the enemies taken, that of a merge the squares filled.
        let first = kind as usize * TRAITS * LEVELS;
        for (count, log) in prior.table[first..first + LEVELS].iter_mut().enumerate() {
            *log = offset.map_or(-1.0, |offset: f32| count as f32 + offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::set;
    use fifty::games::slime::search::Search;
    use fifty::games::slime::state::State;
    use fifty::games::slime::weights::Weights;

    #[test]
    fn leaves_are_worth_todays_squares_and_moves_what_they_gain() {
        let mut search = Search::new(&Weights::DEFAULT, 1);
        set(&mut search);
        let state = State::parse("1,1..2,..22,....,....").unwrap();
        let board = state.board();
        let shares = search.tree.leaf.nets[0].shares(board, 0, &[0.0; 4]);
        assert_eq!(shares, [0.25, 0.75, 0.0, 0.0]);
        // A jump that takes three squares and empties one is worth a spread that takes one.
        let [(a, spread), (b, _), (c, jump), ..] = *search.tree.policy.best(board, 0, 8) else {
            panic!("three moves at least");
        };
        assert_eq!((a, b), (c, c));
        assert_eq!((spread.to_string(), board.gain(0, spread)), ("0 0 0 1".into(), 2));
        assert_eq!((jump.to_string(), board.gain(0, jump)), ("0 0 0 2".into(), 3));
    }
}

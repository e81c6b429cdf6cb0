//! What the bot keeps between moves: the boards it left, and what it had learned of the others by then.
//!
//! One line of text a move; the game a line belongs to is found again by its board, so that any number of
//! games may share one file. Nothing here touches files; a line that makes no sense is skipped.

use super::odds::{learn, Odds};
use super::prior::Prior;
use super::state::{State, SEATS};
use core::fmt::{self, Display, Formatter};

/// Lines looked through, newest first.
const KEPT: usize = 256;

/// After one of our moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// What we left; the seat after ours is on turn.
    pub left: State,
    /// What we knew of the others.
    pub odds: Odds,
}

impl Note {
    /// Reads a line as [`Display`] writes it; `None` for anything else.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let left = State::parse(words.next()?).ok()?;
        let mut odds = Odds::default();
        for odds in odds.iter_mut().flatten() {
            *odds = f32::from(words.next()?.parse::<i16>().ok()?) * 0.01;
        }
        (words.next() == Some(";")).then_some(Self { left, odds })
    }
}

impl Display for Note {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.left.argument())?;
        for odds in self.odds.iter().flatten() {
            write!(f, " {}", (odds * 100.0) as i16)?;
        }
        write!(f, " ;")
    }
}

/// The notes of all games.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    notes: Vec<Note>,
}

impl Memory {
    /// Adds the lines of a text, oldest first.
    pub fn read(&mut self, text: &str) {
        let lines: Vec<&str> = text.lines().rev().take(KEPT).collect();
        self.notes
            .extend(lines.iter().rev().filter_map(|line| Note::parse(line)));
    }

    /// What is known of the game that `state` goes on with: nothing where no board we left leads there.
    pub fn recall(&self, state: &State, prior: &mut Prior) -> Odds {
        for note in self.notes.iter().rev().take(KEPT) {
            if (note.left.seat() + SEATS - 1) % SEATS != state.seat() {
                continue;
            }
            if let Some(new) = learn(note.left.board(), state.board(), state.seat(), prior) {
                let mut known = note.odds;
                for (odds, new) in known.iter_mut().flatten().zip(new.into_iter().flatten()) {
                    *odds = (*odds + new).clamp(-20.0, 20.0);
                }
                return known;
            }
        }
        Odds::default()
    }

    /// Adds what we know after our move and returns it, to be written down.
    pub fn note(&mut self, left: State, odds: Odds) -> &Note {
        if self.notes.len() >= 2 * KEPT {
            self.notes.drain(..KEPT);
        }
        self.notes.push(Note { left, odds });
        &self.notes[self.notes.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::{Memory, Note, Odds};
    use crate::games::slime::moves::Move;
    use crate::games::slime::prior::Prior;
    use crate::games::slime::state::State;

    fn noted() -> (State, Odds) {
        let text = "4,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4";
        (State::parse(text).unwrap(), [[0.0, 1.25, -7.5, 3.0]; 4])
    }

    #[test]
    fn notes_survive_a_round_trip_and_damage_is_skipped() {
        let (left, odds) = noted();
        let line = Note { left, odds }.to_string();
        assert_eq!(Note::parse(&line), Some(Note { left, odds }));
        for broken in [
            "",
            "\u{fffd}",
            " ;",
            "4,....",
            &line[..line.len() - 1],
            &line[1..],
            &line.replace("125", "9e9"),
        ] {
            assert_eq!(Note::parse(broken), None, "{broken}");
        }
        let mut memory = Memory::default();
        memory.read(&format!(
            "{}\n\nnonsense\n{line}\n{line}{line}\n{}",
            &line[9..],
            &line[..40]
        ));
        assert_eq!(memory.notes.len(), 1);
    }

    /// A game is found again among others, and only by the seat that left the board.
    #[test]
    fn a_game_is_found_again() {
        let mut prior = Prior::learned(32);
        let (left, odds) = noted();
        let mut memory = Memory::default();
        memory.note(State::start(8), Odds::default());
        memory.note(left, odds);
        memory.note(State::start(6), Odds::default());
        let mut next = left;
        for _ in 0..3 {
            let mut moves = Vec::new();
            next.board().useful_moves(next.seat(), &mut moves);
            // The first seat has lost all it had: it passes.
            next.play(moves.first().copied().unwrap_or_default());
        }
        let now = memory.recall(&next, &mut prior);
        assert!(now[3] != odds[3] && now[2] == odds[2], "{now:?}");
        next.play(Move::PASS);
        assert_eq!(memory.recall(&next, &mut prior), Odds::default());
    }
}

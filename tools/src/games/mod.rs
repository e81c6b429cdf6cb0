//! The tools' side of each game: referee, builtin opponents, recordings, picture.

use crate::adapter::Adapter;

/// Declares the modules and lists their adapters.
macro_rules! games {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// Every game, in the order of the tables.
        pub fn adapters() -> &'static [&'static dyn Adapter] {
            static ALL: &[&dyn Adapter] = &[$(&$name::adapter::ADAPTER),*];
            ALL
        }
    };
}

// The one list of games in the tools; `cargo fifty new NAME` adds to it.
games! {
    rails
    kingdomino
    wondev
    slime
    connexion
}

/// A game of ours by name.
pub fn known(name: &str) -> Option<&'static dyn Adapter> {
    adapters().iter().copied().find(|adapter| adapter.name() == name)
}

/// True of the name of a game of ours.
pub fn is_ours(name: &str) -> bool {
    known(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::adapters;
    use crate::paths::project_root;
    use fifty::kit::clock::Budget;

    #[test]
    fn engines_take_the_values_set_by_hand() {
        for adapter in adapters() {
            let hand = adapter.hand();
            if let Err(error) = adapter.engine(Budget::Work(1), &hand) {
                panic!("{error}");
            }
        }
    }

    /// What is beyond a range may hang a search or divide by zero; the ends, the defaults and what a bot rounds may not.
    #[test]
    fn engines_refuse_what_is_outside_a_range() {
        for adapter in adapters() {
            for t in adapter.tunables() {
                let taken = |value: f64| {
                    let params = [(t.name.to_owned(), value)];
                    adapter.engine(Budget::Work(1), &params).map(|_| ())
                };
                for value in [t.min, t.max, t.value, f64::from(t.value as f32)] {
                    taken(value).unwrap();
                }
                for value in [t.min - 1.0, t.max + 1.0, f64::NAN, f64::INFINITY, -f64::INFINITY] {
                    let error = taken(value).unwrap_err().to_string();
                    assert_eq!(error, format!("{}: {} to {}, not {value}", t.name, t.min, t.max));
                }
            }
        }
    }

    #[test]
    fn no_game_is_forgotten() {
        let folders = std::fs::read_dir(project_root().unwrap().join("src/games")).unwrap();
        let mut games: Vec<String> = folders
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        games.sort();
        let mut known: Vec<&str> = adapters().iter().map(|adapter| adapter.name()).collect();
        known.sort_unstable();
        assert_eq!(games, known);
    }
}

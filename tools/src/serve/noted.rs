//! What reviews found, kept in the results file: the turns at which more time would have chosen otherwise, and their cost.

use super::review::Doubt;
use anyhow::{Context, Result};
use rusqlite::{Connection, params};

const TABLE: &str = "
CREATE TABLE IF NOT EXISTS review_game(
    game INTEGER NOT NULL, seat INTEGER NOT NULL, bot TEXT NOT NULL, times INTEGER NOT NULL, made INTEGER NOT NULL,
    PRIMARY KEY(game, seat, bot, times)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS review_turn(
    game INTEGER NOT NULL, seat INTEGER NOT NULL, bot TEXT NOT NULL, times INTEGER NOT NULL, turn INTEGER NOT NULL,
    doubt TEXT NOT NULL, asked TEXT NOT NULL, playouts INTEGER NOT NULL, by TEXT NOT NULL,
    PRIMARY KEY(game, seat, bot, times, turn)) WITHOUT ROWID;";

/// A reviewed turn.
#[derive(Clone, Debug)]
pub struct Noted {
    /// Number of the game.
    pub game: i64,
    /// Who chose.
    pub bot: String,
    /// Who was asked again.
    pub asked: String,
    /// So many times its clock or work.
    pub times: u64,
    /// Playouts of each choice.
    pub playouts: u64,
    /// Who played them out.
    pub by: String,
    /// The turn and what it cost.
    pub doubt: Doubt,
}

/// Makes the tables where there are none.
pub fn prepare(db: &Connection) -> Result<()> {
    db.execute_batch(TABLE)
        .context("the results file cannot be written")
}

/// Keeps what a review of one seat of a game found (game, seat, bot, times its clock; who was asked, playouts, by whom); a
/// former one of the same seat is replaced.
pub fn note(
    db: &Connection,
    (game, seat, bot, times): (i64, usize, &str, u64),
    doubts: &[Doubt],
    (asked, playouts, by): (&str, u64, &str),
) -> Result<()> {
    let key = params![game, seat as i64, bot, times as i64];
    let tx = db.unchecked_transaction()?;
    tx.execute(
        "DELETE FROM review_turn WHERE game=?1 AND seat=?2 AND bot=?3 AND times=?4",
        key,
    )?;
    tx.execute(
        "INSERT OR REPLACE INTO review_game VALUES(?1, ?2, ?3, ?4, unixepoch())",
        key,
    )?;
    for doubt in doubts {
        tx.execute(
            "INSERT INTO review_turn VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                game,
                seat as i64,
                bot,
                times as i64,
                doubt.turn as i64,
                serde_json::to_string(doubt)?,
                asked,
                playouts as i64,
                by
            ],
        )?;
    }
    Ok(tx.commit()?)
}

/// How many seats of games were reviewed.
pub fn reviewed(db: &Connection) -> Result<i64> {
    Ok(db.query_row("SELECT count(*) FROM review_game", [], |row| row.get(0))?)
}

/// The costliest turns of bots whose name contains `bot`, in games of that name (any where it is empty).
pub fn costliest(db: &Connection, bot: &str, game: &str, most: usize) -> Result<Vec<Noted>> {
    let mut query = db.prepare_cached(
        "SELECT r.game, r.bot, r.times, r.playouts, r.by, r.doubt, r.asked FROM review_turn r
         LEFT JOIN look_game g ON g.game=r.game WHERE instr(lower(r.bot), lower(?1))>0 AND (?2='' OR g.name=?2)
         ORDER BY json_extract(r.doubt, '$.loss[0]') DESC, json_extract(r.doubt, '$.margin[0]') DESC LIMIT ?3",
    )?;
    let rows = query.query_map(params![bot, game, most as i64], |row| {
        Ok((
            row.get(0)?,
            row.get(1)?,
            row.get::<_, i64>(2)?,
            row.get::<_, i64>(3)?,
            row.get(4)?,
            row.get::<_, String>(5)?,
            row.get(6)?,
        ))
    })?;
    let mut all = Vec::new();
    for row in rows {
        let (game, bot, times, playouts, by, doubt, asked) = row?;
        all.push(Noted {
            game,
            bot,
            asked,
            times: times as u64,
            playouts: playouts as u64,
            by,
            doubt: serde_json::from_str(&doubt)
                .with_context(|| format!("the review of game {game} is damaged"))?,
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::{costliest, note, prepare, reviewed};
    use crate::serve::review::Doubt;
    use rusqlite::Connection;

    #[test]
    fn a_second_review_replaces_the_first() {
        let db = Connection::open_in_memory().unwrap();
        prepare(&db).unwrap();
        db.execute_batch("CREATE TABLE look_game(game INTEGER PRIMARY KEY, name TEXT)")
            .unwrap();
        let doubt = |turn: usize, loss: f64| Doubt {
            turn,
            seat: 1,
            played: "a".into(),
            better: "b".into(),
            value: None,
            later: Some(0.5),
            loss: (loss, 0.1),
            margin: (0.0, 0.0),
        };
        note(
            &db,
            (7, 1, "engine:5", 20),
            &[doubt(3, 0.1), doubt(9, 0.4)],
            ("engine:5", 20, "engine:50"),
        )
        .unwrap();
        let turns = |db: &Connection| -> Vec<usize> {
            let found = costliest(db, "ENGINE", "", 10).unwrap();
            found.iter().map(|n| n.doubt.turn).collect()
        };
        assert_eq!(turns(&db), [9, 3]);
        note(
            &db,
            (7, 1, "engine:5", 20),
            &[doubt(4, 0.2)],
            ("engine:5", 20, "engine:50"),
        )
        .unwrap();
        assert_eq!((turns(&db), reviewed(&db).unwrap()), (vec![4], 1));
        assert!(costliest(&db, "greedy", "", 10).unwrap().is_empty());
        assert!(costliest(&db, "", "slime", 10).unwrap().is_empty());
    }
}

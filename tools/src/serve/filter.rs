//! Which games: filters that combine, an order, a part of the list. The same words on the command line, in a page's
//! address and in its form; the database does the work.
//!
//! A row is a game as one seat saw it. A filter that speaks of a seat (its bot, result, fault) gives a row for each
//! seat it fits; otherwise every game has one row, that of seat 0.

use super::index::Index;
use anyhow::{Context, Result, bail};
use clap::Args;
use rusqlite::types::Value as Sql;
use rusqlite::{Row, params_from_iter};
use serde::{Deserialize, Serialize};

/// Conditions, all of which must hold.
#[derive(Args, Clone, Debug, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools)] // each is a condition of its own
pub struct Filter {
    /// Only this game by name.
    #[arg(long)]
    #[serde(alias = "room")] // as pages were addressed once
    pub game: Option<String>,
    /// Only this run.
    #[arg(long)]
    pub run: Option<i64>,
    /// Bots whose name contains this.
    #[arg(long)]
    pub bot: Option<String>,
    /// Against bots whose name contains this.
    #[arg(long)]
    pub opponent: Option<String>,
    /// Games that somebody else won.
    #[arg(long)]
    pub lost: bool,
    /// Games won alone.
    #[arg(long)]
    pub won: bool,
    /// Games won by several.
    #[arg(long)]
    pub drawn: bool,
    /// Seats at fault: any, timeout, crash, invalid, garbage or flood.
    #[arg(long, value_name = "KIND", default_missing_value = "any", num_args = 0..=1)]
    pub fault: Option<String>,
    /// Seats with an answer over its limit.
    #[arg(long)]
    pub late: bool,
    /// Seat, from 0.
    #[arg(long)]
    pub seat: Option<usize>,
    /// Seeds: 7, 7..20 (both among them), 7.., ..20.
    #[arg(long, value_name = "RANGE")]
    pub seed: Option<String>,
    /// Score less the best of the others, as a range.
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub margin: Option<String>,
    /// Turns, as a range.
    #[arg(long, value_name = "RANGE")]
    pub length: Option<String>,
    /// Slowest answer in milliseconds, as a range.
    #[arg(long, value_name = "RANGE")]
    pub slowest: Option<String>,
    /// Played on this day or later, YYYY-MM-DD.
    #[arg(long, value_name = "DAY")]
    pub since: Option<String>,
    /// Played on this day or before.
    #[arg(long, value_name = "DAY")]
    pub until: Option<String>,
    /// Why it ended contains this.
    #[arg(long)]
    pub ended: Option<String>,
    /// Option of the game, key=value; several with commas between.
    #[arg(long, value_name = "KEY=VALUE")]
    pub option: Option<String>,
    /// Facts that games or bots told: towns=5, nodes>1000, value<=0.4; several with commas between.
    #[arg(long, value_name = "FACTS")]
    pub attr: Option<String>,
    /// Games of the same run and seed as this one: its other seatings.
    #[arg(long, value_name = "GAME-ID")]
    pub like: Option<i64>,
    /// Order: id, run, game, seed, seat, bot, result, score, margin, turns, late, slowest, played or a fact's name; -
    /// before it for the largest first.
    #[arg(long, default_value = "-id", allow_hyphen_values = true)]
    pub sort: String,
    /// Rows shown; 0 for all.
    #[arg(long, default_value_t = 50)]
    pub limit: usize,
    /// Rows left out before them.
    #[arg(long, default_value_t = 0)]
    pub offset: usize,
}

/// A game as one seat saw it.
#[derive(Clone, Debug, Serialize, PartialEq)]
pub struct Seen {
    /// Number in the results file.
    pub id: i64,
    /// Its run.
    pub run: i64,
    /// Game by name.
    pub game: String,
    /// Its seed.
    pub seed: u64,
    /// Seat, from 0.
    pub seat: usize,
    /// Who sat there.
    pub bot: String,
    /// Who sat elsewhere, in order.
    pub against: String,
    /// `won`, `drawn` or `lost`.
    pub result: &'static str,
    /// Match points.
    pub points: f64,
    /// Contest score.
    pub score: f64,
    /// Less the best of the others.
    pub margin: f64,
    /// Batches.
    pub turns: i64,
    /// Why it ended.
    pub ended: String,
    /// The seat's fault, if any.
    pub fault: Option<String>,
    /// The seat's answers over their limit.
    pub late: i64,
    /// The seat's slowest answer, milliseconds.
    pub slowest: f64,
    /// Day and time it was played, UTC; empty where not known.
    pub played: String,
}

/// Rows of a filter.
#[derive(Clone, Debug, Serialize)]
pub struct FoundGames {
    /// How many rows fit.
    pub all: usize,
    /// Those asked for.
    pub rows: Vec<Seen>,
}

impl FoundGames {
    /// All columns, one line a row.
    pub fn csv(&self) -> String {
        let mut out = String::from(
            "id,run,game,seed,seat,bot,against,result,points,score,margin,turns,ended,fault,late,slowest,played\r\n",
        );
        for r in &self.rows {
            let fields = [
                r.id.to_string(),
                r.run.to_string(),
                quoted(&r.game),
                r.seed.to_string(),
                r.seat.to_string(),
                quoted(&r.bot),
                quoted(&r.against),
                r.result.to_owned(),
                r.points.to_string(),
                r.score.to_string(),
                r.margin.to_string(),
                r.turns.to_string(),
                quoted(&r.ended),
                r.fault.clone().unwrap_or_default(),
                r.late.to_string(),
                r.slowest.to_string(),
                r.played.clone(),
            ];
            out += &fields.join(",");
            out += "\r\n";
        }
        out
    }
}

/// A CSV field (RFC 4180).
pub fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Where a game stands in a list: rows are games as a seat saw them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Around {
    /// From 0.
    pub place: usize,
    /// Rows of the list.
    pub all: usize,
    /// The row before.
    pub before: Option<(i64, usize)>,
    /// The row after.
    pub after: Option<(i64, usize)>,
}

/// SQL after `WHERE`, and its values.
pub(super) struct Where {
    pub(super) sql: String,
    pub(super) values: Vec<Sql>,
}

impl Where {
    pub(super) fn and(&mut self, sql: &str, values: impl IntoIterator<Item = Sql>) {
        if !self.sql.is_empty() {
            self.sql.push_str(" AND ");
        }
        self.sql.push_str(sql);
        self.values.extend(values);
    }

    /// `7`, `7..20`, `7..`, `..20`: both ends belong to it.
    fn range<T: std::str::FromStr + PartialOrd>(
        &mut self,
        name: &str,
        column: &str,
        text: &str,
        to: impl Fn(T) -> Sql,
    ) -> Result<()> {
        let wrong = || format!("{name} {text}: expected a number or a range as 3..9, 3.. or ..9");
        let number = |text: &str| -> Result<T> {
            // What is no number is not even equal to itself.
            let number = text
                .trim()
                .parse()
                .ok()
                .filter(|n: &T| n.partial_cmp(n).is_some());
            number.with_context(wrong)
        };
        let Some((low, high)) = text.split_once("..") else {
            let value = to(number(text)?);
            self.and(&format!("{column}=?"), [value]);
            return Ok(());
        };
        if low.trim().is_empty() && high.trim().is_empty() {
            bail!(wrong());
        }
        if !low.trim().is_empty() && !high.trim().is_empty() && number(low)? > number(high)? {
            bail!("{name} {text}: expected the smaller number first");
        }
        if !low.trim().is_empty() {
            let value = to(number(low)?);
            self.and(&format!("{column}>=?"), [value]);
        }
        if !high.trim().is_empty() {
            let value = to(number(high)?);
            self.and(&format!("{column}<=?"), [value]);
        }
        Ok(())
    }
}

fn text(text: &str) -> Sql {
    Sql::Text(text.to_owned())
}

/// Not empty: a form sends every field.
pub fn given(field: Option<&String>) -> Option<&str> {
    field.map(|f| f.trim()).filter(|f| !f.is_empty())
}

/// Bots whose name contains a text; a literal one, without wildcards.
const NAMED: &str = "(SELECT id FROM look_bot WHERE instr(lower(name), lower(?)) > 0)";

/// `name`, operator, value.
fn comparison(part: &str) -> Result<(&str, &str, &str)> {
    for operator in ["<=", ">=", "!=", "=", "<", ">"] {
        if let Some((name, value)) = part.split_once(operator) {
            return Ok((name.trim(), operator, value.trim()));
        }
    }
    bail!("--attr {part}: expected a name, one of = != < <= > >=, and a value")
}

impl Filter {
    /// True where it speaks of a seat.
    fn of_seats(&self) -> bool {
        given(self.bot.as_ref()).is_some()
            || given(self.opponent.as_ref()).is_some()
            || given(self.fault.as_ref()).is_some()
            || given(self.margin.as_ref()).is_some()
            || given(self.slowest.as_ref()).is_some()
            || self.lost
            || self.won
            || self.drawn
            || self.late
            || self.seat.is_some()
    }

    /// The order as asked for; else newest first.
    fn order_name(&self) -> &str {
        given(Some(&self.sort)).unwrap_or("-id")
    }

    /// True where it needs facts read.
    pub fn needs_facts(&self) -> bool {
        given(self.attr.as_ref()).is_some() || column(self.order_name().trim_start_matches('-')).is_none()
    }

    pub(super) fn conditions(&self, index: &Index) -> Result<Where> {
        let mut w = Where {
            sql: String::new(),
            values: Vec::new(),
        };
        if let Some(game) = given(self.game.as_ref()) {
            w.and("g.name=?", [text(game)]);
        }
        if let Some(run) = self.run {
            w.and("g.run=?", [Sql::Integer(run)]);
        }
        if let Some(bot) = given(self.bot.as_ref()) {
            w.and(&format!("s.bot IN {NAMED}"), [text(bot)]);
        }
        if let Some(bot) = given(self.opponent.as_ref()) {
            w.and(
                &format!(
                    "EXISTS(SELECT 1 FROM look_seat o WHERE o.game=s.game AND o.seat<>s.seat AND o.bot IN {NAMED})"
                ),
                [text(bot)],
            );
        }
        let results: Vec<&str> = [(self.lost, "0"), (self.drawn, "1"), (self.won, "2")]
            .into_iter()
            .filter_map(|(asked, code)| asked.then_some(code))
            .collect();
        if !results.is_empty() {
            w.and(&format!("s.won IN ({})", results.join(",")), []);
        }
        match given(self.fault.as_ref()) {
            None => {}
            Some("any") => w.and("s.fault IS NOT NULL", []),
            Some(kind @ ("timeout" | "crash" | "invalid" | "garbage" | "flood")) => {
                w.and("s.fault=?", [text(kind)]);
            }
            Some(other) => bail!("--fault {other}: expected any, timeout, crash, invalid, garbage or flood"),
        }
        if self.late {
            w.and("s.late>0", []);
        }
        if let Some(seat) = self.seat {
            w.and("s.seat=?", [Sql::Integer(seat as i64)]);
        }
        if let Some(range) = given(self.seed.as_ref()) {
            w.range("--seed", "g.seed", range, |n: u64| Sql::Integer(n as i64))?;
        }
        if let Some(range) = given(self.margin.as_ref()) {
            w.range("--margin", "s.margin", range, Sql::Real)?;
        }
        if let Some(range) = given(self.length.as_ref()) {
            w.range("--length", "g.turns", range, Sql::Integer)?;
        }
        if let Some(range) = given(self.slowest.as_ref()) {
            w.range("--slowest", "s.slowest", range, Sql::Real)?;
        }
        for (name, day, operator) in [("--since", &self.since, ">="), ("--until", &self.until, "<")] {
            let Some(day) = given(day.as_ref()) else { continue };
            let shift = if operator == "<" { "+1 day" } else { "+0 days" };
            let second: Option<i64> =
                index
                    .db
                    .query_row("SELECT unixepoch(?1, ?2)", [day, shift], |row| row.get(0))?;
            let second = second.with_context(|| format!("{name} {day}: expected a day as 2025-12-31"))?;
            w.and(
                &format!("g.played>0 AND g.played{operator}?"),
                [Sql::Integer(second)],
            );
        }
        if let Some(words) = given(self.ended.as_ref()) {
            w.and("instr(lower(g.ended), lower(?))>0", [text(words)]);
        }
        self.pairs(&mut w)?;
        if let Some(id) = self.like {
            w.and(
                "g.run=(SELECT run FROM look_game WHERE game=?) AND g.seed=(SELECT seed FROM look_game WHERE game=?)",
                [Sql::Integer(id), Sql::Integer(id)],
            );
        }
        Ok(w)
    }

    /// Those of `--option` and `--attr`.
    fn pairs(&self, w: &mut Where) -> Result<()> {
        for pair in given(self.option.as_ref()).into_iter().flat_map(|o| o.split(',')) {
            let (key, value) = pair
                .split_once('=')
                .with_context(|| format!("--option {pair}: expected key=value"))?;
            w.and(
                "EXISTS(SELECT 1 FROM json_each(g.options) j WHERE j.key=? AND j.value=?)",
                [text(key.trim()), text(value.trim())],
            );
        }
        for part in given(self.attr.as_ref()).into_iter().flat_map(|a| a.split(',')) {
            let (name, operator, value) = comparison(part)?;
            let (column, value) = match value.parse::<f64>() {
                Ok(number) => ("f.value", Sql::Real(number)),
                Err(_) if matches!(operator, "=" | "!=") => ("f.word", text(value)),
                Err(_) => bail!("--attr {part}: expected a number after {operator}"),
            };
            w.and(
                &format!(
                    "EXISTS(SELECT 1 FROM look_fact f WHERE f.name=? AND f.game=s.game AND f.seat IN (-1, s.seat) \
                     AND {column}{operator}?)"
                ),
                [text(name), value],
            );
        }
        Ok(())
    }

    /// Fails where it names a game, a run or a game's number that the file has not: nothing can fit then, and whoever
    /// asks has most likely mistyped it.
    pub fn check(&self, index: &Index) -> Result<()> {
        let file = index.path.display();
        let count = |sql: &str, value: Sql| -> Result<i64> {
            Ok(index.db.query_row(sql, [value], |row| row.get(0))?)
        };
        if let Some(game) = given(self.game.as_ref()) {
            if count("SELECT count(*) FROM look_game WHERE name=?1", text(game))? == 0 {
                let mut query = index
                    .db
                    .prepare("SELECT DISTINCT name FROM look_game ORDER BY name")?;
                let names = query.query_map([], |row| row.get(0))?;
                let names = names.collect::<Result<Vec<String>, _>>()?;
                bail!("--game {game}: {file} has games of {}", names.join(", "));
            }
        }
        for (option, id, what, table, column) in [
            ("--run", self.run, "run", "arena_run", "id"),
            ("--like", self.like, "game", "look_game", "game"),
        ] {
            let Some(id) = id else { continue };
            if count(
                &format!("SELECT count(*) FROM {table} WHERE {column}=?1"),
                Sql::Integer(id),
            )? == 0
            {
                let last = format!("SELECT coalesce(max({column}), 0) FROM {table} WHERE ?1");
                let last = count(&last, Sql::Integer(1))?;
                bail!("{option} {id}: {file} has no such {what}; the last one is {last}");
            }
        }
        Ok(())
    }

    /// Games that fit, as asked for.
    pub fn find(&self, index: &Index) -> Result<FoundGames> {
        let mut w = self.conditions(index)?;
        if !self.of_seats() {
            w.and("s.seat=0", []);
        }
        let from = format!(
            "FROM look_seat s JOIN look_game g ON g.game=s.game WHERE {}",
            w.sql
        );
        let all: i64 = index
            .db
            .prepare_cached(&format!("SELECT count(*) {from}"))?
            .query_row(params_from_iter(&w.values), |row| row.get(0))?;
        let (order, values) = self.order(index)?;
        let mut bound = w.values.clone();
        bound.extend(values.iter().cloned());
        let limit = if self.limit == 0 { -1 } else { self.limit as i64 };
        bound.extend([Sql::Integer(limit), Sql::Integer(self.offset as i64)]);
        bound.extend(values);
        // The names of the others are looked up only for the rows that are shown.
        let sql = format!(
            "SELECT x.game, g.run, g.name, g.seed, s.seat, b.name, s.won, s.points, s.score, s.margin, g.turns, g.ended,
                    s.fault, s.late, s.slowest,
                    CASE g.played WHEN 0 THEN '' ELSE datetime(g.played, 'unixepoch') END,
                    (SELECT group_concat(n.name, ', ') FROM look_seat o JOIN look_bot n ON n.id=o.bot
                     WHERE o.game=x.game AND o.seat<>s.seat)
             FROM (SELECT s.game, s.seat {from} ORDER BY {order}, s.game DESC, s.seat LIMIT ? OFFSET ?) x
             JOIN look_seat s ON s.game=x.game AND s.seat=x.seat JOIN look_game g ON g.game=x.game
             JOIN look_bot b ON b.id=s.bot ORDER BY {order}, s.game DESC, s.seat"
        );
        let mut query = index.db.prepare_cached(&sql)?;
        let rows = query.query_map(params_from_iter(bound), seen)?;
        Ok(FoundGames {
            all: all as usize,
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// Where a game stands among those that fit, in their order: its place from 0, how many there are, the one before
    /// and the one after. None where it does not fit.
    pub fn around(&self, index: &Index, game: i64, seat: usize) -> Result<Option<Around>> {
        let mut w = self.conditions(index)?;
        if !self.of_seats() {
            w.and("s.seat=0", []);
        }
        let (order, values) = self.order(index)?;
        let sql = format!(
            "SELECT s.game, s.seat FROM look_seat s JOIN look_game g ON g.game=s.game WHERE {}
             ORDER BY {order}, s.game DESC, s.seat",
            w.sql
        );
        w.values.extend(values);
        let mut query = index.db.prepare_cached(&sql)?;
        let rows: Vec<(i64, usize)> = query
            .query_map(params_from_iter(w.values), |row| {
                Ok((row.get(0)?, row.get::<_, i64>(1)? as usize))
            })?
            .collect::<Result<_, _>>()?;
        let place = rows.iter().position(|&row| row == (game, seat));
        Ok(place.map(|place| Around {
            place,
            all: rows.len(),
            before: place.checked_sub(1).map(|n| rows[n]),
            after: rows.get(place + 1).copied(),
        }))
    }

    /// SQL after `ORDER BY`.
    fn order(&self, index: &Index) -> Result<(String, Vec<Sql>)> {
        let name = self.order_name().trim_start_matches('-');
        let down = if self.order_name().starts_with('-') {
            " DESC"
        } else {
            ""
        };
        if let Some(column) = column(name) {
            return Ok((format!("{column}{down}"), Vec::new()));
        }
        let known: bool = index.db.query_row(
            "SELECT EXISTS(SELECT 1 FROM look_fact WHERE name=?1)",
            [name],
            |row| row.get(0),
        )?;
        if !known {
            bail!(
                "--sort {name}: expected one of {}, or a fact that was told",
                COLUMNS.map(|c| c.0).join(", ")
            );
        }
        let of = "(SELECT f.value FROM look_fact f WHERE f.name=? AND f.game=s.game AND f.seat IN (-1, s.seat) \
                  ORDER BY f.seat DESC LIMIT 1)";
        Ok((format!("{of}{down} NULLS LAST"), vec![text(name)]))
    }
}

/// Columns that sort, and what they are in the database.
pub const COLUMNS: [(&str, &str); 13] = [
    ("id", "s.game"),
    ("run", "g.run"),
    ("game", "g.name"),
    ("seed", "g.seed"),
    ("seat", "s.seat"),
    ("bot", "(SELECT name FROM look_bot WHERE id=s.bot)"),
    ("result", "s.won"),
    ("score", "s.score"),
    ("margin", "s.margin"),
    ("turns", "g.turns"),
    ("late", "s.late"),
    ("slowest", "s.slowest"),
    ("played", "g.played"),
];

fn column(name: &str) -> Option<&'static str> {
    COLUMNS.iter().find(|c| c.0 == name).map(|c| c.1)
}

fn seen(row: &Row<'_>) -> rusqlite::Result<Seen> {
    Ok(Seen {
        id: row.get(0)?,
        run: row.get(1)?,
        game: row.get(2)?,
        seed: row.get::<_, i64>(3)? as u64,
        seat: row.get::<_, i64>(4)? as usize,
        bot: row.get(5)?,
        result: ["lost", "drawn", "won"][row.get::<_, usize>(6)?.min(2)],
        points: row.get(7)?,
        score: row.get(8)?,
        margin: row.get(9)?,
        turns: row.get(10)?,
        ended: row.get(11)?,
        fault: row.get(12)?,
        late: row.get(13)?,
        slowest: row.get(14)?,
        played: row.get(15)?,
        against: row.get::<_, Option<String>>(16)?.unwrap_or_default(),
    })
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;

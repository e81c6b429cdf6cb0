//! A position as plain text, for games that draw none of their own.

use serde_json::Value;
use std::fmt::Write;

/// A position without a form of its own: rows of text as they are, any other short value on one line.
pub fn fields(view: &Value) -> String {
    let mut out = String::new();
    for (key, value) in view.as_object().into_iter().flatten() {
        match value.as_array() {
            Some(rows) if rows.len() > 2 && rows.iter().all(Value::is_string) => {
                for row in rows.iter().filter_map(Value::as_str) {
                    let _ = writeln!(out, "  {row}");
                }
            }
            _ => {
                let line = value.to_string();
                if line.len() <= 200 {
                    let _ = writeln!(out, "  {key}: {line}");
                }
            }
        }
    }
    out
}

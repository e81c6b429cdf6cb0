//! What the compiler suggests in its messages, as changes of the text.

use serde_json::Value;
use std::ops::Range;

/// The changes of a message and of its notes that a machine may make.
pub fn suggested(value: &Value, list: &mut Vec<(Range<usize>, String)>) {
    let spans = value["spans"].as_array().into_iter().flatten();
    if spans
        .clone()
        .all(|span| span["suggestion_applicability"] == "MachineApplicable")
    {
        put_in(value, list);
    }
    for child in value["children"].as_array().into_iter().flatten() {
        suggested(child, list);
    }
}

/// The bytes of a span.
pub fn place(span: &Value) -> Range<usize> {
    let at = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
    at("byte_start")..at("byte_end")
}

/// True if a place is in the bundle.
pub fn is_here(span: &Value) -> bool {
    span["file_name"] == "bundle.rs"
}

/// The replacements of one message.
pub fn put_in(value: &Value, list: &mut Vec<(Range<usize>, String)>) {
    for span in value["spans"].as_array().into_iter().flatten() {
        let is_own = is_here(span);
        if let (true, Some(with)) = (is_own, span["suggested_replacement"].as_str()) {
            list.push((place(span), without_allocator(with)));
        }
    }
}

/// The `&` of a pattern in a macro, which no machine may write as the compiler has it: where the macro matches something
/// else, too, it does not compile with it. Once, however often the macro is called.
pub fn in_patterns(value: &Value, list: &mut Vec<(Range<usize>, String)>) {
    let children = value["children"].as_array().into_iter().flatten();
    for span in children.flat_map(|child| child["spans"].as_array().into_iter().flatten()) {
        let with = span["suggested_replacement"].as_str().unwrap_or_default();
        let is_reference =
            (with.split('&').flat_map(str::split_whitespace)).all(|w| matches!(w, "mut" | "ref"));
        let in_macro = span["suggestion_applicability"] == "MaybeIncorrect";
        let edit = (place(span), with.to_owned());
        if !with.is_empty() && is_reference && in_macro && is_here(span) && !list.contains(&edit) {
            list.push(edit);
        }
    }
}

/// `Trait::method($x)` for the `$x.method()` of a macro, which the lint only describes.
pub fn in_full(value: &Value, text: &str, list: &mut Vec<(Range<usize>, String)>) {
    for child in value["children"].as_array().into_iter().flatten() {
        let said = child["message"].as_str().unwrap_or_default();
        let path = said.split('`').nth(1).and_then(|call| call.strip_suffix("(...)"));
        let method = path.and_then(|path| path.rsplit("::").next());
        let (Some(path), Some(method), Some([span])) =
            (path, method, child["spans"].as_array().map(Vec::as_slice))
        else {
            continue;
        };
        let range = place(span);
        let is_open = span["suggested_replacement"].is_null() && is_here(span);
        let call = text.get(range.clone()).filter(|_| is_open);
        let receiver = call.and_then(|call| call.strip_suffix(&format!(".{method}()")));
        if let Some(receiver) = receiver {
            list.push((range, format!("{path}({receiver})")));
        }
    }
}

/// A suggestion as a stable compiler takes it: of `Vec<_, _>` it may not say the last one.
fn without_allocator(with: &str) -> String {
    let mut text = with.to_owned();
    for name in [
        "Arc",
        "BTreeSet",
        "BinaryHeap",
        "Box",
        "LinkedList",
        "Rc",
        "Vec",
        "VecDeque",
    ] {
        text = text.replace(&format!("{name}<_, _>"), &format!("{name}<_>"));
    }
    text.replace("BTreeMap<_, _, _>", "BTreeMap<_, _>")
}

/// Names for the `impl Trait` of parameters, which have to be listed among what a function's result holds. Where others can
/// already be named in its calls, no machine may write it so: they would have to name all.
pub fn in_captures(value: &Value, text: &str, list: &mut Vec<(Range<usize>, String)>) {
    let is_nameable = |(range, with): &(Range<usize>, String)| {
        let before = text.get(..range.start).unwrap_or_default();
        let known = before.rfind('<').map_or("", |open| &before[open + 1..]);
        !with.starts_with(',') || known.split(',').all(|name| name.trim_start().starts_with('\''))
    };
    for child in value["children"].as_array().into_iter().flatten() {
        let mut edits = Vec::new();
        put_in(child, &mut edits);
        let spans = child["spans"].as_array().into_iter().flatten();
        let is_unsure = spans
            .clone()
            .any(|span| span["suggestion_applicability"] == "MaybeIncorrect");
        // Of several results of one function, each is said to need the same names.
        let is_agreed = |(range, with): &(Range<usize>, String)| {
            list.iter().all(|(known, other)| known != range || other == with)
        };
        if is_unsure && edits.len() == spans.count() && edits.iter().all(|e| is_nameable(e) && is_agreed(e)) {
            edits.retain(|edit| !list.contains(edit));
            list.extend(edits);
        }
    }
}

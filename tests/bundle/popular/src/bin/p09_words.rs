use heck::{ToKebabCase, ToShoutySnakeCase, ToUpperCamelCase};

fn main() {
    for name in ["maxDepth", "beam width", "TT_size"] {
        println!("{} {} {}", name.to_kebab_case(), name.to_shouty_snake_case(), name.to_upper_camel_case());
    }
    let known = ["MOVE", "BUILD", "WAIT"];
    let best = known.iter().max_by(|a, b| strsim::jaro_winkler(a, "BIULD").total_cmp(&strsim::jaro_winkler(b, "BIULD")));
    println!("{best:?} {} {}", strsim::levenshtein("kitten", "sitting"), strsim::hamming("abc", "abd").unwrap());
}

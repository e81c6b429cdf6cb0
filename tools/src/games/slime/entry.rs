//! The text the host asks for: name, command, language version, code, how to compile.

use fifty::games::slime::weights::Weights;

/// The entry with the finished source in it.
pub fn entry(bundle: &str) -> String {
    format!(
        "\
# Fifty

- **Name**: Fifty
- **Command**: `./slime`
- **Language**: Rust 1.85 or later (edition 2021), no dependencies, one file
- **State**: `slime.memory` beside the program, at most 64 kB; written if it can be, not needed

## How it plays

A Monte-Carlo tree search for four players. Every player in the tree maximises its own expected share of
the squares; moves are tried in the order of small tables, leaves are valued by a small network. Between
its moves it remembers the boards it left, and tells from what the others did since whether they plan or
follow a model: taking the most squares at once, or anything. It knows no bot by name. It thinks for about
{think} ms a move, the start of the process included.

## How to compile on a bare Ubuntu

```sh
sudo apt install curl gcc
curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y --profile minimal
. ~/.cargo/env
rustc --edition 2021 -O slime.rs -o slime
./slime 3,11111222,11111444,11.22444,.1222.4.,333.3244,33333.44,333...44,333....4
```

The last line prints a move such as `6 5 7 6`. Without an argument, or with one that is not a board, it
prints `0 0 0 0` (a pass) and says why on stderr.

## Code (`slime.rs`)

```rust
{}
```
",
        bundle.trim_end(),
        think = Weights::DEFAULT.think_ms
    )
}

#[cfg(test)]
mod tests {
    use super::entry;

    #[test]
    fn the_entry_holds_the_code_and_the_command() {
        let text = entry("fn main() {}\n");
        assert!(text.contains("```rust\nfn main() {}\n```") && text.contains("`./slime`"));
    }
}

//! The text the host asks for: name, command, language version, code, how to compile.

/// The entry with the finished source in it.
pub fn entry(bundle: &str) -> String {
    format!(
        "\
# Fifty

- **Name**: Fifty
- **Command**: `./slime`
- **Language**: Rust 1.85 or later (edition 2021), no dependencies, one file
- **State**: none; the bot reads and writes no files

## How it plays

A Monte-Carlo tree search for four players. Every player in the tree maximises its own expected share of
the squares; moves are tried in the order of what they take at once; leaves are valued after a few greedy
turns. It thinks for about 86 ms a move, the start of the process included.

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
        bundle.trim_end()
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

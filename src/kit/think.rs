//! What a bot says of the moves its search looked at: the `best=` word of a line `think … best=… pv=…`.
//!
//! Words for people and tools, never for the judge. Not here: who asks, and when; see [`super::agent::Agent::said`].

use core::fmt::Display;

/// Up to five moves, best first, each as `move:visits:value` with a comma after it; a move's spaces become `_`.
///
/// The value is the expected result, 0 to 1. A search without visits gives `""`, alpha-beta `"<"`: there only the first
/// value is exact, and another move is worth at most what stands beside it.
#[allow(clippy::format_collect)] // five short texts, and fewer characters
pub fn best<M: Display, V: Display>(moves: impl IntoIterator<Item = (M, V, f32)>) -> String {
    let five = moves.into_iter().take(5);
    let text: String = five
        .map(|(m, visits, value)| format!("{m}:{visits}:{value:.3},"))
        .collect();
    text.replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn five_moves_without_a_space() {
        let moves = (1..9).map(|n| (format!("PUT A{n} 3"), 10 - n, 1.0 / n as f32));
        let text = best(moves);
        assert!(text.starts_with("PUT_A1_3:9:1.000,PUT_A2_3:8:0.500,"), "{text}");
        assert_eq!(text.matches(',').count(), 5);
        assert_eq!(best([("E 1", "<", 0.25)]), "E_1:<:0.250,");
        assert_eq!(best([("", "", 0.0); 0]), "");
    }
}

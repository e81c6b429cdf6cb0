//! The numbers being tuned, measured in their own steps.
//!
//! A coordinate of 0 is the default of its number and 1 is one `step` above it, so that one perturbation
//! and one gain serve numbers of any size. Values are clamped to `min..=max` on the way out.

use anyhow::{Context, bail};
use fifty::kit::tunables::Tunable;
use glob::Pattern;

/// Names that an error lists.
const SHOWN: usize = 20;

/// A choice of tunables, in order of declaration.
#[derive(Clone, Debug)]
pub struct Space {
    dims: Vec<Tunable>,
}

impl Space {
    /// The tunables whose names match any of `globs` (all of them if there is none).
    /// Errors: a pattern that is malformed or matches nothing, by name.
    pub fn select(list: &[Tunable], globs: &[String]) -> anyhow::Result<Self> {
        let mut wanted = Vec::new();
        for text in globs {
            let pattern = Pattern::new(text).with_context(|| format!("--params {text}"))?;
            if !list.iter().any(|t| pattern.matches(t.name)) {
                let names: Vec<_> = list.iter().map(|t| t.name).collect();
                let more = if names.len() > SHOWN { " …" } else { "" };
                let some = names[..names.len().min(SHOWN)].join(" ");
                bail!(
                    "--params {text} matches none of the {} numbers: {some}{more}",
                    names.len()
                );
            }
            wanted.push(pattern);
        }
        let keep = |t: &&Tunable| wanted.is_empty() || wanted.iter().any(|p| p.matches(t.name));
        Ok(Self {
            dims: list.iter().filter(keep).copied().collect(),
        })
    }

    /// The numbers, in order.
    pub fn dims(&self) -> &[Tunable] {
        &self.dims
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.dims.len()
    }

    /// True if there is nothing to tune.
    pub fn is_empty(&self) -> bool {
        self.dims.is_empty()
    }

    /// The value of number `i` at coordinate `x` (in steps from its default).
    pub fn value(&self, i: usize, x: f64) -> f64 {
        let t = &self.dims[i];
        self.within(i, t.value + x * t.step)
    }

    /// The value nearest to `value` that number `i` can have: clamped, whole where it must be, never minus zero.
    pub fn within(&self, i: usize, value: f64) -> f64 {
        let t = &self.dims[i];
        let value = value.clamp(t.min, t.max);
        0.0 + if t.whole { value.round() } else { value }
    }

    /// The coordinate of a value of number `i`.
    pub fn coordinate(&self, i: usize, value: f64) -> f64 {
        let t = &self.dims[i];
        (value - t.value) / t.step
    }

    /// Pulls a coordinate back to where its value is inside the range.
    pub fn clamp(&self, i: usize, x: f64) -> f64 {
        let t = &self.dims[i];
        x.clamp((t.min - t.value) / t.step, (t.max - t.value) / t.step)
    }

    /// Names and values at a point.
    pub fn params(&self, x: &[f64]) -> Vec<(String, f64)> {
        x.iter()
            .enumerate()
            .map(|(i, &x)| (self.dims[i].name.to_owned(), self.value(i, x)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Space;
    use fifty::kit::tunables::Tunable;

    const LIST: &[Tunable] = &[
        Tunable {
            name: "reach",
            value: 2.0,
            min: 0.0,
            max: 4.0,
            step: 0.5,
            whole: false,
            hand: None,
        },
        Tunable {
            name: "depth",
            value: 4.0,
            min: 1.0,
            max: 9.0,
            step: 1.0,
            whole: true,
            hand: None,
        },
    ];

    #[test]
    fn steps_round_and_clamp() {
        let space = Space::select(LIST, &[]).unwrap();
        assert_eq!(
            space.params(&[1.0, 0.4]),
            [("reach".into(), 2.5), ("depth".into(), 4.0)]
        );
        assert_eq!(
            space.params(&[99.0, -99.0]),
            [("reach".into(), 4.0), ("depth".into(), 1.0)]
        );
        assert_eq!(space.clamp(0, 99.0), 4.0);
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_named() {
        let error = Space::select(LIST, &["re*".into(), "zz*".into()])
            .unwrap_err()
            .to_string();
        assert!(error.contains("zz*") && error.contains("reach depth"), "{error}");
        assert_eq!(Space::select(LIST, &["re*".into()]).unwrap().len(), 1);
    }
}

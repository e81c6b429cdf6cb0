//! The text of a bundle, as far squeezed as one likes: what was proven is put together anew for each degree.
//!
//! Short names take a proof of their own. A text that is far over the limit without them is over it with them, too: there
//! they are spared.

use super::alone::Compile;
use super::budget::Budget;
use super::print::{self, Minify};
use super::target::Target;
use super::{Bundle, Request, cache, numbers, report, shorten};
use anyhow::Result;
use std::path::Path;
use std::time::Duration;

/// How many times the limit the text is that short names are not tried for: with them no text is a quarter as long.
const FAR: usize = 4;

/// What the file of a bundle is made of.
#[derive(Clone, Debug)]
pub struct Material {
    /// Lines above the program.
    pub head: String,
    /// What was proven.
    pub program: String,
    /// Whom it is for.
    pub target: Target,
}

impl Material {
    /// True if it is so long that no degree of squeezing brings it below the limit.
    pub fn is_far_over(&self) -> Result<bool> {
        let Some(most) = self.target.limit.map(|limit| limit * FAR) else {
            return Ok(false);
        };
        if self.target.count(&self.program) <= most {
            return Ok(false);
        }
        // Most of it may be the author's comments and digits.
        let bare = print::tidy(&numbers::shorten(&self.program)?, Minify::Light, false)?;
        Ok(self.target.count(&bare) > most)
    }

    /// The text; with its own names where it is far too long.
    pub fn text(&self, minify: Minify, compile: &Compile, cache: &Path) -> Result<String> {
        let has_short_names = minify == Minify::Full && !self.is_far_over()?;
        let short = has_short_names.then(|| {
            cache::kept(&self.program, compile, cache, || {
                shorten::shorten(&self.program, compile)
            })
        });
        let short = short.transpose()?;
        let program = short.as_ref().unwrap_or(&self.program);
        let numbered = (minify == Minify::Full).then(|| numbers::shorten(program));
        let numbered = numbered.transpose()?;
        let program = numbered.as_ref().unwrap_or(program);
        Ok(self.head.clone() + &print::tidy(program, minify, self.target.comments)?)
    }
}

impl Bundle {
    /// Squeezes a readable text that is over the limit, as little as brings it below; a text that is not to be brought there
    /// stays as it is. Names are shortened within a budget of their own, as large as that of the `request`.
    pub fn fit(&mut self, request: &Request) -> Result<()> {
        let Some(limit) = self.limit.filter(|limit| self.characters > *limit) else {
            return Ok(());
        };
        for (name, level) in [("light", Minify::Light), ("full", Minify::Full)] {
            request.progress.say("squeezing");
            let Ok(Some(text)) = self.at(level, request.budget) else {
                continue;
            };
            let characters = self.material.target.count(&text);
            if characters <= limit {
                self.notes.push(format!(
                    "squeezed by --minify {name}, as it is {} characters where it can be read",
                    self.characters
                ));
                self.shares = report::shares(&text, &self.material.target)?;
                (self.text, self.characters) = (text, characters);
                break;
            }
        }
        Ok(())
    }

    /// The text at another degree of squeezing, if that may bring it below the limit.
    fn at(&self, minify: Minify, budget: Option<Duration>) -> Result<Option<String>> {
        if minify == Minify::Full && self.material.is_far_over()? {
            return Ok(None);
        }
        let compile = Compile {
            budget: Budget::new(budget),
            ..self.compile.clone()
        };
        self.material.text(minify, &compile, &self.cache).map(Some)
    }

    /// Characters of the same program at another degree of squeezing, within a `budget` of its own; `None` where that was
    /// spared, as it would be far over the limit all the same.
    pub fn squeezed(&self, minify: Minify, budget: Option<Duration>) -> Result<Option<usize>> {
        let text = self.at(minify, budget)?;
        Ok(text.map(|text| self.material.target.count(&text)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Compile, Material, Minify, Target};

    #[test]
    fn names_are_spared_far_over_the_limit() {
        let compile = Compile {
            edition: 2021,
            ..Compile::default()
        };
        let dir = tempfile::tempdir().unwrap();
        let program = "fn lengthy() -> usize {\n    1\n}\nfn main() {\n    print!(\"{}\", lengthy());\n}\n";
        for (limit, is_short) in [(16, false), (80, true)] {
            let mut target = Target::find("plain").unwrap();
            target.limit = Some(limit);
            let material = Material {
                head: "// head\n".to_owned(),
                program: program.to_owned(),
                target,
            };
            let text = material.text(Minify::Full, &compile, dir.path()).unwrap();
            assert!(text.starts_with("// head\nfn ") && text.len() < program.len());
            assert_eq!(text.contains("lengthy"), !is_short, "{text}");
            assert_eq!(material.is_far_over().unwrap(), !is_short);
        }
    }
}

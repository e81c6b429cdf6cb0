//! A bundle that is not a program: what there is of it goes along, to be kept where its author can look.

use anyhow::Result;

/// A text that the compiler refuses, or that cannot even be parsed.
#[derive(Debug)]
pub struct Rejected {
    /// The text.
    pub text: String,
    /// Line of the first error.
    pub line: usize,
    /// What is said of it.
    pub said: String,
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the bundle does not compile (line {} of it):\n{}",
            self.line, self.said
        )
    }
}

impl std::error::Error for Rejected {}

/// The items of `text`; [`Rejected`] where it has none.
pub fn parsed(text: &str) -> Result<syn::File> {
    syn::parse_file(text).map_err(|error| unparsed(text, &error))
}

/// The error of a text that cannot be parsed.
pub fn unparsed(text: &str, error: &syn::Error) -> anyhow::Error {
    anyhow::Error::new(Rejected {
        text: text.to_owned(),
        line: error.span().start().line,
        said: format!("it cannot be parsed: {error}"),
    })
}

#[cfg(test)]
mod tests {
    use super::{Rejected, parsed};

    #[test]
    fn a_text_that_cannot_be_parsed_is_kept_with_its_line() {
        let text = "fn a() {}\nfn b( {}\n";
        let error = parsed(text).unwrap_err();
        let rejected: &Rejected = error.downcast_ref().unwrap();
        assert_eq!((rejected.text.as_str(), rejected.line), (text, 2));
        assert!(
            error
                .to_string()
                .starts_with("the bundle does not compile (line 2 of it):\nit cannot be parsed: ")
        );
    }
}

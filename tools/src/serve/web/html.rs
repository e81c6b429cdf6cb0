//! What all pages share: the frame, names and numbers in words.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// Where the reader is, for the list of pages.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Candidates and pool.
    Home,
    /// Runs.
    Runs,
    /// Games.
    Games,
    /// Turns at which a bot went wrong.
    Review,
    /// Games from elsewhere.
    Import,
}

/// The list of pages.
pub fn pages(place: Option<Place>) -> Markup {
    let link = |at: Place, to: &str, name: &str| {
        html! { a href=(to) aria-current=[(place == Some(at)).then_some("page")] { (name) } }
    };
    html! {
        (link(Place::Home, "/", "Bots"))
        (link(Place::Runs, "/runs", "Runs"))
        (link(Place::Games, "/games", "Games"))
        (link(Place::Review, "/review", "Review"))
        (link(Place::Import, "/import", "Import"))
    }
}

/// A whole page.
pub fn page(title: &str, place: Option<Place>, content: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { (title) " - fifty" }
                link rel="stylesheet" href="/style.css";
                link rel="icon" href="data:,";
                script src="/live.js" defer {}
            }
            body {
                a.skip href="#content" { "to the content" }
                nav aria-label="Pages" {
                    (pages(place))
                    span #busy role="status" {}
                }
                main #content { (content) }
            }
        }
    }
}

/// SVG made here.
pub fn picture(svg: String, label: &str) -> Markup {
    html! { figure.chart { figcaption { (label) } (PreEscaped(svg)) } }
}

/// Seconds in words.
pub fn span(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// A share in percent.
pub fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

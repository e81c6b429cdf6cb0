//! Keeping today's bot as an opponent of tomorrow's: `tools/opponents/<game>-<name>.rs`.

use crate::adapter::Adapter;
use crate::arena::opponents;
use crate::bundle::print::Minify;
use crate::bundle::target::Target;
use crate::bundle::{Request, bundle, write};
use crate::paths::project_root;
use anyhow::{Result, ensure};
use std::path::PathBuf;

/// Writes the bot's bundle, minified: it is played, not read. A name in use is refused, since results were stored
/// under it.
pub fn keep(adapter: &dyn Adapter, name: &str) -> Result<PathBuf> {
    let game = adapter.name();
    opponents::can_be_named(adapter, name)?;
    let file = opponents::file(game, name)?;
    ensure!(
        !file.exists(),
        "{}: is there already; old bots are not replaced, take another name",
        file.display()
    );
    let mut request = Request::new(game, Some(project_root()?.join("Cargo.toml")))?;
    request.target = Target::find(adapter.target())?;
    request.minify = Minify::Full;
    let text = bundle(&request)?.text;
    let head = format!(
        "//! {game}, `builtin:{name}`: an old bot kept as an opponent by `cargo fifty ship --keep {name}`. Minified, never edited.\n"
    );
    write(&(head + &text), &file)?;
    Ok(file)
}

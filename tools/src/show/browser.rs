//! Opens a game's page in headless Chromium and has it step through itself.
//!
//! Checked, in a phone-sized and a desktop window: the page loads, arrow keys step to the end and back, the
//! board shown last is the recorded one, at no step is anything wider than the window or a word on the board
//! under 7 pixels.

use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Windows the page is opened in: name, width, height.
pub const WINDOWS: [(&str, u32, u32); 2] = [("phone", 390, 844), ("desktop", 1280, 800)];

/// A loaded machine needs seconds; this is for a browser that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Finds the browser. Errors: says what to install.
pub fn chromium() -> Result<String> {
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        if Command::new(name)
            .arg("--version")
            .output()
            .is_ok_and(|o| o.status.success())
        {
            return Ok(name.into());
        }
    }
    bail!("no Chromium found: install Debian's package `chromium`")
}

/// It without a window, and without asking anybody beyond this machine.
pub fn headless(browser: &str, profile: &Path) -> Command {
    let mut command = Command::new(browser);
    command
        .args([
            "--headless",
            // Its sandbox does not work for root, nor in most containers; the page is our own.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!("--user-data-dir={}", profile.display()));
    command
}

/// Checks one page; `Err` names what failed.
pub fn check(browser: &str, page: &Path) -> Result<()> {
    let page = page
        .canonicalize()
        .with_context(|| format!("{}: no such page", page.display()))?;
    for (window, width, height) in WINDOWS {
        let profile = tempfile::tempdir()?;
        let dump = profile.path().join("dom.html");
        let mut child = headless(browser, profile.path())
            .args(["--virtual-time-budget=20000", "--dump-dom"])
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("file://{}#check", page.display()))
            .stdout(std::fs::File::create(&dump)?)
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{browser} cannot be started"))?;
        let until = Instant::now() + PATIENCE;
        while child.try_wait()?.is_none() {
            if Instant::now() > until {
                child.kill()?;
                child.wait()?;
                bail!(
                    "{}: {window}: the browser did not end within {PATIENCE:?}",
                    page.display()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let dom = std::fs::read(&dump)?;
        let dom = String::from_utf8_lossy(&dom);
        let found = dom
            .split_once("data-check=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(text, _)| text.replace("&quot;", "\""))
            .with_context(|| format!("{}: {window}: the page's script did not finish", page.display()))?;
        let found: Value = serde_json::from_str(&found)?;
        for what in ["steps", "board", "width", "readable", "marked", "back", "home"] {
            if found[what] != true {
                bail!("{}: {window}: {what} failed: {found}", page.display());
            }
        }
    }
    Ok(())
}

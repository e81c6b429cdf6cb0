//! Headless Chromium over its debugging pipe: open, look, press, take pictures.
//!
//! Messages are JSON objects with a zero byte after each, on two pipes that only we hold: no port is open.

use super::browser::headless;
use anyhow::{Context, Result, bail};
use command_fds::{CommandFdExt, FdMapping};
use rustix::pipe::PipeFlags;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A loaded machine needs seconds; this is for what never comes.
const PATIENCE: Duration = Duration::from_secs(600);

/// A browser with one page.
pub struct Chrome {
    child: Child,
    input: File,
    output: mpsc::Receiver<Value>,
    session: String,
    next: u64,
    /// Its profile; gone with it.
    _profile: tempfile::TempDir,
}

impl Drop for Chrome {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Chrome {
    /// Starts `browser`.
    pub fn start(browser: &str) -> Result<Self> {
        let profile = tempfile::tempdir()?;
        let (theirs_in, ours_out) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let (ours_in, theirs_out) = rustix::pipe::pipe_with(PipeFlags::CLOEXEC)?;
        let mut command = headless(browser, profile.path());
        command
            .args(["--hide-scrollbars", "--remote-debugging-pipe", "about:blank"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.fd_mappings(vec![
            FdMapping {
                parent_fd: theirs_in,
                child_fd: 3,
            },
            FdMapping {
                parent_fd: theirs_out,
                child_fd: 4,
            },
        ])?;
        let child = command
            .spawn()
            .with_context(|| format!("{browser} cannot be started"))?;
        drop(command);
        let (send, output) = mpsc::channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(File::from(ours_in));
            let mut bytes = Vec::new();
            while lines.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
                bytes.pop();
                if let Ok(value) = serde_json::from_slice(&bytes) {
                    if send.send(value).is_err() {
                        return;
                    }
                }
                bytes.clear();
            }
        });
        let mut chrome = Self {
            child,
            input: File::from(ours_out),
            output,
            session: String::new(),
            next: 0,
            _profile: profile,
        };
        let target = chrome.call("Target.createTarget", &json!({"url": "about:blank"}))?;
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let session = chrome.call("Target.attachToTarget", &attach)?;
        session["sessionId"]
            .as_str()
            .unwrap_or_default()
            .clone_into(&mut chrome.session);
        chrome.call("Page.enable", &json!({}))?;
        chrome.call("Runtime.enable", &json!({}))?;
        Ok(chrome)
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let mut bytes = serde_json::to_vec(&message)?;
        bytes.push(0);
        self.input.write_all(&bytes).context("the browser is gone")?;
        let until = Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let answer = self.output.recv_timeout(left);
            let answer = answer.with_context(|| format!("{method}: the browser gave no answer"))?;
            if answer["id"] != self.next {
                continue;
            }
            if !answer["error"].is_null() {
                bail!("{method}: {}", answer["error"]);
            }
            return Ok(answer["result"].clone());
        }
    }

    /// The window's size.
    pub fn size(&mut self, width: u32, height: u32) -> Result<()> {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &metrics)
            .map(drop)
    }

    /// Light or dark, as a reader's system has it.
    pub fn dark(&mut self, dark: bool) -> Result<()> {
        let value = if dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.call("Emulation.setEmulatedMedia", &features).map(drop)
    }

    /// Presses a key: `Tab`, `Enter`, an arrow.
    pub fn press(&mut self, key: &str) -> Result<()> {
        let (code, text) = match key {
            "Tab" => (9, ""),
            "Enter" => (13, "\r"),
            "ArrowLeft" => (37, ""),
            "ArrowRight" => (39, ""),
            "End" => (35, ""),
            other => bail!("{other}: this key is not known here"),
        };
        for kind in ["keyDown", "keyUp"] {
            let text = if kind == "keyDown" { text } else { "" };
            let event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", &event)?;
        }
        Ok(())
    }

    /// Chooses a file in the form's field that a selector finds.
    pub fn file(&mut self, selector: &str, file: &Path) -> Result<()> {
        let find = format!("document.querySelector({})", serde_json::Value::from(selector));
        let found = self.call("Runtime.evaluate", &json!({"expression": find}))?;
        // The browser has a working folder of its own.
        let chosen = json!({"objectId": found["result"]["objectId"], "files": [file.canonicalize()?]});
        self.call("DOM.setFileInputFiles", &chosen).map(drop)
    }

    /// Goes to an address and waits for its page.
    pub fn open(&mut self, url: &str) -> Result<()> {
        let found = self.call("Page.navigate", &json!({"url": url}))?;
        if !found["errorText"].is_null() {
            bail!("{url}: {}", found["errorText"]);
        }
        self.wait("document.readyState === 'complete'")
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Result<Value> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let found = self.call("Runtime.evaluate", &params)?;
        if !found["exceptionDetails"].is_null() {
            bail!(
                "{expression}: {}",
                found["exceptionDetails"]["exception"]["description"]
            );
        }
        Ok(found["result"]["value"].clone())
    }

    /// Waits until an expression is true; a page that is just changing has no value yet.
    pub fn wait(&mut self, expression: &str) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        let mut last = String::new();
        while Instant::now() < until {
            match self.value(expression) {
                Ok(Value::Bool(true)) => return Ok(()),
                Ok(other) => last = other.to_string(),
                Err(error) => last = error.to_string(),
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        let text = self
            .value("document.body.innerText.slice(0, 600)")
            .unwrap_or_default();
        bail!("{expression}: never became true, last {last}; the page reads {text}")
    }

    /// The whole page as a PNG file.
    pub fn picture(&mut self, file: &Path) -> Result<()> {
        use base64::Engine as _;
        let page = self.call("Page.getLayoutMetrics", &json!({}))?["cssContentSize"].clone();
        let whole = json!({"x": 0, "y": 0, "width": page["width"], "height": page["height"], "scale": 1});
        let found = self.call(
            "Page.captureScreenshot",
            &json!({"format": "png", "captureBeyondViewport": true, "clip": whole}),
        )?;
        let text = found["data"].as_str().context("no picture came")?;
        let bytes = base64::engine::general_purpose::STANDARD.decode(text)?;
        std::fs::write(file, bytes).with_context(|| format!("{}: cannot be written", file.display()))
    }
}

//! Who may come in, and from where.
//!
//! On this machine's own address (the default) everybody of the same user may; the system tells whose the other end of a
//! connection is. Everybody else needs the token: in the address once (`?token=…`), from then on in a cookie that no other
//! origin's page can send. Requests that another origin's page makes are refused even so, as are names of this server that
//! are not its own (a foreign name that resolves to here) and paths with `..`.

use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use std::io::Read;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::MetadataExt;
use std::sync::OnceLock;

const COOKIE: &str = "fifty";

/// The rules of one server.
#[derive(Debug)]
pub struct Door {
    /// Whoever has it may come in.
    token: String,
    /// Only the same user's connections on this machine, and the token.
    address: OnceLock<SocketAddr>,
}

/// 128 random bits in hexadecimal.
fn fresh() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

/// What becomes of a request.
pub enum Decision {
    /// It is answered.
    In,
    /// It brought the token: a cookie, and the same page without the token in its address.
    Greet(Box<Response>),
    /// It is refused.
    Out(StatusCode, &'static str),
}

impl Door {
    /// A door with a token; a fresh one of the system's randomness where none is given.
    pub fn new(token: Option<String>) -> std::io::Result<Self> {
        let token = match token {
            Some(token) => token,
            None => fresh()?,
        };
        Ok(Self {
            token,
            address: OnceLock::new(),
        })
    }

    /// The token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Where the server listens.
    pub fn opened(&self, address: SocketAddr) {
        let _ = self.address.set(address);
    }

    /// Decides about a request.
    pub fn check(&self, request: &Request) -> Decision {
        let (uri, headers) = (request.uri(), request.headers());
        let path = uri.path().to_ascii_lowercase().replace("%2e", ".");
        if path.contains("..") || path.contains('\\') || path.contains("%5c") || path.contains('\0') {
            return Decision::Out(StatusCode::BAD_REQUEST, "no such path");
        }
        let host = host(headers, uri);
        if !self.own_name(host) {
            return Decision::Out(StatusCode::FORBIDDEN, "this server has another name");
        }
        if foreign(headers, host, request.method()) {
            return Decision::Out(StatusCode::FORBIDDEN, "not from another origin's page");
        }
        if let Some(given) = query_token(uri) {
            return if same(&given, &self.token) {
                Decision::Greet(Box::new(self.greet(uri)))
            } else {
                Decision::Out(StatusCode::UNAUTHORIZED, "wrong token")
            };
        }
        if cookies(headers).any(|value| same(value, &self.token)) || bearer(headers, &self.token) {
            return Decision::In;
        }
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|c| c.0);
        match (peer, self.address.get()) {
            (Some(peer), Some(own)) if own.ip().is_loopback() && of_this_user(peer, *own) => Decision::In,
            _ => Decision::Out(
                StatusCode::UNAUTHORIZED,
                "expected the token: open the address that was printed",
            ),
        }
    }

    /// The cookie, and the address without the token.
    fn greet(&self, uri: &Uri) -> Response {
        let rest: Vec<&str> = uri
            .query()
            .unwrap_or_default()
            .split('&')
            .filter(|pair| !pair.is_empty() && !pair.starts_with("token="))
            .collect();
        let path = if rest.is_empty() {
            uri.path().to_owned()
        } else {
            format!("{}?{}", uri.path(), rest.join("&"))
        };
        let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict", self.token);
        let found = (
            StatusCode::SEE_OTHER,
            [(header::SET_COOKIE, cookie), (header::LOCATION, path)],
        );
        sealed(found.into_response())
    }

    /// Names by which a browser of this machine, or one that was told our address, calls us.
    fn own_name(&self, host: &str) -> bool {
        let Some(address) = self.address.get() else {
            return true;
        };
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let known = match name.parse::<IpAddr>() {
            Ok(ip) if address.ip().is_loopback() => ip.is_loopback(),
            Ok(_) => true,
            // Elsewhere the token decides: its cookie is bound to the name.
            Err(_) => name == "localhost" || !address.ip().is_loopback(),
        };
        known && port == Some(address.port())
    }
}

/// The name the request calls us by.
fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> &'a str {
    let named = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    named
        .or_else(|| uri.authority().map(axum::http::uri::Authority::as_str))
        .unwrap_or_default()
}

/// True where another origin's page makes the request. Following a link from elsewhere is no harm; anything else is
/// refused.
fn foreign(headers: &HeaderMap, host: &str, method: &Method) -> bool {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    if let Some(origin) = text("origin") {
        return origin.split_once("://").map(|(_, rest)| rest) != Some(host);
    }
    let navigates = text("sec-fetch-mode") == Some("navigate") && text("sec-fetch-dest") == Some("document");
    match text("sec-fetch-site") {
        None | Some("same-origin" | "none") => false,
        Some(_) => *method != Method::GET || !navigates,
    }
}

fn query_token(uri: &Uri) -> Option<String> {
    let pairs = uri.query()?.split('&');
    pairs
        .filter_map(|pair| pair.strip_prefix("token="))
        .map(str::to_owned)
        .next()
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

fn bearer(headers: &HeaderMap, token: &str) -> bool {
    let value = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
    value
        .and_then(|v| v.strip_prefix("Bearer "))
        .is_some_and(|given| same(given, token))
}

/// Compared in a time that does not tell how much of it is right.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given
            .bytes()
            .zip(token.bytes())
            .fold(0, |sum, (a, b)| sum | (a ^ b))
            == 0
}

/// True where the system says that the other end of a connection on this machine belongs to our own user (or to root, who
/// may do anything anyway).
fn of_this_user(peer: SocketAddr, own: SocketAddr) -> bool {
    if !peer.ip().is_loopback() {
        return false;
    }
    let Ok(me) = std::fs::metadata("/proc/self").map(|m| m.uid()) else {
        return false;
    };
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    tables
        .iter()
        .filter_map(|table| std::fs::read_to_string(table).ok())
        .any(|table| owner(&table, peer.port(), own.port()).is_some_and(|user| user == me || user == 0))
}

/// Whose the connection from `from` to `to` on this machine is, in a table of the system's.
fn owner(table: &str, from: u16, to: u16) -> Option<u32> {
    let port = |word: &str| u16::from_str_radix(word.rsplit_once(':')?.1, 16).ok();
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let here = port(words.get(1)?)? == from && port(words.get(2)?)? == to;
        // Closed ends belong to nobody and are shown as root's.
        let open = *words.get(3)? == "01";
        (here && open).then(|| words.get(7)?.parse().ok()).flatten()
    })
}

/// An answer that other origins can neither read nor frame, and that loads nothing from anywhere else.
pub fn sealed(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    let policy = "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; \
                  img-src 'self' data:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'";
    for (name, value) in [
        ("content-security-policy", policy),
        ("x-content-type-options", "nosniff"),
        // Not `no-referrer`: with it a browser names no origin when a form of ours is sent.
        ("referrer-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cache-control", "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::owner;

    #[test]
    fn the_system_tells_whose_a_connection_is() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n\
            0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1\n\
            1: 0100007F:C001 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1001        0 2 1\n\
            2: 0100007F:C002 0100007F:1F90 06 00000000:00000000 00:00000000 00000000     0        0 0 1\n";
        assert_eq!(owner(table, 0xC001, 0x1F90), Some(1001));
        assert_eq!(owner(table, 0xC002, 0x1F90), None);
        assert_eq!(owner(table, 0xC003, 0x1F90), None);
    }
}

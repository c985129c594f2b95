//! Which requests are answered: to which names of the server, and from pages of which sites.
//!
//! A page of any site can send requests to the machine that shows it. Two headers that no script
//! can forge tell which requests those are:
//!
//! ```text
//!     Host              a name that an attacker has pointed at this machine
//!                       (DNS rebinding): not one of ours
//!     Sec-Fetch-Site    a page of another site asks; browsers that do not send
//!     or Origin         the first send the second wherever a request could do harm
//! ```
//!
//! Programs other than browsers send neither of the last two, and are always answered.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use super::reply::Failure;

const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
const MODE: HeaderName = HeaderName::from_static("sec-fetch-mode");
const DESTINATION: HeaderName = HeaderName::from_static("sec-fetch-dest");

/// Which requests are answered.
pub(super) struct Access {
    /// The names that the server answers to, besides `localhost` and addresses; `None` if to any.
    hosts: Option<Vec<String>>,
    /// The origins whose pages may ask.
    origins: Vec<HeaderValue>,
}

impl Access {
    /// The rules of a server that listens on this address. Names are checked only if some are
    /// given, or if only this machine can reach the server: otherwise its own names are unknown.
    pub(super) fn new(
        address: SocketAddr,
        hosts: Vec<String>,
        origins: Vec<HeaderValue>,
    ) -> Access {
        let any = hosts.is_empty() && !address.ip().is_loopback();
        Access { hosts: (!any).then_some(hosts), origins }
    }

    /// Whether pages of other origins may ask at all.
    pub(super) fn is_shared(&self) -> bool {
        !self.origins.is_empty()
    }

    /// Fails unless the request may be answered. Returns its origin if `--allow-origin` names it.
    pub(super) fn check(&self, request: &Request) -> Result<Option<HeaderValue>, Failure> {
        let headers = request.headers();
        let host = self.host(headers)?;
        // A target that names a host takes the place of the header.
        if let Some(target) = request.uri().authority()
            && !self.is_ours(target.host())
        {
            return Err(misdirected(target.host()));
        }
        let origin = headers.get(header::ORIGIN);
        let any_origin = self.origins.iter().any(|allowed| allowed == "*");
        let allowed = origin.filter(|origin| any_origin || self.origins.contains(origin));
        let foreign = match headers.get(SITE) {
            Some(site) => site != "same-origin" && site != "none",
            None => origin.is_some_and(|origin| !is_of(origin, host)),
        };
        if foreign && allowed.is_none() && !any_origin && !follows_a_link(request) {
            return Err(cross_site(origin));
        }
        Ok(allowed.cloned())
    }

    /// The host and port that the client asks for.
    fn host<'h>(&self, headers: &'h HeaderMap) -> Result<&'h str, Failure> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = match (hosts.next(), hosts.next()) {
            (Some(host), None) => host.to_str().ok(),
            (None, _) => return Err(Failure::bad("there is no Host header")),
            (_, Some(_)) => return Err(Failure::bad("there are two Host headers")),
        };
        let parsed = host.and_then(|host| Some((host, host.parse::<Authority>().ok()?)));
        let parsed = parsed.filter(|(host, name)| {
            let port = host.strip_prefix(name.host());
            port.is_some_and(|port| port.is_empty() || name.port_u16().is_some())
        });
        let (host, name) = parsed.ok_or_else(|| Failure::bad("the Host header names no host"))?;
        if self.is_ours(name.host()) { Ok(host) } else { Err(misdirected(name.host())) }
    }

    /// Whether this is a name of the server.
    fn is_ours(&self, name: &str) -> bool {
        let Some(hosts) = &self.hosts else { return true };
        let bracketed = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        name.eq_ignore_ascii_case("localhost")
            || name.parse::<Ipv4Addr>().is_ok()
            || bracketed.is_some_and(|name| name.parse::<Ipv6Addr>().is_ok())
            || hosts.iter().any(|host| name.eq_ignore_ascii_case(host))
    }
}

/// Whether an origin is that of the server's own page.
fn is_of(origin: &HeaderValue, host: &str) -> bool {
    let of = |origin: &str| {
        let own = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        own.is_some_and(|own| own.eq_ignore_ascii_case(host))
    };
    origin.to_str().is_ok_and(of)
}

/// Whether the request opens a page in a tab, as a link of another site does. Questions are not
/// pages: nobody should be able to ask them with a link.
fn follows_a_link(request: &Request) -> bool {
    let is = |name, value| request.headers().get(name).is_some_and(|found| found == value);
    matches!(*request.method(), Method::GET | Method::HEAD)
        && !request.uri().path().starts_with("/api/")
        && request.uri().path() != "/solve"
        && is(MODE, "navigate")
        && is(DESTINATION, "document")
}

fn misdirected(name: &str) -> Failure {
    let name = name.escape_default();
    let reason = format!("this server is not '{name}': --allow-host {name} lets it answer");
    Failure::new(StatusCode::MISDIRECTED_REQUEST, reason)
}

fn cross_site(origin: Option<&HeaderValue>) -> Failure {
    let origin = origin.and_then(|origin| origin.to_str().ok()).unwrap_or("ORIGIN");
    let reason = format!("pages of other sites may not ask: --allow-origin {origin} lets them");
    Failure::new(StatusCode::FORBIDDEN, reason)
}

/// Reads an origin as browsers send it.
pub(super) fn parse_origin(text: &str) -> Result<HeaderValue, String> {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let plain = |c: char| c.is_ascii_graphic() && !"/?#@\"'<>\\*".contains(c);
    let sound = text == "*" || host.is_some_and(|host| !host.is_empty() && host.chars().all(plain));
    let value = HeaderValue::from_str(text).ok().filter(|_| sound);
    value.ok_or_else(|| {
        format!("'{text}' is no origin: expected something like https://example.org, or *")
    })
}

/// Reads the name of a host.
pub(super) fn parse_host(text: &str) -> Result<String, String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return Ok(text.to_owned());
    }
    Err(format!("'{text}' is no host: expected a name like strong4.example.org, without a port"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    const LOOPBACK: ([u8; 4], u16) = ([127, 0, 0, 1], 4444);
    const PUBLIC: ([u8; 4], u16) = ([0, 0, 0, 0], 4444);

    fn access(address: ([u8; 4], u16), hosts: &[&str], origins: &[&str]) -> Access {
        let origins = origins.iter().map(|origin| parse_origin(origin).unwrap()).collect();
        Access::new(address.into(), hosts.iter().map(|host| host.to_string()).collect(), origins)
    }

    /// The status of a request with these headers, or 200.
    fn status(access: &Access, target: &str, headers: &[(&'static str, &str)]) -> u16 {
        let mut request = Request::get(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let checked = access.check(&request.body(Body::empty()).unwrap());
        checked.map_or_else(|failure| failure.status().as_u16(), |_| 200)
    }

    #[test]
    fn hosts_are_addresses_localhost_and_names_that_are_allowed() {
        let (closed, named) = (access(LOOPBACK, &[], &[]), access(LOOPBACK, &["a.example"], &[]));
        let open = access(PUBLIC, &[], &[]);
        for (host, expected) in [
            ("localhost", [200, 200, 200]),
            ("LocalHost:4444", [200, 200, 200]),
            ("127.0.0.1:80", [200, 200, 200]),
            ("10.1.2.3", [200, 200, 200]),
            ("[::1]:4444", [200, 200, 200]),
            ("a.example", [421, 200, 200]),
            ("A.Example:4444", [421, 200, 200]),
            ("b.a.example", [421, 421, 200]),
            ("localhost.evil.example", [421, 421, 200]),
            ("127.0.0.1.evil.example", [421, 421, 200]),
            ("", [400; 3]),
            ("localhost:port", [400; 3]),
            ("me@localhost", [400; 3]),
            ("localhost/", [400; 3]),
        ] {
            let found = [&closed, &named, &open].map(|a| status(a, "/", &[("host", host)]));
            assert_eq!(found, expected, "{host}");
        }
        assert_eq!(status(&open, "/", &[]), 400);
        assert_eq!(status(&open, "/", &[("host", "localhost"), ("host", "localhost")]), 400);
        assert_eq!(status(&closed, "http://evil.example/", &[("host", "localhost")]), 421);
        assert_eq!(status(&closed, "http://localhost/", &[("host", "localhost")]), 200);
    }

    #[test]
    fn pages_of_other_origins_need_to_be_allowed() {
        let closed = access(LOOPBACK, &[], &[]);
        let one = access(LOOPBACK, &[], &["https://a.example"]);
        let all = access(PUBLIC, &[], &["*"]);
        let own = ("origin", "http://localhost:4444");
        let (a, b) = (("origin", "https://a.example"), ("origin", "https://b.example"));
        let cross = ("sec-fetch-site", "cross-site");
        for (headers, expected) in [
            (&[][..], [200, 200, 200]),
            (&[own], [200, 200, 200]),
            (&[("sec-fetch-site", "same-origin"), own], [200, 200, 200]),
            (&[("sec-fetch-site", "none")], [200, 200, 200]),
            (&[a], [403, 200, 200]),
            (&[cross, a], [403, 200, 200]),
            (&[b], [403, 403, 200]),
            (&[("origin", "null")], [403, 403, 200]),
            (&[("origin", "http://localhost:3000")], [403, 403, 200]),
            (&[("sec-fetch-site", "same-site")], [403, 403, 200]),
            (&[cross], [403, 403, 200]),
            (&[cross, ("sec-fetch-mode", "navigate")], [403, 403, 200]),
        ] {
            let headers = [&[("host", "localhost:4444")], headers].concat();
            let found = [&closed, &one, &all].map(|access| status(access, "/", &headers));
            assert_eq!(found, expected, "{headers:?}");
        }
    }

    #[test]
    fn links_lead_to_the_page_and_not_to_questions() {
        let closed = access(LOOPBACK, &[], &[]);
        let link = |destination| {
            let (site, mode) = (("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"));
            [("host", "localhost"), site, mode, ("sec-fetch-dest", destination)]
        };
        assert_eq!(status(&closed, "/", &link("document")), 200);
        assert_eq!(status(&closed, "/", &link("iframe")), 403);
        assert_eq!(status(&closed, "/?pos=4453", &link("document")), 200);
        assert_eq!(status(&closed, "/api/analyze?moves=4", &link("document")), 403);
        assert_eq!(status(&closed, "/solve?pos=4", &link("document")), 403);
    }

    #[test]
    fn origins_have_a_scheme_and_a_host_and_no_path() {
        for text in ["*", "http://localhost:3000", "https://example.org", "http://[::1]:80"] {
            assert_eq!(parse_origin(text).unwrap(), text);
        }
        for text in
            ["", "example.org", "https://", "https://a/", "https://*", "ftp://a", "https://a\n"]
        {
            assert!(parse_origin(text).unwrap_err().contains("is no origin"), "{text}");
        }
        assert_eq!(parse_host("strong4.example.org").unwrap(), "strong4.example.org");
        for text in ["", "a:80", "https://a", "a/b", "*"] {
            assert!(parse_host(text).unwrap_err().contains("is no host"), "{text}");
        }
    }
}

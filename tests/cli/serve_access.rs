//! Who may ask a server: hosts and origins, in requests as bytes.
#![cfg(unix)]

use serde_json::json;

use crate::program::{assert_refused, strong4};
use crate::server::Server;

#[test]
fn a_server_answers_to_its_own_names_and_to_one_name_per_request() {
    let server = Server::start(&["--allow-host", "strong4.example"]);
    let ask = |headers: &str| {
        server.send(format!("GET /healthz HTTP/1.1\r\nconnection: close\r\n{headers}\r\n"))
    };
    for host in ["localhost", "127.0.0.1:1", "[::1]", "strong4.example:80"] {
        assert_eq!(ask(&format!("host: {host}\r\n")).status, 200, "{host}");
    }
    let evil = ask("host: evil.example\r\n");
    assert_eq!(evil.status, 421);
    assert_eq!(
        evil.error(),
        "this server is not 'evil.example': --allow-host evil.example lets it answer"
    );
    for (headers, reason) in [
        ("", "there is no Host header"),
        ("host: localhost\r\nhost: localhost\r\n", "there are two Host headers"),
        ("host: localhost\r\nhost: evil.example\r\n", "there are two Host headers"),
        ("host: a b\r\n", "the Host header names no host"),
    ] {
        let reply = ask(headers);
        assert_eq!((reply.status, reply.error().as_str()), (400, reason), "{headers}");
    }
    let whole =
        b"GET http://evil.example/ HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    assert_eq!(server.send(whole).status, 421);
    // A question under another name costs nothing: it is not even read.
    let asked = server.request("GET", "/api/analyze?moves=x", "host: evil.example\r\n", "");
    assert_eq!(asked.status, 421);
    // Others reach a public server by names that it cannot know, unless it is told.
    let public = Server::on("0.0.0.0:0", &["--board", "5x4"]);
    assert_eq!(public.request("GET", "/healthz", "host: any.example\r\n", "").status, 200);
    let named = Server::on("0.0.0.0:0", &["--board", "5x4", "--allow-host", "a.example"]);
    assert_eq!(named.request("GET", "/healthz", "host: any.example\r\n", "").status, 421);
    assert_eq!(named.request("GET", "/healthz", "host: A.example\r\n", "").status, 200);
    assert_refused(&strong4("serve --allow-host a.example:80"), "'a.example:80' is no host");
}

#[test]
fn pages_of_other_origins_may_ask_only_where_they_are_allowed_to() {
    let server = Server::start(&["--allow-origin", "https://a.example"]);
    let ask =
        |method: &str, headers: &str| server.request(method, "/api/analyze?moves=4", headers, "");
    let allowed = ask("GET", "origin: https://a.example\r\nsec-fetch-site: cross-site\r\n");
    assert_eq!(allowed.status, 200);
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://a.example"));
    assert_eq!(allowed.header("vary"), Some("origin"));
    let other = ask("GET", "origin: https://b.example\r\n");
    assert_eq!((other.status, other.header("access-control-allow-origin")), (403, None));
    let first = "origin: https://a.example\r\naccess-control-request-method: POST\r\n";
    let first = ask("OPTIONS", first);
    assert_eq!(
        (first.status, first.header("access-control-allow-methods")),
        (204, Some("GET, POST"))
    );
    let first = "origin: https://b.example\r\naccess-control-request-method: POST\r\n";
    assert_eq!(ask("OPTIONS", first).status, 403);
    let open = Server::start(&["--allow-origin", "*"]);
    let reply = open.request("GET", "/healthz", "sec-fetch-site: cross-site\r\n", "");
    assert_eq!(reply.status, 200);

    let closed = Server::start(&[]);
    for headers in [
        "origin: https://a.example\r\n",
        "origin: null\r\n",
        "origin: http://localhost:1\r\nsec-fetch-site: same-site\r\n",
        "sec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\n",
        "sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\nsec-fetch-dest: document\r\n",
    ] {
        // What a form of another site may send without asking first.
        let simple = format!("{headers}content-type: text/plain\r\n");
        let reply = closed.request("POST", "/api/analyze", &simple, "4453\n");
        assert_eq!(reply.status, 403, "{headers}");
        assert!(reply.error().starts_with("pages of other sites may not ask: --allow-origin "));
        assert_eq!(reply.header("access-control-allow-origin"), None);
    }
    let link = "sec-fetch-site: cross-site\r\nsec-fetch-mode: navigate\r\n\
        sec-fetch-dest: document\r\n";
    assert_eq!(closed.request("GET", "/", link, "").status, 200);
    assert_eq!(closed.request("GET", "/api/analyze?moves=4", link, "").status, 403);
    let own = "host: localhost:1\r\norigin: http://localhost:1\r\n";
    let reply = closed.request("POST", "/api/analyze", own, "112233\n");
    assert_eq!((reply.status, &reply.json()["best"]), (200, &json!([4])));
}

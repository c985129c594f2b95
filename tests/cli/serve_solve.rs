//! The scores of moves in the form of connect4.gamesolver.org, and games reviewed over HTTP.
#![cfg(unix)]

use crate::program::{strong4, strong4_with_input};
use crate::server::Server;

#[test]
fn scores_come_in_the_form_that_clients_of_that_site_read() {
    let server = Server::start(&[]);
    // As the site answers.
    for (pos, body) in [
        ("4453", r#"{"pos":"4453","score":[-5,-5,-2,-3,-4,-2,-2]}"#),
        ("", r#"{"pos":"","score":[-2,-1,0,1,0,-1,-2]}"#),
        ("475", r#"{"pos":"475","score":[-18,-2,-2,-18,-18,-2,-18]}"#),
    ] {
        let reply = server.get(&format!("/solve?pos={pos}"));
        assert_eq!((reply.status, reply.body.as_str()), (200, body));
        assert_eq!(reply.header("content-type"), Some("application/json"));
        // Some clients add a parameter to get around caches.
        assert_eq!(server.get(&format!("/solve?pos={pos}&_=1700000000")).body, body);
    }
    // Full columns and finished games have no moves.
    let scores = |pos: &str| server.get(&format!("/solve?pos={pos}")).json()["score"].clone();
    assert_eq!(scores("444444")[3], 100);
    assert_eq!(scores("1212121"), serde_json::json!([100, 100, 100, 100, 100, 100, 100]));
    // All others are those of the command line.
    for pos in ["4", "44444426", "6436777131311127722", "3145175534244665"] {
        let query = strong4_with_input(&["query", pos, "--json"], b"").stdout;
        let query: serde_json::Value = serde_json::from_str(&query).unwrap();
        for (column, score) in
            query["columns"].as_array().unwrap().iter().zip(scores(pos).as_array().unwrap())
        {
            let expected = if column.is_null() { 100 } else { column["score"].as_i64().unwrap() };
            assert_eq!(score, expected, "{pos}");
        }
    }
    for (path, status, reason) in [
        ("/solve", 400, "no position: give pos=4453"),
        ("/solve?pos=9", 400, "move 1 is '9': expected a column from 1 to 7"),
        ("/solve?pos=12121212", 400, "move 8 is '2', but the game is over"),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, status, "{path}");
        assert!(reply.error().starts_with(reason), "{path}: {}", reply.body);
    }
}

#[test]
fn a_score_that_is_not_found_in_time_is_no_number() {
    // On this board, no such game is decided within an hour.
    let server = Server::start(&["--board", "8x7", "--limit", "20ms"]);
    let reply = server.get("/solve?pos=1234");
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
    assert!(reply.error().starts_with("the answer was not found in time"), "{}", reply.body);
    // A review has bounds there, and may not be kept.
    let reply = server.get("/api/review?moves=1234");
    assert_eq!((reply.status, reply.header("cache-control")), (200, Some("no-store")));
    assert_eq!(reply.json()["review"][3]["judgement"], "unknown");
}

#[test]
fn reviews_are_those_of_the_command_line() {
    let server = Server::start(&["--limit", "60s"]);
    for moves in ["", "4", "1212121", "44444265", "6436777131311127722"] {
        let expected = strong4_with_input(&["review", moves, "--json"], b"").stdout;
        let reply = server.get(&format!("/api/review?moves={moves}"));
        assert_eq!((reply.status, &reply.body), (200, &expected), "{moves}");
        assert_eq!(reply.header("cache-control"), Some("public, max-age=3600"));
    }
    let told = strong4("review 9").stderr;
    let reason = server.get("/api/review?moves=9").error();
    assert_eq!(told, format!("strong4: error: {reason}\n"));
    assert_eq!(server.get("/api/review").error(), "no game: give moves=4453");
}

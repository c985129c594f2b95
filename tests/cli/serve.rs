//! The server as programs see it: requests as bytes on a connection, well-meant and hostile.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write, read_to_string};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::program::{
    assert_refused, piped, signal, solved, strong4, strong4_with_input, with_input,
};
use crate::server::{Server, reply};

/// Records without the time that they took.
fn timeless(lines: &str) -> Vec<Value> {
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect(line);
        if let Some(micros) = record.get_mut("micros") {
            *micros = json!(0);
        }
        record
    };
    lines.lines().map(record).collect()
}

#[test]
fn answers_are_those_of_the_command_line() {
    let server = Server::start(&[]);
    for moves in ["", "4", "4453", "3145175534244665", "1212121", "6436777131311127722"] {
        let expected = strong4_with_input(&["query", moves, "--json"], b"");
        let reply = server.get(&format!("/api/analyze?moves={moves}"));
        assert_eq!((reply.status, expected.code), (200, 0), "{}", reply.body);
        assert_eq!(timeless(&reply.body), timeless(&expected.stdout), "{moves}");
        // The same bytes, except for the time.
        let before = |text: &str| text.split("\"micros\"").next().unwrap().to_owned();
        assert_eq!(before(&reply.body), before(&expected.stdout));

        // By key, and under the older name of the path.
        let key = &reply.json()["key"];
        let expected = strong4(&format!("query --key {key} --json"));
        let reply = server.get(&format!("/api/query?key={key}"));
        assert_eq!(timeless(&reply.body), timeless(&expected.stdout), "{key}");
    }
    let lines = "4453\n44 -2\n# a remark\n''\n\n448\n{\"moves\":\"45\"}\n1212121\n";
    let expected = with_input("query - --json", lines);
    let reply = server.post(lines);
    assert_eq!(reply.header("content-type"), Some("application/x-ndjson"));
    assert_eq!(timeless(&reply.body), timeless(&expected.stdout));
    assert_eq!(server.post("").body, "");
}

#[test]
fn each_verb_answers_what_the_whole_record_has() {
    let server = Server::start(&["--limit", "60s"]);
    let games = ["", "4", "4453", "3145175534244665", "1212121", "6436777131311127722"];
    let expected = |moves: &str, verb: &str| {
        let whole = server.get(&format!("/api/analyze?moves={moves}")).json();
        let score = |value: &Value| value.get("score").cloned().unwrap_or_default();
        let answer = match verb {
            "score" => whole["score"].clone(),
            "outcome" if whole["category"] == "over" => json!("loss"),
            "outcome" => whole["category"].clone(),
            "move_scores" => whole["columns"].as_array().unwrap().iter().map(score).collect(),
            _ => whole["best"].get(0).cloned().unwrap_or_default(),
        };
        json!({ "moves": moves, "key": whole["key"], verb: answer })
    };
    for verb in ["score", "outcome", "move_scores", "best_move"] {
        let path = format!("/api/{verb}");
        for moves in games {
            let reply = server.get(&format!("{path}?moves={moves}"));
            assert_eq!(reply.json(), expected(moves, verb), "{path}: {moves}");
            let known = format!("if-none-match: {}\r\n", reply.header("etag").unwrap());
            let again = server.request("GET", &format!("{path}?moves={moves}"), &known, "");
            assert_eq!(again.status, 304);
        }
        let reply = server.request("POST", &path, "", "4453\n# a remark\n448\n44\n");
        let lines = timeless(&reply.body);
        assert_eq!(lines.len(), 4);
        assert_eq!([&lines[0], &lines[3]], [&expected("4453", verb), &expected("44", verb)]);
        assert_eq!(lines[1], json!({ "comment": "# a remark" }));
        assert!(lines[2]["error"].is_string(), "{}", lines[2]);
        assert!(server.get(&format!("{path}?moves=9")).error().starts_with("move 1 is '9'"));
    }
}

/// What is not known in time is an error: these answers have no bounds.
#[test]
fn verbs_without_an_answer_in_time_are_unavailable() {
    let server = Server::start(&["--board", "9x6"]);
    for verb in ["score", "outcome", "move_scores", "best_move"] {
        let path = format!("/api/{verb}?limit=20ms");
        let reply = server.get(&format!("{path}&moves="));
        assert_eq!((reply.status, reply.header("retry-after")), (503, Some("1")));
        assert!(reply.error().starts_with("the answer was not found in time"), "{}", reply.body);
        let lines = timeless(&server.request("POST", &path, "", "''\n1212121\n").body);
        assert!(lines[0]["error"].as_str().unwrap().contains("not found in time"), "{lines:?}");
        assert_eq!(lines[1]["moves"], "1212121");
    }
}

#[test]
fn an_answer_grows_while_it_is_watched() {
    let server = Server::start(&["--limit", "60s"]);
    let path = "moves=4444436335";
    let watched = server.get(&format!("/api/watch?{path}"));
    assert_eq!(watched.header("content-type"), Some("application/x-ndjson"));
    let records = timeless(&watched.body);
    let answer = timeless(&server.get(&format!("/api/analyze?{path}")).body);
    assert_eq!(records.last().map(|record| &record["columns"]), Some(&answer[0]["columns"]));
    for pair in records.windows(2) {
        let [before, after] = [0, 1].map(|at| pair[at]["columns"].as_array().unwrap());
        for (before, after) in before.iter().zip(after) {
            assert!(before["lower"].as_i64() <= after["lower"].as_i64(), "{before} {after}");
            assert!(before["upper"].as_i64() >= after["upper"].as_i64(), "{before} {after}");
        }
    }
    assert!(server.get("/api/watch?moves=9").error().starts_with("move 1 is '9'"));
}

#[test]
fn what_makes_no_sense_is_refused_with_the_words_of_the_command_line() {
    let server = Server::start(&[]);
    for (path, status, reason) in [
        ("/api/analyze", 400, "no position: give moves=4453, or key="),
        ("/api/analyze?moves=4&key=5", 400, "two positions"),
        ("/api/analyze?moves=9", 400, "move 1 is '9': expected a column from 1 to 7"),
        ("/api/analyze?moves=12121212", 400, "move 8 is '2', but the game is over"),
        ("/api/analyze?moves=4444444", 400, "move 7 is '4', but"),
        ("/api/analyze?moves=%ff%00", 400, "move 1 is"),
        ("/api/analyze?key=four", 400, "'four' is not a key"),
        ("/api/analyze?moves=4&limit=soon", 400, "'soon' is not a duration"),
        ("/api/analyze?moves=4&moves=5", 400, "'moves' is given twice"),
        ("/api/analyze?move=4", 400, "'move' is no parameter: expected moves, key, limit"),
        ("/api/analyze?%00=4", 400, "'\\0' is no parameter: expected moves, key, limit"),
        ("/api/move?moves=1212121", 400, "the game is over"),
        ("/api/move?moves=4&level=6", 400, "level: '6' is not a level"),
        ("/api", 404, "there is no /api: /openapi.json says what there is"),
        ("/../Cargo.toml", 404, "there is no /../Cargo.toml"),
        ("/index.html", 404, "there is no /index.html"),
    ] {
        let reply = server.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
        assert!(reply.error().starts_with(reason), "{path}: {}", reply.body);
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{path}");
    }
    for moves in ["9", "12121212"] {
        let told = strong4(&format!("query {moves}")).stderr;
        let reason = server.get(&format!("/api/analyze?moves={moves}")).error();
        assert_eq!(told, format!("strong4: error: {reason}\n"));
    }
    let reply = server.request("DELETE", "/api/analyze", "", "");
    assert_eq!((reply.status, reply.header("allow")), (405, Some("GET,HEAD,POST")));
    assert_eq!(reply.error(), "/api/analyze does not take DELETE");
    for (body, reason) in [
        ("\n".repeat(1001), "1001 positions: send at most 1000 at a time"),
        ("4".repeat(65_537), "too much to read: send at most 65536 bytes"),
    ] {
        let large = server.post(&body);
        assert_eq!((large.status, large.error().as_str()), (413, reason));
    }
    assert_eq!(server.post(&"\n".repeat(1000)).body.lines().count(), 1000);
}

#[test]
fn answers_that_are_the_same_for_ever_may_be_kept() {
    let server = Server::start(&[]);
    let path = "/api/analyze?moves=4453";
    let reply = server.get(path);
    let kept = Some("public, max-age=3600");
    let tag = reply.header("etag").unwrap();
    assert_eq!(reply.header("cache-control"), kept);
    let again = server.request("GET", path, &format!("if-none-match: \"0\", {tag}\r\n"), "");
    assert_eq!((again.status, again.header("etag"), again.body.as_str()), (304, Some(tag), ""));
    assert_eq!(server.request("GET", path, "if-none-match: W/\"0\"\r\n", "").status, 200);
    // A large board is not fully known in a moment.
    let large = Server::start(&["--board", "9x6"]);
    let reply = large.get("/api/analyze?moves=&limit=50ms");
    assert_eq!((reply.header("cache-control"), reply.header("etag")), (Some("no-store"), None));
    let record = reply.json();
    assert!(record["score"].is_null() && record["lower"].as_i64() < record["upper"].as_i64());
}

#[test]
fn the_page_needs_nothing_from_elsewhere() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    // Or every move would ask for it again.
    assert_eq!(server.get("/icon.svg").header("cache-control"), Some("max-age=86400"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; script-src 'self';"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
    // Every file that the page names exists.
    let named = page
        .body
        .split(['"', '\''])
        .filter(|word| [".css", ".js", ".svg"].iter().any(|ending| word.ends_with(ending)));
    for path in named {
        let path = format!("/{}", path.trim_start_matches(['.', '/']));
        assert_eq!(server.get(&path).status, 200, "{path}");
    }
    let tag = page.header("etag").unwrap();
    assert_eq!(server.request("GET", "/", &format!("if-none-match: {tag}\r\n"), "").status, 304);
}

/// The schema of a record names its fields; `tests/web` checks whole answers against it.
#[test]
fn the_description_names_every_field() {
    let server = Server::start(&["--board", "5x4"]);
    let api = server.get("/openapi.json").json();
    assert_eq!(api["info"]["version"], env!("CARGO_PKG_VERSION"));
    for (path, schema) in [
        ("/api/analyze?moves=3", "Record"),
        ("/api/status", "Status"),
        ("/api/move?moves=3", "Move"),
        ("/api/score?moves=3", "Score"),
        ("/api/outcome?moves=3", "Outcome"),
        ("/api/move_scores?moves=3", "MoveScores"),
        ("/api/best_move?moves=3", "BestMove"),
        ("/api/analyze?moves=9", "Error"),
        ("/api/review?moves=3", "Review"),
        ("/solve?pos=3", "Scores"),
    ] {
        let answer = server.get(path).json();
        let fields: Vec<&String> = answer.as_object().unwrap().keys().collect();
        let described = &api["components"]["schemas"][schema]["properties"];
        let described: Vec<&String> = described.as_object().unwrap().keys().collect();
        assert_eq!(fields, described, "{path}");
    }
    for path in api["paths"].as_object().unwrap().keys() {
        assert_ne!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.get("/healthz").body, "ok\n");
    let status = server.get("/api/status").json();
    assert_eq!((&status["board"], &status["columns"]), (&json!("5x4"), &json!(5)));
}

#[test]
fn lines_are_answered_in_every_form_that_the_description_names() {
    let server = Server::start(&[]);
    let api = server.get("/openapi.json").json();
    let post = &api["paths"]["/api/analyze"]["post"];
    let lines = &api["components"]["requestBodies"]["Lines"];
    let example = lines["content"]["text/plain"]["example"].as_str().unwrap();
    let records = timeless(&server.post(example).body);
    assert_eq!(records.len(), example.lines().count());
    assert!(records.iter().all(|record| record["score"].is_i64()), "{records:?}");
    for form in ["moves", "key", "drawing"] {
        assert!(post["description"].as_str().unwrap().contains(&format!("`{form}`")), "{form}");
    }
    assert!(example.contains("\"key\"") && example.contains("\"drawing\""));
}

#[test]
fn opponents_make_moves() {
    let server = Server::start(&[]);
    for level in 1..=5 {
        let reply = server.get(&format!("/api/move?moves=112233&level={level}"));
        assert_eq!(reply.json(), json!({"column": 4}), "level {level}");
    }
    let best = server.get("/api/analyze?moves=4453").json()["best"][0].clone();
    assert_eq!(server.get("/api/move?moves=4453").json()["column"], best);
}

#[test]
fn a_damaged_table_is_an_error_of_the_server() {
    let folder = solved("--board 5x4");
    let tables = folder.path().to_str().unwrap();
    let file = folder.path().join("tier-06.s4t");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0x55);
    fs::write(&file, bytes).unwrap();
    let told = strong4(&format!("query 121345 --json --tables {tables}"));
    assert_eq!(told.code, 1, "{}", told.stderr);
    let server = Server::start(&["--tables", tables]);
    let reply = server.get("/api/analyze?moves=121345");
    assert_eq!(reply.status, 500, "{}", reply.body);
    assert_eq!(format!("strong4: error: {}\n", reply.error()), told.stderr);
    assert_eq!(server.get("/healthz").status, 200);
    let lines = timeless(&server.post("121345\n1212121\n").body);
    assert!(lines[0]["error"].as_str().unwrap().contains("tier-06.s4t"), "{lines:?}");
    assert_eq!(lines[1]["category"], "over");
}

#[test]
fn clients_that_do_not_read_keep_nobody_waiting() {
    let server = Server::start(&["--board", "9x6", "--threads", "2", "--limit", "2s"]);
    let body = "888776664462224141112117\n".repeat(900);
    let length = body.len();
    let request = format!(
        "POST /api/analyze HTTP/1.1\r\nhost: localhost\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    let stalled: Vec<TcpStream> = (0..6).map(|_| server.ask(&request)).collect();
    thread::sleep(Duration::from_secs(3));
    let start = Instant::now();
    assert_eq!(server.get("/api/analyze?moves=1212121").json()["category"], "over");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    drop(stalled);
}

#[test]
fn a_server_whose_log_nobody_reads_answers_and_ends() {
    let mut server = Server::start(&["--board", "5x4"]);
    let mut stream = server.connect();
    // More than a pipe and the lines that wait have room for.
    let request = format!("GET /healthz?{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "x".repeat(2000));
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    for _ in 0..6000 {
        stream.write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200 "), "{line}");
        while line != "\r\n" {
            line.clear();
            reader.read_line(&mut line).unwrap();
        }
        reader.read_exact(&mut [0; 3]).unwrap();
    }
    drop((stream, reader));
    server.signal("-TERM");
    let end = Instant::now() + Duration::from_secs(20);
    while server.child.try_wait().unwrap().is_none() {
        assert!(Instant::now() < end, "the server does not end");
        thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(server.child.wait().unwrap().code(), Some(0));
}

/// A question that takes longer than anybody waits.
const SLOW: &str = "GET /api/analyze?moves= HTTP/1.1\r\nhost: localhost\r\n\r\n";

#[test]
fn slow_questions_do_not_block_quick_ones_and_leave_with_their_askers() {
    let server = Server::start(&["--board", "9x6", "--threads", "1", "--limit", "40s"]);
    let slow: Vec<TcpStream> = (0..5).map(|_| server.ask(SLOW)).collect();
    thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    assert_eq!(server.get("/api/analyze?moves=1212121").json()["category"], "over");
    assert_eq!(server.get("/healthz").status, 200);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // Once all of them have left, the one thread for slow questions is free for the next question,
    // which would otherwise get only bounds.
    drop(slow);
    let answer = server.get("/api/analyze?moves=888776664462224141112117&limit=30s").json();
    assert_eq!((&answer["score"], &answer["category"]), (&json!(5), &json!("win")), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn what_is_being_answered_is_finished_before_the_end() {
    for (signal, code) in [("-TERM", 0), ("-INT", 130)] {
        let server = Server::start(&["--board", "9x6", "--limit", "2s"]);
        let mut asked = server.ask(SLOW);
        let mut idle = server.connect();
        thread::sleep(Duration::from_millis(500));
        let answered = thread::spawn(move || reply(&mut asked));
        let (exit, said) = server.end(signal);
        assert_eq!(exit, Some(code), "{said}");
        assert!(said.starts_with("strong4: finishing the answers in progress\n"), "{said}");
        assert!(said.contains("GET /api/analyze?moves= 200 "), "{said}");
        assert_eq!(answered.join().unwrap().status, 200);
        assert_eq!(reply(&mut idle).status, 0);
    }
    let server = Server::start(&["--board", "9x6", "--limit", "60s"]);
    let _asked = server.ask(SLOW);
    thread::sleep(Duration::from_millis(200));
    let start = Instant::now();
    server.signal("-INT");
    thread::sleep(Duration::from_millis(200));
    let (exit, said) = server.end("-INT");
    assert_eq!(exit, Some(130), "{said}");
    assert!(said.ends_with("strong4: stopped\n"), "{said}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn requests_are_logged_in_lines_unless_it_should_be_quiet() {
    let server = Server::start(&[]);
    server.get("/api/analyze?moves=%22%0a~");
    server.send(b"nonsense\r\n\r\n");
    // Neither a line end nor a change of direction gets into the log.
    let target = "/\u{85}\u{2028}\u{202e}";
    server.send(format!("GET {target} HTTP/1.1\r\nconnection: close\r\n\r\n"));
    let (_, said) = server.end("-TERM");
    let mut lines = said.lines();
    let line = lines.next().unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0].len(), "2026-11-22T15:04:05.678Z".len(), "{line}");
    assert_eq!(words[1..5], ["127.0.0.1", "GET", "/api/analyze?moves=%22%0a~", "400"]);
    // The server may say first that it is ending.
    assert!(lines.by_ref().any(|line| line.contains(" 127.0.0.1 ")), "{said}");
    assert!(said.contains(" GET /%C2%85%E2%80%A8%E2%80%AE 400 ") && said.is_ascii(), "{said}");

    let server = Server::start(&["--log", "json"]);
    server.get("/healthz");
    let (_, said) = server.end("-TERM");
    let record: Value = serde_json::from_str(said.lines().next().unwrap()).unwrap();
    assert_eq!((&record["uri"], &record["status"]), (&json!("/healthz"), &json!(200)));
    assert_eq!((&record["method"], &record["bytes"]), (&json!("GET"), &json!(3)));

    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut quiet = piped(&["serve", "--quiet", "--board", "5x4", "--listen", &free]);
    let end = Instant::now() + Duration::from_secs(20);
    let mut stream = loop {
        match TcpStream::connect(&free) {
            Ok(stream) => break stream,
            Err(error) => assert!(Instant::now() < end, "{error}"),
        }
    };
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .unwrap();
    assert_eq!(reply(&mut stream).body, "ok\n");
    signal(&quiet, "-TERM");
    let said = read_to_string(quiet.stderr.take().unwrap()).unwrap();
    assert_eq!((quiet.wait().unwrap().code(), said.as_str()), (Some(0), ""));
}

#[test]
fn a_server_that_cannot_start_says_why() {
    assert_refused(
        &strong4("serve --listen 127.0.0.1"),
        "cannot listen on 127.0.0.1; give another",
    );
    assert_refused(&strong4("serve --listen 127.0.0.1:99999"), "cannot listen on");
    assert_refused(&strong4("serve --allow-origin example.org"), "'example.org' is no origin");
    let server = Server::start(&[]);
    let taken = strong4(&format!("serve --listen {}", server.address));
    assert_refused(&taken, "with --listen, such as 127.0.0.1:0 for any free port: Address already");
    let nowhere = strong4("serve --tables nowhere");
    assert_eq!((nowhere.code, nowhere.stdout.as_str()), (1, ""));
    assert!(nowhere.stderr.starts_with("strong4: there is no folder nowhere: "));
}

#[test]
fn hostile_requests_get_an_error_or_a_closed_connection() {
    let server = Server::start(&["--threads", "1"]);
    let long = "x".repeat(20_000);
    let headers = "a: b\r\n".repeat(100);
    let post = "POST /api/analyze HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";
    let posted = |rest: &str| format!("{post}{rest}").into_bytes();
    for (what, bytes, statuses) in [
        ("garbage", b"\x16\x03\x01\x02\x00\xff\xfe\r\n\r\n".to_vec(), &[0, 400][..]),
        ("no method", b" / HTTP/1.1\r\n\r\n".to_vec(), &[0, 400]),
        ("an old version", b"GET / HTTP/0.9\r\n\r\n".to_vec(), &[0, 400]),
        ("a long address", format!("GET /{long} HTTP/1.1\r\n\r\n").into_bytes(), &[0, 414, 431]),
        ("a long header", format!("GET / HTTP/1.1\r\na: {long}\r\n\r\n").into_bytes(), &[0, 431]),
        ("many headers", format!("GET / HTTP/1.1\r\n{headers}\r\n").into_bytes(), &[0, 431]),
        ("two lengths", posted("content-length: 1\r\ncontent-length: 2\r\n\r\n4"), &[0, 400]),
        ("a length below nothing", posted("content-length: -1\r\n\r\n"), &[0, 400]),
        ("a huge length", posted("content-length: 99999999999\r\n\r\n4"), &[0, 413]),
        ("bad chunks", posted("transfer-encoding: chunked\r\n\r\nzz\r\n"), &[0, 400]),
        ("no text", [&posted("content-length: 4\r\n\r\n")[..], b"\xff\xfe4\x00"].concat(), &[200]),
    ] {
        let reply = server.send(&bytes);
        assert!(statuses.contains(&reply.status), "{what}: {} {}", reply.head, reply.body);
        assert_eq!(server.get("/healthz").status, 200, "{what}");
    }
    // A body that never ends is refused or cut off.
    let mut endless = server.ask(posted("transfer-encoding: chunked\r\n\r\n"));
    endless.set_write_timeout(Some(Duration::from_secs(10))).unwrap();
    let chunk = format!("1000\r\n{}\r\n", "4".repeat(0x1000));
    let cut_off = (0..100_000).any(|_| endless.write_all(chunk.as_bytes()).is_err());
    assert!(cut_off, "400 MB were read");
    // A client that has shut down its side counts as gone.
    let mut half = server.ask("GET /healthz HTTP/1.1\r\n");
    half.shutdown(Shutdown::Write).unwrap();
    assert_eq!(reply(&mut half).status, 0);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn slow_clients_are_given_up() {
    let server = Server::start(&[]);
    let start = Instant::now();
    let head = "POST /api/analyze HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n";
    let clients = [
        ("nothing", String::new(), &[0, 408][..]),
        ("half a head", "GET / HTTP/1.1\r\n".to_owned(), &[0, 408]),
        ("half a body", format!("{head}44"), &[408]),
        ("idle", "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n".to_owned(), &[200]),
    ]
    .map(|(what, bytes, expected)| (what, server.ask(bytes), expected));
    for (what, mut stream, expected) in clients {
        let reply = reply(&mut stream);
        assert!(expected.contains(&reply.status), "{what}: {}", reply.head);
    }
    assert!(start.elapsed() < Duration::from_secs(40), "{:?}", start.elapsed());
}

#[test]
fn a_page_in_a_folder_is_served_and_no_question_answered() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let refused = strong4(&format!("serve --page-only {path}"));
    assert_refused(&refused, "has no index.html: 'make page' writes a page");
    assert_refused(&strong4("serve --page-only nowhere"), "cannot read nowhere: No such file");
    assert_eq!(strong4("serve --page-only . --limit 1s").code, 2);
    fs::create_dir(folder.path().join("engine")).unwrap();
    for name in ["index.html", "engine/strong4.wasm", ".secret", "healthz"] {
        fs::write(folder.path().join(name), name).unwrap();
    }
    let server = Server::start(&["--page-only", path]);
    let page = server.get("/");
    assert_eq!((page.status, page.body.as_str()), (200, "index.html"));
    assert_eq!(page.header("content-security-policy"), Some("frame-ancestors 'none'"));
    let module = server.get("/engine/strong4.wasm");
    assert_eq!(module.header("content-type"), Some("application/wasm"));
    // It has been read.
    fs::remove_file(folder.path().join("index.html")).unwrap();
    let tag = format!("if-none-match: {}\r\n", page.header("etag").unwrap());
    assert_eq!(server.request("GET", "/", &tag, "").status, 304);
    assert_eq!(server.get("/healthz").body, "ok\n");
    for path in ["/.secret", "/../index.html", "/engine", "/api/status", "/solve?pos=4", "/main.js"]
    {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    assert_eq!(server.request("GET", "/", "host: evil.example\r\n", "").status, 421);
    assert_eq!(server.end("-TERM").0, Some(0));
}

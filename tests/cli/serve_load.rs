//! A server with more to do than it can: hundreds of hard questions, and hundreds of connections.
#![cfg(unix)]

use std::io::{ErrorKind, Read};
use std::net::TcpStream;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::server::{Server, reply};

/// These tests need many files, and most systems allow a process 1,024.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ask(server: &Server, path: &str) -> TcpStream {
    let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    let stream = server.ask(head);
    stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
    stream
}

/// Prints how fast easy questions are answered, which depends on the machine: 99 of 100 within 50 ms
/// on two idle cores. On busy ones, half of them are.
#[test]
fn easy_questions_are_answered_while_hundreds_of_hard_ones_wait() {
    let _alone = alone();
    let limit = Duration::from_secs(10);
    let server = Server::start(&["--board", "8x7", "--threads", "2", "--limit", "10s"]);
    let start = Instant::now();
    let hard = |number: usize| {
        // Games of four moves; on this board, none is decided within an hour.
        let moves = [number / 64, number / 8 % 8, number % 8, 4].map(|c| (c + 1).to_string());
        ask(&server, &format!("/api/analyze?moves={}", moves.concat()))
    };
    let mut pending: Vec<TcpStream> = (0..500).map(hard).collect();
    let easy = [
        ("/api/analyze?moves=1212121", 200),
        ("/api/move?moves=112233&level=4", 200),
        ("/api/move?moves=1212121&level=5", 400),
        ("/healthz", 200),
    ];
    let mut times: Vec<Duration> = Vec::new();
    for (path, status) in easy.iter().cycle().take(100) {
        let asked = Instant::now();
        let reply = server.get(path);
        times.push(asked.elapsed());
        assert_eq!(reply.status, *status, "{path}: {}", reply.body);
    }
    assert!(start.elapsed() < limit, "easy questions took {:?}", start.elapsed());
    times.sort();
    assert!(times[50] < Duration::from_millis(50), "half of the easy questions: {times:?}");
    println!("easy: median {:?}, 99 of 100 within {:?}, {:?}", times[50], times[98], times[99]);
    let mut narrower = 0;
    for stream in &mut pending {
        let reply = reply(stream);
        assert_eq!(reply.status, 200, "{}", reply.body);
        let record = reply.json();
        let bound = |name: &str| record[name].as_i64().unwrap();
        assert!(bound("lower") < bound("upper"), "{record}");
        narrower += u32::from(bound("upper") - bound("lower") < 52);
    }
    assert!(start.elapsed() < 2 * limit, "hard questions took {:?}", start.elapsed());
    println!("hard: answered after {:?}, {narrower} know more than the rules", start.elapsed());
}

#[test]
fn more_hard_questions_than_may_wait_are_turned_away() {
    let _alone = alone();
    let server = Server::start(&["--board", "9x6", "--threads", "1", "--limit", "5m"]);
    // One more than may wait. Whichever comes last is refused, and the others stay.
    let mut hard: Vec<TcpStream> = (0..513).map(|_| ask(&server, "/api/analyze?moves=")).collect();
    let is_answered = |stream: &TcpStream| {
        stream.set_nonblocking(true).unwrap();
        let answered = stream.peek(&mut [0]).is_ok();
        stream.set_nonblocking(false).unwrap();
        answered
    };
    let end = Instant::now() + Duration::from_secs(120);
    let last = loop {
        if let Some(last) = hard.iter().position(is_answered) {
            break last;
        }
        assert!(Instant::now() < end, "none is refused");
        thread::sleep(Duration::from_millis(20));
    };
    let refused = reply(&mut hard[last]);
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("1")));
    assert_eq!(refused.error(), "too many questions are waiting: ask again in a second");
    assert_eq!(server.get("/api/watch?moves=").status, 503);
    assert_eq!(server.get("/api/move?moves=").status, 503);
    assert_eq!(server.get("/api/analyze?moves=1212121").json()["category"], "over");
    assert_eq!(server.get("/healthz").status, 200);
    drop(hard);
}

#[test]
fn how_the_server_is_can_be_asked_when_there_are_too_many_connections() {
    let _alone = alone();
    let server = Server::start(&["--board", "5x4"]);
    // Half a head each, which is more than the server has connections for, and more than it has
    // in reserve.
    let half = "GET /healthz HTTP/1.1\r\n";
    let mut open: Vec<TcpStream> = (0..700).map(|_| server.ask(half)).collect();
    assert_eq!(server.get("/healthz").body, "ok\n");
    assert_eq!(server.get("/api/status").json()["board"], "5x4");
    let turned_away = server.get("/api/analyze?moves=1212121");
    assert_eq!((turned_away.status, turned_away.header("retry-after")), (503, Some("1")));
    assert_eq!(turned_away.error(), "too many connections: try again in a second");
    assert_eq!(server.request("GET", "/healthz", "host: evil.example\r\n", "").status, 421);
    open.truncate(100);
    let end = Instant::now() + Duration::from_secs(60);
    while server.get("/api/analyze?moves=1212121").status != 200 {
        assert!(Instant::now() < end, "no connection is free");
    }
}

#[test]
fn an_address_has_a_share_of_the_connections_of_a_public_server() {
    let _alone = alone();
    let server = Server::on("0.0.0.0:0", &["--board", "5x4"]);
    let mut open: Vec<TcpStream> = (0..64).map(|_| server.connect()).collect();
    let turned_away = reply(&mut server.connect());
    assert_eq!((turned_away.status, turned_away.header("retry-after")), (503, Some("1")));
    assert_eq!(turned_away.error(), "too many connections: try again in a second");
    open.truncate(10);
    let end = Instant::now() + Duration::from_secs(60);
    while server.get("/healthz").status != 200 {
        assert!(Instant::now() < end, "no connection is free");
        thread::sleep(Duration::from_millis(20));
    }
    for stream in &mut open {
        stream.set_nonblocking(true).unwrap();
        let error = stream.read(&mut [0]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock, "one of the first is closed");
    }
}

//! A running server, and requests to it as bytes on a connection.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr};
use std::time::Duration;

use crate::program::{piped, signal};
use serde_json::Value;

/// A running server.
pub struct Server {
    pub child: Child,
    pub address: String,
    log: BufReader<ChildStderr>,
}

/// A reply.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        let line = self.head.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.map(str::trim_end)
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect(&self.body)
    }

    pub fn error(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/json"), "{}", self.head);
        self.json()["error"].as_str().expect(&self.body).to_owned()
    }
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        Server::on("127.0.0.1:0", args)
    }

    pub fn on(listen: &str, args: &[&str]) -> Server {
        let mut child = piped(&[&["serve", "--listen", listen], args].concat());
        let mut log = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        log.read_line(&mut line).unwrap();
        let from = line.find("http://").expect(&line) + "http://".len();
        let address = line[from..].split(": ").next().unwrap().to_owned();
        Server { child, address, log }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// A connection on which these bytes are sent.
    pub fn ask(&self, bytes: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = self.connect();
        // A server that refuses a request need not read all of it.
        let _ = stream.write_all(bytes.as_ref());
        stream
    }

    /// Sends these bytes, and reads until the server closes the connection.
    pub fn send(&self, bytes: impl AsRef<[u8]>) -> Reply {
        reply(&mut self.ask(bytes))
    }

    pub fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Reply {
        let length = body.len();
        let head = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n{headers}");
        let host = if headers.starts_with("host:") { "" } else { "host: localhost\r\n" };
        self.send(format!("{head}{host}content-length: {length}\r\n\r\n{body}"))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.request("GET", path, "", "")
    }

    pub fn post(&self, body: &str) -> Reply {
        self.request("POST", "/api/analyze", "", body)
    }

    /// Sends a signal, and returns the exit code and the last output.
    pub fn end(mut self, name: &str) -> (Option<i32>, String) {
        self.signal(name);
        let mut said = String::new();
        self.log.read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }

    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads a reply to the end of the connection; status 0 means that there was none.
pub fn reply(stream: &mut TcpStream) -> Reply {
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(error) => assert_eq!(error.kind(), ErrorKind::ConnectionReset, "{error}"),
    }
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).map_or(0, |status| status.parse().unwrap());
    let chunked = head.contains("transfer-encoding: chunked");
    let body = if chunked { unchunked(body) } else { body.to_owned() };
    Reply { status, head: head.to_owned(), body }
}

fn unchunked(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((length, rest)) = body.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).unwrap();
        whole += &rest[..length];
        body = rest[length..].trim_start_matches("\r\n");
    }
    whole
}

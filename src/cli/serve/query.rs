//! The handlers of questions: `/api/analyze`, and questions about parts of it, for one position or
//! one per line; `/api/watch`, an answer that grows; `/api/review`, a game move by move;
//! `/api/move`, a move of the computer; and `/solve`, the scores of the moves in the form of
//! <https://connect4.gamesolver.org>.
//!
//! Records are those of `strong4 query --json`. A complete one never changes, so clients may keep
//! it; its tag covers neither the source nor the time that it took.

use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::{StreamExt, stream};
use http_body_util::LengthLimitError;
use hyper::body::Body as _;
use strong4::board::{Board, Column, MoveError, Moves, Status};
use strong4::query::{Answer, Level, Opponent, ReviewRecord, Reviewed, Source, Value};
use tokio::sync::mpsc::{Sender, channel};
use tokio::sync::watch;
use tokio::time::timeout;

use super::lanes::Asking;
use super::reply::{self, Failure};
use super::server::Server;
use super::verb::{Verb, record_of};
use crate::cli::input::asked::{Asked, Notation};
use crate::cli::input::lines::{comment, refusal};
use crate::cli::output;
use crate::cli::output::numbers::duration;

/// The most bytes in a body.
const MOST_BYTES: usize = 64 << 10;
/// The most lines in a body.
const MOST_LINES: usize = 1000;
/// The longest time for a body to arrive.
const TO_COME: Duration = Duration::from_secs(10);

/// The state of the server, as handlers get it, and what they return.
type Shared = State<Arc<Server>>;
type Reply = Result<Response, Failure>;

/// The parameters of a request: the part of its address after the `?`.
pub(super) struct Parameters<'q>(Vec<(Cow<'q, str>, Cow<'q, str>)>);

impl<'q> Parameters<'q> {
    /// Reads parameters. Only the expected ones are allowed, each at most once.
    pub(super) fn read(
        query: Option<&'q str>,
        expected: &[&str],
    ) -> Result<Parameters<'q>, Failure> {
        let pairs: Vec<_> = form_urlencoded::parse(query.unwrap_or("").as_bytes()).collect();
        for (at, (name, _)) in pairs.iter().enumerate() {
            if !expected.contains(&name.as_ref()) {
                let expected = expected.join(", ");
                let name = name.escape_debug();
                return Err(Failure::bad(format!("'{name}' is no parameter: expected {expected}")));
            }
            if pairs[..at].iter().any(|(other, _)| other == name) {
                return Err(Failure::bad(format!("'{name}' is given twice")));
            }
        }
        Ok(Parameters(pairs))
    }

    /// The value of a parameter.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_ref())
    }

    /// The time for an answer: `most`, or less on request.
    fn limit(&self, most: Duration) -> Result<Duration, Failure> {
        let limit = self.get("limit").map(duration).transpose().map_err(Failure::bad)?;
        Ok(limit.map_or(most, |limit| limit.min(most)))
    }
}

/// The requested position.
pub(super) fn asked(parameters: &Parameters, board: Board) -> Result<Asked, Failure> {
    match (parameters.get("moves"), parameters.get("key")) {
        (Some(moves), None) => Ok(Asked::game(board, moves)?),
        (None, Some(key)) => Ok(Asked::key(board, key)?),
        (None, None) => Err(Failure::bad("no position: give moves=4453, or key=")),
        (Some(_), Some(_)) => Err(Failure::bad("two positions: give either moves= or key=")),
    }
}

/// Answers a question about one position.
pub(super) async fn one(
    verb: Verb,
    State(server): Shared,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Reply {
    let parameters = Parameters::read(query.as_deref(), &["moves", "key", "limit"])?;
    let asked = asked(&parameters, server.board)?;
    let deadline = Instant::now() + parameters.limit(server.limit)?;
    let answer = server.lanes.request().answer(verb, asked.position, deadline).await?;
    let line = verb.line(&asked, &answer).ok_or_else(Failure::unfinished)?;
    if !verb.is_answered_by(&answer) {
        return Ok(reply::unstored(line));
    }
    let tag = tag(verb, &asked, answer);
    let kept = [reply::LASTING, (header::ETAG, tag.clone())];
    Ok(if reply::is_known(&tag, &headers) {
        (StatusCode::NOT_MODIFIED, kept).into_response()
    } else {
        ([reply::JSON], kept, line).into_response()
    })
}

/// The tag of a complete answer: the same for every source and however long it took.
fn tag(verb: Verb, asked: &Asked, mut answer: Answer) -> HeaderValue {
    (answer.source, answer.time) = (Source::Search, Duration::ZERO);
    let digest = reply::digest(verb.line(asked, &answer).unwrap_or_default().as_bytes());
    HeaderValue::from_str(&format!("W/\"{digest}\"")).expect("digits")
}

/// Answers a question about the position of each line of the body.
pub(super) async fn many(
    verb: Verb,
    State(server): Shared,
    RawQuery(query): RawQuery,
    body: Body,
) -> Reply {
    let parameters = Parameters::read(query.as_deref(), &["limit"])?;
    let limit = parameters.limit(server.limit)?;
    let bytes = bytes_of(body).await?;
    let deadline = Instant::now() + limit;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.len() > MOST_LINES {
        let found = lines.len();
        return Err(too_large(format!("{found} positions: send at most {MOST_LINES} at a time")));
    }
    Ok(by_a_task(async move |sender| {
        let (request, width) = (server.lanes.request(), server.lanes.width());
        let answer = |line| answer_line(verb, server.board, &request, line, deadline);
        // The threads of the lanes do the work; this only waits for the answers, in order.
        let mut records = pin!(stream::iter(lines).map(answer).buffered(width));
        while let Some(record) = records.next().await {
            // There is room for all of them.
            let _ = sender.try_send(record);
        }
    }))
}

/// The bytes of a body, unless there are too many or they arrive too slowly.
async fn bytes_of(body: Body) -> Result<Bytes, Failure> {
    let too_many = || too_large(format!("too much to read: send at most {MOST_BYTES} bytes"));
    if body.size_hint().lower() > MOST_BYTES as u64 {
        return Err(too_many());
    }
    match timeout(TO_COME, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(too_many()),
        Ok(Err(error)) => Err(Failure::bad(format!("cannot read the request: {error}"))),
        Err(_) => {
            let reason = "the request took too long to come";
            Err(Failure::new(StatusCode::REQUEST_TIMEOUT, reason))
        }
    }
}

fn too_large(reason: String) -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason)
}

/// Whether the body is too long.
fn is_too_long(error: &axum::Error) -> bool {
    error.source().is_some_and(|source| source.is::<LengthLimitError>())
}

/// A response whose lines a task makes. The task goes on while the client does not read, so that
/// it never keeps a turn without using it, and is dropped when the client leaves.
fn by_a_task<F>(make: impl FnOnce(Sender<String>) -> F) -> Response
where
    F: Future<Output = ()> + Send + 'static,
{
    let (sender, mut lines) = channel(MOST_LINES);
    let (client, make) = (sender.clone(), make(sender));
    tokio::spawn(async move {
        tokio::select! {
            () = make => {}
            () = client.closed() => {}
        }
    });
    let lines = stream::poll_fn(move |context| lines.poll_recv(context)).map(Ok::<_, Infallible>);
    ([reply::LINES, reply::NO_STORE], Body::from_stream(lines)).into_response()
}

/// The record for a line: an answer, a comment, or the reason why there is none.
async fn answer_line(
    verb: Verb,
    board: Board,
    request: &Asking,
    asked_for: String,
    deadline: Instant,
) -> String {
    let refused = |reason: &str| refusal(&asked_for, reason, true) + "\n";
    match Notation::Moves.read(board, &asked_for) {
        Ok(None) => comment(&asked_for, true) + "\n",
        Err(error) => refused(&format!("{error:#}")),
        Ok(Some(asked)) => {
            let answer = request.answer(verb, asked.position, deadline).await;
            let line = answer
                .and_then(|answer| verb.line(&asked, &answer).ok_or_else(Failure::unfinished));
            line.unwrap_or_else(|failure| refused(failure.reason()))
        }
    }
}

/// Answers with records of one position, each more precise than the one before; the last one is
/// the final answer.
pub(super) async fn grow(State(server): Shared, RawQuery(query): RawQuery) -> Reply {
    let parameters = Parameters::read(query.as_deref(), &["moves", "key", "limit"])?;
    let asked = asked(&parameters, server.board)?;
    let deadline = Instant::now() + parameters.limit(server.limit)?;
    let request = server.lanes.request();
    let first = request.at_sight(asked.position).await?;
    if !Verb::Analyze.is_answered_by(&first) {
        request.take_place()?;
    }
    Ok(by_a_task(async move |lines| {
        let (sender, mut growing) = watch::channel(Some(first.clone()));
        growing.mark_changed();
        let mut answer = pin!(request.deepened(first, deadline, sender));
        let last = loop {
            tokio::select! {
                biased;
                answer = &mut answer => break match answer {
                    Ok(answer) => reply::line(&record_of(&asked, &answer)),
                    Err(failure) => failure.line(),
                },
                Ok(()) = growing.changed() => {
                    let known = growing.borrow_and_update().clone();
                    if let Some(known) = known {
                        // A client that does not read misses some.
                        let _ = lines.try_send(reply::line(&record_of(&asked, &known)));
                    }
                }
            }
        };
        let _ = lines.send(last).await;
    }))
}

/// Answers with the move of an opponent.
pub(super) async fn choose(State(server): Shared, RawQuery(query): RawQuery) -> Reply {
    let parameters = Parameters::read(query.as_deref(), &["moves", "key", "level"])?;
    let level = match parameters.get("level") {
        Some(text) => text.parse().map_err(|error| Failure::bad(format!("level: {error}")))?,
        None => Level::PERFECT,
    };
    let position = asked(&parameters, server.board)?.position;
    let column = if level == Level::PERFECT {
        let deadline = Instant::now() + server.limit;
        server.lanes.request().answer(Verb::BestMove, position, deadline).await?.choice()
    } else {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let opponent = Opponent::new(level, since.as_nanos() as u64);
        server.lanes.move_of(opponent, position).await?
    };
    let over = || match position.status() {
        Status::Won(winner) => Failure::bad(MoveError::GameOver(winner).to_string()),
        _ => Failure::bad("the game is over: the board is full"),
    };
    let column = column.map(Column::number).ok_or_else(over)?;
    Ok(reply::unstored(reply::line(&output::record! { column })))
}

/// Answers with the review of a game.
pub(super) async fn review(State(server): Shared, RawQuery(query): RawQuery) -> Reply {
    let parameters = Parameters::read(query.as_deref(), &["moves", "limit"])?;
    let moves = parameters.get("moves").ok_or_else(|| Failure::bad("no game: give moves=4453"))?;
    let game = Moves::parse_loose(server.board, moves).map_err(anyhow::Error::from)?;
    let deadline = Instant::now() + parameters.limit(server.limit)?;
    let review = server.lanes.request().review(game.clone(), deadline).await?;
    let line = reply::line(&ReviewRecord::of(&game, &review));
    let is_known = |reviewed: &Reviewed| reviewed.best_worth.score().is_some();
    Ok(if review.last.value.score().is_some() && review.moves.iter().all(is_known) {
        ([reply::JSON, reply::LASTING], line).into_response()
    } else {
        reply::unstored(line)
    })
}

/// The score of a column that is full, in the form of connect4.gamesolver.org.
const NO_MOVE: i32 = 100;

/// Answers with the scores of all moves, in the form of connect4.gamesolver.org. Parameters that
/// it does not know are ignored there too: some clients add one to get around caches.
pub(super) async fn solve(State(server): Shared, RawQuery(query): RawQuery) -> Reply {
    let query = query.unwrap_or_default();
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let pos = pairs.find_map(|(name, value)| (name == "pos").then_some(value));
    let pos = pos.ok_or_else(|| Failure::bad("no position: give pos=4453"))?;
    let position = Asked::game(server.board, &pos)?.position;
    let deadline = Instant::now() + server.limit;
    let answer = server.lanes.request().answer(Verb::MoveScores, position, deadline).await?;
    let score = |value: &Option<Value>| match value {
        None => Some(NO_MOVE),
        Some(value) => value.score().map(|score| score.get()),
    };
    let score: Vec<i32> =
        answer.columns.iter().map(score).collect::<Option<_>>().ok_or_else(Failure::unfinished)?;
    let body = output::json(&output::record! { pos, score });
    Ok(([reply::JSON, reply::LASTING], body).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::Solver;
    use strong4::query::Question;

    #[test]
    fn a_tag_tells_answers_apart_and_not_how_they_were_found() {
        let solver = Solver::new(Board::STANDARD);
        let asked = |moves| Asked::game(Board::STANDARD, moves).unwrap();
        let answer = |asked: &Asked| solver.analyze(&asked.position, Question::default()).unwrap();
        let (one, other) = (asked("44"), asked("45"));
        let found = answer(&one);
        let mut later = found.clone();
        later.time += Duration::from_micros(1);
        later.source = Source::Table;
        let mut tags = Vec::new();
        for verb in Verb::ALL {
            tags.push(tag(verb, &one, found.clone()));
            assert_eq!(tags.last(), Some(&tag(verb, &one, later.clone())));
            tags.push(tag(verb, &other, answer(&other)));
        }
        for (at, tag) in tags.iter().enumerate() {
            assert!(!tags[..at].contains(tag));
        }
    }
}

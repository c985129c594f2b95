//! Everything that can be asked about a position: its value, those of its moves, the best ones, a
//! line.
//!
//! Without a limit, the values are found one after the other. With one, all open values are
//! deepened together, in rounds that take twice as long each time. Easy ones are soon known, and
//! the search remembers what it has seen of the others.
//!
//! ```text
//!     first look      openings and tables: often all of it
//!     outcomes        of the position and of every move
//!     distances       of the position, then of its moves, the best first
//!     a line          with the rest of the time
//! ```
//!
//! What is learnt about one value bounds the others: a position is worth what its best move is
//! worth, and no move is worth more. Moves that lead to mirror images of each other count as one.

use std::cmp::Reverse;
use std::time::Duration;

use super::finding::{Finding, QueryError};
use super::session::{Aim, Question, Session};
use super::{Answer, Source, Value};
use crate::board::{Column, Position, Status};
use crate::clock::Instant;
use crate::progress::Progress;
use crate::search::Limit;
use crate::tromp::Key;

/// Time for each value in the first round.
const FIRST_ROUND: Duration = Duration::from_millis(10);

/// A position, or what a move leads to, with what is known of it for the player to move there.
struct Subject {
    position: Position,
    known: Finding,
    source: Source,
    /// The moves that lead to it or to its mirror image.
    moves: Vec<Column>,
}

/// An answer, with its origins.
pub(super) struct Found {
    pub answer: Answer,
    /// What the position is worth.
    pub worth: Finding,
    /// What each move is worth to the player who makes it.
    pub moves: Vec<Option<Finding>>,
    start: Instant,
}

/// Everything that is asked about one position.
pub(super) struct Analysis {
    /// The position, and then those that its moves lead to, those nearest to the centre first.
    subjects: Vec<Subject>,
    start: Instant,
}

impl Session {
    /// Everything about a position that a game can reach.
    pub fn analyze(
        &mut self,
        position: &Position,
        question: Question,
    ) -> Result<Answer, QueryError> {
        self.analyze_with_progress(position, question, &())
    }

    /// The same, but `progress` receives how many of the values are known.
    pub fn analyze_with_progress(
        &mut self,
        position: &Position,
        question: Question,
        progress: &impl Progress,
    ) -> Result<Answer, QueryError> {
        let report = &mut |analysis: &Analysis, aim| analysis.report(aim, progress);
        self.analyze_watched(position, question, report)
    }

    /// The same, but `grown` sees the answer each time that more of it may be known.
    pub fn watch(
        &mut self,
        position: &Position,
        question: Question,
        mut grown: impl FnMut(&Answer),
    ) -> Result<Answer, QueryError> {
        let show = &mut |analysis: &Analysis, _| grown(&analysis.answer(question));
        self.analyze_watched(position, question, show)
    }

    /// Finds the values, and then a line if there is one that is worth as much as the position.
    fn analyze_watched(
        &mut self,
        position: &Position,
        question: Question,
        watch: &mut impl FnMut(&Analysis, Aim),
    ) -> Result<Answer, QueryError> {
        let until = question.until();
        let Found { mut answer, worth, start, .. } =
            self.findings(position, question, until, watch)?;
        if let (Value::Exact(_), Some(first)) = (answer.value, answer.best.first())
            && !question.outcome_only
            && answer.columns[first.index()] == Some(answer.value)
        {
            let whole = question.whole_line || until.deadline.is_some();
            answer.line = self.line(&answer.position, *first, worth, whole, until)?;
        }
        answer.time = start.elapsed();
        Ok(answer)
    }

    /// Everything but a line.
    pub fn answer(
        &mut self,
        position: &Position,
        question: Question,
    ) -> Result<Answer, QueryError> {
        Ok(self.findings(position, question, question.until(), &mut |_, _| ())?.answer)
    }

    /// Everything but a line, with its origins. Calls `watch` before it looks for each value, and
    /// at the end.
    pub(super) fn findings(
        &mut self,
        position: &Position,
        question: Question,
        until: Limit,
        watch: &mut impl FnMut(&Analysis, Aim),
    ) -> Result<Found, QueryError> {
        let mut analysis = self.begin(position, question)?;
        if until.deadline.is_some() {
            self.deepen_until(&mut analysis, question.aim(), until, watch)?;
        } else {
            self.settle(&mut analysis, question.aim(), until, watch)?;
        }
        watch(&analysis, question.aim());
        let (worth, start) = (analysis.subjects[0].known, analysis.start);
        let (answer, moves) = (analysis.answer(question), analysis.columns());
        Ok(Found { answer, worth, moves, start })
    }

    /// What is known at first.
    fn begin(&mut self, position: &Position, question: Question) -> Result<Analysis, QueryError> {
        let start = Instant::now();
        // The outcome follows from those of the moves, so a missing table for the position itself
        // does not count.
        let missed = question.outcome_only.then(|| self.missed.clone());
        let (known, source) = self.first_look(position)?;
        self.missed = missed.unwrap_or_else(|| std::mem::take(&mut self.missed));
        let mut subjects = vec![Subject { position: *position, known, source, moves: Vec::new() }];
        let mut keys: Vec<Key> = Vec::new();
        if position.status() == Status::Open {
            for (column, child) in position.children_from_centre() {
                let key = Key::of_either(&child);
                if let Some(twin) = keys.iter().position(|other| *other == key) {
                    subjects[1 + twin].moves.push(column);
                    continue;
                }
                keys.push(key);
                let (known, source) = self.first_look(&child)?;
                subjects.push(Subject { position: child, known, source, moves: vec![column] });
            }
        }
        let mut analysis = Analysis { subjects, start };
        self.compare(&mut analysis)?;
        Ok(analysis)
    }

    /// Finds one value after the other, however long that takes.
    fn settle(
        &mut self,
        analysis: &mut Analysis,
        aim: Aim,
        until: Limit,
        watch: &mut impl FnMut(&Analysis, Aim),
    ) -> Result<(), QueryError> {
        // The outcome of the position follows from those of its moves.
        let first = if aim == Aim::Score { 0 } else { 1 };
        for which in first..analysis.subjects.len() {
            watch(analysis, aim);
            self.deepen_one(analysis, which, aim, until)?;
        }
        Ok(())
    }

    /// Deepens the open values until the deadline, or until none is open.
    fn deepen_until(
        &mut self,
        analysis: &mut Analysis,
        last: Aim,
        until: Limit,
        watch: &mut impl FnMut(&Analysis, Aim),
    ) -> Result<(), QueryError> {
        for aim in [Aim::Outcome, Aim::Score].iter().filter(|aim| **aim <= last) {
            let mut round = FIRST_ROUND;
            loop {
                let open = analysis.open(*aim);
                if open.is_empty() {
                    break;
                }
                for which in &open {
                    if until.is_over() {
                        return Ok(());
                    }
                    watch(analysis, *aim);
                    let turn = if open.len() == 1 { until } else { until.within(round) };
                    self.deepen_one(analysis, *which, *aim, turn)?;
                }
                round *= 2;
            }
        }
        Ok(())
    }

    fn deepen_one(
        &mut self,
        analysis: &mut Analysis,
        which: usize,
        aim: Aim,
        until: Limit,
    ) -> Result<(), QueryError> {
        let Subject { position, known, source, .. } = &mut analysis.subjects[which];
        *known = self.deepen(position, *known, *source, aim, until)?;
        self.compare(analysis)
    }

    /// Lets each value bound the others.
    fn compare(&mut self, analysis: &mut Analysis) -> Result<(), QueryError> {
        let (root, children) = analysis.subjects.split_first_mut().expect("the position");
        let worth = |child: &Subject| child.known.for_other();
        if let Some(best) = Finding::of_best(children.iter().map(worth)) {
            root.known = self.both(&root.position, root.known, best)?;
        }
        let least = Value::at_least(-root.known.value.upper());
        for child in children {
            let least = Finding { value: least, ..root.known };
            child.known = self.both(&child.position, child.known, least)?;
        }
        Ok(())
    }
}

impl Analysis {
    /// The values that are not known well enough: that of the position first, then those of its
    /// moves, the best first.
    fn open(&self, aim: Aim) -> Vec<usize> {
        let value = |at: &usize| self.subjects[*at].known.value;
        let mut open: Vec<usize> =
            (0..self.subjects.len()).filter(|at| !aim.is_reached(value(at))).collect();
        open.sort_by_key(|at| (*at > 0).then(|| (value(at).upper(), value(at).lower())));
        open
    }

    fn report(&self, aim: Aim, progress: &impl Progress) {
        let is_known = |subject: &&Subject| aim.is_reached(subject.known.value);
        let known = self.subjects.iter().filter(is_known).count();
        // The line comes after all values.
        let line = u64::from(aim == Aim::Score);
        progress.advance(known as u64, self.subjects.len() as u64 + line);
    }

    /// The answer as far as it is known.
    fn answer(&self, question: Question) -> Answer {
        let Subject { position, known, .. } = self.subjects[0];
        let value = known.value;
        let known = |known: Option<Finding>| known.map(|known| known.value);
        let columns: Vec<Option<Value>> = self.columns().into_iter().map(known).collect();
        let best = best(&position.board().centre_first(), value, &columns);
        let (source, time) = (self.source(question), self.start.elapsed());
        Answer { position, value, columns, best, line: Vec::new(), source, time }
    }

    /// What each move is worth to the player who makes it.
    fn columns(&self) -> Vec<Option<Finding>> {
        let mut columns = vec![None; self.subjects[0].position.board().width()];
        for child in &self.subjects[1..] {
            for column in &child.moves {
                columns[column.index()] = Some(child.known.for_other());
            }
        }
        columns
    }

    fn source(&self, question: Question) -> Source {
        let by_table = |child: &Subject| child.source == Source::Table;
        match self.subjects[0].source {
            Source::Search if question.outcome_only && self.subjects.iter().any(by_table) => {
                Source::Table
            }
            source => source,
        }
    }
}

/// The moves that keep the outcome and are as good as any, as far as is known; empty if nothing is
/// known. Those nearest to the centre come first.
fn best(centre_first: &[Column], value: Value, columns: &[Option<Value>]) -> Vec<Column> {
    let Some(outcome) = value.outcome() else { return Vec::new() };
    let Some(most) = columns.iter().flatten().map(|value| value.lower()).max() else {
        return Vec::new();
    };
    let value = |column: &Column| columns[column.index()];
    let is_best = |value: Value| value.lower() == most && value.outcome() == Some(outcome);
    let mut best: Vec<Column> =
        centre_first.iter().copied().filter(|column| value(column).is_some_and(is_best)).collect();
    // Of moves with equal lower bounds, those with higher upper bounds come first.
    best.sort_by_key(|column| Reverse(value(column).map(Value::upper)));
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Moves};
    use crate::search::Score;

    fn between(lower: i32, upper: i32) -> Value {
        Value::new(Score::new(lower).unwrap(), Score::new(upper).unwrap()).unwrap()
    }

    fn known(lower: i32, upper: i32) -> Finding {
        Finding::by_rules(between(lower, upper))
    }

    #[test]
    fn the_best_moves_keep_the_outcome() {
        let board: Board = "4x4".parse().unwrap();
        let order = board.centre_first();
        let best = |value, columns: [Option<Value>; 4]| {
            best(&order, value, &columns).iter().map(|c| c.number()).collect::<Vec<_>>()
        };
        let open = Some(between(-8, 8));
        assert_eq!(best(between(-8, 8), [open; 4]), [0; 0]);
        assert_eq!(best(between(-8, 8), [open, Some(between(0, 0)), open, None]), [0; 0]);
        let won = Some(between(1, 8));
        assert_eq!(best(between(1, 8), [won, won, open, None]), [2, 1]);
        assert_eq!(
            best(between(3, 8), [Some(between(3, 4)), Some(between(3, 8)), won, open]),
            [2, 1]
        );
        assert_eq!(best(between(-8, -1), [Some(between(-8, -1)); 4]), [2, 3, 1, 4]);
        assert_eq!(
            best(between(0, 0), [Some(between(-8, -1)), Some(between(0, 0)), open, None]),
            [2]
        );
    }

    #[test]
    fn values_bound_each_other() {
        let board: Board = "4x4".parse().unwrap();
        let position = *Moves::parse(board, "1").unwrap().position();
        let mut session = Session::new(board);
        let mut analysis = session.begin(&position, Question::default()).unwrap();
        assert_eq!(analysis.subjects.len(), 5);
        // A winning move makes a won position; a losing one says nothing.
        analysis.subjects[1].known = known(-3, -2);
        analysis.subjects[2].known = known(1, 2);
        session.compare(&mut analysis).unwrap();
        assert_eq!(analysis.subjects[0].known.value.lower().get(), 2);
        assert_eq!(analysis.subjects[0].known.value.outcome(), Some(crate::board::Outcome::Win));
        // No move is worth more than the position.
        analysis.subjects[0].known = known(2, 3);
        session.compare(&mut analysis).unwrap();
        assert!(analysis.subjects[1..].iter().all(|child| child.known.value.lower().get() >= -3));
        // A position with a winning move is not a draw.
        analysis.subjects[0].known = known(0, 0);
        let error = session.compare(&mut analysis).unwrap_err().to_string();
        let said = "is a draw by the rules, and a win by its moves in the rules";
        assert!(error.contains(said), "{error}");
    }

    #[test]
    fn an_answer_grows_to_what_it_is_in_the_end() {
        let game = Moves::parse(Board::STANDARD, "4444445").unwrap();
        for limit in [None, Some(Duration::from_secs(600))] {
            let mut session = Session::new(Board::STANDARD).without_openings();
            let question = Question { limit, ..Question::default() };
            let mut seen: Vec<Answer> = Vec::new();
            let answer = session.watch(game.position(), question, |answer| {
                seen.push(answer.clone());
            });
            let answer = answer.unwrap();
            for pair in seen.windows(2) {
                let values = pair[0].columns.iter().zip(&pair[1].columns);
                for (before, after) in values.filter_map(|(a, b)| Some(((*a)?, (*b)?))) {
                    assert!(before.lower() <= after.lower() && after.upper() <= before.upper());
                }
            }
            assert!(seen[0].columns.iter().flatten().all(|value| value.score().is_none()));
            let last = seen.last().unwrap();
            assert_eq!((last.value, &last.columns), (answer.value, &answer.columns));
            assert!(last.line.is_empty() && answer.line_ends());
        }
    }

    #[test]
    fn mirror_images_are_asked_for_once() {
        let session = |moves: &str| {
            let position = *Moves::parse(Board::STANDARD, moves).unwrap().position();
            let mut session = Session::new(Board::STANDARD).without_openings();
            session.begin(&position, Question::default()).unwrap().subjects.len() - 1
        };
        assert_eq!((session(""), session("44"), session("4453")), (4, 4, 7));
        assert_eq!(session("1177444444"), 3);
    }
}

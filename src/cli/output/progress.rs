//! Progress of a long job, on standard error: a bar on a terminal, a plain line every few
//! seconds elsewhere. Nothing is shown in the first second, so short jobs stay silent.
//!
//! The job only stores two numbers. A separate thread wakes up to draw them, so a job that is
//! slow to report still shows that it is alive.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use strong4::memory::Bytes;
use strong4::progress::Progress;
use terminal_size::terminal_size_of;

use crate::cli::output::numbers::{grouped, rough};
use crate::cli::output::{say, say_json};

const SILENCE: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_secs(5);
const BETWEEN_FRAMES: Duration = Duration::from_millis(100);

/// Options of a meter.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shown {
    /// Show nothing.
    pub quiet: bool,
    /// The name of the parts, if their rate is worth showing.
    pub parts: Option<&'static str>,
    /// Print one JSON object per line, for programs that listen.
    pub json: bool,
    /// Whether the parts are units of estimated work, whose number means nothing to people.
    pub estimated: bool,
}

/// Shows the progress of one job, until it is dropped.
pub(crate) struct Meter {
    parts: Arc<Parts>,
    /// Dropping the sender tells the thread to stop.
    running: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(Default)]
struct Parts {
    done: AtomicU64,
    total: AtomicU64,
    /// Bytes of tables, if any are written.
    bytes: AtomicU64,
    /// Bytes that wait in memory and in files.
    kept: [AtomicU64; 2],
    /// When parts were first counted: the job may have prepared for a while first.
    since: OnceLock<Instant>,
    /// Parts that others had done before: a resumed job starts with some, and may find more.
    before: AtomicU64,
    /// The run of a job of many runs, and their number; 0 if it is a single one.
    run: AtomicUsize,
    runs: AtomicUsize,
    /// The preparation before the first part, if it reports its progress.
    preparation: Mutex<Option<Preparation>>,
}

/// Work before the first part.
struct Preparation {
    what: &'static str,
    since: Instant,
    done: u64,
    total: u64,
}

impl Meter {
    /// Starts to watch a job; `what` names it: "counting 7x6".
    pub(crate) fn start(what: String, quiet: bool) -> Meter {
        Meter::showing(what, Shown { quiet, ..Shown::default() })
    }

    /// The same, with options.
    pub(crate) fn showing(what: String, shown: Shown) -> Meter {
        let parts = Arc::new(Parts::default());
        let start = || {
            let (sender, stop) = mpsc::channel();
            let parts = Arc::clone(&parts);
            let watching = move || watch(&what, shown, &parts, &stop);
            // The job is worth more than its progress.
            Some((sender, thread::Builder::new().spawn(watching).ok()?))
        };
        let running = if shown.quiet { None } else { start() };
        Meter { parts, running }
    }

    /// Records the run that the job has come to, of many.
    pub(crate) fn turn_to(&self, run: usize, runs: usize) {
        self.parts.run.store(run, Relaxed);
        self.parts.runs.store(runs, Relaxed);
    }

    /// Records parts that this process does not have to do.
    pub(crate) fn find(&self, parts: u64) {
        self.parts.since.get_or_init(Instant::now);
        self.parts.before.fetch_add(parts, Relaxed);
    }

    /// Records the bytes of tables written so far.
    pub(crate) fn wrote(&self, bytes: u64) {
        self.parts.bytes.store(bytes, Relaxed);
    }

    /// Records the bytes that wait in memory and in files.
    pub(crate) fn keeps(&self, memory: u64, files: u64) {
        let kept = self.parts.kept.iter().zip([memory, files]);
        kept.for_each(|(kept, bytes)| kept.store(bytes, Relaxed));
    }
}

impl Parts {
    fn read(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }

    /// Bytes that wait in memory and in files.
    fn kept(&self) -> [u64; 2] {
        [0, 1].map(|place| self.kept[place].load(Relaxed))
    }

    /// The progress since the job began to count parts.
    fn pace(&self) -> Option<Pace> {
        let (start, before) = (*self.since.get()?, self.before.load(Relaxed));
        let (done, total) = self.read();
        Pace::of(start, done.saturating_sub(before), done, total)
    }

    /// The run of a job of many runs, and their number.
    fn run(&self) -> Option<(usize, usize)> {
        let [run, runs] = [&self.run, &self.runs].map(|number| number.load(Relaxed));
        (0 < run && run <= runs).then_some((run, runs))
    }

    /// The name of the job, and what it has come to: `solving 7x6, run 3 of 18`.
    fn name(&self, what: &str) -> String {
        match (self.run(), self.runs.load(Relaxed)) {
            (Some((run, runs)), 2..) => format!("{what}, run {run} of {runs}"),
            (None, 1..) => format!("{what}, score tables"),
            _ => what.to_owned(),
        }
    }

    /// The progress of the preparation, in words: `preparing, sorting sides: 12 % after 3 s, 22 s
    /// to go`. None if it reports no progress, or if parts are being counted already.
    fn preparing(&self, seconds: u64) -> Option<String> {
        if self.read() != (0, 0) {
            return None;
        }
        let preparation = self.preparation.lock().unwrap_or_else(PoisonError::into_inner);
        let Preparation { what, since, done, total } = *preparation.as_ref()?;
        let far = match done {
            0 => String::new(),
            _ => format!(": {}", how_far(Shown::default(), done, total)),
        };
        let to_go = Pace::of(since, done, done, total).and_then(|pace| pace.to_go);
        let to_go = to_go.map(|seconds| format!(", {} to go", rough(seconds))).unwrap_or_default();
        Some(format!("preparing, {what}{far} after {seconds} s{to_go}"))
    }

    /// The progress of the job, in words.
    fn in_words(&self, shown: Shown, seconds: u64) -> String {
        self.preparing(seconds).unwrap_or_else(|| {
            let (done, total) = self.read();
            let (far, pace) = (how_far(shown, done, total), self.pace_in_words(shown));
            format!("{far} after {seconds} s{pace}")
        })
    }

    /// The pace in words: `, 1,234,567 cells/s, 3.0 MiB of tables, 1.2 GiB waiting in memory and
    /// 5.0 GiB in files, 25 s to go`.
    fn pace_in_words(&self, shown: Shown) -> String {
        let Some(Pace { per_second: rate, to_go }) = self.pace() else { return String::new() };
        let bytes = self.bytes.load(Relaxed);
        let rate = shown.parts.map(|parts| format!(", {} {parts}/s", per_second(rate)));
        let tables = (bytes > 0).then(|| format!(", {} of tables", Bytes(bytes)));
        let kept = match self.kept() {
            [0, 0] => None,
            [memory, 0] => Some(format!(", {} waiting in memory", Bytes(memory))),
            [0, files] => Some(format!(", {} waiting in files", Bytes(files))),
            [memory, files] => {
                Some(format!(", {} waiting in memory and {} in files", Bytes(memory), Bytes(files)))
            }
        };
        let to_go = to_go.map(|seconds| format!(", {} to go", rough(seconds)));
        [rate, tables, kept, to_go].into_iter().flatten().collect()
    }
}

impl Progress for Meter {
    fn advance(&self, done: u64, total: u64) {
        self.parts.since.get_or_init(|| {
            self.parts.before.store(done, Relaxed);
            Instant::now()
        });
        self.parts.done.store(done, Relaxed);
        self.parts.total.store(total, Relaxed);
    }

    fn prepare(&self, what: &'static str, done: u64, total: u64) {
        let mut told = self.parts.preparation.lock().unwrap_or_else(PoisonError::into_inner);
        let same = told.as_ref().filter(|told| told.what == what);
        let since = same.map_or_else(Instant::now, |told| told.since);
        *told = Some(Preparation { what, since, done, total });
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.running.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

/// The pace of a job.
struct Pace {
    per_second: f64,
    /// Seconds to the end; unknown without a total.
    to_go: Option<f64>,
}

impl Pace {
    /// Parts done since then, and parts done in all.
    fn of(since: Instant, gained: u64, done: u64, total: u64) -> Option<Pace> {
        let per_second = gained as f64 / since.elapsed().as_secs_f64();
        let to_go = (total > 0).then(|| (total - done.min(total)) as f64 / per_second);
        (per_second > 0.0).then_some(Pace { per_second, to_go })
    }
}

/// A rate, with a decimal if it is small.
fn per_second(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.1}") } else { grouped(rate as u64) }
}

/// The progress of a job: a percentage, or the number of parts done if the total is unknown.
/// Until the job begins to count parts, it is `preparing`.
fn how_far(shown: Shown, done: u64, total: u64) -> String {
    match (done, total) {
        (0, 0) => "preparing".to_owned(),
        (_, 0) => format!("{} {}", grouped(done), shown.parts.unwrap_or("parts")),
        (0, _) if shown.estimated => "at the beginning".to_owned(),
        // 0 % would look like a standstill if the first part takes long.
        (0, _) => format!("at the first of {} {}", grouped(total), shown.parts.unwrap_or("parts")),
        // Long jobs should visibly move.
        _ if done < total.div_ceil(10) => format!("{:.1} %", 100.0 * done as f64 / total as f64),
        _ => format!("{} %", 100 * u128::from(done) / u128::from(total)),
    }
}

/// A bar needs space besides its text.
const LEAST_WIDTH: u16 = 100;

fn watch(what: &str, shown: Shown, parts: &Parts, stop: &Receiver<()>) {
    let start = Instant::now();
    let stopped_within = |pause| stop.recv_timeout(pause) != Err(RecvTimeoutError::Timeout);
    if stopped_within(SILENCE) {
        return;
    }
    if io::stderr().is_terminal() && !shown.json {
        let bar = ProgressBar::new(0).with_prefix(parts.name(what));
        let bar = bar.with_elapsed(start.elapsed());
        let mut style = "";
        loop {
            // Terminals can be resized at any time. On a narrow one there is no bar, only as much
            // of the text as fits: a wrapped line could not be redrawn.
            let width = terminal_size_of(io::stderr()).map(|(width, _)| width.0);
            let narrow = width.is_some_and(|width| width < LEAST_WIDTH);
            let template = if narrow { "{wide_msg}" } else { "{prefix} {wide_bar} {msg}" };
            if style != template {
                style = template;
                bar.set_style(ProgressStyle::with_template(style).expect("a template of ours"));
            }
            let (done, total) = parts.read();
            let far = parts.in_words(shown, start.elapsed().as_secs());
            let name = parts.name(what);
            let before = if narrow { format!("{name}: ") } else { String::new() };
            // Setting the prefix redraws the bar.
            if bar.prefix() != name {
                bar.set_prefix(name);
            }
            bar.set_message(format!("{before}{far}"));
            bar.update(|state| {
                // With a total of 0, the bar would be full before parts are counted.
                state.set_len(total.max(1));
                state.set_pos(done);
            });
            if stopped_within(BETWEEN_FRAMES) {
                return bar.finish_and_clear();
            }
        }
    }
    loop {
        let (done, total) = parts.read();
        let seconds = start.elapsed().as_secs_f64();
        let bytes = parts.bytes.load(Relaxed);
        if shown.json {
            let to_go = parts.pace().and_then(|pace| pace.to_go).map(f64::round);
            let seconds = seconds.round();
            let (event, (run, runs)) = ("progress", parts.run().unzip());
            let [in_memory, in_files] = parts.kept();
            say_json(&Event {
                event,
                what,
                run,
                runs,
                done,
                total,
                bytes,
                in_memory,
                in_files,
                seconds,
                to_go,
            });
        } else {
            let name = parts.name(what);
            say(format_args!("{name}: {}", parts.in_words(shown, seconds.round() as u64)));
        }
        if stopped_within(BETWEEN_LINES) {
            return;
        }
    }
}

/// The progress of a job, for programs that listen.
#[derive(Serialize)]
struct Event<'a> {
    event: &'static str,
    what: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    runs: Option<usize>,
    done: u64,
    total: u64,
    bytes: u64,
    /// Bytes that wait for later work.
    in_memory: u64,
    in_files: u64,
    seconds: f64,
    to_go: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(done: u64, total: u64, bytes: u64, before: u64) -> Parts {
        let parts = Parts::default();
        parts.done.store(done, Relaxed);
        parts.total.store(total, Relaxed);
        parts.bytes.store(bytes, Relaxed);
        parts.since.set(Instant::now() - Duration::from_secs(10)).unwrap();
        parts.before.store(before, Relaxed);
        parts
    }

    #[test]
    fn what_was_done_before_does_not_count_as_fast() {
        assert_eq!(Parts::default().pace_in_words(Shown::default()), "", "preparing");
        assert_eq!(parts(500, 1000, 0, 500).pace_in_words(Shown::default()), "");
        let Pace { per_second, to_go } = parts(750, 1000, 0, 500).pace().unwrap();
        let to_go = to_go.unwrap();
        assert!((24.0..=25.0).contains(&per_second) && (10.0..11.0).contains(&to_go));
        let shown = Shown { parts: Some("cells"), ..Shown::default() };
        let said = |bytes| parts(750, 1000, bytes, 500).pace_in_words(shown);
        assert_eq!(said(0), ", 24 cells/s, 10 s to go");
        assert_eq!(said(3_100_000), ", 24 cells/s, 3.0 MiB of tables, 10 s to go");
        assert_eq!(parts(1000, 1000, 0, 500).pace().and_then(|pace| pace.to_go), Some(0.0));
        let meter = Meter::start("going on".to_owned(), true);
        [500, 750].into_iter().for_each(|done| meter.advance(done, 1000));
        assert_eq!(meter.parts.before.load(Relaxed), 500);
    }

    #[test]
    fn runs_that_are_found_do_not_count_as_fast() {
        let meter = Meter::start("solving 7x6".to_owned(), true);
        let name = || meter.parts.name("solving 7x6");
        assert_eq!(name(), "solving 7x6");
        // The first run exists; half of the second does.
        meter.turn_to(1, 3);
        meter.find(1000);
        meter.advance(1000, 4000);
        meter.turn_to(2, 3);
        meter.find(500);
        meter.advance(1500, 4000);
        assert!(meter.parts.pace().is_none(), "nothing has been done");
        assert_eq!(name(), "solving 7x6, run 2 of 3");
        meter.advance(1600, 4000);
        let pace = meter.parts.pace().unwrap();
        let to_go = pace.to_go.unwrap() * pace.per_second;
        assert!((2399.0..2401.0).contains(&to_go), "the rest at the pace of 100 parts");
        assert_eq!(meter.parts.done.load(Relaxed) - meter.parts.before.load(Relaxed), 100);
        meter.turn_to(4, 3);
        assert_eq!(name(), "solving 7x6, score tables");
        let shown = Shown { estimated: true, ..Shown::default() };
        assert_eq!(how_far(shown, 0, 5_000_000_000), "at the beginning");
    }

    #[test]
    fn a_preparation_tells_how_far_it_is_until_parts_are_counted() {
        let meter = Meter::start("counting".to_owned(), true);
        let said = || meter.parts.in_words(Shown::default(), 7);
        assert_eq!(said(), "preparing after 7 s");
        meter.prepare("sorting", 0, 10);
        assert_eq!(said(), "preparing, sorting after 7 s");
        meter.prepare("sorting", 2, 10);
        meter.parts.preparation.lock().unwrap().as_mut().unwrap().since -= Duration::from_secs(2);
        assert_eq!(said(), "preparing, sorting: 20 % after 7 s, 8 s to go");
        // The next work has a pace of its own.
        meter.prepare("listing", 0, 4);
        assert_eq!(said(), "preparing, listing after 7 s");
        meter.advance(0, 9);
        assert_eq!(said(), "at the first of 9 parts after 7 s");
    }

    #[test]
    fn without_a_total_there_is_still_a_rate() {
        let shown = Shown { parts: Some("positions"), ..Shown::default() };
        assert_eq!(parts(25, 0, 0, 0).pace_in_words(shown), ", 2.5 positions/s");
        assert_eq!(how_far(shown, 12_345, 0), "12,345 positions");
        assert_eq!(how_far(shown, 1, 3), "33 %");
        assert_eq!(how_far(shown, 25, 10_000), "0.2 %");
        assert_eq!(how_far(shown, 0, 0), "preparing");
        assert_eq!(how_far(shown, 0, 7), "at the first of 7 positions");
        assert_eq!(how_far(Shown::default(), 0, 1000), "at the first of 1,000 parts");
    }
}

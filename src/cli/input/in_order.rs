//! Processes items on all threads as they arrive, and emits them in order: each as soon as its
//! result and those before it are known.
//!
//! ```text
//!     reader ──► window ──► taker
//!                 │  ▲
//!                workers
//! ```
//!
//! The window holds the items that have been read but not emitted. A taker that fails stops the
//! rest. After Ctrl-C the taker also gets the results known after the first unknown one, so
//! nothing is lost. [`Solver::all`](strong4::Solver::all) can do neither: it borrows items that all
//! exist, and returns when the last is done.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use strong4::progress::Progress;

use crate::cli::interrupt;

/// At most this many items are read ahead of the first one without a result.
const AHEAD: usize = 1 << 14;
/// How long Ctrl-C waits for the known results to be emitted.
const LAST_WAIT: Duration = Duration::from_secs(1);

/// The consumer of the results.
pub(crate) trait Taker<T, R> {
    /// Takes the next item and its result; none if the program was stopped first.
    fn take(&mut self, item: &T, result: Option<R>) -> anyhow::Result<()>;
    /// All results known so far have been passed.
    fn pause(&mut self) -> anyhow::Result<()>;
    /// The program was stopped, and nothing more will be passed.
    fn stop(&mut self) -> anyhow::Result<()> {
        self.pause()
    }
}

enum Event<T, R> {
    /// The next item.
    Read(T),
    /// The input has ended, or cannot be read.
    End(io::Result<()>),
    /// The result of an item.
    Done(usize, thread::Result<R>),
    /// Ctrl-C; a reply confirms that all is done.
    Stop(Sender<()>),
}

/// Processes all items, and passes the results to `taker`. `progress` gets the number of items
/// done, and the total once it is known.
pub(crate) fn in_order<T, R>(
    items: impl Iterator<Item = io::Result<T>> + Send + 'static,
    work: impl Fn(&T) -> R + Sync,
    taker: &mut impl Taker<T, R>,
    progress: &impl Progress,
) -> anyhow::Result<()>
where
    T: Send + Sync + 'static,
    R: Send + 'static,
{
    let (sender, events) = mpsc::channel();
    let (places, taken) = mpsc::sync_channel(AHEAD);
    let (queue, waiting) = mpsc::channel();
    // 0 while it is unknown.
    let total = items.size_hint().1.unwrap_or(0);
    let reader = sender.clone();
    // Not joined: it may wait for input that never comes.
    let reading = thread::Builder::new().spawn(move || read(items, &places, &reader));
    reading.context("cannot start a thread")?;
    let at_stop = sender.clone();
    interrupt::set_last_deed(move || {
        let (done, all_is_well) = mpsc::channel();
        if at_stop.send(Event::Stop(done)).is_ok() {
            let _ = all_is_well.recv_timeout(LAST_WAIT);
        }
    });
    let waiting: Mutex<Receiver<(usize, Arc<T>)>> = Mutex::new(waiting);
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        // Its ends of the channels are dropped in the end, which stops the other threads.
        let window = Window { events, queue, taken, items: VecDeque::new(), gone: 0 };
        for _ in 0..rayon::current_num_threads() {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let working = move || {
                while let Ok((at, item)) = next() {
                    let result = catch_unwind(AssertUnwindSafe(|| work(&item)));
                    if sender.send(Event::Done(at, result)).is_err() {
                        return;
                    }
                }
            };
            let started = thread::Builder::new().spawn_scoped(scope, working);
            started.context("cannot start a thread")?;
        }
        let report = |done, read| progress.advance(done, total.max(read) as u64);
        window.hand_out(taker, report).inspect_err(|_| interrupt::give_up())
    })
}

/// Reads items, each once there is a place for it in the window, as long as they are wanted.
fn read<T, R>(
    items: impl Iterator<Item = io::Result<T>>,
    places: &SyncSender<()>,
    events: &Sender<Event<T, R>>,
) {
    for item in items {
        let event = match item {
            Ok(item) => Event::Read(item),
            Err(error) => {
                let _ = events.send(Event::End(Err(error)));
                return;
            }
        };
        if places.send(()).is_err() || events.send(event).is_err() {
            return;
        }
    }
    let _ = events.send(Event::End(Ok(())));
}

/// An item not yet emitted, and its result once it is known.
type Waiting<T, R> = (Arc<T>, Option<R>);

/// The items that have been read but not emitted.
struct Window<T, R> {
    events: Receiver<Event<T, R>>,
    /// Leads to the workers.
    queue: Sender<(usize, Arc<T>)>,
    /// Holds a token for each item in the window, and so limits their number.
    taken: Receiver<()>,
    items: VecDeque<Waiting<T, R>>,
    /// Items that have been emitted.
    gone: usize,
}

impl<T, R> Window<T, R> {
    /// Passes results to the taker as they become known, to the end.
    fn hand_out(
        mut self,
        taker: &mut impl Taker<T, R>,
        progress: impl Fn(u64, usize),
    ) -> anyhow::Result<()> {
        let (mut done, mut end) = (0, None);
        loop {
            let event = match self.events.try_recv() {
                Err(TryRecvError::Empty) => {
                    taker.pause()?;
                    self.events.recv().ok()
                }
                event => event.ok(),
            };
            match event {
                None => return Ok(()),
                Some(Event::Read(item)) => {
                    let item = Arc::new(item);
                    let _ = self.queue.send((self.gone + self.items.len(), item.clone()));
                    self.items.push_back((item, None));
                }
                Some(Event::End(how)) => end = Some(how),
                Some(Event::Done(at, Ok(result))) => {
                    self.items[at - self.gone].1 = Some(result);
                    done += 1;
                }
                Some(Event::Done(_, Err(panic))) => resume_unwind(panic),
                Some(Event::Stop(all_is_well)) => {
                    give_all_that_is_known(self.items, taker)?;
                    let _ = all_is_well.send(());
                    // The program ends now.
                    loop {
                        thread::park();
                    }
                }
            }
            while let Some((item, result @ Some(_))) = self.items.front_mut() {
                taker.take(item, result.take())?;
                self.items.pop_front();
                self.gone += 1;
                let _ = self.taken.try_recv();
            }
            let total = if end.is_some() { self.gone + self.items.len() } else { 0 };
            progress(done, total);
            if self.items.is_empty()
                && let Some(end) = end.take()
            {
                taker.pause()?;
                return end.context("cannot read standard input");
            }
        }
    }
}

fn give_all_that_is_known<T, R>(
    mut window: VecDeque<Waiting<T, R>>,
    taker: &mut impl Taker<T, R>,
) -> anyhow::Result<()> {
    let known = window.iter().rposition(|(_, result)| result.is_some()).map_or(0, |at| at + 1);
    for (item, result) in window.drain(..known) {
        taker.take(&item, result)?;
    }
    taker.stop()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    use std::sync::mpsc::SyncSender;

    use super::*;

    /// Records what it is given, fails after this many, and reports each.
    struct Notes {
        taken: Vec<(u64, Option<u64>)>,
        most: usize,
        tell: Option<SyncSender<u64>>,
    }

    impl Taker<u64, u64> for Notes {
        fn take(&mut self, item: &u64, result: Option<u64>) -> anyhow::Result<()> {
            anyhow::ensure!(self.taken.len() < self.most, "enough");
            self.taken.push((*item, result));
            if let Some(tell) = &self.tell {
                // There is no receiver for the last one.
                let _ = tell.send(*item);
            }
            Ok(())
        }

        fn pause(&mut self) -> anyhow::Result<()> {
            Ok(())
        }
    }

    fn notes() -> Notes {
        Notes { taken: Vec::new(), most: usize::MAX, tell: None }
    }

    #[test]
    fn results_leave_in_the_order_of_the_items() {
        let worked = AtomicU64::new(0);
        let work = |item: &u64| {
            worked.fetch_add(1, Relaxed);
            // The first ones take longest.
            thread::sleep(Duration::from_micros(1000 / (item + 1)));
            2 * item
        };
        let mut taken = notes();
        in_order((0..50_000).map(Ok), work, &mut taken, &()).unwrap();
        assert!(taken.taken.into_iter().eq((0..50_000).map(|item| (item, Some(2 * item)))));
        assert_eq!(worked.into_inner(), 50_000);
    }

    #[test]
    fn a_result_leaves_before_the_next_item_has_come() {
        let (tell, told) = mpsc::sync_channel(1);
        let mut taken = Notes { tell: Some(tell), ..notes() };
        // Each item arrives only after the one before it has been emitted.
        let items = (0..100u64).inspect(move |item| {
            assert!(*item == 0 || told.recv().unwrap() == item - 1);
        });
        in_order(items.map(Ok), |item| *item, &mut taken, &()).unwrap();
        assert_eq!(taken.taken.len(), 100);
    }

    #[test]
    fn a_taker_that_fails_stops_the_rest_and_nothing_is_lost_before_a_bad_read() {
        let mut some = Notes { most: 3, ..notes() };
        let error = in_order((0..).map(Ok), |item| *item, &mut some, &());
        assert_eq!((error.unwrap_err().to_string().as_str(), some.taken.len()), ("enough", 3));
        let items = (0..9).map(Ok).chain([Err(io::Error::other("torn"))]);
        let mut all = notes();
        let error = in_order(items, |item| *item, &mut all, &()).unwrap_err();
        assert_eq!(format!("{error:#}"), "cannot read standard input: torn");
        assert_eq!(all.taken.len(), 9);
    }

    #[test]
    fn what_is_known_behind_a_gap_is_given_in_the_end() {
        let known = [None, Some(1), None, Some(3), None];
        let window = (0..).zip(known).map(|(item, result)| (Arc::new(item), result)).collect();
        let mut taken = notes();
        give_all_that_is_known(window, &mut taken).unwrap();
        assert_eq!(taken.taken, [(0, None), (1, Some(1)), (2, None), (3, Some(3))]);
    }
}

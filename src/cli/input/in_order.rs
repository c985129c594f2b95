//! Processes items on all threads as they arrive, and emits them in order: each as soon as its
//! result and those before it are known.
//!
//! A taker that fails stops the rest. After Ctrl-C the taker also gets the results known after the
//! first unknown one, so nothing is lost.

use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use strong4::progress::Progress;

use crate::cli::interrupt;
use crate::in_order::InOrder;

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
    let window = Arc::new(InOrder::new(AHEAD));
    // An upper bound, or 0.
    let bound = items.size_hint().1.unwrap_or(0);
    let (reader, (end, ended)) = (window.clone(), mpsc::channel());
    // Not joined: it may wait for input that never comes.
    let reading = thread::Builder::new().spawn(move || {
        let _ = end.send(read(items, &reader));
        reader.close();
    });
    reading.context("cannot start a thread")?;
    let (at_stop, (done, all_is_well)) = (window.clone(), mpsc::channel());
    interrupt::set_last_deed(move || {
        at_stop.stop();
        let _ = all_is_well.recv_timeout(LAST_WAIT);
    });
    thread::scope(|scope| {
        // However this ends, the other threads should end, too.
        let _stopping = Stopping(&window);
        for _ in 0..rayon::current_num_threads() {
            let started = thread::Builder::new().spawn_scoped(scope, || window.work(&work));
            started.context("cannot start a thread")?;
        }
        let report = |done: usize, total| progress.advance(done as u64, bound.max(total) as u64);
        let finished = hand_out(&window, taker, report).inspect_err(|_| interrupt::give_up())?;
        if !finished {
            give_all_that_is_known(window.rest(), taker)?;
            let _ = done.send(());
            // The program ends now.
            loop {
                thread::park();
            }
        }
        ended.recv().unwrap_or(Ok(())).context("cannot read standard input")
    })
}

/// Reads items, each once there is a place for it in the window, as long as they are wanted.
fn read<T, R>(
    items: impl Iterator<Item = io::Result<T>>,
    window: &InOrder<T, R>,
) -> io::Result<()> {
    for item in items {
        if !window.add(item?) {
            break;
        }
    }
    Ok(())
}

/// Stops work when it is dropped.
struct Stopping<'w, T, R>(&'w InOrder<T, R>);

impl<T, R> Drop for Stopping<'_, T, R> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Passes results to the taker as they become known. Returns whether those were all.
fn hand_out<T, R>(
    window: &InOrder<T, R>,
    taker: &mut impl Taker<T, R>,
    report: impl Fn(usize, usize),
) -> anyhow::Result<bool> {
    let mut seen = 0;
    // The pace counts from here.
    report(0, 0);
    loop {
        let mut known = window.take(seen, false);
        if known.is_none() {
            taker.pause()?;
            known = window.take(seen, true);
        }
        let known = known.expect("news, having waited");
        for (item, result) in known.results {
            taker.take(&item, Some(result))?;
        }
        report(known.done, known.total.unwrap_or(0));
        seen = known.seen;
        if !known.more_may_come {
            taker.pause()?;
            return Ok(!window.is_stopped());
        }
    }
}

fn give_all_that_is_known<T, R>(
    mut rest: Vec<(Arc<T>, Option<R>)>,
    taker: &mut impl Taker<T, R>,
) -> anyhow::Result<()> {
    let known = rest.iter().rposition(|(_, result)| result.is_some()).map_or(0, |at| at + 1);
    for (item, result) in rest.drain(..known) {
        taker.take(&item, result)?;
    }
    taker.stop()
}

#[cfg(test)]
mod tests {
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
        let rest = (0..).zip(known).map(|(item, result)| (Arc::new(item), result)).collect();
        let mut taken = notes();
        give_all_that_is_known(rest, &mut taken).unwrap();
        assert_eq!(taken.taken, [(0, None), (1, Some(1)), (2, None), (3, Some(3))]);
    }
}

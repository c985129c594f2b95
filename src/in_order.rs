//! Work on many items by several threads, whose results leave in the order of the items.
//!
//! ```text
//!     add ──► │ waiting │ at work, or done out of turn │ ──► take
//! ```
//!
//! Adding waits while the queue is full; a worker waits for items; taking waits for the next
//! result. All of them return once work is stopped.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Items that have been added and not taken, and their results.
pub(crate) struct InOrder<T, R> {
    state: Mutex<State<T, R>>,
    /// The most items held at a time.
    most: usize,
    is_stopped: AtomicBool,
    /// Items were taken.
    has_room: Signal,
    /// An item was added.
    has_work: Signal,
    /// An item is done, or no more will be added.
    has_news: Signal,
}

/// Wakes the threads that wait for a change of the state. Waking takes a system call, so it is
/// skipped if none waits; waiting threads are counted while the state is locked.
#[derive(Default)]
struct Signal {
    condition: Condvar,
    waiting: AtomicUsize,
}

impl Signal {
    fn wake_one(&self) {
        if self.waiting.load(Relaxed) > 0 {
            self.condition.notify_one();
        }
    }
}

struct State<T, R> {
    /// Those that have been added and not taken, with their results.
    items: VecDeque<(Arc<T>, Option<thread::Result<R>>)>,
    /// How many have been taken, begun and done since the start.
    taken: usize,
    begun: usize,
    done: usize,
    /// No more will be added.
    is_closed: bool,
}

/// Results in the order of their items, as far as all are known, and how many items there are.
pub(crate) struct Known<T, R> {
    pub(crate) results: Vec<(Arc<T>, R)>,
    /// How much has happened, for the next call.
    pub(crate) seen: usize,
    /// Items done so far, in whatever order.
    pub(crate) done: usize,
    /// All items, once that is known.
    pub(crate) total: Option<usize>,
    /// Whether more may come.
    pub(crate) more_may_come: bool,
}

impl<T, R> State<T, R> {
    /// Whether no item waits for a thread.
    fn is_begun(&self) -> bool {
        self.begun == self.taken + self.items.len()
    }

    /// How much has happened that whoever takes results would know: the items done, and the end.
    fn news(&self) -> usize {
        self.done + usize::from(self.is_closed)
    }

    /// Whether there is nothing more to take.
    fn is_over(&self) -> bool {
        self.is_closed && self.items.is_empty()
    }
}

/// A result, or the panic of the work.
fn settled<R>(result: thread::Result<R>) -> R {
    result.unwrap_or_else(|panic| resume_unwind(panic))
}

impl<T, R> InOrder<T, R> {
    /// Holds at most this many items at a time.
    pub(crate) fn new(most: usize) -> InOrder<T, R> {
        let items = VecDeque::new();
        let state = State { items, taken: 0, begun: 0, done: 0, is_closed: false };
        let [has_room, has_work, has_news] = <[Signal; 3]>::default();
        let (state, is_stopped) = (Mutex::new(state), AtomicBool::new(false));
        InOrder { state, most, is_stopped, has_room, has_work, has_news }
    }

    /// Adds an item once there is room for it. Returns whether it is wanted.
    pub(crate) fn add(&self, item: T) -> bool {
        let is_full = |state: &State<T, R>| state.items.len() >= self.most;
        let mut state = self.wait(&self.has_room, |state| is_full(state));
        state.items.push_back((Arc::new(item), None));
        drop(state);
        self.has_work.wake_one();
        !self.is_stopped()
    }

    /// No more items will be added.
    pub(crate) fn close(&self) {
        self.state().is_closed = true;
        self.wake_all();
    }

    /// No more work is begun.
    pub(crate) fn stop(&self) {
        // Locked, so that none who has just looked falls asleep.
        let state = self.state();
        self.is_stopped.store(true, Relaxed);
        drop(state);
        self.wake_all();
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Relaxed)
    }

    /// Works on items as they come, until none is left.
    pub(crate) fn work(&self, work: impl Fn(&T) -> R) {
        loop {
            let has_none = |state: &State<T, R>| state.is_begun() && !state.is_closed;
            let mut state = self.wait(&self.has_work, has_none);
            if self.is_stopped() || state.is_begun() {
                return;
            }
            let number = state.begun;
            state.begun += 1;
            let item = state.items[number - state.taken].0.clone();
            drop(state);
            let result = catch_unwind(AssertUnwindSafe(|| work(&item)));
            let mut state = self.state();
            let place = number - state.taken;
            state.items[place].1 = Some(result);
            state.done += 1;
            drop(state);
            self.has_news.wake_one();
        }
    }

    /// The next results. If nothing has happened but what was `seen`, it waits, or returns `None` if
    /// it should not. A panic of the work goes on here.
    pub(crate) fn take(&self, seen: usize, may_wait: bool) -> Option<Known<T, R>> {
        let mut state = match may_wait {
            false => self.state(),
            true => self.wait(&self.has_news, |state| state.news() == seen && !state.is_over()),
        };
        let is_over = state.is_over() || self.is_stopped();
        if state.news() == seen && !is_over {
            return None;
        }
        let known = state.items.iter().take_while(|(_, result)| result.is_some()).count();
        let results =
            state.items.drain(..known).map(|(item, result)| (item, result.expect("known")));
        let results: Vec<_> = results.collect();
        state.taken += known;
        let total = state.is_closed.then_some(state.taken + state.items.len());
        let (seen, done) = (state.news(), state.done);
        let more_may_come = !state.is_over() && !self.is_stopped();
        drop(state);
        self.has_room.wake_one();
        let results = results.into_iter().map(|(item, result)| (item, settled(result))).collect();
        Some(Known { results, seen, done, total, more_may_come })
    }

    /// Works on all items that have been added, on at most this many threads, and returns the
    /// results; none for items that were not begun before work was stopped.
    pub(crate) fn work_on_all(
        &self,
        threads: usize,
        work: impl Fn(&T) -> R + Sync,
    ) -> Vec<Option<R>>
    where
        T: Send + Sync,
        R: Send,
    {
        self.close();
        let others = threads.min(self.state().items.len());
        thread::scope(|scope| {
            for _ in 1..others {
                // If no more can be started, those that there are do it all.
                if thread::Builder::new().spawn_scoped(scope, || self.work(&work)).is_err() {
                    break;
                }
            }
            self.work(&work);
        });
        self.rest().into_iter().map(|(_, result)| result).collect()
    }

    /// All items that have not been taken, with the results that are known.
    pub(crate) fn rest(&self) -> Vec<(Arc<T>, Option<R>)> {
        let mut state = self.state();
        let rest = state.items.iter_mut().map(|(item, result)| (item.clone(), result.take()));
        let rest: Vec<_> = rest.collect();
        drop(state);
        rest.into_iter().map(|(item, result)| (item, result.map(settled))).collect()
    }

    /// The state, once this holds no longer or work is stopped.
    fn wait(
        &self,
        signal: &Signal,
        holds: impl Fn(&State<T, R>) -> bool,
    ) -> MutexGuard<'_, State<T, R>> {
        let mut state = self.state();
        while holds(&state) && !self.is_stopped() {
            signal.waiting.fetch_add(1, Relaxed);
            state = signal.condition.wait(state).unwrap_or_else(PoisonError::into_inner);
            signal.waiting.fetch_sub(1, Relaxed);
        }
        state
    }

    fn wake_all(&self) {
        for signal in [&self.has_room, &self.has_work, &self.has_news] {
            signal.condition.notify_all();
        }
    }

    /// A panic leaves nothing half done: no work is done while this is locked.
    fn state(&self) -> MutexGuard<'_, State<T, R>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_leave_in_the_order_of_the_items() {
        let (items, worked) = (InOrder::new(100), AtomicUsize::new(0));
        let work = |item: &usize| {
            worked.fetch_add(1, Relaxed);
            // The first ones take longest.
            thread::sleep(Duration::from_micros(1000 / (*item as u64 + 1)));
            2 * item
        };
        let taken = thread::scope(|scope| {
            scope.spawn(|| {
                assert!((0..20_000).all(|item| items.add(item)));
                items.close();
            });
            for _ in 0..3 {
                scope.spawn(|| items.work(work));
            }
            let (mut taken, mut seen) = (Vec::new(), 0);
            loop {
                let known = items.take(seen, true).unwrap();
                seen = known.seen;
                let results = known.results.into_iter();
                taken.extend(results.map(|(item, result)| (*item, result)));
                assert!(taken.len() <= known.done && known.done <= taken.len() + 100);
                if !known.more_may_come {
                    assert_eq!((known.done, known.total), (20_000, Some(20_000)));
                    break taken;
                }
            }
        });
        assert!(taken.into_iter().eq((0..20_000).map(|item| (item, 2 * item))));
        assert_eq!(worked.into_inner(), 20_000);
    }

    #[test]
    fn a_result_can_be_taken_before_the_next_item_has_come() {
        let items = InOrder::new(usize::MAX);
        thread::scope(|scope| {
            scope.spawn(|| items.work(|item: &usize| item + 1));
            for item in 0..100 {
                assert!(items.take(item, false).is_none());
                assert!(items.add(item));
                let known = items.take(item, true).unwrap();
                assert_eq!(
                    (known.results[0].1, known.done, known.total),
                    (item + 1, item + 1, None)
                );
            }
            items.close();
            assert!(!items.take(100, true).unwrap().more_may_come);
        });
    }

    #[test]
    fn the_total_is_told_once_although_no_item_is_done() {
        let items: InOrder<usize, ()> = InOrder::new(usize::MAX);
        assert!(items.add(1));
        items.close();
        let known = items.take(0, false).unwrap();
        assert_eq!((known.done, known.total, known.more_may_come), (0, Some(1), true));
        assert!(items.take(known.seen, false).is_none());
    }

    #[test]
    fn stopping_wakes_all_and_what_is_known_can_still_be_had() {
        let (items, (tell, told)) = (InOrder::new(4), mpsc::channel());
        let work = |item: &usize| {
            tell.send(*item).unwrap();
            while item.is_multiple_of(2) && !items.is_stopped() {
                thread::yield_now();
            }
            *item
        };
        thread::scope(|scope| {
            // The first one holds up one thread, and the third one another.
            let adding = scope.spawn(|| (0..).take_while(|item| items.add(*item)).count());
            let working = [(); 2].map(|()| scope.spawn(|| items.work(&work)));
            assert_eq!(told.iter().take(3).count(), 3);
            assert!(items.take(0, true).unwrap().results.is_empty());
            let rest: Vec<_> = items.rest().into_iter().map(|(item, it)| (*item, it)).collect();
            assert_eq!(rest[..3], [(0, None), (1, Some(1)), (2, None)]);
            items.stop();
            assert!(!items.take(1, true).unwrap().more_may_come);
            working.into_iter().for_each(|worker| worker.join().unwrap());
            assert!(adding.join().unwrap() <= 5);
        });
    }

    #[test]
    fn a_panic_of_the_work_goes_on_where_results_are_taken() {
        let items = InOrder::new(usize::MAX);
        assert!((0..9).all(|item| items.add(item)));
        let all = || items.work_on_all(2, |item: &usize| assert!(*item < 5, "too much"));
        let panic = catch_unwind(AssertUnwindSafe(all)).unwrap_err();
        assert_eq!(panic.downcast_ref(), Some(&"too much"));
    }
}

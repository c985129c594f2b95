//! Runs tasks on several threads: each as soon as those that it needs are done, or in order, as
//! many at a time as fit into memory.
//!
//! ```text
//!     a ───► c ───► d      an arrow leads from a task to one that needs it:
//!     b ──┴► e             c and e are ready when a and b are done
//! ```
//!
//! No thread waits for others while a task is ready. A thread that ends a task continues with those
//! that it has made ready, so that what they read is still in the cache.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard};

use rayon::Scope;

/// Tasks by number, some of which are ready.
struct Tasks<W, E> {
    /// By task, those that need it.
    readers: Vec<Vec<usize>>,
    /// By task, how many of those that it needs are not done.
    waits_for: Vec<AtomicUsize>,
    /// How many tasks are ready or being done.
    open: AtomicUsize,
    failed: Mutex<Option<E>>,
    work: W,
}

/// Does the work of all tasks, on the threads of the pool, given the earlier tasks that each needs.
/// `work` gets the number of a task, and whether it has all threads for itself until it ends.
/// After an error no more tasks are begun.
pub(in crate::sweep) fn run_tasks<E: Send>(
    needs: &[Vec<usize>],
    work: impl Fn(usize, bool) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let mut readers = vec![Vec::new(); needs.len()];
    for (task, needs) in needs.iter().enumerate() {
        needs.iter().for_each(|need| readers[*need].push(task));
    }
    let ready = || (0..needs.len()).filter(|task| needs[*task].is_empty());
    let tasks = Tasks {
        readers,
        waits_for: needs.iter().map(|needs| AtomicUsize::new(needs.len())).collect(),
        open: AtomicUsize::new(ready().count()),
        failed: Mutex::new(None),
        work,
    };
    // A thread begins with what it has spawned last.
    rayon::scope(|scope| ready().rev().for_each(|task| tasks.spawn(scope, task)));
    match tasks.failed.into_inner().expect("no thread has panicked") {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

impl<W: Fn(usize, bool) -> Result<(), E> + Sync, E: Send> Tasks<W, E> {
    /// Spawns a task that is ready, for whichever thread is free.
    fn spawn<'s>(&'s self, scope: &Scope<'s>, task: usize) {
        scope.spawn(move |scope| {
            if self.failed().is_some() {
                return;
            }
            // Nothing else is made ready until it ends.
            let is_alone = self.open.load(Ordering::Relaxed) == 1;
            if let Err(error) = (self.work)(task, is_alone) {
                self.failed().get_or_insert(error);
                return;
            }
            let ready =
                |reader: &&usize| self.waits_for[**reader].fetch_sub(1, Ordering::AcqRel) == 1;
            let ready: Vec<usize> = self.readers[task].iter().filter(ready).copied().collect();
            self.open.fetch_add(ready.len(), Ordering::Relaxed);
            self.open.fetch_sub(1, Ordering::Relaxed);
            ready.into_iter().for_each(|reader| self.spawn(scope, reader));
        });
    }

    fn failed(&self) -> MutexGuard<'_, Option<E>> {
        self.failed.lock().expect("nothing panics while it is locked")
    }
}

/// Does the work of these tasks, which are begun in order, and several at a time if there is room
/// for them. `make_room` gets the next one and whether nothing else is at work, when it must find
/// room; the work gets what it returns. After an error no more are begun.
pub(in crate::sweep) fn run_in_order<T: Copy + Sync, R: Send, E: Send>(
    tasks: &[T],
    make_room: impl Fn(T, bool) -> Option<R> + Sync,
    work: impl Fn(T, R) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let progress = Mutex::new(Progress { begun: 0, at_work: 0, failed: None });
    let queue = Queue { tasks, progress, make_room, work };
    rayon::scope(|scope| queue.begin(scope));
    let progress = queue.progress.into_inner().expect("no thread has panicked");
    progress.failed.map_or(Ok(()), Err)
}

/// Tasks that are begun in order.
struct Queue<'t, T, M, W, E> {
    tasks: &'t [T],
    progress: Mutex<Progress<E>>,
    make_room: M,
    work: W,
}

struct Progress<E> {
    begun: usize,
    at_work: usize,
    failed: Option<E>,
}

impl<T: Copy + Sync, M: Sync, W: Sync, E: Send> Queue<'_, T, M, W, E> {
    /// Begins as many tasks as there is room for. No thread waits for room: the one that ends a
    /// task begins the next.
    fn begin<'s, R: Send + 's>(&'s self, scope: &Scope<'s>)
    where
        M: Fn(T, bool) -> Option<R>,
        W: Fn(T, R) -> Result<(), E>,
    {
        let mut progress = self.progress();
        while progress.at_work < rayon::current_num_threads()
            && progress.failed.is_none()
            && let Some(task) = self.tasks.get(progress.begun)
            && let Some(room) = (self.make_room)(*task, progress.at_work == 0)
        {
            let number = progress.begun;
            progress.begun += 1;
            progress.at_work += 1;
            scope.spawn(move |scope| {
                let done = (self.work)(self.tasks[number], room);
                let mut progress = self.progress();
                progress.at_work -= 1;
                progress.failed = progress.failed.take().or(done.err());
                drop(progress);
                self.begin(scope);
            });
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress<E>> {
        self.progress.lock().expect("nothing panics while it is locked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn each_task_is_done_once_and_after_those_that_it_needs(
            edges in proptest::collection::vec((0usize..60, 0usize..60), 0..150),
            tasks in 0usize..60, threads in 1usize..5,
        ) {
            let mut needs = vec![Vec::new(); tasks];
            for (a, b) in edges {
                if a.max(b) < tasks && a != b && !needs[a.max(b)].contains(&a.min(b)) {
                    needs[a.max(b)].push(a.min(b));
                }
            }
            let (order, at_work) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
            let work = |task: usize, is_alone: bool| {
                let others = at_work.fetch_add(1, Ordering::SeqCst);
                assert!(!is_alone || others == 0);
                order.lock().unwrap().push(task);
                at_work.fetch_sub(1, Ordering::SeqCst);
                Ok::<(), ()>(())
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run_tasks(&needs, work)).unwrap();
            let order = order.into_inner().unwrap();
            let mut place = vec![None; tasks];
            for (at, task) in order.iter().enumerate() {
                proptest::prop_assert_eq!(place[*task].replace(at), None, "{} comes twice", task);
            }
            for (task, needs) in needs.iter().enumerate() {
                proptest::prop_assert!(place[task].is_some());
                proptest::prop_assert!(needs.iter().all(|need| place[*need] < place[task]));
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn tasks_are_begun_in_order_while_there_is_room(
            sizes in proptest::collection::vec(0usize..20, 0..60), threads in 1usize..5,
            room in 0usize..50, failing in 0usize..80,
        ) {
            let tasks: Vec<(usize, usize)> = sizes.into_iter().enumerate().collect();
            let (begun, used) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
            let most = tasks.iter().map(|(_, size)| *size).max().unwrap_or(0).max(room);
            let make_room = |(task, size): (usize, usize), must: bool| {
                (must || used.load(Ordering::SeqCst) + size <= room).then(|| {
                    begun.lock().unwrap().push(task);
                    assert!(used.fetch_add(size, Ordering::SeqCst) + size <= most);
                    size
                })
            };
            let work = |(task, _), size| {
                // The threads of the pool may help with other work meanwhile.
                rayon::join(std::thread::yield_now, std::thread::yield_now);
                used.fetch_sub(size, Ordering::SeqCst);
                if task == failing { Err(task) } else { Ok(()) }
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let done = pool.install(|| run_in_order(&tasks, make_room, work));
            let begun = begun.into_inner().unwrap();
            proptest::prop_assert!(begun.iter().copied().eq(0..begun.len()));
            if failing < tasks.len() {
                proptest::prop_assert_eq!(done, Err(failing));
                proptest::prop_assert!(begun.len() > failing);
            } else {
                proptest::prop_assert_eq!((done, begun.len()), (Ok(()), tasks.len()));
            }
        }
    }

    #[test]
    fn nothing_is_begun_after_an_error() {
        let needs = [vec![], vec![0], vec![1], vec![2], vec![3]];
        let done = AtomicUsize::new(0);
        let work = |task: usize, is_alone: bool| {
            assert!(is_alone, "each needs the one before");
            done.fetch_add(1, Ordering::SeqCst);
            if task == 2 { Err("no room") } else { Ok(()) }
        };
        assert_eq!(run_tasks(&needs, work), Err("no room"));
        assert_eq!(done.into_inner(), 3);
    }
}

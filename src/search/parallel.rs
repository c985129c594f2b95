//! One question, several threads.
//!
//! All threads search the same position and share one table. Each starts with its own order of
//! moves, so they spread over the tree, and each finds in the table what the others have done. The
//! first to know the answer stops the others. Every answer is right, whatever the others leave in
//! the table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::alphabeta::{Node, Searcher};
use super::order::History;
use super::shape::Shape;

/// Answers as [`Searcher::search`] does, on this many threads. If the limit of `first` is reached
/// before, `first` ends up `stopped`.
pub(super) fn search<S: Shape>(
    first: &mut Searcher<S>,
    threads: usize,
    node: Node,
    bound: i32,
) -> i32 {
    let (done, nodes, answer) = (AtomicBool::new(false), AtomicU64::new(0), Mutex::new(None));
    let shared = &*first;
    rayon::scope(|scope| {
        for thread in 0..threads {
            let (done, nodes, answer) = (&done, &nodes, &answer);
            scope.spawn(move |_| {
                let mut searcher = shared.twin(threads, History::shuffled(thread as u64), done);
                let found = searcher.search(node, bound);
                nodes.fetch_add(searcher.nodes, Relaxed);
                if !searcher.stopped {
                    done.store(true, Relaxed);
                    *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
                }
            });
        }
    });
    first.nodes += nodes.into_inner();
    let answer = answer.into_inner().unwrap_or_else(PoisonError::into_inner);
    first.stopped = answer.is_none();
    answer.unwrap_or(bound)
}

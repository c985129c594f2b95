//! The same search, compiled for the instructions of several processors.
//!
//! The search is all shifts and bit counts, and later processors have better ones than those that
//! every x86-64 has. The same code is compiled for each, so all forms visit the same nodes and give
//! the same answers. A new search takes the best form that the machine can run.

use super::alphabeta::{Form, Node, Searcher};
use super::shape::Shape;
use crate::cpu::{Cpu, CpuForm};

/// The form for a processor.
pub(super) fn of<S: Shape>(cpu: Cpu) -> Form<S> {
    match cpu.form() {
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx2 => avx2 as Form<S>,
        #[cfg(target_arch = "x86_64")]
        CpuForm::Avx512 => avx512 as Form<S>,
        _ => portable,
    }
}

fn portable<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn avx2<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vpopcntdq")]
fn avx512<S: Shape>(searcher: &mut Searcher<S>, node: Node, bound: i32) -> i32 {
    searcher.visit(node, bound)
}

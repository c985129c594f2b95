//! A list for each class of a side, all in one piece of memory.

use rayon::prelude::*;

use crate::index::{Class, Split};

/// With this many elements or more, several threads make the lists.
const WORTH_SHARING: usize = 1 << 14;

/// A list for each class of a side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ByClass<T> {
    all: Box<[T]>,
    /// Where the list of each class slot begins, and where the last one ends.
    starts: Box<[u32]>,
}

impl<T: Copy + Default + Send> ByClass<T> {
    /// Lists of these lengths, made on several threads if they are long. `fill` gets lists of
    /// defaults.
    pub fn new(
        split: Split,
        len: impl Fn(Class) -> usize,
        fill: impl Fn(Class, &mut [T]) + Sync,
    ) -> ByClass<T> {
        let classes = || Class::all(split.side_cells());
        let mut starts = Vec::with_capacity(Class::slots(split.side_cells()) + 1);
        starts.push(0);
        let mut end = 0;
        starts.extend(classes().map(|class| {
            end += len(class) as u32;
            end
        }));
        let mut all = vec![T::default(); end as usize].into_boxed_slice();
        let mut rest = &mut all[..];
        let lists = classes().zip(starts.windows(2)).map(|(class, ends)| {
            let list = rest.split_off_mut(..(ends[1] - ends[0]) as usize);
            (class, list.expect("as long as all lists"))
        });
        if end < WORTH_SHARING as u32 {
            lists.for_each(|(class, list)| fill(class, list));
        } else {
            let lists: Vec<(Class, &mut [T])> = lists.collect();
            lists.into_par_iter().for_each(|(class, list)| fill(class, list));
        }
        ByClass { all, starts: starts.into() }
    }

    /// The list of a class; empty if the class has more stones than a side has room for.
    pub fn of(&self, class: Class) -> &[T] {
        match self.starts.get(class.slot() + 1) {
            Some(end) => &self.all[self.starts[class.slot()] as usize..*end as usize],
            None => &[],
        }
    }
}

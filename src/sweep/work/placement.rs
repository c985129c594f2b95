//! Where things wait that batches hand on to each other: in memory or in files, packed quickly or
//! tightly.
//!
//! The order of the batches is known, and so is about how much each hands on to each. So it can be
//! told beforehand how much waits at any time, and what will be read last:
//!
//! ```text
//!     what is read soon            in memory, packed quickly
//!     what waits longer            in memory, packed tightly
//!     what does not fit            in files: what is read last, or the smallest that is enough
//! ```
//!
//! Tight packing takes longer than a file does. So as much as fits is packed quickly, even if
//! something else is in a file that would have found room packed tightly; and files are packed
//! quickly, unless they would become large.
//!
//! A batch leaves an [`Allowance`] for what waits while it is solved: most leave much more than the
//! largest.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::sizes::HandedOn;

/// How something waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Waits {
    /// In memory, packed quickly.
    Shortly,
    /// In memory, packed tightly.
    Long,
    /// In a file, packed quickly.
    InFile,
    /// In a file, packed tightly.
    InSmallFile,
}

impl Waits {
    /// Whether it is in a file.
    pub(crate) fn is_in_file(self) -> bool {
        matches!(self, Waits::InFile | Waits::InSmallFile)
    }

    /// Whether it is packed tightly.
    pub(crate) fn is_tight(self) -> bool {
        matches!(self, Waits::Long | Waits::InSmallFile)
    }

    /// The bytes that it takes.
    pub(super) fn bytes(self, handed_on: HandedOn) -> u64 {
        if self.is_tight() { handed_on.tight } else { handed_on.quick }
    }
}

/// The most bytes of files that are packed quickly.
pub(crate) const LARGE_FILES: u64 = 16 << 30;

/// The bytes of memory in which handoffs may wait while a batch is solved.
#[derive(Clone, Debug)]
pub(crate) enum Allowance {
    /// While any is.
    Always(u64),
    /// By batch.
    ByBatch(Arc<[u64]>),
}

impl Allowance {
    fn of(&self, batch: usize) -> u64 {
        match self {
            Allowance::Always(bytes) => *bytes,
            Allowance::ByBatch(bytes) => bytes[batch],
        }
    }
}

/// Where all things wait.
#[derive(Clone, Debug)]
pub(crate) struct Placement {
    /// Who hands on to whom, and how that waits.
    pairs: Arc<Pairs>,
    waits: Vec<Waits>,
    /// What was allowed.
    allowance: Allowance,
    /// By batch, bytes in memory while it is solved.
    pub memory: Vec<u64>,
    /// The fewest bytes of it that are left while a batch is solved.
    least_left: u64,
    /// Bytes in files at the worst moment.
    pub files: u64,
    /// Bytes in memory and in files together at the worst moment.
    pub all: u64,
    /// About how long packing tightly and files take one thread, in all.
    pub nanoseconds: u64,
}

/// What goes to files when there is too little allowance.
#[derive(Clone, Copy)]
enum Spill {
    /// What is read last.
    ReadLast,
    /// The smallest that is enough, or else the largest.
    Smallest,
}

/// Nanoseconds that packing a byte tightly and unpacking it takes longer than quickly, counted in
/// bytes that are packed quickly: as measured on 7x5.
const TIGHTENING: u64 = 4;

/// Nanoseconds that writing a byte to a file and reading it takes.
const FILING: u64 = 2;

impl Placement {
    /// How what a batch hands on to another waits.
    pub(crate) fn of(&self, from: usize, to: usize) -> Waits {
        self.waits[self.pairs.number(from, to)]
    }

    /// The most bytes in memory while a batch is solved.
    pub(crate) fn allowance(&self, batch: usize) -> u64 {
        self.allowance.of(batch)
    }

    /// Bytes that are left while a batch is solved, of what is taken at the worst moment.
    pub(crate) fn spare(&self, batch: usize) -> u64 {
        self.allowance(batch).saturating_sub(self.memory[batch]).saturating_sub(self.least_left)
    }

    /// Bytes in memory at the worst moment.
    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.iter().copied().max().unwrap_or(0)
    }
}

/// The pairs of batches of which the first hands something on to the second, in order.
#[derive(Debug)]
struct Pairs {
    all: Vec<(usize, usize)>,
    /// By batch, the number of its first pair; and how many pairs there are.
    starts: Vec<usize>,
}

impl Pairs {
    /// The numbers of the pairs that hand on from a batch.
    fn from(&self, batch: usize) -> Range<usize> {
        self.starts[batch]..self.starts[batch + 1]
    }

    fn number(&self, from: usize, to: usize) -> usize {
        let own = self.from(from);
        own.start + self.all[own].binary_search(&(from, to)).expect("one of its readers")
    }
}

/// What the batches of a run, one after the other, hand on to each other.
pub(crate) struct Handovers {
    pairs: Arc<Pairs>,
    /// By pair, what is handed on, and for how many cells it waits: those of the batches between.
    handed_on: Vec<HandedOn>,
    cells: Vec<u64>,
    /// By batch, the pairs that hand something on to it.
    needs: Vec<Vec<usize>>,
    /// The cells of all batches.
    all_cells: u64,
}

impl Handovers {
    /// Those of batches with this many cells, from what each hands on to each later one.
    pub(super) fn new(cells: &[u64], handed_on: Vec<BTreeMap<usize, HandedOn>>) -> Handovers {
        let mut before = vec![0];
        for cells in cells {
            before.push(before[before.len() - 1] + cells);
        }
        let (mut all, mut starts) = (Vec::new(), vec![0]);
        let mut needs = vec![Vec::new(); handed_on.len()];
        for (from, readers) in handed_on.iter().enumerate() {
            for to in readers.keys() {
                needs[*to].push(all.len());
                all.push((from, *to));
            }
            starts.push(all.len());
        }
        Handovers {
            handed_on: handed_on.into_iter().flat_map(BTreeMap::into_values).collect(),
            cells: all.iter().map(|(from, to)| before[*to] - before[from + 1]).collect(),
            pairs: Arc::new(Pairs { all, starts }),
            needs,
            all_cells: before[before.len() - 1],
        }
    }

    /// The best use of this allowance, with at most this many bytes of files that are packed
    /// quickly.
    pub(crate) fn placement(&self, allowance: &Allowance, large_files: u64) -> Placement {
        let shortest = self.cells.iter().copied().min().unwrap_or(0);
        // The fewest cells of a wait that is long.
        let long = std::iter::successors(Some(self.all_cells + 1), |long| {
            (*long > shortest).then_some(long / 2)
        });
        let mut best: Option<(u64, Placement)> = None;
        for long in long {
            // What waits long costs at least what files do, and ever more of it follows.
            let waits_long = self.cells.iter().zip(&self.handed_on);
            let waits_long = waits_long.filter(|(cells, _)| **cells >= long);
            let least = waits_long.map(|(_, handed_on)| FILING * handed_on.quick).sum();
            if best.as_ref().is_some_and(|(_, best)| best.nanoseconds <= least) {
                break;
            }
            let placement = self.place(long, Spill::ReadLast, allowance, large_files);
            if best.as_ref().is_none_or(|(_, best)| placement.nanoseconds < best.nanoseconds) {
                best = Some((long, placement));
            }
        }
        let (long, best) = best.expect("one placement at least");
        if best.nanoseconds == 0 {
            return best;
        }
        let other = self.place(long, Spill::Smallest, allowance, large_files);
        if other.nanoseconds < best.nanoseconds { other } else { best }
    }

    /// Where things wait if those are packed tightly that wait for this many cells or more.
    fn place(&self, long: u64, rule: Spill, allowance: &Allowance, large_files: u64) -> Placement {
        let placement = self.place_with(long, (rule, Waits::InFile), allowance);
        if placement.files <= large_files {
            return placement;
        }
        self.place_with(long, (rule, Waits::InSmallFile), allowance)
    }

    /// The same with files of one kind.
    fn place_with(&self, long: u64, rule: (Spill, Waits), allowance: &Allowance) -> Placement {
        let how = |cells: &u64| if *cells < long { Waits::Shortly } else { Waits::Long };
        let mut waits: Vec<Waits> = self.cells.iter().map(how).collect();
        self.spill(&mut waits, rule, allowance);
        let (memory, [files, all]) = self.most(&waits);
        let left = memory.iter().enumerate().map(|(batch, bytes)| allowance.of(batch) - bytes);
        let least_left = left.min().unwrap_or(0);
        let nanoseconds = self.nanoseconds(&waits);
        Placement {
            pairs: self.pairs.clone(),
            waits,
            allowance: allowance.clone(),
            memory,
            least_left,
            files,
            all,
            nanoseconds,
        }
    }

    fn nanoseconds(&self, waits: &[Waits]) -> u64 {
        let of = |(how, handed_on): (&Waits, &HandedOn)| {
            let tightening = if how.is_tight() { TIGHTENING * handed_on.quick } else { 0 };
            let filing = if how.is_in_file() { FILING * how.bytes(*handed_on) } else { 0 };
            tightening + filing
        };
        waits.iter().zip(&self.handed_on).map(of).sum()
    }

    /// Moves to files what does not fit into memory.
    fn spill(&self, waits: &mut [Waits], (rule, in_file): (Spill, Waits), allowance: &Allowance) {
        // What is in memory, by reader, or by its bytes: with them, its reader and its pair.
        let mut there: BTreeSet<(u64, usize, usize)> = BTreeSet::new();
        let place = |pair: usize, bytes: u64| {
            let (_, to) = self.pairs.all[pair];
            match rule {
                Spill::ReadLast => (to as u64, to, pair),
                Spill::Smallest => (bytes, to, pair),
            }
        };
        let mut now = 0;
        for (batch, needs) in self.needs.iter().enumerate() {
            for pair in self.pairs.from(batch) {
                let bytes = waits[pair].bytes(self.handed_on[pair]);
                there.insert(place(pair, bytes));
                now += bytes;
            }
            while now > allowance.of(batch) {
                let enough = match rule {
                    Spill::ReadLast => None,
                    Spill::Smallest => there.range((now - allowance.of(batch), 0, 0)..).next(),
                };
                let one = *enough.or(there.last()).expect("what is now in memory");
                there.remove(&one);
                let (.., pair) = one;
                now -= waits[pair].bytes(self.handed_on[pair]);
                waits[pair] = in_file;
            }
            for pair in needs {
                let bytes = waits[*pair].bytes(self.handed_on[*pair]);
                if there.remove(&place(*pair, bytes)) {
                    now -= bytes;
                }
            }
        }
    }

    /// By batch, the bytes in memory; and those in files, and in both, each at its worst moment.
    fn most(&self, waits: &[Waits]) -> (Vec<u64>, [u64; 2]) {
        let ([mut memory, mut files], mut most) = ([0; 2], [0; 2]);
        let mut in_memory = Vec::with_capacity(self.needs.len());
        for (batch, needs) in self.needs.iter().enumerate() {
            for pair in self.pairs.from(batch) {
                let now = if waits[pair].is_in_file() { &mut files } else { &mut memory };
                *now += waits[pair].bytes(self.handed_on[pair]);
            }
            in_memory.push(memory);
            most = [files.max(most[0]), (memory + files).max(most[1])];
            for pair in needs {
                let now = if waits[*pair].is_in_file() { &mut files } else { &mut memory };
                *now -= waits[*pair].bytes(self.handed_on[*pair]);
            }
        }
        (in_memory, most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some batches that hand things on to later ones.
    fn handed_on(seed: u64, batches: usize) -> Vec<BTreeMap<usize, HandedOn>> {
        let mut random = crate::random::SplitMix64(seed);
        let mut below = |most: usize| random.below(most as u64) as usize;
        let mut all = vec![BTreeMap::new(); batches];
        for (from, readers) in all.iter_mut().enumerate() {
            for _ in 0..below(4) {
                if from + 1 < batches {
                    let to = from + 1 + below(batches - from - 1);
                    let tight = below(100) as u64;
                    readers.insert(to, HandedOn { quick: 3 * tight + 1, tight });
                }
            }
        }
        all
    }

    /// What is in memory, in files and in both at the worst moment, looked at from each moment.
    fn worst(handed_on: &[BTreeMap<usize, HandedOn>], placement: &Placement) -> [u64; 3] {
        let at = |moment: usize, in_file: bool| -> u64 {
            let pairs = handed_on.iter().enumerate().take(moment + 1);
            let there = pairs.flat_map(|(from, readers)| {
                readers
                    .iter()
                    .filter(move |(to, _)| **to >= moment)
                    .map(move |(to, b)| (from, *to, b))
            });
            let bytes = there.map(|(from, to, bytes)| match placement.of(from, to) {
                Waits::InFile if in_file => bytes.quick,
                Waits::InSmallFile if in_file => bytes.tight,
                Waits::Shortly if !in_file => bytes.quick,
                Waits::Long if !in_file => bytes.tight,
                _ => 0,
            });
            bytes.sum()
        };
        let all =
            |moment| [at(moment, false), at(moment, true), at(moment, false) + at(moment, true)];
        (0..handed_on.len())
            .map(all)
            .fold([0; 3], |most, now| std::array::from_fn(|place| now[place].max(most[place])))
    }

    proptest::proptest! {
        #[test]
        fn no_more_waits_in_memory_than_may(
            seed: u64, memory in proptest::collection::vec(0u64..2000, 0..40), is_constant: bool,
            large_files in 0u64..2000,
        ) {
            let batches = memory.len();
            let handed_on = handed_on(seed, batches);
            let handovers = Handovers::new(&vec![1; batches], handed_on.clone());
            let allowance = match memory.first().filter(|_| is_constant) {
                Some(first) => Allowance::Always(*first),
                None => Allowance::ByBatch(memory.into()),
            };
            let placement = handovers.placement(&allowance, large_files);
            for (batch, memory) in placement.memory.iter().enumerate() {
                proptest::prop_assert!(*memory <= placement.allowance(batch));
            }
            let most = [placement.most_memory(), placement.files, placement.all];
            proptest::prop_assert_eq!(worst(&handed_on, &placement), most);
            let all_left = (0..batches).map(|batch| placement.allowance(batch) - placement.memory[batch] - placement.spare(batch));
            proptest::prop_assert!(all_left.clone().all(|left| Some(left) == all_left.clone().min()));
            let unlimited = handovers.placement(&Allowance::Always(u64::MAX), large_files);
            proptest::prop_assert!(unlimited.waits.iter().all(|waits| *waits == Waits::Shortly));
            proptest::prop_assert_eq!(worst(&handed_on, &unlimited), [unlimited.most_memory(), 0, unlimited.most_memory()]);
            let costs = handed_on.iter().enumerate().flat_map(|(from, readers)| {
                let placement = &placement;
                readers.iter().map(move |(to, bytes)| match placement.of(from, *to) {
                    Waits::Shortly => 0,
                    Waits::Long => TIGHTENING * bytes.quick,
                    Waits::InFile => FILING * bytes.quick,
                    Waits::InSmallFile => TIGHTENING * bytes.quick + FILING * bytes.tight,
                })
            });
            let all_waits = || placement.waits.iter();
            if all_waits().any(|waits| *waits == Waits::InFile) {
                proptest::prop_assert!(placement.files <= large_files);
                proptest::prop_assert!(!all_waits().any(|waits| *waits == Waits::InSmallFile));
            }
            proptest::prop_assert_eq!(costs.sum::<u64>(), placement.nanoseconds);
            // No worse than if all were packed tightly, and what does not fit were in files.
            let tight = handovers.place(0, Spill::ReadLast, &allowance, large_files);
            proptest::prop_assert!(placement.nanoseconds <= tight.nanoseconds);
        }
    }

    #[test]
    fn what_is_read_last_goes_to_files_and_what_is_read_soon_is_packed_quickly() {
        let bytes = HandedOn { quick: 30, tight: 10 };
        // 0 hands on to 1, 2 and 3.
        let mut handed_on = vec![BTreeMap::new(); 4];
        handed_on[0].extend([(1, bytes), (2, bytes), (3, bytes)]);
        let handovers = Handovers::new(&[5; 4], handed_on);
        let of = |memory, large_files| {
            let placement = handovers.placement(&Allowance::Always(memory), large_files);
            (1..4).map(|to| placement.of(0, to)).collect::<Vec<_>>()
        };
        use Waits::{InFile, InSmallFile, Long, Shortly};
        assert_eq!(of(90, 0), [Shortly, Shortly, Shortly]);
        assert_eq!(of(70, 0), [Shortly, Shortly, Long]);
        assert_eq!(of(50, 0), [Shortly, Long, Long]);
        assert_eq!(of(29, 0), [Long, Long, InSmallFile]);
        assert_eq!(of(0, 0), [InSmallFile; 3]);
        assert_eq!(of(70, 30), [Shortly, Shortly, InFile], "a file takes less time");
        assert_eq!(of(50, 30), [Shortly, Long, Long], "files would be too large");
        assert_eq!(of(50, 60), [Shortly, InFile, InFile]);
        assert_eq!(of(0, 90), [InFile; 3]);
    }
}

//! Sweeps with files against sweeps in memory.

use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;

use crate::board::{Outcome, OutcomeCounts, Player};
use crate::files::Change;
use crate::files::sealed::{FileFault, Sealed, Unsealed, WorkingFileError};
use crate::index::{Cell, CentreId, Index, Tile};

use crate::sweep::bits::{PANEL, PanelTile};
use crate::sweep::handoff::{Handoff, LineForm, from_bytes, handoff_file, handoff_label, to_bytes};
use crate::sweep::{End, Outcomes, Planes, Scope, SolvedTile, StartTier, Work, WorkTimes, clear};

use super::*;

/// Compares every cell with the result of a sweep in memory over both planes.
struct Compare<'a> {
    outcomes: &'a Outcomes<'a>,
    index: &'a Index,
    planes: Planes,
    seen: Mutex<usize>,
}

/// Who wins drawn games if one plane alone is looked at.
fn winner_of_draws(planes: Planes) -> Option<Player> {
    match planes {
        Planes::Both => None,
        Planes::Wins => Some(Player::Second),
        Planes::Holds => Some(Player::First),
    }
}

/// The outcomes of a tier if that player wins all draws.
fn without_draws(winner: Option<Player>, tier: Tier, met: OutcomeCounts) -> OutcomeCounts {
    let OutcomeCounts { won, drawn, lost } = met;
    match winner {
        None => met,
        Some(player) if player == tier.mover() => {
            OutcomeCounts { won: won + drawn, drawn: 0, lost }
        }
        Some(_) => OutcomeCounts { won, drawn: 0, lost: lost + drawn },
    }
}

impl Observer for Compare<'_> {
    type Error = WorkingFileError;

    fn solved(&self, tile: SolvedTile) -> Result<(), WorkingFileError> {
        let cells = (0..tile.rows()).flat_map(|r| (0..tile.columns()).map(move |c| (r, c)));
        for (row, column) in cells {
            let cell = Cell { tile: tile.tile(), row: row as u32, column: column as u32 };
            // Cells after the end of a game mean nothing.
            let outcome = self.outcomes.outcome(cell);
            if outcome != Outcome::Loss || !self.index.has_crossing_four(cell) {
                let expected =
                    match winner_of_draws(self.planes) {
                        Some(player) if outcome == Outcome::Draw => {
                            if player == tile.tier().mover() { Outcome::Win } else { Outcome::Loss }
                        }
                        _ => outcome,
                    };
                assert_eq!(tile.outcome(row, column), expected, "{cell:?}, {:?}", self.planes);
            }
        }
        *self.seen.lock().unwrap() += 1;
        Ok(())
    }
}

/// A sweep over all tiers of a board.
fn whole_sweep<'a>(extent: &'a Extent, folder: &Path, memory: u64) -> FolderSweep<'a> {
    let start = Start::AtEnd(End::full_board(extent.census().board()));
    FolderSweep::new(extent, Cpu::widest(), start, Tier(0), folder, memory, memory).unwrap()
}

/// Solves all batches in this order, each as soon as those that it needs are done.
fn solve<O: Observer>(sweep: &FolderSweep, observer: &O, backwards: bool) -> Vec<TierWork> {
    let batches = sweep.schedule().batches();
    let mut sum = vec![TierWork::default(); sweep.label().board.cells() + 1];
    let mut done = vec![false; batches.len()];
    while done.contains(&false) {
        let ready = |batch: &usize| !done[*batch] && batches[*batch].needs.iter().all(|n| done[*n]);
        let mut all = 0..batches.len();
        let next = if backwards { all.rev().find(ready) } else { all.find(ready) };
        let batch = next.expect("a batch that needs no other that is not done");
        let work = sweep.solve(batch, observer).unwrap_or_else(|_| panic!("batch {batch}"));
        sum.iter_mut().zip(work).for_each(|(sum, work)| *sum = sum.plus(work));
        sweep.publish_all(batch).unwrap();
        done[batch] = true;
        batches[batch].needs.iter().for_each(|need| sweep.discard(*need, batch).unwrap());
    }
    sum
}

#[test]
fn files_and_parts_of_a_sweep_change_no_cell() {
    let boards = ["6x3", "4x4", "3x6", "8x2", "12x1", "2x6", "1x9"];
    let whole = boards.map(|board| (board, Scope::InDoubt, 0));
    let others = [("8x2", Scope::EveryCell, 0), ("6x3", Scope::InDoubt, 13)];
    files_and_parts_change_no_cell(whole.into_iter().chain(others));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn files_and_parts_of_a_sweep_change_no_cell_of_larger_boards() {
    files_and_parts_change_no_cell([
        ("7x3", Scope::InDoubt, 0),
        ("5x4", Scope::InDoubt, 0),
        ("5x4", Scope::EveryCell, 0),
        ("7x3", Scope::InDoubt, 10),
    ]);
}

/// Boards, and the ply after which games are cut off, or 0.
fn files_and_parts_change_no_cell<'a>(boards: impl IntoIterator<Item = (&'a str, Scope, u8)>) {
    for (board, scope, cut) in boards {
        let index = Index::new(board.parse().unwrap()).unwrap();
        let extent = Extent::new(index.census(), scope);
        let end = End::cut_off(&extent, Tier(cut)).unwrap_or(End::full_board(index.board()));
        let outcomes = Outcomes::with_end(&index, &extent, Cpu::widest(), end).unwrap();
        let last = end.last();
        // Working files for all, for what does not fit, or for nothing. Tile by tile, all, some
        // or none of them compressed, and these all, some or none in files; or two tiers at a time.
        let orders = [
            (true, 20_000, 5000, Some(3000), Planes::Both),
            (false, 0, 0, None, Planes::Both),
            (true, 0, 20_000, Some(0), Planes::Both),
            (false, 0, u64::MAX, None, Planes::Both),
            (false, u64::MAX, 0, Some(u64::MAX), Planes::Both),
            (false, 20_000, 5000, Some(0), Planes::Wins),
            (true, 0, u64::MAX, None, Planes::Holds),
            (false, 0, 0, Some(3000), Planes::Holds),
        ];
        let all = ["8x2", "3x6"].contains(&board);
        for (backwards, cells, memory, tiles, planes) in
            &orders[..if all { orders.len() } else { 1 }]
        {
            let extent = Extent::of_planes(index.census(), scope, *planes).with_batches_of(*cells);
            let folder = tempfile::tempdir().unwrap();
            for (first, last) in [(Tier(6), last), (Tier(3), Tier(5)), (Tier(0), Tier(2))] {
                let start = if last == end.last() {
                    Start::AtEnd(end)
                } else {
                    let tier = last.next_unchecked();
                    Start::Below(StartTier::open(&extent, folder.path(), end, tier).unwrap())
                };
                let (cpu, there) = (Cpu::widest(), folder.path());
                let sweep = FolderSweep::new(&extent, cpu, start, first, there, *memory, *memory);
                let each = tiles.map(|bytes| CentreMemory { large: 0, bytes });
                let each = each.unwrap_or(CentreMemory::TWO_TIERS);
                let sweep = sweep.unwrap().within(each, &Disk::default());
                let tiers = sweep.tiers();
                assert_eq!((tiers.first(), tiers.last()), (first, last));
                let (outcomes, index, seen) = (&outcomes, &index, Mutex::default());
                let compare = Compare { outcomes, index, planes: *planes, seen };
                let work = solve(&sweep, &compare, *backwards);
                let tiles = tiers.iter().map(|tier| index.census().tiles(tier).count());
                assert_eq!(*compare.seen.lock().unwrap(), tiles.sum::<usize>());
                for tier in tiers {
                    let met = work[tier.stones()].met(tier);
                    let winner = winner_of_draws(*planes);
                    let expected = without_draws(winner, tier, outcomes.met(tier));
                    assert_eq!(met, expected, "tier {tier} of {board}, {planes:?}");
                }
                // Windows removes files once they are closed.
                drop(sweep);
                clear(&Disk::default(), folder.path(), |_, _| true, |tier| tier == first).unwrap();
                let names = folder.path().read_dir().unwrap();
                let mut names = names.map(|e| e.unwrap().file_name().into_string().unwrap());
                let left = format!("start-{first:02}-");
                assert!(names.all(|name| first > Tier(0) && name.starts_with(&left)));
            }
        }
    }
}

#[test]
fn tiles_that_find_no_place_to_wait_are_told() {
    let index = Index::new("4x4".parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(0);
    let folder = tempfile::tempdir().unwrap();
    let each = CentreMemory { large: 0, bytes: 0 };
    let disk = Disk::watched(|change| match change {
        Change::Write { file, .. } if file.to_string_lossy().contains("000-000") => {
            Err(io::ErrorKind::StorageFull.into())
        }
        _ => Ok(()),
    });
    let sweep = whole_sweep(&extent, folder.path(), 0).within(each, &disk);
    let error = sweep.solve(0, &Busy).unwrap_err();
    assert!(matches!(error.fault, FileFault::DiskFull), "{error}");
    assert!(error.file.ends_with("000-000.kept"));
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "what was begun is gone");
}

/// Has the same threads do something else while a tile is being solved.
struct Busy;

impl Observer for Busy {
    type Error = WorkingFileError;

    fn solved(&self, tile: SolvedTile) -> Result<(), WorkingFileError> {
        use rayon::prelude::*;
        let rows = tile.rows() as u64;
        assert_eq!(
            (0..rows).into_par_iter().map(|row| row + 1).sum::<u64>(),
            rows * (rows + 1) / 2
        );
        Ok(())
    }

    fn tier_is_done(&self, _centre: CentreId, _tier: Tier) -> Result<(), WorkingFileError> {
        rayon::join(|| (), || ());
        Ok(())
    }
}

#[test]
fn observers_may_use_the_threads_of_the_sweep() {
    let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    for board in ["6x3", "8x2", "5x3"] {
        let index = Index::new(board.parse().unwrap()).unwrap();
        let extent = Extent::new(index.census(), Scope::InDoubt);
        let folder = tempfile::tempdir().unwrap();
        threads.install(|| solve(&whole_sweep(&extent, folder.path(), 0), &Busy, false));
    }
}

/// The checksum of the words of each tile, and whether threads have shared it.
#[derive(Default)]
struct Checksums(Mutex<BTreeMap<(Tier, Tile), (u32, bool)>>);

impl Observer for Checksums {
    type Error = WorkingFileError;

    fn solved(&self, tile: SolvedTile) -> Result<(), WorkingFileError> {
        let PanelTile { panels, words } = tile.outcomes;
        let is_shared = panels.shape.rows > PANEL && panels.words() > tile.step.share;
        let checksum = crc32fast::hash(bytemuck::cast_slice(words));
        self.0.lock().unwrap().insert((tile.tier(), tile.tile()), (checksum, is_shared));
        Ok(())
    }
}

/// Solves a board on this many threads. Returns the checksum of each tile, what was found in each
/// tier, and how many tiles threads have shared.
fn solve_on(
    threads: usize,
    board: &str,
    (memory, bytes): (u64, Option<u64>),
) -> (Vec<u32>, Vec<OutcomeCounts>, usize) {
    let index = Index::new(board.parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt);
    let folder = tempfile::tempdir().unwrap();
    let each = bytes.map_or(CentreMemory::TWO_TIERS, |bytes| CentreMemory { large: 0, bytes });
    let mut sweep = whole_sweep(&extent, folder.path(), memory).within(each, &Disk::default());
    sweep.take_time();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let found = Checksums::default();
    let work = threads.install(|| solve(&sweep, &found, false));
    let times = work.iter().fold(WorkTimes::default(), |sum, work| sum.plus(work.times));
    assert!([Work::Turn, Work::Fold, Work::Keep].iter().all(|work| !times.of(*work).is_zero()));
    let met = index.census().tiers().map(|tier| work[tier.stones()].met(tier)).collect();
    let (checksums, is_shared): (Vec<u32>, Vec<bool>) =
        found.0.into_inner().unwrap().into_values().unzip();
    (checksums, met, is_shared.into_iter().filter(|is_shared| *is_shared).count())
}

fn threads_that_share_tiles_change_no_cell<'a>(boards: impl IntoIterator<Item = &'a str>) {
    for board in boards {
        // In memory, and in files; two tiers at a time, and tile by tile, some or all of them
        // packed.
        for where_it_waits in [(u64::MAX, None), (0, Some(1 << 22)), (1 << 20, Some(0))] {
            let (alone, met, none) = solve_on(1, board, where_it_waits);
            let (together, met_together, shared) = solve_on(16, board, where_it_waits);
            assert!(none == 0 && shared > 10, "{board}: {none}, {shared}");
            assert!(alone == together && met == met_together, "{board}, {where_it_waits:?}");
        }
    }
}

#[test]
fn threads_that_share_tiles_of_a_board_change_no_cell() {
    threads_that_share_tiles_change_no_cell(["7x4"]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn threads_that_share_tiles_of_larger_boards_change_no_cell() {
    threads_that_share_tiles_change_no_cell(["5x6"]);
}

/// Plans are made of shares that packing leaves on average. Lines of narrow panels repeat less, so
/// that the shares do not hold for them.
#[test]
#[cfg(not(small_panels))]
fn about_as_much_waits_as_was_planned() {
    for board in ["6x4", "7x4", "4x6"] {
        about_as_much_waits(board, 1 << 20, 0.9..1.15);
    }
}

#[test]
#[cfg(not(small_panels))]
#[ignore = "takes minutes: make test-long"]
fn about_as_much_waits_as_was_planned_on_larger_boards() {
    for board in ["6x5", "5x5"] {
        about_as_much_waits(board, 1 << 20, 0.9..1.15);
    }
    for board in ["7x5", "5x6", "6x6", "8x4"] {
        about_as_much_waits(board, 1 << 26, 0.85..1.25);
    }
}

/// Compares what waits at the worst moment, in memory and in files, with the plan.
#[cfg(not(small_panels))]
fn about_as_much_waits(board: &str, cells: u64, ratios: std::ops::Range<f64>) {
    let index = Index::new(board.parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(cells);
    for memory in [0, u64::MAX] {
        let folder = tempfile::tempdir().unwrap();
        let sweep = whole_sweep(&extent, folder.path(), memory);
        let mut most = [0; 2];
        for batch in 0..sweep.schedule().batches().len() {
            sweep.solve(batch, &()).unwrap();
            most.iter_mut().zip(sweep.waiting()).for_each(|(most, now)| *most = now.max(*most));
            let needs = &sweep.schedule().batches()[batch].needs;
            needs.iter().for_each(|need| sweep.discard(*need, batch).unwrap());
        }
        let planned = sweep.handoffs.placement();
        let planned = [planned.most_memory(), planned.files];
        let ratio = planned.iter().sum::<u64>() as f64 / most.iter().sum::<u64>() as f64;
        eprintln!("{board}, {memory} bytes: {planned:?} planned, {most:?} found, {ratio:.3}");
        assert!(ratios.contains(&ratio), "{board}: {planned:?} planned, {most:?} found");
    }
}

/// All checksums of such a file match.
#[test]
fn handed_tiles_that_lack_a_column_are_found() {
    let index = Index::new("5x4".parse().unwrap()).unwrap();
    let extent = Extent::new(index.census(), Scope::InDoubt).with_batches_of(20_000);
    let folder = tempfile::tempdir().unwrap();
    let sweep = || whole_sweep(&extent, folder.path(), 0);
    let first = sweep();
    first.solve(0, &Busy).unwrap();
    first.publish_all(0).unwrap();
    let reader = first.schedule().readers(0)[0];
    assert_eq!(first.schedule().batches()[reader].needs, [0]);
    first.solve(reader, &Busy).unwrap();

    let path = handoff_file(folder.path(), 0, reader);
    let label = handoff_label(first.label(), 0);
    // Windows replaces files once they are closed.
    drop(first);
    let stored = Sealed::open(path.clone(), label).unwrap();
    let census = index.census();
    let handoffs = from_bytes(stored.directory(), census, stored.body_end()).unwrap();
    let mut forged_handoffs = HashMap::new();
    for (id, handoff) in handoffs {
        let forged: &mut Handoff = forged_handoffs.entry(id).or_default();
        for (lines, blocks) in handoff.tiles() {
            let columns = lines.stored.columns.saturating_sub(1);
            forged.add(lines.key, LineForm { columns, ..lines.stored }, blocks);
        }
    }
    let forged = Unsealed::create(&Disk::default(), path, label).unwrap();
    let body_start = forged.put(&[]).unwrap();
    let mut body = vec![0; (stored.body_end() - body_start) as usize];
    stored.read_at(&mut body, body_start).unwrap();
    drop(stored);
    forged.put(&body).unwrap();
    let directory = to_bytes(forged_handoffs.iter().map(|(id, handoff)| (*id, handoff)));
    forged.seal(directory).unwrap().publish().unwrap();

    let Err(error) = sweep().solve(reader, &Busy) else { panic!("believed") };
    assert!(error.to_string().contains(" columns instead of "), "{error}");
}

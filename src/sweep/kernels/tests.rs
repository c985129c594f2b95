//! Compares all forms of the kernels with slow twins, which go bit by bit.

use super::*;
use crate::board::Player;
use crate::random::SplitMix64;
use crate::sweep::bits;
use proptest::prelude::*;

/// Pseudorandom words.
fn noise(seed: u64, words: usize) -> Vec<u64> {
    let mut random = SplitMix64(seed);
    (0..words).map(|_| random.word()).collect()
}

/// The slow twin: bit by bit.
fn turned_by_bits(
    [planes, width]: [usize; 2],
    from: &[u64],
    missing: u64,
    to_width: usize,
    to: &mut [u64],
) {
    for (column, to) in to.chunks_exact_mut(planes * to_width).enumerate() {
        let row = |row| (0..planes).map(move |plane| (row, plane));
        for (row, plane) in (0..64 * to_width).flat_map(row) {
            let word = from.get((row * planes + plane) * width + column / 64);
            let bit = word.unwrap_or(&missing) >> (column % 64) & 1;
            to[plane * to_width + row / 64] &= !(1 << (row % 64));
            to[plane * to_width + row / 64] |= bit << (row % 64);
        }
    }
}

/// Turns so many columns of so many rows, of which only the first are given.
fn check_turning([given, rows]: [usize; 2], columns: usize, ones: bool, seed: u64) {
    let (width, to_width) = (bits::width(columns), bits::width(rows));
    let missing = if ones { u64::MAX } else { 0 };
    for planes in [1, 2] {
        let from = noise(seed, given * planes * width);
        let mut expected = vec![0; columns * planes * to_width];
        turned_by_bits([planes, width], &from, missing, to_width, &mut expected);
        for cpu in Cpu::all() {
            let mut to = noise(!seed, expected.len());
            let rows = Rows { words: &from, next: Some(&expected) };
            turn(cpu, [planes, width], rows, missing, to_width, &mut to);
            assert!(to == expected, "{cpu} {planes}");
        }
    }
}

/// One plane of rows of both.
fn one_of(plane: usize, width: usize, words: &[u64]) -> Vec<u64> {
    words.chunks_exact(width).skip(plane).step_by(PLANES).flatten().copied().collect()
}

fn check_finishing(log_width: usize, rows: usize, first: bool, seed: u64) {
    let width = 1 << log_width;
    // Few bits, so that some cells stay quiet.
    let sparse = |salt, words| -> Vec<u64> {
        noise(seed ^ salt, words).iter().map(|n| n & n >> 21 & n << 17).collect()
    };
    let labels = |salt, number: u32| -> Vec<u32> {
        noise(seed ^ salt, rows).iter().map(|noise| (noise >> 9) as u32 % number).collect()
    };
    let (fours, within_reach) = (sparse(1, 5 * width), sparse(2, 4 * width));
    let (fillable, columns) = (noise(seed ^ 3, 3 * width), noise(seed ^ 4, width));
    let (demands, reaches, types) = (labels(5, 5), labels(6, 4), labels(7, 3));
    let (other, others) = (sparse(8, 6 * width), labels(9, 6));
    let with = Finish {
        fours: &fours,
        within_reach: &within_reach,
        fillable: &fillable,
        columns: &columns,
        demands: &demands,
        reaches: &reaches,
        types: &types,
    };
    let start = noise(seed, rows * PLANES * width);
    let (mut finished, mut quiet) = (start.clone(), start.clone());
    let mut tally = CellCounts::default();
    for row in 0..rows {
        for bit in 0..64 * width {
            let of = |words: &[u64], labels: &[u32]| {
                words[labels[row] as usize * width + bit / 64] >> (bit % 64) & 1 == 1
            };
            let column = columns[bit / 64] >> (bit % 64) & 1 == 1;
            let live = of(&fillable, &types) && !of(&fours, &demands) && column;
            let wins = of(&within_reach, &reaches);
            let values = [0, 1].map(|plane| {
                let at = (row * PLANES + plane) * width + bit / 64;
                let value = start[at] >> (bit % 64) & 1 == 1;
                let value = (if wins { first } else { value }) && live;
                let set = |words: &mut [u64], value: bool| {
                    words[at] &= !(1 << (bit % 64));
                    words[at] |= u64::from(value) << (bit % 64);
                };
                set(&mut finished, value);
                let calm = live && !wins && !of(&other, &others);
                set(&mut quiet, start[at] >> (bit % 64) & 1 == 1 && calm);
                u64::from(value)
            });
            tally.first_wins += values[0];
            tally.first_holds += values[1];
            tally.live += u64::from(live);
        }
    }
    let by = Fold::of(if first { Player::First } else { Player::Second });
    for cpu in Cpu::all() {
        let mut to = start.clone();
        assert_eq!(finish(cpu, by, [PLANES, width], &mut to, with), tally, "{cpu}");
        assert!(to == finished, "{cpu}");
        for (plane, count) in [tally.first_wins, tally.first_holds].into_iter().enumerate() {
            let mut to = one_of(plane, width, &start);
            let alone = CellCounts { first_wins: count, first_holds: 0, live: tally.live };
            assert_eq!(finish(cpu, by, [1, width], &mut to, with), alone, "{cpu}");
            assert!(to == one_of(plane, width, &finished), "{cpu}");
        }
        let mut to = noise(!seed, start.len());
        quieten(cpu, width, &start, &mut to, with, (&other, &others));
        assert!(to == quiet, "{cpu}");
    }
}

fn check_depositing(masks: &[u64], sparse: bool, seed: u64) {
    let masks: Vec<u64> =
        masks.iter().map(|mask| if sparse { mask & mask >> 7 } else { *mask }).collect();
    let mut first = 0;
    let words: Vec<DepositWord> = masks
        .iter()
        .map(|mask| {
            let word = DepositWord::new(*mask, first);
            first += mask.count_ones() as usize;
            word
        })
        .collect();
    let from = [0, 1].map(|plane| noise(seed ^ plane, WINDOW).try_into().unwrap());
    let mut expected = vec![0; PLANES * masks.len()];
    for (plane, words) in expected.chunks_exact_mut(masks.len()).enumerate() {
        let window: &[u64; WINDOW] = &from[plane];
        let bits = (0..64 * WINDOW).map(|bit| window[bit / 64] >> (bit % 64) & 1);
        let columns = (0..64 * masks.len()).filter(|c| masks[c / 64] >> (c % 64) & 1 == 1);
        bits.zip(columns).for_each(|(bit, c)| words[c / 64] |= bit << (c % 64));
    }
    for cpu in Cpu::all() {
        let mut to = noise(!seed, expected.len());
        deposit(cpu, &from, &mut to, &words);
        assert!(to == expected, "{cpu}");
    }
}

/// Rows of every width before and after turning, and some that end within a register.
#[test]
fn all_forms_turn_blocks_of_all_widths() {
    let lengths = [1, 7, 8, 9, 63, 64, 65, 100, 128, 129, 250, 256, 300, 512];
    for (number, rows) in lengths.into_iter().enumerate() {
        for columns in lengths {
            check_turning([rows; 2], columns, number % 2 == 0, (512 * rows + columns) as u64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_forms_turn_blocks_as_bit_by_bit(
        rows in 1usize..=512, given in 0usize..=1024, columns in 1usize..=512, ones: bool,
        seed: u64,
    ) {
        // Three times in four, all are.
        check_turning([given.min(rows), rows], columns, ones, seed);
    }

    #[test]
    fn all_forms_fold_alike(
        log_width in 0usize..4, log_from in 0usize..4, same: bool, rows in 0usize..100,
        per_row in 1usize..5, keep: bool, first: bool, planes in 1usize..=2, seed: u64,
    ) {
        let width = 1 << log_width;
        let from = if same { width } else { 1 << log_from };
        let children = noise(seed, 60 * planes * from);
        let place = |noise: &u64| match (noise >> 9) as u32 % 64 {
            62 => LOSES,
            63 => FOUR,
            place => place,
        };
        let places: Vec<u32> = noise(seed ^ 1, rows * per_row).iter().map(place).collect();
        let mut within = noise(seed ^ 3, width);
        // Where children have no columns, none is in play.
        within.iter_mut().skip(from).for_each(|word| *word = 0);
        let children =
            Children { rows: &children, width: from, places: &places, per_row, within: &within };
        let by = Fold::of(if first { Player::First } else { Player::Second });
        let start = noise(seed ^ 2, rows * planes * width);
        let folded = |cpu| {
            let mut to = start.clone();
            fold(cpu, by, [planes, width], keep, &mut to, children);
            to
        };
        let word = |row: usize, plane: usize, word: usize| {
            let at = (row * planes + plane) * width + word;
            let start = if keep { start[at] } else { by.lost() };
            places[row * per_row..][..per_row].iter().fold(start, |folded, place| {
                let child = match *place {
                    FOUR => by.won(),
                    place => {
                        let at = (place as usize * planes + plane) * from + word;
                        let there = word < from && (place as usize) < 60;
                        if there { children.rows[at] } else { by.lost() }
                    }
                };
                let child = child & within[word] | by.lost() & !within[word];
                if first { folded | child } else { folded & child }
            })
        };
        let words = (0..rows).flat_map(|row| (0..planes).map(move |plane| (row, plane)));
        let expected: Vec<u64> = words
            .flat_map(|(row, plane)| (0..width).map(move |at| (row, plane, at)))
            .map(|(row, plane, at)| word(row, plane, at))
            .collect();
        for cpu in Cpu::all() {
            prop_assert!(folded(cpu) == expected, "{cpu}");
        }
    }

    #[test]
    fn all_forms_finish_and_quieten_alike(
        log_width in 0usize..4, rows in 0usize..100, first: bool, seed: u64,
    ) {
        check_finishing(log_width, rows, first, seed);
    }

    #[test]
    fn all_forms_deposit_alike(
        masks in proptest::collection::vec(0u64.., 1..=bits::PANEL / 64), sparse: bool, seed: u64,
    ) {
        check_depositing(&masks, sparse, seed);
    }
}

#[test]
fn cases_that_once_failed_are_right() {
    check_turning([129; 2], 1, false, 0);
    check_turning([129; 2], 1, true, 0);
    check_finishing(0, 1, false, 0);
    let masks = [
        3_462_261,
        8_922_135_295_059_262_717,
        1_026_729_087_101_021_657,
        1_674_070_934_126_092_135,
        10_314_189_201_177_026_526,
        4_792_869_969_906_741_948,
    ];
    let panel = &masks[..masks.len().min(bits::PANEL / 64)];
    check_depositing(panel, false, 4_641_448_226_833_508_325);
}

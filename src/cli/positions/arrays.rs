//! Positions as NumPy arrays: `.npy` holds one of them, `.npz` several.
//!
//! ```text
//!     keys          uint64  (n,)          the keys, the only array of a .npy file
//!     tiers         uint8   (n,)          numbers of stones
//!     stones        uint64  (n, 2)        bitboards: first player, second player
//!     scores        int8    (n,)          for the player to move        } with --scores
//!     move_scores   int8    (n, width)    of each move, or -128         }
//! ```

use std::io::{Seek, Write};

use npyz::{AutoSerialize, WriterBuilder};
use strong4::board::{Board, Player};
use strong4::tromp::Key;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::record::Record;

/// The score in place of a move into a full column.
const NO_MOVE: i8 = i8::MIN;

/// The arrays of the records so far, row by row.
pub(super) struct Arrays {
    board: Board,
    with_scores: bool,
    keys: Vec<u64>,
    tiers: Vec<u8>,
    stones: Vec<u64>,
    scores: Vec<i8>,
    move_scores: Vec<i8>,
}

impl Arrays {
    pub(super) fn new(board: Board, with_scores: bool) -> Arrays {
        let (keys, stones) = (Vec::new(), Vec::new());
        let (tiers, scores, move_scores) = (Vec::new(), Vec::new(), Vec::new());
        Arrays { board, with_scores, keys, tiers, stones, scores, move_scores }
    }

    pub(super) fn push(&mut self, record: &Record) {
        let position = record.game.position();
        self.keys.push(Key::of(position).0);
        self.tiers.push(position.tier().get());
        self.stones.extend(Player::BOTH.map(|player| position.stones(player)));
        if let Some(scores) = &record.scores {
            // No score exceeds the number of stones of a player, 32 at most.
            self.scores.push(scores.score as i8);
            let moves = scores.moves.iter();
            self.move_scores.extend(moves.map(|score| score.map_or(NO_MOVE, |score| score as i8)));
        }
    }

    /// Writes the keys alone.
    pub(super) fn write_npy(&self, out: &mut impl Write) -> anyhow::Result<()> {
        write_array(out, &self.keys, &[self.keys.len() as u64])
    }

    /// Writes all arrays.
    pub(super) fn write_npz(&self, out: &mut (impl Write + Seek)) -> anyhow::Result<()> {
        let n = self.keys.len() as u64;
        let mut zip = ZipWriter::new(out);
        add(&mut zip, "keys", &self.keys, &[n])?;
        add(&mut zip, "tiers", &self.tiers, &[n])?;
        add(&mut zip, "stones", &self.stones, &[n, 2])?;
        if self.with_scores {
            add(&mut zip, "scores", &self.scores, &[n])?;
            add(&mut zip, "move_scores", &self.move_scores, &[n, self.board.width() as u64])?;
        }
        zip.finish()?;
        Ok(())
    }
}

fn add<W: Write + Seek, T: AutoSerialize + Copy>(
    zip: &mut ZipWriter<W>,
    name: &str,
    values: &[T],
    shape: &[u64],
) -> anyhow::Result<()> {
    // Without timestamps, so that the same positions give the same bytes. As in numpy.savez,
    // nothing is compressed.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::DEFAULT)
        .large_file(size_of_val(values) as u64 >= u64::from(u32::MAX) / 2);
    zip.start_file(npyz::npz::file_name_from_array_name(name), options)?;
    write_array(zip, values, shape)
}

fn write_array<T: AutoSerialize + Copy>(
    out: &mut impl Write,
    values: &[T],
    shape: &[u64],
) -> anyhow::Result<()> {
    let array = npyz::WriteOptions::new().default_dtype().shape(shape).writer(out);
    let mut array = array.begin_nd()?;
    array.extend(values.iter().copied())?;
    Ok(array.finish()?)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use npyz::{Deserialize, NpyFile};
    use strong4::board::Moves;
    use zip::ZipArchive;

    use super::super::record::Scores;
    use super::*;

    fn records(board: Board) -> Vec<Record> {
        let record = |moves, score| {
            let moves = Moves::parse(board, moves).unwrap();
            let scores = Scores { score, moves: vec![None, Some(score)] };
            Record { game: moves, scores: Some(scores) }
        };
        vec![record("11", 0), record("112", -1), record("1122", 0)]
    }

    fn read<T: Deserialize>(npy: impl Read) -> (Vec<u64>, Vec<T>) {
        let array = NpyFile::new(npy).unwrap();
        (array.shape().to_vec(), array.into_vec().unwrap())
    }

    #[test]
    fn arrays_are_read_as_they_were_written() {
        let board: Board = "2x2".parse().unwrap();
        let mut arrays = Arrays::new(board, true);
        let records = records(board);
        records.iter().for_each(|record| arrays.push(record));
        let keys: Vec<u64> = records.iter().map(|r| Key::of(r.game.position()).0).collect();

        let mut npy = Vec::new();
        arrays.write_npy(&mut npy).unwrap();
        assert_eq!(read::<u64>(&npy[..]), (vec![3], keys.clone()));

        let mut npz = Cursor::new(Vec::new());
        arrays.write_npz(&mut npz).unwrap();
        let mut again = Cursor::new(Vec::new());
        arrays.write_npz(&mut again).unwrap();
        assert_eq!(npz, again);
        let mut zip = ZipArchive::new(npz).unwrap();
        assert_eq!(zip.len(), 5);
        assert_eq!(read::<u64>(zip.by_name("keys.npy").unwrap()), (vec![3], keys));
        assert_eq!(read::<u8>(zip.by_name("tiers.npy").unwrap()), (vec![3], vec![2, 3, 4]));
        let stones = vec![0b1, 0b10, 0b1001, 0b10, 0b1001, 0b10010];
        assert_eq!(read::<u64>(zip.by_name("stones.npy").unwrap()), (vec![3, 2], stones));
        assert_eq!(read::<i8>(zip.by_name("scores.npy").unwrap()), (vec![3], vec![0, -1, 0]));
        let moves = vec![-128, 0, -128, -1, -128, 0];
        assert_eq!(read::<i8>(zip.by_name("move_scores.npy").unwrap()), (vec![3, 2], moves));
    }

    #[test]
    fn no_positions_are_arrays_without_rows() {
        let mut npz = Cursor::new(Vec::new());
        Arrays::new(Board::STANDARD, false).write_npz(&mut npz).unwrap();
        let mut zip = ZipArchive::new(npz).unwrap();
        assert_eq!(zip.len(), 3);
        assert_eq!(read::<u64>(zip.by_name("stones.npy").unwrap()), (vec![0, 2], vec![]));
    }
}

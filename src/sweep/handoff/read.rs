//! Reading handoffs: the reader unpacks each block once, and nothing that it does not need.

use std::collections::HashMap;
use std::sync::Arc;

use crate::cpu::Cpu;
use crate::files::sealed::{Sealed, Unsealed, WorkingFileError};
use crate::index::{Census, CentreId, Tile};

use crate::sweep::bits::{MatrixShape, PANEL, Panels, block, blocks_in_frame};
use crate::sweep::kernels::unpack_lines;

use super::frames::{self, FrameBlock, FrameReader};
use super::{
    Block, Form, Handoff, HandoffId, LineForm, Place, TileLines, from_bytes, key, piece_in_memory,
    to_bytes,
};

/// The largest handoff that is read all at once, in bytes.
const READ_AT_ONCE: u64 = 1 << 22;

/// The handoffs of a batch, in memory or in a file.
#[derive(Debug, Default)]
pub(in crate::sweep) struct Store {
    pub(super) handoffs: HashMap<HandoffId, Arc<StoredHandoff>>,
    /// The file with their blocks, if they are not in memory.
    pub(super) file: Option<Sealed>,
}

/// A handoff, and the part of it that is in memory.
#[derive(Debug)]
pub(super) struct StoredHandoff {
    pub handoff: Handoff,
    pub pieces: Vec<Box<[u8]>>,
}

impl Store {
    /// Those of a file.
    pub(crate) fn of(file: Sealed, census: &Census) -> Result<Store, WorkingFileError> {
        let handoffs = from_bytes(file.directory(), census, file.body_end());
        let handoffs = handoffs.ok_or_else(|| {
            WorkingFileError::damaged(file.path(), "its directory makes no sense")
        })?;
        let stored = |handoff| Arc::new(StoredHandoff { handoff, pieces: Vec::new() });
        let handoffs = handoffs.into_iter().map(|(id, handoff)| (id, stored(handoff))).collect();
        Ok(Store { handoffs, file: Some(file) })
    }

    /// Opens a handoff.
    pub(crate) fn open(&self, id: HandoffId) -> Result<HandoffReader<'_>, WorkingFileError> {
        let stored = self.handoffs.get(&id).cloned();
        let file = self.file.as_ref();
        let stored = stored.ok_or_else(|| damaged(file, "it lacks a centre".to_owned()))?;
        let (mut loaded, mut first) = (Vec::new(), 0);
        if let (Some(file), Some(span)) = (file, stored.handoff.span())
            && span.end - span.start <= READ_AT_ONCE
        {
            loaded.resize((span.end - span.start) as usize, 0);
            first = span.start;
            file.read_at(&mut loaded, first)?;
        }
        Ok(HandoffReader { id, stored, file, loaded, first })
    }

    /// Writes handoffs that are in memory to a file as well.
    pub(crate) fn save(&self, file: Unsealed) -> Result<Sealed, WorkingFileError> {
        let mut saved = Vec::with_capacity(self.handoffs.len());
        for (id, stored) in &self.handoffs {
            let StoredHandoff { handoff, pieces } = &**stored;
            let starts: Vec<u64> =
                pieces.iter().map(|piece| file.put(piece)).collect::<Result<_, _>>()?;
            saved.push((*id, handoff.in_file(pieces, &starts)));
        }
        file.seal(to_bytes(saved.iter().map(|(id, handoff)| (*id, handoff))))
    }

    /// Bytes that it takes in memory.
    pub(crate) fn bytes_in_memory(&self) -> u64 {
        let bytes = |stored: &Arc<StoredHandoff>| {
            let pieces = stored.pieces.iter().map(|piece| piece.len());
            (pieces.sum::<usize>() + stored.handoff.bytes()) as u64
        };
        self.handoffs.values().map(bytes).sum()
    }

    /// The file, if there is one.
    pub(crate) fn file(&self) -> Option<&Sealed> {
        self.file.as_ref()
    }
}

fn damaged(file: Option<&Sealed>, what: String) -> WorkingFileError {
    WorkingFileError::damaged(file.expect("what is in memory is whole").path(), what)
}

/// A handoff that is being read.
pub(in crate::sweep) struct HandoffReader<'a> {
    id: HandoffId,
    stored: Arc<StoredHandoff>,
    file: Option<&'a Sealed>,
    /// The bytes of all blocks, from `first` on, if they were read at once.
    loaded: Vec<u8>,
    first: u64,
}

impl HandoffReader<'_> {
    /// A handoff that is in memory.
    pub(super) fn in_memory(id: HandoffId, stored: Arc<StoredHandoff>) -> HandoffReader<'static> {
        HandoffReader { id, stored, file: None, loaded: Vec::new(), first: 0 }
    }

    /// A tile of the handoff.
    pub(crate) fn tile(&self, tile: Tile) -> Result<HandedTile<'_>, WorkingFileError> {
        match self.stored.handoff.tile(key(tile)) {
            Some((lines, blocks)) => Ok(HandedTile { handoff: self, lines, blocks }),
            None => Err(self.damaged("it lacks a tile".to_owned())),
        }
    }

    fn damaged(&self, what: String) -> WorkingFileError {
        damaged(self.file, what)
    }

    /// The bytes of a block, if they are in memory.
    fn held(&self, place: Place) -> Option<&[u8]> {
        let (bytes, start) = match self.file {
            None => {
                let (piece, start) = piece_in_memory(place.start);
                (&self.stored.pieces[piece][..], start)
            }
            Some(_) if self.loaded.is_empty() => return None,
            Some(_) => (&self.loaded[..], (place.start - self.first) as usize),
        };
        Some(&bytes[start..][..place.len as usize])
    }

    /// The bytes of a block, checked against their checksum.
    fn bytes<'b>(
        &'b self,
        place: Place,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], WorkingFileError> {
        let len = place.len as usize;
        if len == 0 {
            // Without lines there may be no place.
            return Ok(&[]);
        }
        let held = self.held(place);
        let Some(file) = self.file else {
            return Ok(held.expect("without a file all is in memory"));
        };
        let bytes = match held {
            Some(bytes) => bytes,
            None => {
                buffer.resize(buffer.len().max(len), 0);
                file.read_at(&mut buffer[..len], place.start)?;
                &buffer[..len]
            }
        };
        let (expected, found) = (place.checksum, crc32fast::hash(bytes));
        if found != expected {
            let what = format!("the checksum of a block is {found:08x} instead of {expected:08x}");
            return Err(self.damaged(what));
        }
        Ok(bytes)
    }
}

/// A tile of a handoff.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct HandedTile<'a> {
    handoff: &'a HandoffReader<'a>,
    lines: TileLines,
    blocks: &'a [Block],
}

impl<'a> HandedTile<'a> {
    /// Returns the tile if it has this many columns and planes, else an error.
    pub(crate) fn with_columns(
        self,
        columns: usize,
        planes: usize,
    ) -> Result<HandedTile<'a>, WorkingFileError> {
        let found = self.panels(0);
        let differ = [(found.shape.columns, columns, "columns"), (found.planes, planes, "planes")];
        match differ.into_iter().find(|(found, expected, _)| found != expected) {
            Some((found, expected, of)) => {
                let what = format!("a tile of it has {found} {of} instead of {expected}");
                Err(self.handoff.damaged(what))
            }
            None => Ok(self),
        }
    }

    /// The panels of this many of its rows.
    pub(crate) fn panels(self, rows: usize) -> Panels {
        let LineForm { columns, planes, .. } = self.lines.stored;
        Panels { shape: MatrixShape { rows, columns: columns as usize }, planes: planes.into() }
    }

    /// A block, which must have one line for each of these rows.
    pub(crate) fn block<'u>(
        self,
        cpu: Cpu,
        number: usize,
        rows: &'u [u32],
        unpacker: &'u mut Unpacker,
    ) -> Result<HandedBlock<'u>, WorkingFileError>
    where
        'a: 'u,
    {
        let block = self.blocks.get(number);
        let block = block.filter(|block| block.lines as usize == rows.len());
        let block =
            block.ok_or_else(|| self.handoff.damaged("a block is of another size".into()))?;
        let lines = match self.lines.stored.form {
            _ if rows.is_empty() => Lines::Plain(&[]),
            Form::Plain => {
                unpacker.start();
                Lines::Plain(self.handoff.bytes(block.place, &mut unpacker.packed)?)
            }
            Form::Packed => Lines::Packed(self.block_of_frame(cpu, number, false, unpacker)?),
            Form::Compressed => Lines::Packed(self.block_of_frame(cpu, number, true, unpacker)?),
        };
        let panels = self.panels(rows.len());
        let file = self.handoff.file;
        let of_block = HandedBlock { file, rows, planes: panels.planes, lines };
        if let Lines::Plain(bytes) = of_block.lines
            && bytes.len() != panels.bytes()
        {
            return Err(of_block.damaged());
        }
        Ok(of_block)
    }

    /// A block with lines in its frame, which is opened unless it was the last one.
    fn block_of_frame<'u>(
        self,
        cpu: Cpu,
        number: usize,
        is_compressed: bool,
        unpacker: &'u mut Unpacker,
    ) -> Result<FrameBlock<'u>, WorkingFileError>
    where
        'a: 'u,
    {
        let at_a_time = blocks_in_frame(self.panels(0));
        let first = number / at_a_time * at_a_time;
        let blocks = &self.blocks[first..self.blocks.len().min(first + at_a_time)];
        let lines = |blocks: &[Block]| blocks.iter().map(|block| block.lines as usize).sum();
        let (id, place) = ((self.handoff.id, self.lines.key, first), blocks[0].place);
        let Unpacker { packed, frames, open } = unpacker;
        if *open != Some(id) {
            *open = None;
            let bytes = self.handoff.bytes(place, packed)?;
            let opened = frames.open(cpu, bytes, self.panels(lines(blocks)), is_compressed);
            opened.ok_or_else(|| self.handoff.damaged("a frame is not what was packed".into()))?;
            *open = Some(id);
        }
        let read = || self.handoff.held(place).unwrap_or_else(|| &packed[..place.len as usize]);
        Ok(frames.block((!is_compressed).then(read), lines(&blocks[..number - first])))
    }

    /// Copies all rows and columns of a tile that was handed on whole.
    pub(crate) fn whole(
        self,
        cpu: Cpu,
        panels: Panels,
        unpacker: &mut Unpacker,
        to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let MatrixShape { rows, columns } = panels.shape;
        self.with_columns(columns, panels.planes)?;
        unpacker.start();
        for number in 0..rows.div_ceil(PANEL) {
            let rows = block(rows, number);
            let places: Vec<u32> = (0..rows.len() as u32).collect();
            let mut from = self.block(cpu, number, &places, unpacker)?;
            for panel in 0..panels.count() {
                let to = &mut to[panels.words_of_rows(panel, rows.clone())];
                from.next_panel(cpu, panels.width(panel), to)?;
            }
        }
        Ok(())
    }
}

/// Memory to unpack lines with, reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct Unpacker {
    packed: Vec<u8>,
    frames: FrameReader,
    /// The frame that is open: its handoff, its tile, and its first block.
    open: Option<(HandoffId, u32, usize)>,
}

impl Unpacker {
    /// Another tile is going to be read.
    pub(crate) fn start(&mut self) {
        self.open = None;
    }
}

/// A block that is being unpacked, panel by panel.
pub(in crate::sweep) struct HandedBlock<'a> {
    file: Option<&'a Sealed>,
    /// The rows that its lines belong to.
    rows: &'a [u32],
    planes: usize,
    lines: Lines<'a>,
}

/// Lines that are not unpacked yet.
enum Lines<'a> {
    Plain(&'a [u8]),
    Packed(FrameBlock<'a>),
}

impl HandedBlock<'_> {
    /// Unpacks the next panel into the rows that have a line.
    pub(crate) fn next_panel(
        &mut self,
        cpu: Cpu,
        width: usize,
        to: &mut [u64],
    ) -> Result<(), WorkingFileError> {
        let of_line = [self.planes, width];
        let done = match &mut self.lines {
            Lines::Plain(bytes) => {
                frames::put_back(self.planes * width, bytes, self.rows, to);
                Some(())
            }
            Lines::Packed(block) => block
                .next_panel(self.rows.len(), self.planes)
                .and_then(|panel| unpack_lines(cpu, of_line, panel, self.rows, to)),
        };
        done.ok_or_else(|| self.damaged())
    }

    fn damaged(&self) -> WorkingFileError {
        damaged(self.file, "a block is not what was packed".to_owned())
    }
}

/// Unpacks all blocks that a batch hands on, with each form of the kernels.
#[cfg(fuzzing)]
pub(crate) fn fuzz_handoffs(
    file: &std::path::Path,
    census: &Census,
    batch: usize,
) -> Result<(), WorkingFileError> {
    use crate::board::TierRange;
    use crate::files::sealed::{Kind, Label, RunLabel};
    use crate::index::Class;

    let board = census.board();
    let (tiers, end) = (TierRange::all(board), board.last_tier());
    let run = RunLabel { board, tiers, end, every_cell: false, plane: None };
    let label = Label { kind: Kind::Passing, run, tier: None, batch };
    let store = Store::of(Sealed::open(file.to_owned(), label)?, census)?;
    for id in store.handoffs.keys() {
        let handoff = store.open(*id)?;
        for (lines, blocks) in handoff.stored.handoff.tiles() {
            let tile = HandedTile { handoff: &handoff, lines, blocks };
            let mut packed = Unpacker::default();
            for (number, block) in blocks.iter().enumerate() {
                let rows: Vec<u32> = (0..block.lines).collect();
                let panels = tile.panels(rows.len());
                let unpack = |cpu| -> Result<Vec<u64>, WorkingFileError> {
                    let mut block = tile.block(cpu, number, &rows, &mut packed)?;
                    let mut words = vec![0; panels.words()];
                    for panel in 0..panels.count() {
                        let to = &mut words[panels.words_of(panel)];
                        block.next_panel(cpu, panels.width(panel), to)?;
                    }
                    Ok(words)
                };
                let unpacked: Vec<_> = Cpu::all().map(unpack).map(Result::ok).collect();
                assert!(unpacked.iter().all(|words| *words == unpacked[0]), "all kernels agree");
            }
            let [ls, lf, rs, rf] = lines.key.to_le_bytes().map(usize::from);
            let (left, right) = (Class::new(ls, lf), Class::new(rs, rf));
            let (left, right) = (left.expect("a class"), right.expect("a class"));
            let tile_of = Tile { centre: id.from, left, right };
            let (rows, columns) = (census.tile_rows(tile_of), census.tile_columns(tile_of));
            let panels = Panels::of_both(MatrixShape { rows, columns });
            let _ = tile.whole(Cpu::widest(), panels, &mut packed, &mut vec![0; panels.words()]);
        }
    }
    Ok(())
}

/// The few handoffs that a centre reads.
pub(in crate::sweep) struct Inputs<'a>(Vec<(HandoffId, HandoffReader<'a>)>);

impl<'a> Inputs<'a> {
    /// Opens each of these handoffs once.
    pub(crate) fn open(
        ids: &[HandoffId],
        open: impl Fn(HandoffId) -> Result<HandoffReader<'a>, WorkingFileError>,
    ) -> Result<Inputs<'a>, WorkingFileError> {
        let handoffs = ids.iter().map(|id| Ok((*id, open(*id)?)));
        Ok(Inputs(handoffs.collect::<Result<_, WorkingFileError>>()?))
    }

    /// A tile of one of the handoffs.
    pub(crate) fn tile(
        &self,
        tile: Tile,
        to: Option<CentreId>,
    ) -> Result<HandedTile<'_>, WorkingFileError> {
        let id = HandoffId { from: tile.centre, to };
        let handoff = self.0.iter().find(|(other, _)| *other == id);
        handoff.expect("a handoff that the centre reads").1.tile(tile)
    }
}

/// The handoffs that centres with one stone more hand on to this one or to its mirror image.
pub(in crate::sweep) fn inputs_of(
    census: &Census,
    centre: CentreId,
    next: impl Iterator<Item = CentreId>,
) -> Vec<HandoffId> {
    let both =
        next.flat_map(|next| [(next, centre), (census.reversed(next), census.reversed(centre))]);
    let stored = both.filter(|(from, _)| *from <= census.reversed(*from));
    let mut ids: Vec<HandoffId> =
        stored.map(|(from, to)| HandoffId { from, to: Some(to) }).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

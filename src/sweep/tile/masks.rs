//! The bit rows of a tile: which right sides complete a four with a left side, which do so with one
//! more stone, and which make a board with it that can be filled. One row for each kind of demands,
//! reach and move-order type that the tile has, panel by panel.
//!
//! They are made of the bit rows of its columns: for each demand the columns that meet it, and for
//! each rest, of the centre and a column's move-order type, the columns that make it. The columns
//! are the states of a right class that tiles hold when a player is to move; these rows serve all
//! tiles with them.
//!
//! Types make the same rest if no left side distinguishes them beside this centre. Left sides have
//! their answers to rests in words, and mostly they can be filled together with all rests of a
//! word, so there is a row for all of these, too.

use std::ops::Range;

use crate::board::Player;
use crate::index::{Class, Tile};
use crate::order::{Answers, RestPlace, RestWord};

use crate::sweep::bits::{MatrixShape, PANEL, Panels, first_columns, transpose_block, width};
use crate::sweep::kernels::Finish;
use crate::sweep::states::{
    CrossingLines, Front, Numbered, Numbering, OrderTypes, RowLabels, SideLabels, SideOrder,
};

/// The bit rows of a tile, in memory that is reused from tile to tile.
#[derive(Default)]
pub(in crate::sweep) struct TileMasks {
    /// For each panel and kind of demands, the columns that complete a four of either player.
    fours: Vec<u64>,
    /// By player, for each panel and reach: the columns with which one more stone of
    /// that player completes a four.
    within_reach: [Vec<u64>; 2],
    /// For each panel and type.
    fillable: Vec<u64>,
}

/// What the bit rows of a tile are made of.
#[derive(Clone, Copy)]
pub(in crate::sweep) struct TileLabels<'a> {
    pub tile: Tile,
    pub panels: Panels,
    pub mover: Player,
    pub rows: &'a RowLabels,
    pub columns: &'a ColumnBits,
}

impl TileMasks {
    /// Makes the bit rows of another tile.
    pub(crate) fn prepare(
        &mut self,
        order_types: &OrderTypes,
        of_left: &SideLabels,
        tile: TileLabels,
    ) {
        self.fours.clear();
        self.fillable.clear();
        for panel in 0..tile.panels.count() {
            match tile.panels.width(panel) {
                1 => self.add_panel::<1>(order_types, of_left, tile, panel),
                2 => self.add_panel::<2>(order_types, of_left, tile, panel),
                4 => self.add_panel::<4>(order_types, of_left, tile, panel),
                _ => self.add_panel::<8>(order_types, of_left, tile, panel),
            }
        }
        self.find_within_reach(of_left, tile, tile.rows, tile.mover);
    }

    /// Makes the bit rows of what the player who is not to move has within reach from the free
    /// states of a prepared tile, given the labels of these as rows.
    pub(crate) fn prepare_quiet(
        &mut self,
        of_left: &SideLabels,
        tile: TileLabels,
        waiting: &RowLabels,
    ) {
        self.find_within_reach(of_left, tile, waiting, tile.mover.other());
    }

    /// The masks that finish some rows of a panel.
    pub(crate) fn of<'m>(
        &'m self,
        tile: TileLabels<'m>,
        panel: usize,
        rows: Range<usize>,
    ) -> Finish<'m> {
        let TileLabels { panels, mover, rows: labels, columns, .. } = tile;
        let (demands, reaches, types) = (labels.demands(), labels.reaches(), labels.types());
        let within_reach = &self.within_reach[mover.index()];
        Finish {
            fours: of_panel(&self.fours, demands.labels.len(), panels, panel),
            within_reach: of_panel(within_reach, reaches.labels.len(), panels, panel),
            fillable: of_panel(&self.fillable, types.labels.len(), panels, panel),
            columns: columns.columns(panels, panel),
            demands: &demands.numbers[rows.clone()],
            reaches: &reaches.numbers[rows.clone()],
            types: &types.numbers[rows],
        }
    }

    /// The reach of the player who is not to move, from some free rows of a panel, given all
    /// labels: the columns of each label, and the label of each row.
    pub(crate) fn waiting<'m>(
        &'m self,
        tile: TileLabels,
        labels: &'m RowLabels,
        panel: usize,
        rows: Range<usize>,
    ) -> (&'m [u64], &'m [u32]) {
        let reaches = labels.reaches();
        let within_reach = &self.within_reach[tile.mover.other().index()];
        let within_reach = of_panel(within_reach, reaches.labels.len(), tile.panels, panel);
        (within_reach, &reaches.numbers[rows])
    }

    fn add_panel<const N: usize>(
        &mut self,
        order_types: &OrderTypes,
        of_left: &SideLabels,
        tile: TileLabels,
        panel: usize,
    ) {
        let TileLabels { rows, columns, .. } = tile;
        let met = columns.met(tile.panels, panel);
        for demands in rows.demands().labels {
            let [first, second] = of_left.fronts.demands(*demands);
            let demanded = [(When::Now, Player::First, first), (When::Now, Player::Second, second)];
            self.fours.extend(met.any::<N>(demanded));
        }
        let by_rest = columns.by_rest(tile.panels, panel);
        // The first player is to move where the number of stones is even.
        let is_odd = tile.mover == Player::Second;
        for number in rows.types().labels {
            let answers = order_types.answers(tile.tile.left, *number, is_odd);
            self.fillable.extend(by_rest.fillable::<N>(answers));
        }
    }

    fn find_within_reach(
        &mut self,
        of_left: &SideLabels,
        tile: TileLabels,
        rows: &RowLabels,
        player: Player,
    ) {
        let TileLabels { panels, columns, .. } = tile;
        let within_reach = &mut self.within_reach[player.index()];
        within_reach.clear();
        for panel in 0..panels.count() {
            let met = columns.met(panels, panel);
            for reach in rows.reaches().labels {
                let [here, there] = of_left.fronts.reach(player, *reach);
                let demanded = [(When::Now, player, here), (When::After, player, there)];
                match panels.width(panel) {
                    1 => within_reach.extend(met.any::<1>(demanded)),
                    2 => within_reach.extend(met.any::<2>(demanded)),
                    4 => within_reach.extend(met.any::<4>(demanded)),
                    _ => within_reach.extend(met.any::<8>(demanded)),
                }
            }
        }
    }
}

/// Bit rows of the columns of a class.
pub(in crate::sweep) struct ColumnBits {
    demands: usize,
    /// The rests that the columns make with the centre.
    words: Box<[RestWord]>,
    rests: usize,
    /// By panel: the columns that exist; by [`When`], player and demand, those that meet it; those
    /// that make a rest of each word; and those that make each rest.
    rows: Box<[u64]>,
}

/// Memory for labels that are being numbered, reused from class to class.
#[derive(Default)]
pub(in crate::sweep) struct Labelling {
    pub numbering: Numbering,
    /// The rest that the columns of each type make.
    rest_of: Vec<Option<RestPlace>>,
    /// All of these, in order.
    rests: Vec<RestPlace>,
}

impl ColumnBits {
    pub(crate) fn new(
        order_types: &OrderTypes,
        lines: CrossingLines,
        order: &SideOrder,
        labels: &SideLabels,
        class: Class,
        mover: Player,
        labelling: &mut Labelling,
    ) -> ColumnBits {
        let held = order.ranks_held(class, mover);
        let columns = held.iter().map(Range::len).sum();
        let panels = Panels { shape: MatrixShape { rows: 1, columns }, planes: 1 };
        let Labelling { numbering, rest_of, rests } = labelling;
        numbering.clear();
        numbering.add(labels.types(class, held.clone()));
        let Numbered { numbers: types, labels: distinct } = numbering.all();
        rest_of.clear();
        rest_of
            .extend(distinct.iter().map(|number| order_types.rest(labels.centre, class, *number)));
        rests.clear();
        rests.extend(rest_of.iter().copied().flatten());
        rests.sort_unstable();
        rests.dedup();
        let mut bits = ColumnBits {
            demands: lines.demand_count(),
            words: RestPlace::by_word(rests).collect(),
            rests: rests.len(),
            rows: Box::default(),
        };
        let rest_of = |number: &u32| rests.binary_search(&rest_of[*number as usize]?).ok();
        bits.fill(panels, labels.fronts_of(class, held), types.iter().map(rest_of));
        bits
    }

    /// Makes the rows, given what each column meets and the rest that it makes.
    fn fill<'a>(
        &mut self,
        panels: Panels,
        mut fronts: impl Iterator<Item = &'a Front>,
        mut rest_of: impl Iterator<Item = Option<usize>>,
    ) {
        let number = self.number();
        let mut rows = vec![0; number * panels.words()];
        let mut rest = &mut rows[..];
        for panel in 0..panels.count() {
            let (width, columns) = (panels.width(panel), panels.columns(panel).len());
            let rows = rest.split_off_mut(..number * width).expect("words of all panels");
            let (all, rows) = rows.split_at_mut(width);
            let (met, rows) = rows.split_at_mut(4 * self.demands * width);
            let (of_words, of_rests) = rows.split_at_mut(self.words.len() * width);
            all.copy_from_slice(&first_columns(columns)[..width]);
            find_met(self.demands, fronts.by_ref().take(columns), width, met);
            for (column, rest) in rest_of.by_ref().take(columns).enumerate() {
                if let Some(rest) = rest {
                    of_rests[rest * width + column / 64] |= 1 << (column % 64);
                }
            }
            let mut of_rests = of_rests.chunks_exact(width);
            for (RestWord { rests, .. }, all) in self.words.iter().zip(of_words.chunks_mut(width)) {
                for of_rest in of_rests.by_ref().take(rests.count_ones() as usize) {
                    all.iter_mut().zip(of_rest).for_each(|(all, of_rest)| *all |= of_rest);
                }
            }
        }
        self.rows = rows.into();
    }

    /// The number of rows.
    fn number(&self) -> usize {
        1 + 4 * self.demands + self.words.len() + self.rests
    }

    /// Some rows of a panel.
    fn rows(&self, panels: Panels, panel: usize, rows: Range<usize>) -> &[u64] {
        let width = panels.width(panel);
        let all = of_panel(&self.rows, self.number(), panels, panel);
        &all[rows.start * width..rows.end * width]
    }

    /// The columns that exist in a panel.
    fn columns(&self, panels: Panels, panel: usize) -> &[u64] {
        self.rows(panels, panel, 0..1)
    }

    /// The columns of a panel that meet demands.
    fn met(&self, panels: Panels, panel: usize) -> Met<'_> {
        let words = self.rows(panels, panel, 1..1 + 4 * self.demands);
        Met { words, demands: self.demands }
    }

    /// The columns of a panel by the rest that they make.
    fn by_rest(&self, panels: Panels, panel: usize) -> ByRest<'_> {
        let rows = self.rows(panels, panel, 1 + 4 * self.demands..self.number());
        ByRest { words: &self.words, rows }
    }
}

/// Whether a demand is met as things stand, or after one more stone.
#[derive(Clone, Copy)]
enum When {
    Now,
    After,
}

/// Demands of a player on the other side.
type Demanded = (When, Player, u64);

/// The columns of a panel that meet demands.
#[derive(Clone, Copy)]
struct Met<'a> {
    words: &'a [u64],
    demands: usize,
}

impl Met<'_> {
    /// The columns that meet one of these demands, in rows of `N` words.
    #[inline]
    fn any<const N: usize>(self, demanded: [Demanded; 2]) -> [u64; N] {
        let rows = self.words.as_chunks::<N>().0;
        let mut any = [0; N];
        for (when, player, demanded) in demanded {
            let first = (2 * when as usize + player.index()) * self.demands;
            for demand in ones(demanded) {
                let met = &rows[first + demand];
                any.iter_mut().zip(met).for_each(|(any, met)| *any |= met);
            }
        }
        any
    }
}

/// The columns of a panel by the rest that they make with the centre.
#[derive(Clone, Copy)]
struct ByRest<'a> {
    words: &'a [RestWord],
    rows: &'a [u64],
}

impl ByRest<'_> {
    /// The columns that can be filled together with a left side and the centre, in rows of `N`
    /// words.
    #[inline]
    fn fillable<const N: usize>(self, answers: Answers) -> [u64; N] {
        let (of_words, mut of_rests) = self.rows.as_chunks::<N>().0.split_at(self.words.len());
        let mut row = [0; N];
        let mut add = |columns: &[u64; N]| {
            row.iter_mut().zip(columns).for_each(|(row, columns)| *row |= columns);
        };
        for (word, all) in self.words.iter().zip(of_words) {
            let fitting = word.fitting(answers);
            if fitting == word.rests {
                add(all);
            } else {
                for bit in ones(fitting) {
                    add(&of_rests[(word.rests & ((1 << bit) - 1)).count_ones() as usize]);
                }
            }
            of_rests = &of_rests[word.rests.count_ones() as usize..];
        }
        row
    }
}

/// The bit rows of one panel, where each panel has this many.
fn of_panel(words: &[u64], rows: usize, panels: Panels, panel: usize) -> &[u64] {
    &words[panel * rows * width(PANEL)..][..rows * panels.width(panel)]
}

/// The places of the ones in a word.
fn ones(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        place
    })
}

/// Finds which columns of a panel meet each demand.
fn find_met<'a>(
    demands: usize,
    mut fronts: impl Iterator<Item = &'a Front>,
    width: usize,
    met: &mut [u64],
) {
    for word in 0..width {
        let mut blocks = [[0; 64]; 4];
        for (column, front) in fronts.by_ref().take(64).enumerate() {
            for (block, met) in blocks.iter_mut().zip(end_to_end(front.met, demands)) {
                block[column] = met;
            }
        }
        for (block, met) in blocks.iter_mut().zip(met.chunks_mut(64 * width)) {
            transpose_block(block);
            let met = met.iter_mut().skip(word).step_by(width);
            met.zip(block).for_each(|(met, row)| *met = *row);
        }
    }
}

/// The demands that a column meets, by [`When`] and player: `demands` bits for each, end to end.
fn end_to_end(met: [[u64; 2]; 2], demands: usize) -> [u64; 4] {
    let mut words = [0; 4];
    let [[first_now, first_after], [second_now, second_after]] = met;
    let met = [first_now, second_now, first_after, second_after];
    for (number, met) in met.into_iter().enumerate() {
        let (word, shift) = (number * demands / 64, number * demands % 64);
        words[word] |= met << shift;
        // What does not fit into that word; in two shifts, as one by 64 would overflow.
        if let Some(next) = words.get_mut(word + 1) {
            *next |= met >> 1 >> (63 - shift);
        }
    }
    words
}

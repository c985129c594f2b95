//! What was handed on to a centre: the piles that it reads.

use crate::index::{Census, CentreId, Tile};
use crate::sealed::WorkingFileError;

use super::kept::{KeptTile, OpenPile};
use super::pile::PileName;

/// The piles that centres solved earlier have handed on.
pub(super) trait HandedOn: Sync {
    /// Opens a pile that was kept by this sweep.
    fn open(&self, name: PileName) -> Result<OpenPile<'_>, WorkingFileError>;

    /// Opens a pile of the tier after the sweep, if an earlier sweep kept that tier.
    fn open_after(&self, name: PileName) -> Option<Result<OpenPile<'_>, WorkingFileError>>;
}

/// The few piles that a centre reads.
pub(super) struct Piles<'a>(Vec<(PileName, OpenPile<'a>)>);

impl<'a> Piles<'a> {
    /// Opens each of these piles once.
    pub fn open(
        names: &[PileName],
        open: impl Fn(PileName) -> Result<OpenPile<'a>, WorkingFileError>,
    ) -> Result<Piles<'a>, WorkingFileError> {
        let piles = names.iter().map(|name| Ok((*name, open(*name)?)));
        Ok(Piles(piles.collect::<Result<_, WorkingFileError>>()?))
    }

    /// A tile of one of the piles.
    pub fn tile(&self, tile: Tile, to: Option<CentreId>) -> Result<KeptTile<'_>, WorkingFileError> {
        let name = PileName { from: tile.centre, to };
        let pile = self.0.iter().find(|(other, _)| *other == name);
        pile.expect("a pile that the centre reads").1.tile(tile)
    }
}

/// The piles that centres with one stone more hand on to this one or to its mirror image.
pub(super) fn piles_for(
    census: &Census,
    centre: CentreId,
    next: impl Iterator<Item = CentreId>,
) -> Vec<PileName> {
    let both =
        next.flat_map(|next| [(next, centre), (census.reversed(next), census.reversed(centre))]);
    let stored = both.filter(|(from, _)| *from <= census.reversed(*from));
    let mut names: Vec<PileName> =
        stored.map(|(from, to)| PileName { from, to: Some(to) }).collect();
    names.sort_unstable();
    names.dedup();
    names
}

//! The tight tier hash: the place of a position inside its tier, by arithmetic.
//!
//! A board is read as a left side, a centre and a right side. Beside a given centre, a side may be
//! in any state that makes no four with it; these are the *rows* of the centre. Both sides are read
//! from the outside in, so one list serves left and right:
//!
//! ```text
//!     columns   1 2 3  4  5 6 7
//!               a b c  M  c b a
//!               -----     -----
//!               left      right       the rows of M, twice
//! ```
//!
//! The rows of a centre are grouped into *classes* by the number of stones and how many of them are
//! the first player's. Inside a class they are in the order of their codes. In tier `t` a left
//! class determines the right class: the stones must add up to `t`, and the first player must own
//! half of them, rounded up. Such a pair of classes is a *tile*, a matrix with a row for each left
//! state and a column for each right state:
//!
//! ```text
//!     tier t = the tiles of all centres, one after the other
//!     cell   = offset of the tile + row * columns of the tile + column
//! ```
//!
//! So a position is found by two binary searches, a multiplication and an addition, and half of the
//! space is live: the only cells that no game reaches are those with a four across the centre and
//! those that no order of moves leads to.
//!
//! **Mirror.** A position and its mirror image have the same value, and the tile (b, a) of the
//! reversed centre is the transpose of (a, b). Only one of the two is stored: the one with the
//! smaller centre, or with `a <= b` if the centre is its own reverse. A tile (a, a) of such a
//! centre is symmetric, and stored whole.
//!
//! **Moves.** A stone on a side changes only the row, or only the column; a
//! stone in the centre changes the centre, whose lists shrink. All these maps
//! keep the order of the codes.
//!
//! The modules, bottom to top: [`Split`] cuts the board, and `strip` grows what fits without a
//! four. [`Centre`]s and [`Class`]es name the parts; [`Census`] counts them and so fixes
//! every tile. A [`Lister`] lists the rows of a centre, and a [`Finder`] those that a few lookups
//! need; the slow twin `Index` holds those of all centres.

mod census;
mod centres;
mod finder;
mod lister;
mod side;
mod split;
mod strip;
mod tiles;

pub use census::Census;
pub use centres::{Centre, CentreId};
pub use finder::Finder;
pub(crate) use lister::SideSample;
pub use lister::{Index, Lister};
pub use side::{ByClass, Class, SideState};
pub use split::{LimitedList, Place, SideColumn, Split};
pub(crate) use strip::line_ends;
pub use tiles::{Cell, Ranked, Tile};

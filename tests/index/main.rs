//! The tight tier hash against plain play, through its public face alone.

mod enumerate;
mod standard_board;
mod whole_boards;

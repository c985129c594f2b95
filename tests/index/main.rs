//! The tight tier hash against plain play, through its public face alone.

mod enumerate;
mod forward;
mod standard_board;
mod whole_boards;

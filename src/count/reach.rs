//! How far a side reaches along the lines through the centre.
//!
//! Take one centre column. A line of four with cells on both sides of it passes through one of its
//! cells, flat, rising or falling, and covers one or two cells of each side (three would put the
//! whole line on one side):
//!
//! ```text
//!     left        centre        right
//!     . . o         .
//!     . o .   o     M     o o o          line "flat": left 2, right 2 drawn here
//!     . . .   .     .     . . .
//!      far near           near far
//! ```
//!
//! For each line through a stone of the centre, the other side only needs to know how far this side
//! continues it in that stone's colour: not at all, by the **near** cell, or by near and **far**.
//! That is its *reach*: two bits per line. A four crosses the centre exactly if near meets far on
//! some line. Sides with the same reach count alike, and there are few reaches: on 7x6, beside a
//! full centre, about 400,000 sides have about 1,700 reaches.
//!
//! Lines are numbered `row`, `H + row` and `2 H + row` by the row in which they
//! cross the centre: flat ones, those rising to the right, those falling.

use crate::board::{Board, Player};
use crate::tromp::ColumnCode;

/// A set of lines through the cells of the centre.
pub(super) type Lines = u64;

/// How far a side continues each line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(super) struct Reach {
    /// Lines continued by at least one cell.
    pub(super) near: Lines,
    /// Lines continued by two.
    pub(super) far: Lines,
}

impl Reach {
    /// The reach as one set, the lines that reach far in the upper half.
    pub(super) fn bits(self) -> u128 {
        u128::from(self.far) << 64 | u128::from(self.near)
    }

    /// The bits that the other side's [`bits`](Reach::bits) must not contain: there near meets far,
    /// and both sides together hold a four.
    pub(super) fn forbids(self) -> u128 {
        u128::from(self.near) << 64 | u128::from(self.far)
    }

    /// The reach of the mirror image of this side, on the other side of the centre.
    pub(super) fn mirrored(self, height: usize) -> Reach {
        // Boards this tall have fewer than four columns, and no lines across.
        if height > 15 {
            return self;
        }
        let rows = (1 << height) - 1;
        let flip = |lines: Lines| {
            lines & rows
                | (lines >> height & rows) << (2 * height)
                | (lines >> (2 * height) & rows) << height
        };
        Reach { near: flip(self.near), far: flip(self.far) }
    }

    /// The mirror image of a line.
    pub(super) fn mirrored_line(line: usize, height: usize) -> usize {
        if height > 15 {
            return line;
        }
        match line / height {
            1 => line + height,
            2 => line - height,
            _ => line,
        }
    }

    /// The lines of both reaches, each as far as the longer of them.
    pub(super) fn or(self, other: Reach) -> Reach {
        Reach { near: self.near | other.near, far: self.far | other.far }
    }

    /// The reach without these lines.
    pub(super) fn without(self, lines: Lines) -> Reach {
        Reach { near: self.near & !lines, far: self.far & !lines }
    }
}

/// A side of the centre; each reads its columns from the outside in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Hand {
    Left,
    Right,
}

/// How the columns of one side look from one centre.
pub(super) struct View {
    height: usize,
    /// Bits of the first and of the second player's stones in the centre.
    centre: [u64; 2],
    hand: Hand,
    /// The lines that the other side could continue; others do not matter.
    useful: Reach,
}

impl View {
    pub(super) fn new(board: Board, centre: ColumnCode, hand: Hand, other_width: usize) -> View {
        // Fewer than four columns have no lines across, however tall they are.
        let height = if board.width() < 4 { 0 } else { board.height() };
        let centre = Player::BOTH.map(|player| centre.stones_of(player));
        let mut view = View { height, centre, hand, useful: Reach { near: !0, far: !0 } };
        // A column full of matching stones shows where a line can continue at all.
        let other = View { hand: hand.other(), ..view };
        let continued = |distance: usize| {
            if distance > other_width { 0 } else { other.lines_of_cells(|_, _| true, distance) }
        };
        view.useful = Reach { near: continued(2), far: continued(1) };
        view
    }

    /// The lines through `column`, `distance` columns from the centre, on which
    /// its stone has the colour of the centre's.
    pub(super) fn lines(&self, column: ColumnCode, distance: usize) -> Lines {
        let stones = Player::BOTH.map(|player| column.stones_of(player));
        let matches = |centre_row: usize, row: usize| {
            (0..2).any(|p| self.centre[p] >> centre_row & stones[p] >> row & 1 == 1)
        };
        self.lines_of_cells(matches, distance)
    }

    /// The lines on which the top stone of `column` lies, whatever its colour.
    pub(super) fn lines_of_top(&self, column: ColumnCode, distance: usize) -> Lines {
        self.lines_of_cells(|_, row| row + 1 == column.stones(), distance)
    }

    /// Whether a line is flat (0), rising (1) or falling (2).
    pub(super) fn slope(&self, line: usize) -> usize {
        line.checked_div(self.height).unwrap_or(0)
    }

    /// The lines through the top stone of the centre.
    pub(super) fn lines_of_centre_top(&self) -> Lines {
        let (top, height) = ((self.centre[0] | self.centre[1]).checked_ilog2(), self.height as u32);
        top.map_or(0, |row| 1 << row | 1 << (height + row) | 1 << (2 * height + row))
    }

    /// The lines through stones of `player` in the centre.
    pub(super) fn lines_of_player(&self, player: Player) -> Lines {
        let rows = self.centre[player.index()];
        rows | rows << self.height | rows << (2 * self.height)
    }

    /// The reach with the lines that the near and the far column match.
    pub(super) fn reach(&self, near: Lines, far: Lines) -> Reach {
        Reach { near: near & self.useful.near, far: near & far & self.useful.far }
    }

    /// The lines whose cell `distance` columns out is on the board and passes the test, which takes
    /// the row in the centre and the row in the column.
    fn lines_of_cells(&self, test: impl Fn(usize, usize) -> bool, distance: usize) -> Lines {
        let mut lines = 0;
        // Rising lines are lower on the left and higher on the right.
        let slopes = match self.hand {
            Hand::Left => [0, -1, 1],
            Hand::Right => [0, 1, -1],
        };
        for (kind, slope) in slopes.into_iter().enumerate() {
            for row in 0..self.height {
                let there = row as i32 + slope * distance as i32;
                if (0..self.height as i32).contains(&there) && test(row, there as usize) {
                    lines |= 1 << (kind * self.height + row);
                }
            }
        }
        lines
    }
}

impl Hand {
    pub(super) fn other(self) -> Hand {
        match self {
            Hand::Left => Hand::Right,
            Hand::Right => Hand::Left,
        }
    }
}

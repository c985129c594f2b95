//! Move-order types, compared with the forward sweep cell by cell.
//!
//! The sweep finds the live cells of each tier from those of the previous tier; types find them
//! from the columns alone. Both must agree on every cell.

use strong4::board::Board;
use strong4::inside::columns::column_states;
use strong4::inside::index::{Cell, Index, SideState, Split, Tile};
use strong4::inside::order::{OrderType, Orders, Widths};
use strong4::inside::sweep::ForwardSweep;

fn types_and_sweep_agree(board: &str) {
    let board: Board = board.parse().unwrap();
    let index = Index::new(board).unwrap();
    let split = Split::of(board);
    let side = split.side_width();
    let widths = Widths { left: side, centre: split.centre_width(), right: side };
    let orders = Orders::new(board, widths, board.last_tier(), &()).unwrap();
    let mut sweep = ForwardSweep::new(&index);
    loop {
        for tile in index.census().tiles(sweep.tier()) {
            compare(&index, &orders, &sweep, tile);
        }
        if !sweep.advance() {
            break;
        }
    }
}

fn compare(index: &Index, orders: &Orders, sweep: &ForwardSweep, tile: Tile) {
    let census = index.census();
    let split = census.split();
    let states = column_states(index.board()).unwrap();
    let number = |code| states.binary_search(&code).unwrap();
    let centre = census.centre(tile.centre);
    let centre_columns = centre.near().into_iter().chain([centre.far()]).map(number);
    let centre = orders.centre(&centre_columns.collect::<Vec<_>>()).unwrap();
    let types = |centre, class| -> Vec<OrderType> {
        let columns = |side: &SideState| -> Vec<usize> {
            split.side_columns().map(|column| number(side.column(split, column))).collect()
        };
        let sides = index.rows(centre, class).iter();
        sides.map(|side| orders.left().type_of(&mut columns(side)).unwrap()).collect()
    };
    let lefts = types(tile.centre, tile.left);
    let rights = types(census.reversed(tile.centre), tile.right);
    // There are few types, so ask once for each pair.
    let mut asked = std::collections::HashMap::new();
    for (row, left) in (0..).zip(&lefts) {
        for (column, right) in (0..).zip(&rights) {
            let cell = Cell { tile, row, column };
            let filled = *asked
                .entry((*left, *right))
                .or_insert_with(|| orders.compatible(*left, centre, *right));
            let live = filled && !index.has_crossing_four(cell);
            assert_eq!(Some(live), sweep.is_live(cell), "{cell:?} of tier {}", sweep.tier());
        }
    }
}

#[test]
fn types_and_the_sweep_find_the_same_live_cells() {
    for board in ["1x8", "2x5", "3x4", "4x4", "5x3", "3x5", "6x3", "7x2", "8x2", "5x4", "4x5"] {
        types_and_sweep_agree(board);
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn types_and_the_sweep_find_the_same_live_cells_of_7x4() {
    types_and_sweep_agree("7x4");
    types_and_sweep_agree("6x4");
}

#[test]
#[ignore = "takes some seconds: make test-long"]
fn boards_with_too_many_pairs_are_refused() {
    let board: Board = "2x16".parse().unwrap();
    let widths = Widths { left: 0, centre: 1, right: 1 };
    let error = Orders::new(board, widths, board.last_tier(), &()).err().unwrap().to_string();
    assert!(error.starts_with("2x16 has 380810430 pairs of a centre and the type"), "{error}");
}

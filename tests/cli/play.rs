//! `strong4 play`: games against the program.

use strong4::board::{Moves, Status};

use crate::program::{Ran, strong4_with_input};

/// Exit code, standard output, standard error.
fn play(arguments: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
    let arguments: Vec<&str> = ["play"].into_iter().chain(arguments.split_whitespace()).collect();
    let Ran { code, stdout, stderr } = strong4_with_input(&arguments, input.as_ref());
    (code, stdout, stderr)
}

/// The moves that the program says it made.
fn answers(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.strip_prefix("I play ")).collect()
}

#[test]
fn the_program_answers_and_ends_with_the_input() {
    let (code, out, err) = play("--board 4x4", "1\n");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(answers(&out).len(), 1, "{out}");
    assert_eq!(play("--board 4x4", "").0, 0);
    // As the second player, the program begins, and in the middle.
    let (_, out, _) = play("--as second", "");
    assert_eq!(answers(&out), ["4"]);
}

#[test]
fn the_program_wins_what_is_won() {
    // The second player wins in 21 plies; the first one takes the lowest column with room.
    let mut game = "6436777131311127722".to_owned();
    let board = strong4::board::Board::STANDARD;
    loop {
        let position = *Moves::parse(board, &game).unwrap().position();
        if position.status() != Status::Open {
            assert_eq!(position.status(), Status::Won(strong4::board::Player::Second));
            break;
        }
        let column = position.children().next().unwrap().0;
        let side = if position.mover().ordinal() == "first" {
            game += &column.to_string();
            continue;
        } else {
            "first"
        };
        let (code, out, err) = play(&format!("{game} --as {side}"), "");
        assert_eq!((code, err.as_str()), (0, ""));
        game += answers(&out)[0];
    }
}

#[test]
fn hints_undo_swap_and_new() {
    let (code, out, err) = play("--board 4x4 --as both", "1\nhint\nundo\nundo\nnew\nquit\n2\n");
    assert_eq!(code, 0);
    assert_eq!(err, "strong4: error: there is no move of yours to take back\n");
    assert!(out.contains("a draw, score 0; best "), "{out}");
    assert_eq!(answers(&out).len(), 0);
    // After the change of sides it is the program's turn.
    assert_eq!(answers(&play("--board 4x4", "s\n").1).len(), 1);
    let (_, out, _) = play("--board 4x4 --hints", "2\n");
    assert_eq!(out.matches("; best ").count(), 2, "{out}");
}

#[test]
fn wrong_words_are_told_and_the_game_goes_on() {
    let (code, out, err) = play("--board 4x4 --as both 1111", "1\nx\n5\n2\n");
    assert_eq!(code, 0);
    assert_eq!(
        err,
        "strong4: error: column 1 is full\n\
         strong4: error: 'x' is not understood: expected a column, hint, undo, swap, new or quit\n\
         strong4: error: '5' is not understood: expected a column, hint, undo, swap, new or quit\n"
    );
    assert_eq!(out.matches("is to move").count(), 2, "{out}");
    let (code, _, err) = play("--as both", b"\xff\n4\n");
    assert_eq!(code, 0);
    assert!(err.contains("is not understood: expected a column"), "{err}");
    assert_eq!(play("448", "").0, 2);
    // A move after the end of the game.
    let (code, _, err) = play("--as both 1212121", "4\n");
    assert_eq!(code, 0);
    assert!(err.contains("the game is over"), "{err}");
}

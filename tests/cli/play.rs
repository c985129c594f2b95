//! `strong4 play`: games against the program.

use strong4::board::{Board, Moves, Player, Status};

use crate::program::{PROGRAM, Ran, assert_refused, strong4, with_input};

/// Exit code, standard output, standard error.
fn play(arguments: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
    let Ran { code, stdout, stderr } = with_input(format!("play {arguments}").trim(), input);
    (code, stdout, stderr)
}

/// What is printed about a game without an error.
#[track_caller]
fn played(arguments: &str, input: &str) -> String {
    with_input(format!("play {arguments}").trim(), input).fine()
}

/// The moves that the program says it made.
fn answers(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.strip_prefix("I play ")).collect()
}

#[test]
fn the_program_answers_and_ends_with_the_input() {
    assert_eq!(answers(&played("--board 4x4", "1\n")).len(), 1);
    assert_eq!(answers(&played("--board 4x4", "")).len(), 0);
    // If the user is the second player, the program begins, and in the middle.
    assert_eq!(answers(&played("--as second", "")), ["4"]);
}

#[test]
fn the_program_wins_what_is_won() {
    // The second player wins in 21 plies; the first one plays the lowest column with room.
    let mut game = "6436777131311127722".to_owned();
    loop {
        let position = *Moves::parse(Board::STANDARD, &game).unwrap().position();
        if position.status() != Status::Open {
            assert_eq!(position.status(), Status::Won(Player::Second));
            break;
        }
        game += &match position.mover() {
            Player::First => position.children().next().unwrap().0.to_string(),
            Player::Second => answers(&played(&format!("{game} --as first"), ""))[0].to_owned(),
        };
    }
}

#[test]
fn hints_undo_swap_and_new() {
    let (code, out, err) = play("--board 4x4 --as both", "1\nhint\nundo\nundo\nnew\nquit\n2\n");
    assert_eq!(code, 0);
    assert_eq!(err, "strong4: error: you have no move to take back\n");
    assert!(out.contains("a draw, score 0; best "), "{out}");
    assert_eq!(answers(&out).len(), 0);
    // After changing sides, it is the program's turn.
    assert_eq!(answers(&play("--board 4x4", "s\n").1).len(), 1);
    let out = played("--board 4x4 --hints", "2\n");
    assert_eq!(out.matches("; best ").count(), 2, "{out}");
}

#[test]
fn wrong_words_are_explained_and_the_game_goes_on() {
    let (code, out, err) = play("--board 4x4 --as both 1111", "1\nx\n5\n2\n");
    assert_eq!(code, 0);
    assert_eq!(
        err,
        "strong4: error: column 1 is full\n\
         strong4: error: 'x' is not understood: expected a column, 1 to 4, or 'help'\n\
         strong4: error: there is no column '5': expected one from 1 to 4\n"
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

#[test]
fn help_and_words_in_any_case() {
    let out = played("--board 4x4 --as both", "?\nHELP\nHint\nMOVES\nQUIT\n1\n");
    assert_eq!(out.matches("save FILE  append the moves to FILE").count(), 2, "{out}");
    assert_eq!(out.matches("; best ").count(), 1);
    assert!(out.ends_with("moves    \n"), "{out}");
    // The bytes of an arrow key are written out, not sent back to the terminal.
    let (_, out, err) = play("", "\x1b[A\n");
    assert!(!(out + &err).contains('\x1b'), "{err}");
}

#[test]
fn the_last_stone_and_a_four_are_marked_and_the_moves_are_printed() {
    let out = played("--as both 121212", "1\n");
    assert!(out.contains("\n   (X)   .    .    .    .    .    .\n   [X]   O "), "{out}");
    assert!(out.ends_with("X, the first player, has won\n\nmoves    1212121\n"), "{out}");
    // If nothing was played, nothing is reported.
    assert!(!played("--as both", "quit\n").contains("moves"));
}

#[test]
fn games_are_appended_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("my games");
    let save = format!("1\nsave {0}\n2\nSave {0}\n", file.display());
    let out = played("--as both", &save);
    assert!(out.contains("saved to "), "{out}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "1\n12\n");
    let (code, _, err) = play("--as both 1", "save /no/such/folder/game\nsave\n");
    assert_eq!((code, err.lines().count()), (0, 2), "{err}");
    assert!(err.contains("cannot write to /no/such/folder/game: "), "{err}");
}

#[test]
fn each_level_plays_a_whole_game() {
    for level in 1..=5 {
        let mut moves = String::new();
        loop {
            let game = Moves::parse("4x4".parse().unwrap(), &moves).unwrap();
            if game.position().status() != Status::Open {
                break;
            }
            let side = game.position().mover().other().ordinal();
            let arguments = format!("--board 4x4 --level {level} --as {side} {moves}");
            moves += answers(&played(arguments.trim(), ""))[0];
        }
        assert!(moves.len() >= 7, "{moves}");
    }
    let why = "--level: '6' is not a level: expected a whole number from 1 to 5";
    assert_refused(&strong4("play --level 6"), why);
}

/// On a terminal, which `script` provides if it is there.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_is_drawn_upon_again() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let program = format!("'{}' play --board 4x4 --level 2", PROGRAM);
    let script = Command::new("script")
        .args(["-qec", &program, "/dev/null"])
        .env("TERM", "xterm")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut script) = script else { return };
    let mut keys = script.stdin.take().unwrap();
    for line in ["1\r", "\x1b[A\x1b[D\x1b[D9\r", "hint\r", "quit\r"] {
        std::thread::sleep(std::time::Duration::from_millis(700));
        keys.write_all(line.as_bytes()).unwrap();
    }
    std::thread::sleep(std::time::Duration::from_millis(700));
    drop(keys);
    let output = script.wait_with_output().unwrap();
    let screen = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{screen}");
    assert!(screen.matches("\x1b[H\x1b[2J").count() >= 5, "{screen}");
    assert!(screen.contains("thinking …") && screen.contains("I played "), "{screen}");
    // The arrow up brings back the last line, and the 9 goes before it.
    assert!(screen.contains("there is no column '91'"), "{screen}");
    assert!(!screen.contains("^[[A"), "{screen}");
}

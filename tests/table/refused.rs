//! The program's response to tables that contradict each other.

use std::collections::HashMap;

use strong4::board::{Outcome, Position};
use strong4::inside::table::Tables;
use strong4::tromp::Key;

use super::build::{bits, tier_of, written};
use super::forged::quiet_cells;
use super::forger::Forger;
use crate::program::{Ran, strong4, strong4_with_input};

/// A game that leads to this position.
fn game(position: &Position) -> String {
    let mut games = vec![(String::new(), Position::empty(position.board()))];
    for _ in 0..position.tier().stones() {
        let longer = games.iter().flat_map(|(moves, before)| {
            before.children().map(move |(column, after)| (format!("{moves}{column}"), after))
        });
        let met: HashMap<Position, String> = longer.map(|(moves, after)| (after, moves)).collect();
        games = met.into_iter().map(|(after, moves)| (moves, after)).collect();
    }
    games.into_iter().find(|(_, met)| met == position).expect("a game").0
}

/// Every command that reads tables says which two contradict each other, and nothing else.
#[test]
fn every_command_refuses_what_contradicts_itself() {
    let (index, sound) = written("4x4", 1);
    let mut forger = Forger::new(&index, sound.path());
    let tier = tier_of(5);
    let cells = quiet_cells(&index, tier);
    let cell =
        *cells.iter().find(|cell| index.census().is_canonical(**cell)).expect("a quiet position");
    let position = index.unrank(cell);
    let moves = game(&position);
    let truth = Tables::open(forger.folder(), index.census()).outcome(cell).unwrap();
    let wrong = if truth == Outcome::Draw { Outcome::Win } else { Outcome::Draw };
    let change = |forger: &mut Forger| forger.set(tier, cell, bits(tier, wrong));
    forger.with(tier, change, |forger| {
        let run = |command: &str, input: &str| {
            let tables = ["--tables", forger.folder().to_str().unwrap()];
            let args: Vec<&str> = command.split(' ').chain(tables).collect();
            let Ran { code, stdout, stderr } = strong4_with_input(&args, input.as_bytes());
            (code, stdout, stderr)
        };
        let key = Key::of(&position);
        let said = format!("sources contradict each other: the position with key {key} is ");
        let files = format!("the table of tier 5 ({})", forger.file(tier).display());
        let check = |text: &str| assert!(text.contains(&said) && text.contains(&files), "{text}");

        for form in ["", " --json", " --csv", " --svg", " --outcome", " --limit 5s", " --line"] {
            for asked in [moves.clone(), format!("--key {key}")] {
                let (code, out, err) = run(&format!("query {asked}{form}"), "");
                assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{form}: {err}");
                check(&err);
            }
        }
        for form in ["", " --json"] {
            let (code, out, err) = run(&format!("review {moves}{form}"), "");
            assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{err}");
            check(&err);
        }
        // Other lines are answered; the record of this one says why it is not.
        let lines = format!("11\n{moves}\n22\n");
        for form in ["query - --outcome", "query - --outcome --json", "query - --outcome --csv"] {
            let (code, out, err) = run(form, &lines);
            let head = usize::from(form.ends_with("csv"));
            assert_eq!((code, out.lines().count()), (1, 3 + head), "{out}{err}");
            check(out.lines().nth(1 + head).unwrap());
            check(&err);
            assert!(!out.lines().nth(2 + head).unwrap().contains("contradict"), "{out}");
        }
        let (code, out, err) = run("review -", &format!("{moves}\n"));
        assert_eq!((code, out.lines().count()), (1, 1), "{out}{err}");
        check(&out);
        let (code, out, _) = run("query - --outcome", &(lines.clone() + "9\n"));
        assert_eq!((code, out.lines().count()), (2, 4), "bad usage is worse");
        let (code, out, err) = run("query --bulk -", &format!("{moves} 0\n1213 0\n"));
        assert_eq!(code, 1, "{out}{err}");
        for player in ["first", "second"] {
            let (code, out, err) =
                run(&format!("play {moves} --as {player} --hints"), "hint\nhint\n");
            assert_eq!(code, 1, "{out}{err}");
            check(&err);
            assert!(out.ends_with(&format!("moves    {moves}\n")), "{out}");
            assert!(!out.contains("score") && !out.contains("I play"), "{out}");
        }
        // This command reads no tables.
        assert_eq!(strong4(&format!("show --board 4x4 {moves}")).code, 0);
        let (code, _, _) = run("verify --blocks 100000", "");
        assert_eq!(code, 1);
    });
}

//! `strong4 grade`, with players that behave and players that do not, and `strong4 exam`.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::Value;
use strong4::board::{Board, Moves, Player, Status};

use crate::program::{
    PROGRAM, Ran, assert_refused, json_lines, piped, record, signal, strong4, strong4_with_input,
};

/// An exam of 5x4.
fn made(name: &str, count: usize) -> PathBuf {
    let made = strong4(&format!("exam played --board 5x4 --count {count} --seed 3"));
    written(name, &made.stdout)
}

fn written(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).unwrap();
    file
}

/// 24 questions.
static EXAM: LazyLock<PathBuf> = LazyLock::new(|| made("played_5x4.txt", 24));
/// Six questions, for players that take their time.
static FEW: LazyLock<PathBuf> = LazyLock::new(|| made("few_5x4.txt", 6));

fn run(args: &[&str]) -> Ran {
    strong4_with_input(args, b"")
}

fn graded(agent: &str, more: &[&str]) -> Ran {
    graded_in(&EXAM, agent, more)
}

fn graded_in(exam: &Path, agent: &str, more: &[&str]) -> Ran {
    let args = ["grade", "--agent", agent, "--exam", exam.to_str().unwrap()];
    run(&[&args[..], more].concat())
}

/// The row of all positions.
fn in_all(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{ran:?}");
    json_lines(ran).into_iter().find(|row| row["group"] == "all").expect("a row")
}

/// A question as it stands in the file.
struct Question {
    moves: String,
    scores: Vec<Option<i32>>,
}

fn questions(exam: &Path) -> Vec<Question> {
    let text = fs::read_to_string(exam).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("strong4 exam played 1 5x4"));
    let read = |line: &str| {
        let (moves, scores) = line.split_once(' ').unwrap();
        let scores = scores.split(' ').map(|score| score.parse().ok()).collect();
        Question { moves: moves.trim_matches('\'').to_owned(), scores }
    };
    lines.map(read).collect()
}

/// Plays a column that depends on the number of moves only, full or not.
const BY_LENGTH: &str = "while read moves; do echo $((${#moves} % 5 + 1)); done";

/// Sums of marks: positions, perfect, good, top three, moves, loss.
type Sums = [i64; 6];

/// The slow twin of the marks, from the scores in the file.
fn marks_by_length() -> BTreeMap<String, Sums> {
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for Question { moves, scores } in questions(&EXAM) {
        let known: Vec<i32> = scores.iter().copied().flatten().collect();
        let best = *known.iter().max().unwrap();
        let keeping = known.iter().filter(|score| score.signum() == best.signum()).count();
        let outcome = ["lost", "drawn", "won"][(best.signum() + 1) as usize];
        let keeping = match keeping {
            all if all == known.len() => "all keep".to_owned(),
            1 => "1 keeps".to_owned(),
            some => format!("{some} keep"),
        };
        let tier = format!("tier {}", moves.len());
        for name in ["all", outcome, &keeping, &tier] {
            let sums = sums.entry(name.to_owned()).or_default();
            sums[0] += 1;
            if let Some(score) = scores[moves.len() % 5] {
                let better = known.iter().filter(|other| **other > score).count();
                sums[1] += i64::from(score == best);
                sums[2] += i64::from(score.signum() == best.signum());
                sums[3] += i64::from(better < 3);
                sums[4] += 1;
                sums[5] += i64::from(best - score);
            }
        }
    }
    sums
}

#[test]
fn marks_are_those_of_a_plain_count() {
    let ran = graded(BY_LENGTH, &["--json"]);
    let mut rows = json_lines(&ran);
    ran.fine();
    let expected = marks_by_length();
    assert_eq!(rows.len(), expected.len());
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    for row in &rows {
        let [positions, perfect, good, top_three, moves, loss] =
            expected[row["name"].as_str().unwrap()];
        assert_eq!(row["positions"], positions, "{row}");
        assert_eq!(row["illegal"], positions - moves, "{row}");
        for (name, hits) in [("perfect", perfect), ("good", good), ("top_three", top_three)] {
            let share = hits as f64 / positions as f64;
            assert!((number(&row[name]) - share).abs() < 1e-6, "{name}: {row}");
            assert!(number(&row[&format!("{name}_low")]) <= share + 1e-6, "{name}: {row}");
            assert!(number(&row[&format!("{name}_high")]) >= share - 1e-6, "{name}: {row}");
        }
        let mean = if moves == 0 { 0.0 } else { loss as f64 / moves as f64 };
        assert!((number(&row["loss"]) - mean).abs() < 1e-6, "{row}");
    }
    // The same records as CSV, and the same marks in the table.
    let csv = graded(BY_LENGTH, &["--csv"]).stdout;
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(csv.lines().count(), rows.len() + 1);
    for row in &mut rows {
        row["seconds"].take();
    }
    for (line, row) in csv.lines().skip(1).zip(&rows) {
        let cells: Vec<&str> = line.split(',').collect();
        for name in ["group", "name", "positions", "perfect", "loss_high", "illegal", "win_loss"] {
            let at = header.iter().position(|column| *column == name).unwrap();
            let expected = match &row[name] {
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                value => value.to_string(),
            };
            assert_eq!(cells[at], expected, "{name} of {line}");
        }
    }
    let table = graded(BY_LENGTH, &["--name", "by length"]).stdout;
    let all = &expected["all"];
    let perfect = format!("{:.1}", 100.0 * all[1] as f64 / 24.0);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[..3], ["all", "24", &perfect]);
    let quoted = table.lines().last().unwrap();
    let begin = format!("strong4 exam played 1: by length: {perfect} % perfect (");
    assert!(quoted.starts_with(&begin) && quoted.ends_with(", 24 positions"), "{quoted}");
    let svg = graded(BY_LENGTH, &["--svg"]).stdout;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
}

/// Plays any best move. It knows them from the file.
const PERFECT: &str = "\
import sys
best = {}
for line in list(open(sys.argv[1]))[1:]:
    moves, *scores = line.split()
    scores = [-99 if score == '.' else int(score) for score in scores]
    best[moves.strip(\"'\")] = scores.index(max(scores)) + 1
for line in sys.stdin:
    print(best[line.strip()], flush=True)
";

/// A Python program, as an agent.
fn python(name: &str, text: &str) -> String {
    format!("python3 {}", written(name, text).display())
}

#[test]
fn a_perfect_player_has_all_marks_and_differs_from_another() {
    let perfect = format!("{} {}", python("perfect.py", PERFECT), EXAM.display());
    let all = in_all(&graded(&perfect, &["--json"]));
    for (name, mark) in [("perfect", 1.0), ("good", 1.0), ("top_three", 1.0), ("loss", 0.0)] {
        assert_eq!(all[name], mark, "{all}");
    }
    let named = ["--agent", BY_LENGTH, "--name", "perfect", "--name", "simple"];
    let lines = json_lines(&graded(&perfect, &[&named[..], &["--json"]].concat()));
    let gap = lines.iter().find(|line| line["mark"] == "perfect" && line["other"] == "simple");
    let gap = gap.expect("a gap");
    let simple = marks_by_length()["all"];
    let missed = 24 - simple[1];
    assert_eq!(gap["difference"], (missed as f64 / 24.0 * 1e6).round() / 1e6);
    // The other one is never better, so that all differences point one way.
    let chance = 2.0f64.powi(1 - missed as i32);
    assert!((gap["chance"].as_f64().unwrap() / chance - 1.0).abs() < 1e-9, "{gap}");
    let table = graded(&perfect, &named).stdout;
    assert!(table.contains("played, perfect - simple  "), "{table}");
}

/// Reads JSON; gives probabilities and a value.
const NET: &str = "\
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    assert len(asked['board']) == 20 and asked['mark'] in (1, 2)
    tops = asked['board'][:asked['columns']]
    shares = [0.0 if cell else 1.0 / tops.count(0) for cell in tops]
    print(json.dumps({'probabilities': shares, 'value': 0.25}), flush=True)
";

#[test]
fn probabilities_and_values_are_graded() {
    let agent = python("net.py", NET);
    let all = in_all(&graded(&agent, &["--format", "json", "--json"]));
    let mut expected = [0.0; 3];
    for Question { scores, .. } in questions(&EXAM) {
        let known: Vec<i32> = scores.into_iter().flatten().collect();
        let best = *known.iter().max().unwrap();
        let share = |wanted: &dyn Fn(&&i32) -> bool| {
            known.iter().filter(wanted).count() as f64 / known.len() as f64 / 24.0
        };
        expected[0] += share(&|score| **score == best);
        expected[1] += share(&|score| score.signum() == best.signum());
        expected[2] += (0.25 - f64::from(best.signum())).abs() / 24.0;
    }
    for (name, expected) in ["perfect_mass", "good_mass", "error"].into_iter().zip(expected) {
        assert!((all[name].as_f64().unwrap() - expected).abs() < 2e-6, "{name}: {all}");
    }
    // The most probable move is the first column with room, for all of them are alike.
    assert_eq!(all["illegal"], 0);
    for (format, skip) in [
        ("key", "while read key"),
        ("board", "while read a && read b && read c && read d && read e"),
    ] {
        let ran = graded(&format!("{skip}; do echo 1; done"), &["--format", format, "--json"]);
        let all = in_all(&ran);
        for trouble in ["nonsense", "crash", "timeout"] {
            assert_eq!(all[trouble], 0, "{format}: {ran:?}");
        }
    }
}

/// Short times, for players that do not answer; long enough for a shell on a busy machine.
const HASTE: [&str; 5] = ["--json", "--move-time", "2s", "--start-time", "3s"];

/// Grades a player who misbehaves, and returns the number of each trouble, how many legal or
/// illegal moves there were, and the messages.
fn troubles(exam: &Path, agent: &str) -> (BTreeMap<&'static str, u64>, u64, String) {
    let start = Instant::now();
    let ran = graded_in(exam, agent, &HASTE);
    assert!(start.elapsed() < Duration::from_secs(60), "{agent}");
    let all = in_all(&ran);
    let names = ["nonsense", "crash", "timeout", "flood"];
    let counts = names.map(|name| (name, all[name].as_u64().unwrap()));
    let missing = counts.iter().map(|(_, count)| count).sum::<u64>();
    let answered = all["positions"].as_u64().unwrap() - missing;
    (counts.into_iter().filter(|(_, count)| *count > 0).collect(), answered, ran.stderr)
}

/// Prints without end after its first answer.
const FLOOD: &str = "read m; echo 1; read m; head -c 1000000000 /dev/zero; cat";

#[test]
fn players_that_misbehave_are_reported_and_started_again() {
    // Every second answer is missing, since the first one of each process comes.
    for (agent, trouble, remark) in [
        ("read m; echo 1; read m; sleep 1000", "timeout", "no answer in time"),
        ("trap '' TERM INT HUP; read m; echo 1; while :; do sleep 1; done", "timeout", "no answer"),
        ("read m; echo 1; read m; echo Alas >&2; exit 3", "crash", "ended with exit code 3: Alas"),
        ("read m; echo 1; read m; kill -9 $$", "crash", "ended with exit code 137"),
        ("read m; echo 1; read m; exec >&-; sleep 1000", "crash", "closed its output"),
        ("read m; echo 1; read m; echo hello; cat > /dev/null", "nonsense", "found 'hello'"),
        ("read m; echo 1; read m; echo; cat > /dev/null", "nonsense", "a column, found ''"),
        (
            "read m; echo 1; read m; printf '1\\n1\\n'; cat > /dev/null",
            "nonsense",
            "expected one line, found ",
        ),
        ("read m; echo 1; read m; yes 4", "flood", "output without end"),
        (FLOOD, "flood", "output without end"),
    ] {
        let (counts, answered, stderr) = troubles(&FEW, agent);
        assert_eq!((counts, answered), (BTreeMap::from([(trouble, 3)]), 3), "{agent}: {stderr}");
        assert_eq!(stderr.lines().count(), 3, "{stderr}");
        for line in stderr.lines() {
            assert!(line.starts_with(&format!("strong4: {agent}: {trouble}, after ")), "{line}");
            assert!(line.contains(remark), "{line}");
        }
    }
}

#[test]
fn answers_that_come_late_answer_nothing() {
    // It answers at once, then late with a column that there is not.
    let late = "read m; echo 1; read m; sleep 3; echo 9; read m; echo 9";
    let ran = graded_in(&FEW, late, &HASTE);
    let all = in_all(&ran);
    let answered = questions(&FEW).into_iter().step_by(2);
    let full = answered.filter(|question| question.scores[0].is_none()).count();
    assert_eq!((&all["timeout"], &all["illegal"]), (&3.into(), &full.into()), "{ran:?}");
}

#[test]
fn players_that_never_answer_are_an_error_and_soon() {
    for (agent, reason) in [
        ("/no/such/program", "cannot be started"),
        ("exit 3", "ended with exit code 3"),
        ("true", "ended without an answer"),
        ("sleep 1000", "no answer in time"),
        ("exec >&-; sleep 1000", "closed its output"),
        ("exec <&-; sleep 1000", ""),
        ("echo Welcome; cat", "found 'Welcome"),
        ("head -c 100 /dev/urandom; cat", ""),
        ("cat /dev/zero", "output without end"),
        ("yes 4", "output without end"),
    ] {
        let start = Instant::now();
        let ran = graded_in(&FEW, agent, &HASTE);
        assert!(start.elapsed() < Duration::from_secs(40), "{agent}");
        assert_refused(&ran, "has not answered once: ");
        assert!(ran.stderr.contains(reason), "{agent}: {}", ran.stderr);
    }
}

#[test]
fn a_player_that_stops_answering_is_given_up() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("asked_before");
    let _ = fs::remove_file(&file);
    let once = format!(
        "test -e {0} && exit 1; read m; touch {0}; echo 1; cat > /dev/null & sleep 1000",
        file.display()
    );
    let (counts, answered, stderr) = troubles(&EXAM, &once);
    assert_eq!(answered, 1, "{stderr}");
    assert_eq!((counts["timeout"], counts["crash"]), (1, 22), "{stderr}");
    assert_eq!(stderr.lines().count(), 6, "the first five, and that it was given up: {stderr}");
    assert!(stderr.ends_with("so the rest was not asked\n"), "{stderr}");
}

/// Whether a process runs whose arguments contain this text.
fn runs(text: &str) -> bool {
    fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()).any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let status = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(text) && !status.contains(") Z ")
    })
}

#[cfg(target_os = "linux")]
#[test]
fn children_of_players_end_with_them() {
    let agent = "sleep 31415 & sleep 31416 & while read m; do echo 1; done";
    assert_eq!(in_all(&graded_in(&FEW, agent, &HASTE))["timeout"], 0);
    assert!(!runs("sleep\u{0}3141"));
    let agent = "sleep 31417 & sleep 31418 & read m; echo 1; read m; sleep 31419";
    assert_eq!(troubles(&FEW, agent).0, BTreeMap::from([("timeout", 3)]));
    assert!(!runs("sleep\u{0}3141"));
}

#[cfg(target_os = "linux")]
#[test]
fn players_end_when_the_program_is_stopped() {
    let agent = "trap '' INT TERM; while read m; do sleep 27182; done";
    let mut program = piped(&["grade", "--agent", agent, "--exam", EXAM.to_str().unwrap()]);
    let until = Instant::now() + Duration::from_secs(30);
    while !runs("sleep\u{0}27182") {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(10));
    }
    signal(&program, "-INT");
    assert_eq!(program.wait().unwrap().code(), Some(130));
    while runs("sleep\u{0}27182") {
        assert!(Instant::now() < until, "the player lives on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The peak memory of a run is that of its largest process, told by whoever waited for it.
const WATCHED: &str = "\
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
";

#[cfg(target_os = "linux")]
#[test]
fn floods_do_not_fill_the_memory() {
    // Output that is read until it is too long, and errors that are all read.
    let errors = "while read m; do head -c 20000000 /dev/zero >&2; echo 1; done";
    for agent in [FLOOD, errors] {
        let args = ["grade", "--agent", agent, "--exam", FEW.to_str().unwrap()];
        let ran =
            Command::new("python3").args(["-c", WATCHED, PROGRAM]).args(args).output().unwrap();
        let said = String::from_utf8(ran.stdout).unwrap();
        let numbers: Vec<u64> = said.split_whitespace().map(|word| word.parse().unwrap()).collect();
        assert!(numbers[0] == 0 && numbers[1] < 200_000, "{agent}: {said} KiB");
    }
}

/// The slow twin of games: each is replayed, and reviewed by another command.
#[test]
fn games_are_played_as_they_are_told() {
    let board: Board = "5x4".parse().unwrap();
    let args = "grade --level 1 --games 9 --against 3 --board 5x4 --seed 4";
    let ran = strong4(&format!("{args} --json"));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let lines = json_lines(&ran);
    let (games, groups): (Vec<&Value>, Vec<&Value>) =
        lines.iter().partition(|line| line.get("game").is_some());
    assert_eq!(games.len(), 9);
    let (mut openings, mut asked) = (Vec::new(), 0);
    for (at, played) in games.iter().enumerate() {
        let text = played["moves"].as_str().unwrap();
        let game = Moves::parse(board, text).unwrap();
        let agent = [Player::First, Player::Second][at % 2];
        assert_eq!(played["as"], agent.ordinal());
        let result = match game.position().status() {
            Status::Won(winner) if winner == agent => "win",
            Status::Won(_) => "loss",
            Status::Full => "draw",
            Status::Open => panic!("{text} is not over"),
        };
        assert_eq!(played["result"], result);
        let opening = played["opening"].as_u64().unwrap() as usize;
        openings.push(text[..opening].to_owned());
        let review = record(&format!("review {text} --board 5x4 --json"));
        let reviewed = review["review"].as_array().unwrap();
        let own =
            |number: &usize| *number > opening && (number % 2 == 1) == (agent == Player::First);
        let numbers = || (1..=reviewed.len()).filter(own);
        let mistake = numbers().find(|number| reviewed[number - 1]["judgement"] == "mistake");
        assert_eq!(played["first_mistake"].as_u64(), mistake.map(|number| number as u64), "{text}");
        asked += numbers().count() as u64;
    }
    // Pairs share an opening; the first one is none, and the others are drawn.
    assert_eq!(openings[0], "");
    assert!(openings.chunks(2).all(|pair| pair.iter().all(|opening| *opening == pair[0])));
    for opening in openings.iter().filter(|opening| !opening.is_empty()) {
        let value = record(&format!("query {opening} --board 5x4 --json"));
        assert_eq!(value["score"], 0, "{opening}");
    }
    let all = groups.iter().find(|row| row["group"] == "all").unwrap();
    let graded = all["positions"].as_u64().unwrap() + all["left_out"].as_u64().unwrap();
    assert_eq!(graded, asked);
    // The same seed plays the same games, and the table tells the same results.
    assert_eq!(strong4(&format!("{args} --json")).stdout, ran.stdout);
    let table = strong4(args).stdout;
    let won = games.iter().filter(|game| game["result"] == "win").count().to_string();
    let row: Vec<&str> = table.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(row[..3], ["all", "9", &won]);
}

#[test]
fn programs_play_each_other_and_lose_by_illegal_moves() {
    let args =
        ["grade", "--agent", "while read m; do echo 9; done", "--games", "3", "--board", "5x4"];
    let ran = run(&[&args[..], &["--against", "while read m; do echo 1; done", "--json"]].concat());
    let games = json_lines(&ran);
    for game in &games[..3] {
        assert_eq!((&game["result"], &game["forfeit"]), (&"loss".into(), &"illegal".into()));
    }
    let table = run(&[&args[..], &["--against", "1"]].concat()).stdout;
    assert!(table.contains("\nlost without a legal move: 3 games\n"), "{table}");
}

#[test]
fn what_cannot_be_graded_is_refused() {
    let file = written("no_exam.txt", "4453 1 2 3\n");
    let empty = written("empty_exam.txt", "strong4 exam none 1 7x6\n");
    for (args, reason) in [
        ("grade", "--agent"),
        ("grade --level 6", "'6' is not a level"),
        ("grade --level 1 --exam easy", "'easy' is none of uniform, played, hard"),
        ("grade --level 1 --format xml", "'xml' is not a format"),
        ("grade --level 1 --against 2", "--games"),
        ("grade --level 1 --name a --name b", "2 names for 1 players"),
        (
            "grade --level 1 --exam played --board 5x4",
            "exam played is on 7x6: levels play on it with --board 7x6",
        ),
        ("exam easy", "'easy' is not an exam: expected uniform, played or hard"),
        ("exam played --board 2x2 --count 1", "found only 0 positions of 1"),
        (
            &format!("grade --level 1 --exam {}", file.display()),
            "expected 'strong4 exam NAME VERSION WxH' in the first line, found '4453 1 2 3'",
        ),
        (&format!("grade --level 1 --exam {}", empty.display()), "asks nothing"),
    ] {
        assert_refused(&strong4(args), reason);
    }
}

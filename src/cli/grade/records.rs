//! Reports as records for programs: a row for each group of positions, as JSON or CSV.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use strong4::board::{Outcome, Player};
use strong4::grade::{
    Comparison, Confidence, Games, Gap, Group, Marks, Mean, PlayedGame, Report, Share, Trouble,
};

use crate::cli::output;
use crate::cli::output::numbers::rounded;

/// Named values, in order.
#[derive(Default)]
struct Record(Vec<(String, Value)>);

const OUTCOMES: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];

/// The rows of a report.
fn rows(report: &Report) -> Vec<Record> {
    report.groups().iter().map(|(group, marks)| row(report, *group, marks)).collect()
}

fn row(report: &Report, group: Group, marks: &Marks) -> Record {
    let mut row = Record::default();
    row.add("player", report.player());
    row.add("exam", report.exam());
    row.add("version", report.version());
    row.add("board", report.board().to_string());
    row.add("group", group.kind());
    row.add("name", group.to_string());
    row.add("positions", marks.positions);
    row.share("perfect", marks.perfect);
    row.share("good", marks.good);
    row.share("top_three", marks.top_three);
    row.mean("loss", marks.loss);
    row.mean("perfect_mass", marks.perfect_mass);
    row.mean("good_mass", marks.good_mass);
    row.share("agreement", marks.agreement);
    row.mean("error", marks.error);
    row.number("miscalibration", marks.miscalibration());
    for before in OUTCOMES {
        for after in OUTCOMES {
            row.add(&format!("{}_{}", before.name(), after.name()), marks.outcomes(before, after));
        }
    }
    for trouble in Trouble::ALL {
        row.add(trouble.name(), marks.troubles(trouble));
    }
    row.number("seconds", marks.seconds.mean());
    row.number("slowest", (marks.seconds.count() > 0).then_some(marks.slowest));
    row
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Record {
    fn add(&mut self, name: &str, value: impl Into<Value>) {
        self.0.push((name.to_owned(), value.into()));
    }

    fn number(&mut self, name: &str, number: Option<f64>) {
        self.add(name, number.map(|number| rounded(number, 6)));
    }

    fn bounds(&mut self, name: &str, bounds: Option<Confidence>) {
        self.number(&format!("{name}_low"), bounds.map(|bounds| bounds.low));
        self.number(&format!("{name}_high"), bounds.map(|bounds| bounds.high));
    }

    fn share(&mut self, name: &str, share: Share) {
        self.number(name, share.share());
        self.bounds(name, share.confidence());
    }

    fn mean(&mut self, name: &str, mean: Mean) {
        self.number(name, mean.mean());
        self.bounds(name, mean.confidence());
    }
}

/// A header, and a row for each group of each report.
pub(super) fn csv(reports: &[Report]) -> Vec<String> {
    let rows: Vec<Record> = reports.iter().flat_map(rows).collect();
    let Some(Record(first)) = rows.first() else { return Vec::new() };
    let names: Vec<&str> = first.iter().map(|(name, _)| &**name).collect();
    output::csv(&names.join(","), &rows)
}

/// A line for each game, for each group of each report, and for each gap between two players.
pub(super) fn json_lines(reports: &[Report], games: &[Games]) -> Vec<String> {
    let mut records: Vec<Record> = games.iter().flat_map(game_records).collect();
    for report in reports {
        let mut rows = rows(report);
        if let Some(all) = rows.first_mut() {
            all.add("left_out", report.left_out());
            all.add("calibration", calibration(&report.in_all()));
        }
        records.append(&mut rows);
    }
    records.extend(gaps(reports).iter().flat_map(gap_records));
    records.iter().map(output::json).collect()
}

/// `[mean value, mean outcome, positions]` for each part that has values.
fn calibration(marks: &Marks) -> Value {
    let parts = marks.calibration.iter().filter_map(|part| {
        let [value, outcome] = [part.value.mean()?, part.outcome.mean()?];
        Some(json!([rounded(value, 6), rounded(outcome, 6), part.value.count()]))
    });
    parts.collect()
}

fn game_records(games: &Games) -> Vec<Record> {
    let record = |(number, played): (usize, &PlayedGame)| {
        let mut row = Record::default();
        row.add("player", games.report().player());
        row.add("game", number);
        row.add("moves", played.game.to_string());
        row.add("opening", played.opening);
        row.add("as", if played.agent == Player::First { "first" } else { "second" });
        row.add("result", played.result.name());
        row.add("forfeit", played.forfeit.map(|(_, trouble)| trouble.name()));
        row.add("first_mistake", played.first_mistake);
        row
    };
    (1..).zip(games.games()).map(record).collect()
}

/// Two players who took the same exam.
pub(super) struct Pair<'a> {
    pub players: [&'a str; 2],
    pub exam: &'a str,
    pub gaps: Comparison,
}

/// Every two players who took the same exam.
pub(super) fn gaps(reports: &[Report]) -> Vec<Pair<'_>> {
    let pairs = reports.iter().enumerate().flat_map(|(at, first)| {
        reports[at + 1..].iter().filter_map(move |second| {
            let players = [first.player(), second.player()];
            Some(Pair { players, exam: first.exam(), gaps: first.compare(second)? })
        })
    });
    pairs.collect()
}

impl Pair<'_> {
    /// The gaps by mark.
    pub(super) fn by_mark(&self) -> impl Iterator<Item = (&'static str, Gap)> {
        let Comparison { perfect, good, top_three, loss } = self.gaps;
        let named =
            [("perfect", perfect), ("good", good), ("top_three", top_three), ("loss", loss)];
        named.into_iter().filter_map(|(name, gap)| Some((name, gap?)))
    }
}

fn gap_records(pair: &Pair) -> Vec<Record> {
    let record = |(mark, gap): (&str, Gap)| {
        let mut row = Record::default();
        row.add("player", pair.players[0]);
        row.add("other", pair.players[1]);
        row.add("exam", pair.exam);
        row.add("mark", mark);
        row.add("positions", gap.positions);
        row.number("difference", Some(gap.difference));
        row.bounds("difference", gap.confidence);
        row.add("chance", gap.chance);
        row
    };
    pair.by_mark().map(record).collect()
}

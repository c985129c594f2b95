//! Reports as tables for people.

use strong4::board::{Outcome, OutcomeCounts, Player};
use strong4::grade::{Confidence, Games, Gap, Marks, Mean, Report, Share, Trouble};

use super::records::gaps;
use crate::cli::output::numbers::{counted, grouped};
use crate::cli::output::table::aligned;
use crate::numerals::percent;

/// One player: everything. Several: side by side, and how they differ.
pub(super) fn lines(reports: &[Report], games: &[Games]) -> Vec<String> {
    let mut lines: Vec<String> = games.iter().flat_map(results).collect();
    match reports {
        [report] => lines.extend(in_full(report)),
        reports => {
            lines.extend(side_by_side(reports));
            lines.extend(differences(reports));
        }
    }
    lines.push(String::new());
    // The lines to quote.
    lines.extend(reports.iter().map(Report::to_string));
    lines
}

const HEAD: [&str; 9] =
    ["", "positions", "perfect", "95 %", "good", "95 %", "top three", "loss", "95 %"];

/// Marks in the columns of the head.
fn cells(name: String, marks: &Marks) -> [String; 9] {
    let share = |share: Share| share.share().map(percent).unwrap_or_default();
    let bounds = |share: Share| share.confidence().map(Confidence::percents).unwrap_or_default();
    let mean = marks.loss.mean().map(|mean| format!("{mean:.2}")).unwrap_or_default();
    [
        name,
        grouped(marks.positions),
        share(marks.perfect),
        bounds(marks.perfect),
        share(marks.good),
        bounds(marks.good),
        share(marks.top_three),
        mean,
        marks.loss.confidence().map(Confidence::decimals).unwrap_or_default(),
    ]
}

fn in_full(report: &Report) -> Vec<String> {
    let marks = report.in_all();
    let rows = report.groups().into_iter().map(|(group, marks)| cells(group.to_string(), &marks));
    let mut lines = aligned(HEAD, rows);
    lines.push(String::new());
    lines.extend(outcomes(&marks));
    let notes = notes(report, &marks);
    if !notes.is_empty() {
        lines.push(String::new());
        lines.extend(notes);
    }
    lines
}

/// How often each outcome before a move became each outcome after it.
fn outcomes(marks: &Marks) -> Vec<String> {
    let all = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let row = |before: Outcome| {
        let [win, draw, loss] = all.map(|after| grouped(marks.outcomes(before, after)));
        [before.name().to_owned(), win, draw, loss]
    };
    aligned(["before", "win after", "draw", "loss"], all.map(row))
}

/// Notes on probabilities, values, troubles, times and positions left out.
fn notes(report: &Report, marks: &Marks) -> Vec<String> {
    let mut notes = Vec::new();
    if let (Some(perfect), Some(good)) = (marks.perfect_mass.mean(), marks.good_mass.mean()) {
        let [perfect, good] = [perfect, good].map(percent);
        notes.push(format!("probability: {perfect} % on perfect moves, {good} % on good ones"));
    }
    if let (Some(agreement), Some(error), Some(off)) =
        (marks.agreement.share(), marks.error.mean(), marks.miscalibration())
    {
        let agreement = percent(agreement);
        notes.push(format!(
            "values: {agreement} % nearest to the outcome, mean error {error:.3}, \
             calibration off by {off:.3}"
        ));
    }
    let troubles: Vec<String> = Trouble::ALL
        .into_iter()
        .map(|trouble| (marks.troubles(trouble), trouble.name()))
        .filter(|(count, _)| *count > 0)
        .map(|(count, name)| format!("{name} {}", grouped(count)))
        .collect();
    if !troubles.is_empty() {
        notes.push(format!("no legal move: {}", troubles.join(", ")));
    }
    if let Some(mean) = marks.seconds.mean() {
        notes.push(format!("time: {} a move, {} at most", time(mean), time(marks.slowest)));
    }
    if report.left_out() > 0 {
        let positions = counted(report.left_out() as u64, "position", "positions");
        notes.push(format!("left out: {positions} in which every move is as good as any other"));
    }
    notes
}

fn side_by_side(reports: &[Report]) -> Vec<String> {
    let name = |report: &Report| format!("{}, {}", report.exam(), report.player());
    aligned(HEAD, reports.iter().map(|report| cells(name(report), &report.in_all())))
}

/// How each two players who took the same exam differ.
fn differences(reports: &[Report]) -> Vec<String> {
    let pairs = gaps(reports);
    if pairs.is_empty() {
        return Vec::new();
    }
    let rows = pairs.iter().flat_map(|pair| {
        let name = format!("{}, {} - {}", pair.exam, pair.players[0], pair.players[1]);
        pair.by_mark().map(move |(mark, gap)| {
            let [difference, bounds] = gap_cells(mark, gap);
            [name.clone(), mark.replace('_', " "), difference, bounds, chance(gap.chance)]
        })
    });
    let head = ["difference", "mark", "", "95 %", "by chance"];
    [vec![String::new()], aligned(head, rows)].concat()
}

/// A gap and its interval; those of shares in percent.
fn gap_cells(mark: &str, gap: Gap) -> [String; 2] {
    let number = |number: f64| match mark {
        "loss" => format!("{number:+.2}"),
        _ => format!("{:+.1} %", 100.0 * number),
    };
    let bounds = gap
        .confidence
        .map(|Confidence { low, high }| format!("{} to {}", number(low), number(high)));
    [number(gap.difference), bounds.unwrap_or_default()]
}

/// How likely a difference is by chance.
fn chance(chance: f64) -> String {
    if chance < 0.001 { "< 0.1 %".to_owned() } else { format!("{:.1} %", 100.0 * chance) }
}

/// The results of games.
fn results(games: &Games) -> Vec<String> {
    let row = |name: &str, counts: OutcomeCounts| {
        let OutcomeCounts { won, drawn, lost } = counts;
        let points = (won as f64 + drawn as f64 / 2.0) / (counts.total().max(1)) as f64;
        let numbers = [counts.total(), won, drawn, lost].map(grouped);
        let [all, won, drawn, lost] = numbers;
        [name.to_owned(), all, won, drawn, lost, percent(points)]
    };
    let [first, second] = Player::BOTH.map(|player| games.results(Some(player)));
    let rows = [row("first", first), row("second", second), row("all", games.results(None))];
    let mut lines = aligned(["moving", "games", "won", "drawn", "lost", "points"], rows);
    let points = games.points();
    if let (Some(mean), Some(bounds)) = (points.mean(), points.confidence()) {
        let bounds = Confidence { low: bounds.low.max(0.0), high: bounds.high.min(1.0) };
        let player = games.report().player();
        lines.push(format!("{player}: {} % of the points ({})", percent(mean), bounds.percents()));
    }
    let all = games.games().len() as u64;
    let first: Mean = games.first_mistake();
    let without = grouped(all - first.count());
    lines.push(match first.mean() {
        None => "no mistake in any game".to_owned(),
        Some(mean) => {
            format!("first mistake at move {mean:.1} in the mean; none in {without} of the games")
        }
    });
    let forfeits = games.games().iter().filter_map(|game| {
        game.forfeit.filter(|(player, _)| *player == game.agent).map(|(_, trouble)| trouble)
    });
    let lost = forfeits.count() as u64;
    if lost > 0 {
        lines.push(format!("lost without a legal move: {}", counted(lost, "game", "games")));
    }
    lines.push(String::new());
    lines
}

fn time(seconds: f64) -> String {
    match seconds {
        ..0.0995 => format!("{:.2} ms", 1000.0 * seconds),
        _ => format!("{seconds:.2} s"),
    }
}

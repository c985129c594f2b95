//! Whole games instead of an exam: results, the first mistake of each game, and the marks of the
//! moves on the way.
//!
//! Games come in pairs with the same opening, in which the player has the first move and then the
//! second. The first pair begins on the empty board, and the others in positions that are drawn
//! with best play, so that neither side starts ahead:
//!
//! ```text
//!     game     1      2      3      4      5      6     …
//!     opening  none   none   A      A      B      B
//!     first    agent  other  agent  other  agent  other
//! ```
//!
//! All games advance together, so that an agent is asked about all of them at once. A player who
//! makes no move, or an illegal one, loses the game.

use std::collections::HashSet;

use super::agent::{Agent, Questions, ask};
use super::answers::{Answers, Trouble};
use super::exam::Exam;
use super::report::Report;
use super::statistics::Mean;
use crate::board::{Board, Moves, Outcome, OutcomeCounts, Player, Position, Status};
use crate::random::SplitMix64;
use crate::search::Score;
use crate::solver::{Batch, Solver, SolverError};
use crate::tromp::Key;

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// Its moves.
    pub game: Moves,
    /// How many of them were the opening.
    pub opening: usize,
    /// Which player the agent was.
    pub agent: Player,
    /// The result for the agent.
    pub result: Outcome,
    /// The player who lost the game by making no legal move, and why.
    pub forfeit: Option<(Player, Trouble)>,
    /// The number, from 1, of the first move of the agent that changed the outcome.
    pub first_mistake: Option<usize>,
}

/// The games of an agent.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    games: Vec<PlayedGame>,
    report: Report,
}

impl Games {
    /// The games.
    pub fn games(&self) -> &[PlayedGame] {
        &self.games
    }

    /// The marks of the moves of the agent. Positions in which every move is as good as any other
    /// are left out.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The results of the agent: as this player, or all of them.
    pub fn results(&self, agent: Option<Player>) -> OutcomeCounts {
        let counted =
            self.games.iter().filter(|game| agent.is_none_or(|agent| game.agent == agent));
        let number = |result| counted.clone().filter(|game| game.result == result).count() as u64;
        let [won, drawn, lost] = [Outcome::Win, Outcome::Draw, Outcome::Loss].map(number);
        OutcomeCounts { won, drawn, lost }
    }

    /// The points of a game: 1 for a win, 0.5 for a draw, and 0 for a loss.
    pub fn points(&self) -> Mean {
        self.games.iter().map(|game| f64::from(game.result as u8) / 2.0).collect()
    }

    /// The number of the first mistake, of the games that have one.
    pub fn first_mistake(&self) -> Mean {
        let first = self.games.iter().filter_map(|game| game.first_mistake);
        first.map(|number| number as f64).collect()
    }
}

/// A game in progress.
struct Open {
    game: Moves,
    opening: usize,
    agent: Player,
    ending: Option<(Outcome, Option<(Player, Trouble)>)>,
}

impl Open {
    /// The mover answers.
    fn go_on(&mut self, answers: &Answers, at: usize) {
        let position = *self.game.position();
        let mover = position.mover();
        let choice = answers.choice(at, &position).unwrap_or(Err(Trouble::Nonsense));
        let for_agent = |winner| if winner == self.agent { Outcome::Win } else { Outcome::Loss };
        match choice {
            Err(trouble) => self.ending = Some((for_agent(mover.other()), Some((mover, trouble)))),
            Ok(column) => {
                self.game.push(column).expect("a column with room");
                self.ending = match self.game.position().status() {
                    Status::Open => None,
                    Status::Won(winner) => Some((for_agent(winner), None)),
                    Status::Full => Some((Outcome::Draw, None)),
                };
            }
        }
    }
}

/// Lets an agent play games against another one. The solver chooses the openings with the seed, and
/// grades the moves; `batch` hears how many games are over, and then how many moves are graded.
///
/// ```
/// use strong4::{Batch, Solver};
/// use strong4::board::Board;
/// use strong4::grade::{Computer, play_games};
///
/// let solver = Solver::new("4x4".parse::<Board>()?);
/// let [mut beginner, mut expert] =
///     [1, 5].map(|level| Computer::new(&solver, level.try_into().unwrap(), 7));
/// let games = play_games("level 1", &mut beginner, &mut expert, &solver, 10, 1, Batch::default())?;
/// assert_eq!(games.results(None).won, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_games(
    name: &str,
    agent: &mut (impl Agent + ?Sized),
    opponent: &mut (impl Agent + ?Sized),
    solver: &Solver,
    number: usize,
    seed: u64,
    batch: Batch,
) -> Result<Games, SolverError> {
    let openings = openings(solver, number.div_ceil(2), seed, batch)?;
    let pairs = openings.iter().flat_map(|opening| Player::BOTH.map(|agent| (opening, agent)));
    let mut open: Vec<Open> = pairs
        .take(number)
        .map(|(opening, agent)| Open {
            opening: opening.columns().len(),
            game: opening.clone(),
            agent,
            ending: None,
        })
        .collect();
    // What the agent was asked: the game, its number of moves, and the answer.
    let board = solver.board();
    let (mut asked, mut answers) = (Vec::new(), Answers::new(board, 0));
    loop {
        for is_agent in [true, false] {
            let waiting: Vec<usize> = (0..open.len())
                .filter(|at| {
                    let Open { game, agent, ending, .. } = &open[*at];
                    ending.is_none() && (game.position().mover() == *agent) == is_agent
                })
                .collect();
            let games: Vec<Moves> = waiting.iter().map(|at| open[*at].game.clone()).collect();
            let positions: Vec<Position> = games.iter().map(|game| *game.position()).collect();
            let questions = Questions { positions: &positions, games: &games };
            let go_on = |_| batch.go_on();
            let said = if is_agent {
                ask(agent, questions, go_on)?
            } else {
                ask(opponent, questions, go_on)?
            };
            for (at, (number, game)) in waiting.into_iter().zip(games).enumerate() {
                if is_agent {
                    asked.push((number, game));
                    answers.push(&said, at);
                }
                open[number].go_on(&said, at);
            }
        }
        let over = open.iter().filter(|open| open.ending.is_some()).count();
        batch.progress.advance(over as u64, open.len() as u64);
        if over == open.len() {
            break;
        }
    }
    let (report, mistakes) = grade(name, solver, &asked, &answers, open.len(), batch)?;
    let played = |(open, first_mistake): (Open, Option<usize>)| {
        let Open { game, opening, agent, ending } = open;
        let (result, forfeit) = ending.expect("all games are over");
        PlayedGame { game, opening, agent, result, forfeit, first_mistake }
    };
    Ok(Games { games: open.into_iter().zip(mistakes).map(played).collect(), report })
}

/// Grades moves of some games, and finds the first mistake of each game.
fn grade(
    name: &str,
    solver: &Solver,
    asked: &[(usize, Moves)],
    answers: &Answers,
    games: usize,
    batch: Batch,
) -> Result<(Report, Vec<Option<usize>>), SolverError> {
    let positions: Vec<Position> = asked.iter().map(|(_, game)| *game.position()).collect();
    let scores = solver.move_scores_many(&positions, batch)?;
    let mut exam = Exam::empty("games", 1, solver.board());
    let (mut graded, mut mistakes) = (Answers::new(solver.board(), 0), vec![None; games]);
    for (at, ((number, game), scores)) in asked.iter().zip(&scores).enumerate() {
        if exam.add_game(game, scores) {
            graded.push(answers, at);
        }
        let best = scores.iter().flatten().max().map(|best: &Score| best.outcome());
        let choice = answers.choice(at, game.position()).and_then(Result::ok);
        let made = choice.and_then(|column| scores[column.index()]).map(Score::outcome);
        if made.is_some() && made != best {
            mistakes[*number].get_or_insert(game.columns().len() + 1);
        }
    }
    Ok((Report::new(name, &exam, &graded), mistakes))
}

/// Random moves that begin a game, at least and at most.
const OPENING_MOVES: [u64; 2] = [2, 8];
/// The search ends after this many useless random openings in a row; those found then repeat.
const MOST_TRIES: u64 = 1000;

/// The empty board, and openings that are drawn with best play, no two of them mirror images. If
/// there are too few, they repeat.
fn openings(
    solver: &Solver,
    number: usize,
    seed: u64,
    batch: Batch,
) -> Result<Vec<Moves>, SolverError> {
    let board = solver.board();
    let mut openings = vec![Moves::new(board)];
    let mut known = HashSet::new();
    let mut random = SplitMix64::of(&[seed]);
    let mut tries = 0;
    while openings.len() < number && tries < MOST_TRIES {
        tries += 1;
        let Some(game) = random_game(board, &mut random) else { continue };
        let position = game.position();
        if known.insert(Key::of_either(position))
            && solver.outcome_with(position, batch.question())? == Outcome::Draw
        {
            openings.push(game);
            tries = 0;
        }
    }
    Ok(openings.iter().cycle().take(number).cloned().collect())
}

/// Some random moves, unless they end the game.
fn random_game(board: Board, random: &mut SplitMix64) -> Option<Moves> {
    let [least, most] = OPENING_MOVES;
    let mut game = Moves::new(board);
    for _ in 0..least + random.below(most - least + 1) {
        let open: Vec<_> = game.position().children().map(|(column, _)| column).collect();
        let number = random.below((open.len() as u64).max(1)) as usize;
        game.push(*open.get(number)?).expect("a legal move");
    }
    (game.position().status() == Status::Open).then_some(game)
}

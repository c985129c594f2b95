//! With the feature `serde`: values of the library in JSON and other formats.
//!
//! ```text
//!     Board, TierRange         "7x6", "0..42"
//!     Player, Outcome          "first", "win"
//!     Column                   4, counted from 1
//!     Tier, Plies              12
//!     Score, Level             -2
//!     Key                      "4433219977345"
//!     OutcomeCounts            {"won": 2, "drawn": 1, "lost": 0}
//!     Position                 {"board": "7x6", "key": "4433219977345"}
//!     Moves                    {"board": "7x6", "moves": "4453"}
//! ```
//!
//! What is read is checked like everything else from outside: a position is one that a game
//! reaches, and a game has only legal moves. Keys are text, because some readers of JSON round
//! numbers beyond 2^53. A position does not say how it was reached; a game does.

use std::fmt::Display;

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::board::{Board, Column, Moves, Outcome, Player, Position, Tier, TierRange};
use crate::query::Level;
use crate::search::{Plies, Score};
use crate::tromp::Key;

/// Types whose text can be read back.
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(Error::custom)
            }
        }
    )*};
}

as_text!(Board, TierRange, Player, Outcome, Key);

/// Types that are numbers in a range: how to get the number and, if it is in the range, the value.
macro_rules! as_number {
    ($($type:ty: $number:ty, $get:expr, $new:expr, $range:expr;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $get(*self).serialize(serializer)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = <$number>::deserialize(deserializer)?;
                $new(number).ok_or_else(|| outside(number, $range))
            }
        }
    )*};
}

as_number! {
    Column: u8, |column: Column| column.0 + 1, column, "a column from 1 to 32";
    Tier: u8, Tier::get, Tier::new, "a tier from 0 to 63";
    Plies: u8, Plies::get, Plies::new, "a number of plies from 0 to 63";
    Score: i32, Score::get, Score::new, "a score from -32 to 32";
    Level: u8, Level::get, Level::new, "a level from 1 to 5";
}

fn outside<E: Error>(found: impl Display, expected: &str) -> E {
    E::custom(format_args!("{found} is not {expected}"))
}

/// The column with this number on the widest board, 32x1.
fn column(number: u8) -> Option<Column> {
    (1..=32).contains(&number).then(|| Column(number - 1))
}

/// A position, as it is written.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Position")]
struct Keyed {
    board: Board,
    key: String,
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Keyed { board: self.board(), key: Key::of(self).to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Position, D::Error> {
        let Keyed { board, key } = Keyed::deserialize(deserializer)?;
        let key: Key = key.parse().map_err(Error::custom)?;
        key.decode(board).map_err(Error::custom)
    }
}

/// A game, as it is written.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Moves")]
struct Game {
    board: Board,
    moves: String,
}

impl Serialize for Moves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Game { board: self.board(), moves: self.to_string() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Moves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Moves, D::Error> {
        let Game { board, moves } = Game::deserialize(deserializer)?;
        Moves::parse(board, &moves).map_err(Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use serde::de::DeserializeOwned;

    use super::*;
    use crate::board::OutcomeCounts;
    use crate::random::games;

    fn assert_json<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, json: &str) {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_str::<T>(json).unwrap(), value);
    }

    #[test]
    fn values_are_written_as_documented_and_read_back() {
        let board = Board::STANDARD;
        let game = Moves::parse(board, "4453").unwrap();
        assert_json(board, r#""7x6""#);
        assert_json(TierRange::all(board), r#""0..42""#);
        assert_json(Player::BOTH, r#"["first","second"]"#);
        assert_json([Outcome::Loss, Outcome::Draw, Outcome::Win], r#"["loss","draw","win"]"#);
        assert_json(board.column(4).unwrap(), "4");
        assert_json(board.last_tier(), "42");
        assert_json(Plies::new(41).unwrap(), "41");
        assert_json(Score::new(-2).unwrap(), "-2");
        assert_json(Level::PERFECT, "5");
        assert_json(*game.position(), r#"{"board":"7x6","key":"4433219977345"}"#);
        assert_json(Key::of(game.position()), r#""4433219977345""#);
        assert_json(game, r#"{"board":"7x6","moves":"4453"}"#);
        let counts = OutcomeCounts { won: 2, drawn: 1, lost: 0 };
        assert_json(counts, r#"{"won":2,"drawn":1,"lost":0}"#);
    }

    #[test]
    fn values_outside_their_domains_are_refused() {
        fn refused<T: DeserializeOwned + Debug>(json: &str) -> String {
            serde_json::from_str::<T>(json).unwrap_err().to_string()
        }
        assert!(refused::<Board>(r#""40x40""#).starts_with("a board of 40x40 does not fit"));
        assert!(refused::<TierRange>(r#""9..3""#).starts_with("the range 9..3 is empty"));
        assert!(refused::<Player>(r#""third""#).starts_with("'third' is not a player"));
        assert!(refused::<Outcome>(r#""won""#).starts_with("'won' is not an outcome"));
        assert_eq!(refused::<Column>("33"), "33 is not a column from 1 to 32");
        assert_eq!(refused::<Column>("0"), "0 is not a column from 1 to 32");
        assert_eq!(refused::<Tier>("64"), "64 is not a tier from 0 to 63");
        assert_eq!(refused::<Plies>("200"), "200 is not a number of plies from 0 to 63");
        assert_eq!(refused::<Score>("-33"), "-33 is not a score from -32 to 32");
        assert_eq!(refused::<Level>("6"), "6 is not a level from 1 to 5");
        for (json, why) in [
            (r#"{"board":"7x6","key":"0"}"#, "0 is not a key: the bits of column 1"),
            (r#"{"board":"7x6","key":"one"}"#, "'one' is not a key"),
            (r#"{"board":"7x6","key":"4432676798599"}"#, "4432676798599 is the key of no position"),
            (r#"{"board":"7x6"}"#, "missing field `key`"),
        ] {
            let error = refused::<Position>(json);
            assert!(error.starts_with(why), "{error}");
        }
        let error = refused::<Moves>(r#"{"board":"7x6","moves":"448"}"#);
        assert!(error.starts_with("move 3 is '8'"), "{error}");
    }

    proptest::proptest! {
        #[test]
        fn games_and_positions_survive_the_round_trip(game in games()) {
            let json = serde_json::to_string(&(&game, game.position())).unwrap();
            let (moves, position): (Moves, Position) = serde_json::from_str(&json).unwrap();
            proptest::prop_assert_eq!((&moves, &position), (&game, game.position()));
        }

        #[test]
        fn no_text_makes_reading_panic(board: String, key: String, moves: String) {
            let board = if board.len() % 2 == 0 { "4x4".to_owned() } else { board };
            let json = |name: &str, text: &String| serde_json::json!({"board": board, name: text});
            let _ = serde_json::from_value::<Position>(json("key", &key));
            let _ = serde_json::from_value::<Moves>(json("moves", &moves));
        }
    }
}

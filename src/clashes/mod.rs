//! What happens when two positions share a hash: a study.
//!
//! Zobrist's report of 1970 shows how to hash positions with one random word for each piece on each
//! square. It also shows what a table risks that compares only part of a hash: now and then it
//! takes the entry of one position for another's, an *error of type 1*. With 2^n entries, n + m
//! check bits beside the n bits that choose the entry, and 2^n retrievals, the probability of no
//! such error is exp(−2^−m). This study measures Zobrist's figures on positions of real games.
//!
//! The search of this library makes no such errors at all: its [words](crate::search::zobrist) keep
//! hashes distinct. So the study has classical key sets of its own, and keeps the position itself
//! beside each hash to know the truth.
//!
//! ```text
//!     words           key sets, good ones and bad ones, and which of their words cancel each other
//!     games           positions to hash
//!     retrievals      how often a full table is right 2^n times in a row
//!     searching       wrong hits of a real search, and wrong results
//!     clusters        where one clash is, there are more
//!     division        the remainder of a division instead of a hash
//! ```

mod clusters;
mod division;
mod games;
mod retrievals;
mod searching;
mod words;

pub(crate) use clusters::{Clusters, clusters};
pub(crate) use division::{Method, Spread, spreads};
pub(crate) use retrievals::{MOST_EXTRA, Retrievals, predicted_without_error, retrievals};
pub(crate) use searching::{
    KeySets, MOST_CHECK, WrongHits, WrongResults, wrong_hits, wrong_results,
};
pub(crate) use words::{Independence, MOST_PROVED, Recipe};

use crate::grade::Confidence;

/// What is known of a share without trials.
const ANY_SHARE: Confidence = Confidence { low: 0.0, high: 1.0 };

//! What tables say about a position, to be compared with something else.

use super::report::Findings;
use crate::board::{Outcome, Position};
use crate::probe::{Evidence, TableProbe};
use crate::table::{Fault, TableError};

/// What tables say about a position; `None` if a table is missing or damaged.
pub(super) type Told = Option<(Outcome, Evidence)>;

/// Asks the tables. Their faults are noted, except missing tables.
pub(super) fn tell(probe: &mut TableProbe, position: &Position, findings: &mut Findings) -> Told {
    match probe.outcome(position) {
        Ok(told) => Some(told),
        Err(TableError { fault: Fault::Missing { .. }, .. }) => None,
        Err(fault) => {
            findings.fault(fault);
            None
        }
    }
}

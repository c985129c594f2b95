//! What exit code an error stands for.

use strong4::SolverError;
use strong4::query::QueryError;
use strong4::table::TableError;

use super::Exit;

/// A table that is wrong, and sources that contradict each other, are an answer, and it is no;
/// all else is bad usage, or input or output that failed.
pub fn exit_of(error: &anyhow::Error) -> Exit {
    let in_the_files = error.chain().any(|cause| {
        let solver = cause.downcast_ref::<SolverError>();
        if matches!(solver, Some(SolverError::Query(QueryError::Contradiction(_)))) {
            return true;
        }
        let table = solver.and_then(SolverError::table);
        let table = table.or_else(|| cause.downcast_ref::<TableError>());
        table.is_some_and(|table| table.fault.is_in_the_files())
    });
    if in_the_files { Exit::No } else { Exit::Bad }
}

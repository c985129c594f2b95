//! The tight tier hash, compared with plain play through its public interface.

mod enumerate;
mod forward;
mod whole_boards;

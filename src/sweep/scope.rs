//! Which cells a sweep works on.

/// Which cells a sweep works on.
///
/// If the stones of one side and the centre alone give the player to move a
/// four with his next stone, he has won, whatever stands on the other side. So
/// that row, or column, of every tile needs no cells: on 7x6 half of all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// Those that one side and the centre do not decide.
    #[default]
    InDoubt,
    /// All of them: the slow way, whose counts of won positions are its own.
    EveryCell,
}

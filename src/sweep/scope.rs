//! Which cells a sweep works on.

/// Which cells a sweep works on.
///
/// If the player to move can complete a four using only stones of one side and
/// the centre, he wins, whatever stands on the other side. So that row, or column,
/// of every tile needs no cells: on 7x6 this saves half of all.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// Those that one side and the centre alone do not decide.
    #[default]
    InDoubt,
    /// All of them: the slow way, which counts won positions itself.
    EveryCell,
}

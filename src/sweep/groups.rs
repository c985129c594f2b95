//! What the states of a side threaten: the group that each belongs to.

use crate::board::Player;
use crate::cpu::Cpu;
use crate::index::{Census, CentreId, CentreRows, SideState};

use super::by_class::ByClass;
use super::threats::{AT_ONCE, Columns};

/// The groups of a class, in the order in which they stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Group {
    Free,
    New(Player, Threat),
    Old(Player, Threat),
    Both,
}

/// Where a threat is, if there is only one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Threat {
    InCentre,
    OnSide,
}

impl Group {
    pub const COUNT: usize = 10;

    pub fn number(self) -> usize {
        match self {
            Group::Free => 0,
            Group::New(player, threat) => 1 + 4 * player.index() + threat as usize,
            Group::Old(player, threat) => 3 + 4 * player.index() + threat as usize,
            Group::Both => 9,
        }
    }

    /// The groups with new threats of a player, the first and the last.
    pub fn new(player: Player) -> [Group; 2] {
        [Threat::InCentre, Threat::OnSide].map(|threat| Group::New(player, threat))
    }

    /// The groups in which only this player threatens, the first and the last.
    pub fn threats(player: Player) -> [Group; 2] {
        [Group::New(player, Threat::InCentre), Group::Old(player, Threat::OnSide)]
    }
}

/// The groups of all states beside a centre, by their numbers.
pub(super) fn groups(census: &Census, centre: CentreId, rows: &CentreRows) -> ByClass<u8> {
    let finder = GroupFinder::new(census, centre);
    ByClass::new(
        census.split(),
        |class| rows.of(class).len(),
        |class, groups| {
            let states = rows.of(class).chunks(AT_ONCE);
            for (groups, states) in groups.chunks_mut(AT_ONCE).zip(states) {
                let found = finder.of(states).map(|group| group.number() as u8);
                groups.copy_from_slice(&found[..groups.len()]);
            }
        },
    )
}

/// Finds the groups of states beside a centre.
struct GroupFinder {
    cpu: Cpu,
    columns: Columns,
    /// The codes of the centre.
    centre: u64,
    /// By player, the codes of the centres from which a stone of his leads here.
    before: [Vec<u64>; 2],
}

impl GroupFinder {
    fn new(census: &Census, centre: CentreId) -> GroupFinder {
        let centre = census.centre(centre);
        let columns = Columns::new(census.split());
        let codes = |centre| columns.codes(centre);
        let before = |player| centre.before(player).map(|(_, before)| codes(before)).collect();
        let (centre, before) = (codes(centre), Player::BOTH.map(before));
        GroupFinder { cpu: Cpu::widest(), columns, centre, before }
    }

    /// The groups of these states, and then anything.
    fn of(&self, some: &[SideState]) -> [Group; AT_ONCE] {
        let states = std::array::from_fn(|number| *some.get(number).unwrap_or(&some[0]));
        let winning = |centre| self.columns.winning_drops(self.cpu, &states, centre);
        let now = winning(self.centre);
        let old = Player::BOTH.map(|player| {
            let mut old = [true; AT_ONCE];
            for before in &self.before[player.index()] {
                let winning = winning(*before)[player.index()];
                old.iter_mut().zip(winning).for_each(|(old, winning)| *old &= winning != 0);
            }
            old
        });
        std::array::from_fn(|number| {
            let winning = now.map(|winning| winning[number]);
            let of = |player: Player| {
                // Two threats cannot be answered by one stone.
                let threat = match self.columns.all_in_centre(winning[player.index()]) {
                    true => Threat::InCentre,
                    false => Threat::OnSide,
                };
                match old[player.index()][number] {
                    true => Group::Old(player, threat),
                    false => Group::New(player, threat),
                }
            };
            match winning.map(|winning| winning != 0) {
                [false, false] => Group::Free,
                [true, false] => of(Player::First),
                [false, true] => of(Player::Second),
                [true, true] => Group::Both,
            }
        })
    }
}

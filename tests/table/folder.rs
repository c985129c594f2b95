//! Folders of tables: chains, manifests, full disks.

use std::fs;

use strong4::inside::table::{
    Digest, Fault, FolderLock, Horizon, Inventory, Layout, Manifest, TableError, TierPart,
    board_of, check, table_file,
};

use super::build::{copied, encoded, for_all_tiers, index, the_file_in, tier_of, write, write_all};

fn faults(folder: &std::path::Path, board: &str) -> Vec<String> {
    let checked = check(folder, index(board).census(), &()).unwrap();
    checked.faults.iter().map(TableError::to_string).collect()
}

#[test]
fn a_broken_chain_is_reported() {
    let (index, folder) = (index("4x3"), tempfile::tempdir().unwrap());
    let mut manifest = write_all(folder.path(), &index, Horizon(2));
    for_all_tiers(&index, |tier, outcomes, counts| {
        if tier == tier_of(5) {
            let layout = Layout::new(index.census(), tier_of(5), Horizon(2));
            let mut wrong = manifest.tiers[6].summary;
            wrong.digest = Digest([7; 32]);
            let tiles = encoded(&layout, outcomes);
            manifest.tiers[5].summary = write(folder.path(), &layout, &tiles, counts, Some(&wrong));
        }
    });
    manifest.write(folder.path()).unwrap();
    let faults = faults(folder.path(), "4x3");
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("tier 5 was made from a table of tier 6 with digest 0707"));
    assert!(faults[1].contains("tier 4 was made from a table of tier 5 with digest"));
}

#[test]
fn missing_tables_and_manifests_are_reported() {
    let (index, sound) = (index("4x3"), tempfile::tempdir().unwrap());
    let manifest = write_all(sound.path(), &index, Horizon(2));

    let folder = copied(sound.path());
    fs::remove_file(table_file(folder.path(), tier_of(5))).unwrap();
    let told = faults(folder.path(), "4x3");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("tier-05.s4t: there is no table of tier 5 of 4x3"));

    // The manifest lists tables that do not exist, at the lower end too.
    for tier in 0..5 {
        fs::remove_file(table_file(folder.path(), tier_of(tier))).unwrap();
    }
    assert_eq!(faults(folder.path(), "4x3").len(), 6);
    let rest = Manifest::new(index.board(), 1.0, manifest.tiers[6..].to_vec());
    rest.write(folder.path()).unwrap();
    assert_eq!(faults(folder.path(), "4x3"), [""; 0]);

    let folder = copied(sound.path());
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    assert!(faults(folder.path(), "4x3")[0].contains("manifest.json: there is no manifest"));

    let mut other = manifest.clone();
    other.tiers[3].summary.counts.won += 1;
    other.tiers.remove(8);
    other.write(folder.path()).unwrap();
    let told = faults(folder.path(), "4x3");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("manifest.json does not list this table of tier 8"));
    let won = manifest.tiers[3].summary.counts.won;
    let differs = format!("won is {} there, and {won} here", won + 1);
    assert!(told[1].contains(&differs), "{told:?}");

    fs::write(folder.path().join("manifest.json"), "{").unwrap();
    assert!(faults(folder.path(), "4x3")[0].contains("manifest.json: not a manifest: EOF"));

    assert!(faults(tempfile::tempdir().unwrap().path(), "4x3")[0].contains("tier-12.s4t: there"));
    assert!(check(&folder.path().join("nowhere"), index.census(), &()).is_err());
}

#[test]
fn a_part_that_was_cut_short_names_its_board_or_else_the_folder_does() {
    let (index, folder) = (index("4x3"), tempfile::tempdir().unwrap());
    let folder = folder.path().join("5x4");
    let layout = Layout::new(index.census(), tier_of(4), Horizon(2));
    let _part = TierPart::create(&folder, &layout).unwrap();
    let file = the_file_in(&folder);
    let cut =
        |length| fs::File::options().write(true).open(&file).unwrap().set_len(length).unwrap();
    cut(512);
    assert_eq!(board_of(&folder), Some(index.board()));
    cut(0);
    assert_eq!(board_of(&folder).unwrap().to_string(), "5x4");
}

#[test]
fn a_folder_tells_what_is_in_it() {
    let (index, folder) = (index("4x3"), tempfile::tempdir().unwrap());
    assert_eq!(board_of(folder.path()), None);
    let layout = Layout::new(index.census(), tier_of(4), Horizon(2));
    let part = TierPart::create(folder.path(), &layout).unwrap();
    assert_eq!(board_of(folder.path()), Some(index.board()));
    let inventory = Inventory::of(folder.path(), index.board()).unwrap();
    assert_eq!((inventory.tables.len(), inventory.parts.len()), (0, 1));
    let found = &inventory.parts[0];
    assert_eq!((found.tier, found.bytes), (tier_of(4), part.length()));
    assert_eq!(inventory.missing().len(), 13);
    drop(part);

    write_all(folder.path(), &index, Horizon(2));
    let inventory = Inventory::of(folder.path(), index.board()).unwrap();
    assert_eq!((inventory.tables.len(), inventory.parts.len()), (13, 0));
    assert!(inventory.manifest && inventory.missing().is_empty());
    fs::remove_file(folder.path().join("manifest.json")).unwrap();
    assert_eq!(board_of(folder.path()), Some(index.board()));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_to_is_reported() {
    use std::os::unix::fs::PermissionsExt;
    let (index, folder) = (index("4x3"), tempfile::tempdir().unwrap());
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(folder.path().join("probe"), "").is_ok() {
        return; // A user who may do everything is refused nothing.
    }
    let layout = Layout::new(index.census(), tier_of(4), Horizon(0));
    let errors = [
        FolderLock::take(folder.path()).unwrap_err(),
        TierPart::create(folder.path(), &layout).unwrap_err(),
        Manifest::new(index.board(), 0.0, Vec::new()).write(folder.path()).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error.fault, Fault::ReadOnly { .. }), "{error}");
    }
}

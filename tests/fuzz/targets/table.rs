//! A table: header, block index, blocks. Every cell is an outcome or an error, the same each time,
//! and checking the whole table ends.

#![no_main]

use std::path::Path;

use fuzz::{boards, files::Folder, fit, seeds};
use libfuzzer_sys::fuzz_target;
use strong4::board::Tier;
use strong4::inside::index::Cell;
use strong4::inside::table::{
    Content, HEADER_BYTES, Header, Horizon, Layout, Table, check, score_folder, table_file,
};

thread_local! {
    static FOLDER: Folder = Folder::default();
}

fn read(bytes: &[u8]) {
    let Some((header, _)) = bytes.split_first_chunk::<HEADER_BYTES>() else { return };
    if let Ok(header) = Header::parse(header) {
        assert_eq!(Header::parse(&header.to_bytes()).as_ref(), Ok(&header));
    }
    let census = boards::small([header[12], header[13]]);
    let tier = Tier::new(header[14].min(census.board().last_tier().get())).unwrap();
    for content in [Content::OUTCOMES, Content::Scores] {
        let bytes = Box::new(bytes.to_vec());
        if let Ok(table) = Table::with_bytes(Path::new("table"), bytes, census, tier, content) {
            look_through(&table);
        }
    }
    FOLDER.with(|folder| {
        let scores = score_folder(folder.path());
        std::fs::create_dir_all(&scores).expect("room for a folder");
        let paths = [folder.path(), &scores].map(|folder| table_file(folder, tier));
        paths.iter().for_each(|path| std::fs::write(path, bytes).expect("room for a small file"));
        let checked = check(folder.path(), census, &()).expect("a folder that can be read");
        checked.faults.iter().for_each(|fault| drop(fault.to_string()));
        paths.iter().for_each(|path| std::fs::remove_file(path).expect("it was there"));
    });
}

fn look_through(table: &Table) {
    let tier = table.header().tier;
    for (tile, blocks) in table.layout().tiles() {
        // The first and the last cell of each block, and one outside.
        for block in blocks.iter() {
            let start = 512 * block.panel as u32;
            let columns = [start, blocks.columns().min(start + 512) - 1, blocks.columns()];
            for (row, column) in [block.rows.start, block.rows.end - 1]
                .into_iter()
                .flat_map(|row| columns.map(|column| (row as u32, column)))
            {
                let look = || table.outcome(Cell { tile, row, column });
                match (look(), look()) {
                    (Ok(outcome), Ok(again)) => assert_eq!(outcome, again),
                    (Err(error), Err(_)) => drop(error.to_string()),
                    _ => panic!("an outcome only now and then"),
                }
                let _ = table.outcome_bits(Cell { tile, row, column });
            }
        }
    }
    let summary = table.summary().expect("an index that is not longer than the file");
    assert_eq!(summary.tier, tier);
}

fuzz_target!(init: seeds::plant(seeds::tables), |bytes: &[u8]| {
    read(bytes);
    let mut bytes = bytes.to_vec();
    if let Some((header, _)) = bytes.split_first_chunk::<HEADER_BYTES>() {
        let census = boards::small([header[12], header[13]]);
        let tier = Tier::new(header[14].min(census.board().last_tier().get())).unwrap();
        let (horizon, of_scores) = (Horizon(header[19]), header[18] == 2);
        let content = if of_scores { Content::Scores } else { Content::OUTCOMES };
        let layout = Layout::with(census, tier, horizon, content);
        if of_scores {
            let plies = census.board().cells() - tier.stones() + 1;
            fit::table_of_scores(&mut bytes, layout.blocks(), layout.tiles().len() as u32, plies);
        } else {
            fit::table(&mut bytes, layout.blocks());
        }
        read(&bytes);
    }
});

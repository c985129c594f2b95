//! Tables of numbers: columns aligned to the right, two spaces between them.

/// The rows as lines, every column as wide as its widest cell.
pub fn aligned<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let widest = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(widest);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["tier", "live"], ["7", "54,131"]].map(|row| row.map(str::to_owned));
        assert_eq!(aligned(&rows), ["tier    live", "   7  54,131"]);
        assert!(aligned::<2>(&[]).is_empty());
    }
}

//! Tables of numbers: columns aligned to the right, two spaces between them.

/// A head, a row per tier, and their sum below if there is more than one. Each row adds up the
/// tiers it is given, usually a single one.
pub(crate) fn summed<T, const N: usize>(
    head: [&str; N],
    tiers: &[T],
    name: impl Fn(&T) -> String,
    row: impl Fn(String, &[T]) -> [String; N],
) -> Vec<String> {
    let sum = (tiers.len() > 1).then(|| row("sum".to_owned(), tiers));
    aligned(head, tiers.chunks(1).map(|tier| row(name(&tier[0]), tier)).chain(sum))
}

/// A head and rows as lines, every column as wide as its widest cell.
pub(crate) fn aligned<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
) -> Vec<String> {
    let mut all = vec![head.map(str::to_owned)];
    all.extend(rows);
    let widest = |column: usize| all.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(widest);
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    all.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["7", "54,131"].map(str::to_owned)];
        assert_eq!(aligned(["tier", "live"], rows), ["tier    live", "   7  54,131"]);
        assert_eq!(aligned(["tier", "live"], []), ["tier  live"]);
    }

    #[test]
    fn two_tiers_have_a_sum_and_one_has_none() {
        let table = |tiers: &[u64]| {
            let row = |name, tiers: &[u64]| [name, tiers.iter().sum::<u64>().to_string()];
            summed(["tier", "n"], tiers, |tier| (tier / 10).to_string(), row)
        };
        assert_eq!(table(&[70, 80]), ["tier    n", "   7   70", "   8   80", " sum  150"]);
        assert_eq!(table(&[70]), ["tier   n", "   7  70"]);
    }
}

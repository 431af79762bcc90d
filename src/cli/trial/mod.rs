//! A kernel that the command launches, to see what comes of it.
//!
//! - `launch.rs`: memory for the arguments on a device, and launches with it.
//! - `compare.rs`: how far results are apart.

pub(super) mod compare;
pub(super) mod launch;

/// Columns of the same width.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|c| {
            rows.iter()
                .filter_map(|r| r.get(c))
                .map(|t| t.chars().count())
                .max()
        })
        .map(|width| width.unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths);
        let line: Vec<String> = cells.map(|(cell, &w)| format!("{cell:<w$}")).collect();
        text.push_str(line.join("  ").trim_end());
        text.push('\n');
    }
    text
}

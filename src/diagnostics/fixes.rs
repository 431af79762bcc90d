use super::{Fix, Report};
use crate::source::{FileId, Location, MARK};
use std::collections::BTreeMap;

/// A file after the changes of a report's messages that leave no choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedFile {
    /// Its name, as messages have it.
    pub name: String,
    /// The text before, as it was read.
    pub before: String,
    /// The text after.
    pub after: String,
    /// Messages whose changes were made.
    pub fixes: usize,
}

/// The changes that are certain ([`Fix::certain`]), the first of each message; of changes that overlap, the first one.
pub fn certain(report: &Report) -> Vec<&Fix> {
    let mut made: BTreeMap<FileId, Vec<(Location, &str)>> = BTreeMap::new();
    let mut fixes = Vec::new();
    for diagnostic in &report.diagnostics {
        let Some(fix) = diagnostic.fixes.first().filter(|f| f.certain) else {
            continue;
        };
        if fix.edits.iter().any(|(at, _)| overlaps(&made, *at)) {
            continue;
        }
        add(&mut made, fix);
        fixes.push(fix);
    }
    fixes
}

/// Makes the changes that are [`certain`]. Messages that follow from others may go with them, and others may come: whoever
/// wants all done checks again.
pub fn fixed(report: &Report) -> Vec<FixedFile> {
    let mut made: BTreeMap<FileId, Vec<(Location, &str)>> = BTreeMap::new();
    let mut counts: BTreeMap<FileId, usize> = BTreeMap::new();
    for fix in certain(report) {
        add(&mut made, fix);
        if let Some((first, _)) = fix.edits.first() {
            *counts.entry(first.file).or_default() += 1;
        }
    }
    let mut out = Vec::new();
    for (id, mut edits) in made {
        let Some(file) = report.files.get(id) else {
            continue;
        };
        edits.sort_by_key(|(at, _)| at.span.start);
        let mark = if file.marked {
            MARK.into()
        } else {
            String::new()
        };
        let before = mark.clone() + &file.text;
        let mut after = mark;
        let mut done = 0;
        for (at, text) in edits {
            after.push_str(file.text.get(done..at.span.start as usize).unwrap_or(""));
            after.push_str(&file.with_own_ends(text));
            done = at.span.end as usize;
        }
        after.push_str(file.text.get(done..).unwrap_or(""));
        out.push(FixedFile {
            name: file.name.clone(),
            before,
            after,
            fixes: counts.get(&id).copied().unwrap_or(0),
        });
    }
    out
}

fn overlaps(made: &BTreeMap<FileId, Vec<(Location, &str)>>, at: Location) -> bool {
    let there = made.get(&at.file).into_iter().flatten();
    there.into_iter().any(|(other, _)| {
        let (a, b) = (at.span, other.span);
        a.start < b.end && b.start < a.end || a.start == b.start
    })
}

fn add<'f>(made: &mut BTreeMap<FileId, Vec<(Location, &'f str)>>, fix: &'f Fix) {
    for (at, text) in &fix.edits {
        made.entry(at.file).or_default().push((*at, text));
    }
}

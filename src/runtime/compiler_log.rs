//! What a device's compiler, or that of a host half, says, in lines and columns of the user's own source.

use crate::render::Word;
use crate::source::{FileId, Files, SourceFile};
use crate::transpile::Translation;

/// Columns from one tab stop to the next, as GCC counts them.
const TAB: usize = 8;

/// What the C++ compiler says of the host half of a translation that was made so: lines are the user's, columns those of the
/// generated line.
pub(super) fn of_host(log: &str, translation: &Translation) -> String {
    let words = &translation.host_words;
    let first = |words: &Vec<Word>| words.first().map(|w| (w.file, w.line));
    let source_map: Vec<_> = words.iter().map(first).collect();
    let host = translation.host.as_deref().unwrap_or_default();
    mapped(
        log,
        &Generated {
            files: &translation.warnings.files,
            lines: host.lines().collect(),
            source_map: &source_map,
            words,
        },
    )
}

/// A compiler's messages about a translation that was made with `#line`. Lines are the user's by that, or made so where
/// the compiler does not care (NVIDIA's OpenCL, which calls its source `<kernel>`); columns are those of the generated line,
/// and of a caret below it.
pub(super) fn in_users_places(log: &str, translation: &Translation) -> String {
    let lines: Vec<String> = log
        .split('\n')
        .map(|line| kernel_line(line, translation).unwrap_or_else(|| line.to_string()))
        .collect();
    mapped(
        &lines.join("\n"),
        &Generated {
            files: &translation.warnings.files,
            lines: translation.device.lines().collect(),
            source_map: &translation.source_map,
            words: &translation.words,
        },
    )
}

/// Columns, and carets, where the user has written what the compiler means.
fn mapped(log: &str, generated: &Generated<'_>) -> String {
    let lines: Vec<&str> = log.split('\n').collect();
    let places: Vec<Option<Named<'_>>> = lines.iter().map(|l| named(l, generated.files)).collect();
    // A compiler counts bytes or columns of a terminal, all the time: in which words begin where it says so.
    let exact = |count: Count| {
        let places = places.iter().flatten();
        places.filter(|p| generated.is_word(p, count)).count()
    };
    let count = match exact(Count::Bytes) >= exact(Count::Columns) {
        true => Count::Bytes,
        false => Count::Columns,
    };
    let mut out = Vec::new();
    // How far carets move.
    let mut shift = 0isize;
    for (line, place) in lines.iter().zip(&places) {
        let found = place
            .as_ref()
            .and_then(|p| Some((p, generated.original(p, count)?)));
        let Some((place, ours)) = found else {
            out.push(moved(line, shift));
            continue;
        };
        shift = display(place.text, ours) as isize - place.column as isize;
        let (before, row, after) = (place.before, place.row, place.after);
        out.push(format!("{before}:{row}:{ours}:{after}"));
    }
    out.join("\n")
}

/// What a compiler counts in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Count {
    Bytes,
    /// Of a terminal; GCC's way.
    Columns,
}

/// A line of a log that names a place: `before:row:column:after`.
struct Named<'a> {
    before: &'a str,
    file: FileId,
    row: usize,
    column: usize,
    after: &'a str,
    /// The user's line.
    text: &'a str,
}

/// What was compiled, by lines.
struct Generated<'a> {
    /// The user's.
    files: &'a Files,
    lines: Vec<&'a str>,
    /// The user's line that the compiler takes each one for.
    source_map: &'a [Option<(FileId, usize)>],
    words: &'a [Vec<Word>],
}

impl Generated<'_> {
    /// Columns in which words of the lines that the compiler takes for this one begin, and those of the user's words.
    fn words(&self, place: &Named<'_>, count: Count) -> impl Iterator<Item = (usize, usize)> {
        let (file, row) = (place.file, place.row);
        let lines = self.source_map.iter().enumerate();
        let lines = lines.filter(move |(_, place)| **place == Some((file, row)));
        lines.flat_map(move |(index, _)| {
            let text = self.lines.get(index).copied().unwrap_or_default();
            let words = self.words.get(index).map_or(&[][..], Vec::as_slice);
            let words = words
                .iter()
                .filter(move |w| (w.file, w.line) == (file, row));
            words.map(move |w| match count {
                Count::Bytes => (w.column, w.original),
                Count::Columns => (display(text, w.column), w.original),
            })
        })
    }

    fn is_word(&self, place: &Named<'_>, count: Count) -> bool {
        self.words(place, count).any(|(at, _)| at == place.column)
    }

    /// The user's column: that of the word there, or of the one before where nobody has written what is there.
    fn original(&self, place: &Named<'_>, count: Count) -> Option<usize> {
        let before = self
            .words(place, count)
            .filter(|(at, _)| *at <= place.column);
        before
            .max_by_key(|(at, _)| *at)
            .map(|(_, original)| original)
    }
}

/// `<kernel>:7:5: …` with the name and number of the user's line.
fn kernel_line(line: &str, translation: &Translation) -> Option<String> {
    let rest = line.strip_prefix("<kernel>:")?;
    let (number, rest) = rest.split_once(':')?;
    let number = number.parse::<usize>().ok()?.checked_sub(1)?;
    let (file, line) = (*translation.source_map.get(number)?)?;
    let name = &translation.warnings.files.get(file)?.name;
    Some(format!("{name}:{line}:{rest}"))
}

/// The place that a line names, if it is one of the user's.
fn named<'a>(line: &'a str, all: &'a Files) -> Option<Named<'a>> {
    for (end, _) in line.match_indices(':') {
        let Some((row, after)) = number(line.get(end + 1..)?) else {
            continue;
        };
        let Some((column, after)) = number(after) else {
            continue;
        };
        let before = line.get(..end)?;
        let mut files = (0..).map(FileId).map_while(|id| {
            let file = all.get(id)?;
            Some((id, file))
        });
        // `In file included from a.okl:1:2:`, `error: a.okl:1:2:`
        let is_named = |file: &SourceFile| {
            let rest = before.strip_suffix(file.name.as_str());
            rest.is_some_and(|r| r.is_empty() || r.ends_with(' '))
        };
        if let Some((file, user)) = files.find(|(_, file)| is_named(file)) {
            return Some(Named {
                before,
                file,
                row,
                column,
                after,
                text: user.text.lines().nth(row - 1)?,
            });
        }
    }
    None
}

/// `12:…`
fn number(text: &str) -> Option<(usize, &str)> {
    let (digits, rest) = text.split_once(':')?;
    let number = digits.parse().ok().filter(|&n| n > 0)?;
    Some((number, rest))
}

/// In which column of a terminal a byte (from 1) of a line is.
fn display(line: &str, byte: usize) -> usize {
    let before = line.char_indices().take_while(|(at, _)| at + 1 < byte);
    1 + before.fold(0, |at, (_, c)| match c {
        '\t' => (at / TAB + 1) * TAB,
        _ => at + 1,
    })
}

/// A line of GCC's below the user's text (`      |   ^~~~`), so much further right.
fn moved(line: &str, by: isize) -> String {
    let Some((before, carets)) = line.split_once('|').filter(|(b, _)| b.trim().is_empty()) else {
        return line.to_string();
    };
    let blanks = carets.len() - carets.trim_start_matches(' ').len();
    let to = blanks.saturating_add_signed(by).max(1);
    match carets.trim().is_empty() {
        true => line.to_string(),
        false => format!("{before}|{}{}", " ".repeat(to), carets.trim_start()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carets_move_and_text_does_not() {
        assert_eq!(moved("      |     ^~~", -2), "      |   ^~~");
        assert_eq!(moved("    4 | a[i] = b;", 3), "    4 | a[i] = b;");
        assert_eq!(moved("      | ", 3), "      | ");
        assert_eq!(display("\ta\tb", 2), 9);
        assert_eq!(display("\ta\tb", 4), 17);
        assert_eq!(display("äb", 3), 2);
        assert_eq!(number("12:3: x"), Some((12, "3: x")));
        assert_eq!(number("0:3"), None);
    }
}

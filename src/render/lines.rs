//! `#line`, so that what the device's compiler says names the user's lines.

use super::Word;
use crate::lex::lex;
use crate::source::{FileId, Files};
use std::fmt::Write;

/// What is not the user's is said to be in this file, at its true line.
const GENERATED: &str = "<generated>";

type Place = Option<(FileId, usize)>;

/// `device` with a `#line` wherever the next line does not follow from the one before, and the map of
/// its lines. `words` are those of each line, and are so afterwards.
pub(super) fn with_directives(
    device: &str,
    map: &[Place],
    words: &mut Vec<Vec<Word>>,
    files: &Files,
) -> (String, Vec<Place>) {
    let mut old_words = std::mem::take(words).into_iter();
    let mut out = String::with_capacity(device.len() + device.len() / 4);
    let mut new_map = Vec::with_capacity(map.len());
    let mut free = line_starts(device).into_iter();
    // Which line the compiler takes the next one for.
    let mut told: Place = None;
    for (index, line) in device.split_inclusive('\n').enumerate() {
        let place = map.get(index).copied().flatten();
        let free = free.next().unwrap_or(false);
        if free && !line.trim().is_empty() && told != place {
            let name = place.map(|(file, _)| files.get(file).map_or("", |f| f.name.as_str()));
            let number = place.map_or(new_map.len() + 2, |(_, line)| line);
            let name = name.unwrap_or(GENERATED);
            let name = super::printable(name)
                .replace('\\', "\\\\")
                .replace('"', "\\\"");
            // Writing to a String cannot fail.
            let _ = writeln!(out, "#line {number} \"{name}\"");
            new_map.push(None);
            words.push(Vec::new());
            told = place;
        }
        out.push_str(line);
        new_map.push(place);
        words.push(old_words.next().unwrap_or_default());
        told = told.map(|(file, line)| (file, line + 1));
    }
    (out, new_map)
}

/// For each line whether a directive may stand before it: not within a token, a comment, a directive
/// of several lines, or parentheses, which may be a macro's.
fn line_starts(text: &str) -> Vec<bool> {
    let mut free = vec![true];
    let mut depth = 0usize;
    let mut at = 0;
    for token in &lex(text) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        gap(text.get(at..start).unwrap_or(""), depth > 0, &mut free);
        let word = token.text(text);
        free.extend(word.bytes().filter(|b| *b == b'\n').map(|_| false));
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        at = end;
    }
    gap(text.get(at..).unwrap_or(""), depth > 0, &mut free);
    free
}

/// The lines that begin in the white space and comments between two tokens.
fn gap(text: &str, inside: bool, free: &mut Vec<bool>) {
    let bytes = text.as_bytes();
    let (mut block, mut line) = (false, false);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = bytes.get(at..).unwrap_or_default();
        if byte == b'\n' {
            let spliced = at > 0 && bytes.get(at - 1) == Some(&b'\\');
            free.push(!inside && !block && !spliced);
            line &= spliced;
        } else if block && rest.starts_with(b"*/") {
            block = false;
            at += 1;
        } else if !block && !line && rest.starts_with(b"/*") {
            block = true;
            at += 1;
        } else if !block && rest.starts_with(b"//") {
            line = true;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceFile;

    #[test]
    fn directives_stand_where_lines_jump() {
        let mut files = Files::default();
        let a = files.add(SourceFile::plain("a \"b\".okl", ""));
        let device = "prelude\nf(1,\n  2);\ng();\n\nh(); /* x\ny */\ni();\nend\n";
        let map = [
            None,
            Some((a, 3)),
            Some((a, 9)),
            Some((a, 5)),
            None,
            Some((a, 8)),
            None,
            Some((a, 9)),
        ];
        let (text, map) = with_directives(device, &map, &mut Vec::new(), &files);
        assert_eq!(
            text,
            "prelude\n#line 3 \"a \\\"b\\\".okl\"\nf(1,\n  2);\ng();\n\n#line 8 \"a \\\"b\\\".okl\"\nh(); /* x\ny */\n\
             #line 9 \"a \\\"b\\\".okl\"\ni();\n#line 13 \"<generated>\"\nend\n"
        );
        assert_eq!(map.len(), text.lines().count());
        assert_eq!(map[2], Some((a, 3)));
        assert_eq!(map[12], None);
    }

    #[test]
    fn directives_split_nothing() {
        let starts = |text| line_starts(text);
        assert_eq!(starts("a\nb"), [true, true]);
        assert_eq!(starts("#define a \\\n b\nc"), [true, false, true]);
        assert_eq!(
            starts("R\"(\n)\"\nf(\n)\n"),
            [true, false, true, false, true]
        );
        assert_eq!(
            starts("// a \\\n /* b\nc /* d\n e */ f\n"),
            [true, false, true, false, true]
        );
    }
}

//! Small questions about the words of a text, whatever its layout.

use super::{lex, unspliced};

/// Whether one of some words is among the names of `text`: neither a part of one, nor in a comment or a string.
#[must_use]
pub fn mentions(text: &str, words: &[&str]) -> bool {
    // Most texts do not even hold the letters.
    let mut letters = words.iter().filter(|w| text.contains(**w)).peekable();
    letters.peek().is_some()
        && lex(text)
            .iter()
            .any(|t| t.is_identifier() && words.contains(&t.text(text)))
}

/// The most characters of a program's that [`shown`] leaves.
const MOST_SHOWN: usize = 48;

/// The words of a piece of the program, for a message: on one line, and not all of them if they are many.
#[must_use]
pub fn shown(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut shown = words.join(" ");
    if let Some((end, _)) = shown.char_indices().nth(MOST_SHOWN) {
        shown.truncate(end);
        shown.push('…');
    }
    shown
}

/// How long a text is with one blank behind each token: its length, whatever the layout.
#[must_use]
pub fn length(text: &str) -> usize {
    let tokens = lex(text);
    tokens.iter().map(|t| t.span.len() as usize + 1).sum()
}

/// The text of words and punctuation in one layout: blanks where words meet and behind commas.
#[must_use]
pub fn one_layout(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let word =
        |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'"' | b'\'') || b >= 0x80;
    for token in lex(text) {
        let token = token.text(text);
        let (last, first) = (out.as_bytes().last(), token.as_bytes().first());
        let apart = last.zip(first).is_some_and(|(&last, &first)| match first {
            _ if last == b',' => true,
            _ if word(first) => word(last) || matches!(last, b'>' | b')' | b']'),
            b'>' => last == b'>',
            _ => false,
        });
        if apart {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

/// Whether two texts are the same words and punctuation, whatever their layout.
#[must_use]
pub fn same_words(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let tokens = lex(text).into_iter();
        tokens.map(|t| unspliced(t.text(text))).collect()
    };
    a == b || words(a) == words(b)
}

/// Words of a type or declarator without `const`.
#[must_use]
pub fn without_const(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut done = 0;
    let mut tokens = lex(words).into_iter().peekable();
    while let Some(token) = tokens.next() {
        if token.is(words, "const") {
            out.push_str(words.get(done..token.span.start as usize).unwrap_or(""));
            // With the blanks behind it, or those before it where nothing follows.
            done = tokens.peek().map_or(words.len(), |t| t.span.start as usize);
            if tokens.peek().is_none() {
                out.truncate(out.trim_end().len());
                done = words.trim_end().len();
            }
        }
    }
    out.push_str(words.get(done..).unwrap_or(""));
    out
}

/// Whether a number is a `long double`.
pub fn is_long_double(number: &str) -> bool {
    let hexadecimal = number.starts_with("0x") || number.starts_with("0X");
    let marks: &[char] = match hexadecimal {
        true => &['.', 'p', 'P'],
        false => &['.', 'e', 'E'],
    };
    number.ends_with(['l', 'L']) && number.contains(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole_and_of_the_program() {
        assert!(mentions("float *restrict a", &["restrict"]));
        assert!(!mentions("float *restricted", &["restrict"]));
        assert!(!mentions("x /* do */ + \"do\"", &["do"]));
    }

    #[test]
    fn constants_that_change() {
        assert_eq!(without_const("const my_const x"), "my_const x");
        assert_eq!(without_const("int const"), "int");
        assert_eq!(without_const("* const "), "* ");
    }

    #[test]
    fn layout_does_not_matter() {
        assert_eq!(one_layout(" unsigned\n  long "), "unsigned long");
        assert_eq!(one_layout("a::b< c,d > const/**/x"), "a::b<c, d> const x");
        assert_eq!(length("a  +\n\n b /* long */"), length("a+b"));
    }
}

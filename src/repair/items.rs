//! Where a long text can be cut: whoever types breaks one function of many, and trying on that alone is as much faster as
//! it is shorter.

use super::oracle::Oracle;
use crate::lex::lex;
use crate::source::Span;

/// Bytes below which nothing is won.
const LEAST: usize = 4000;
/// Items that cannot be parsed by themselves; with more, the text is not cut where we think.
const MOST_BROKEN: usize = 4;

/// The items of a text that cannot be parsed, if all others can; none where the text is short, or does not fall into
/// items.
pub(super) fn broken(text: &str, oracle: &Oracle<'_>) -> Option<Vec<Span>> {
    if text.len() < LEAST {
        return None;
    }
    let items = items(text);
    if items.len() < 3 {
        return None;
    }
    let mut broken = Vec::new();
    for item in items {
        // What follows something that is not closed says the same as often as there is text.
        if oracle.first_error(item.of(text)).is_some() {
            broken.push(item);
        }
        if broken.len() > MOST_BROKEN {
            return None;
        }
    }
    (!broken.is_empty()).then_some(broken)
}

/// A text by what begins in the first column, behind something that ends.
fn items(text: &str) -> Vec<Span> {
    let tokens = lex(text);
    let mut starts = Vec::new();
    let mut before = "";
    for token in &tokens {
        let at = token.span.start as usize;
        let first = at == 0 || text.as_bytes().get(at - 1) == Some(&b'\n');
        let word = token.text(text);
        let begins = word == "@" || word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let alone = !matches!(word, "else" | "while" | "case" | "default");
        if first && begins && alone && matches!(before, "" | "}" | ";") {
            starts.push(token.span.start);
        }
        before = word;
    }
    let ends = starts.iter().skip(1).copied();
    let ends: Vec<u32> = ends.chain([text.len() as u32]).collect();
    let spans = starts.iter().zip(ends);
    spans.map(|(&start, end)| Span::new(start, end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_in_the_first_column_is_an_item() {
        let text = "int a;\n@kernel void f() {\n  int x\n}\n\nvoid g()\n{\nint y;\n}\nfloat\nh() { return 1; }\n";
        let pieces: Vec<&str> = items(text).into_iter().map(|i| i.of(text).trim()).collect();
        assert_eq!(
            pieces,
            [
                "int a;",
                "@kernel void f() {\n  int x\n}",
                "void g()\n{\nint y;\n}",
                "float\nh() { return 1; }",
            ]
        );
    }
}

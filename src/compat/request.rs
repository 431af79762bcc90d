use crate::lex::{TokenKind, lex};
use crate::source::Span;
use foldhash::HashSet;

/// `f<float, 4>`
pub(crate) struct Request<'r> {
    pub(crate) name: &'r str,
    pub(crate) arguments: Vec<&'r str>,
}

impl<'r> Request<'r> {
    pub(crate) fn parse(text: &'r str) -> Option<Self> {
        let (name, rest) = text.trim().split_once('<')?;
        let inner = rest.trim_end().strip_suffix('>')?;
        let name = name.trim();
        let is_name = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            && name.bytes().next().is_some_and(|b| !b.is_ascii_digit());
        let arguments = split(inner);
        let whole = arguments.iter().all(|a| is_argument(a));
        (is_name && whole).then_some(Self { name, arguments })
    }

    /// A name for the kernel that no other has, from its own and its arguments.
    pub(super) fn identifier(&self, taken: &mut HashSet<String>) -> String {
        let mut base = self.name.to_string();
        for argument in &self.arguments {
            base.push('_');
            base.extend(argument.chars().filter_map(|c| match c {
                c if c.is_ascii_alphanumeric() || c == '_' => Some(c),
                '-' => Some('m'),
                '*' => Some('p'),
                _ => None,
            }));
        }
        let mut name = base.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// The parts between commas outside of brackets, trimmed; none of an empty text. Outside of parentheses `<` opens one.
pub(crate) fn split(text: &str) -> Vec<&str> {
    if text.trim().is_empty() {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let (mut round, mut angle, mut start) = (0usize, 0usize, 0);
    for token in lex(text) {
        match token.text(text) {
            "(" | "[" => round += 1,
            ")" | "]" => round = round.saturating_sub(1),
            _ if round > 0 => {}
            "<" => angle += 1,
            ">" => angle = angle.saturating_sub(1),
            ">>" => angle = angle.saturating_sub(2),
            "," if angle == 0 => {
                parts.push(Span::new(start, token.span.start).of(text).trim());
                start = token.span.end;
            }
            _ => {}
        }
    }
    parts.push(text.get(start as usize..).unwrap_or("").trim());
    parts
}

/// Whether a text can be one argument of a template.
pub(crate) fn is_argument(text: &str) -> bool {
    let (mut brackets, mut sound) = (Vec::new(), true);
    for token in lex(text) {
        match token.text(text) {
            open @ ("(" | "[") => brackets.push(open),
            ")" => sound &= brackets.pop() == Some("("),
            "]" => sound &= brackets.pop() == Some("["),
            ";" | "{" | "}" | "#" | "@" => sound = false,
            _ => {
                sound &= matches!(
                    token.kind,
                    TokenKind::Identifier
                        | TokenKind::Number
                        | TokenKind::Character
                        | TokenKind::Punctuator
                );
            }
        }
    }
    let is_comment = text.contains("//") || text.contains("/*");
    sound && brackets.is_empty() && !is_comment && split(text).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_inside_of_brackets_separate_nothing() {
        assert_eq!(split(" float , 4 "), ["float", "4"]);
        assert_eq!(
            split("Pair<int, Pair<a, b>>, f(1, 2)"),
            ["Pair<int, Pair<a, b>>", "f(1, 2)"]
        );
        assert_eq!(
            split("(a < b), (c > d), 8 >> 1, x"),
            ["(a < b)", "(c > d)", "8 >> 1", "x"]
        );
        assert!(split("  ").is_empty());
    }

    #[test]
    fn an_argument_is_one() {
        for good in [
            "float",
            "unsigned int",
            "-1",
            "(1, 2)",
            "Pair<int, 2>",
            "'a'",
        ] {
            assert!(is_argument(good), "{good}");
        }
        for bad in [
            "",
            "float, 4",
            "1) + (2",
            "a; b",
            "\"x\"",
            "{1}",
            "4 // four",
            "(1",
        ] {
            assert!(!is_argument(bad), "{bad}");
        }
        assert!(Request::parse("f<float, 4>").is_some_and(|r| r.arguments == ["float", "4"]));
        assert!(Request::parse("f").is_none() && Request::parse("4f<int>").is_none());
    }
}

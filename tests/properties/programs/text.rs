//! The same piece of a program in both languages.

/// A piece of OKL, and of the plain C++ that computes the same.
#[derive(Clone, Default, Debug, PartialEq)]
pub struct Text {
    pub okl: String,
    pub plain: String,
}

impl Text {
    /// What both languages spell alike.
    pub fn same(text: impl Into<String>) -> Self {
        let okl = text.into();
        let plain = okl.clone();
        Self { okl, plain }
    }

    pub fn new(okl: impl Into<String>, plain: impl Into<String>) -> Self {
        Self {
            okl: okl.into(),
            plain: plain.into(),
        }
    }

    /// A form with parts: each `{}` is the next one's.
    pub fn form(form: &str, parts: &[&Self]) -> Self {
        let fill = |of: fn(&Self) -> &str| {
            let mut pieces = form.split("{}");
            let mut text = pieces.next().unwrap_or_default().to_string();
            for (part, piece) in parts.iter().zip(pieces) {
                text.push_str(of(part));
                text.push_str(piece);
            }
            text
        };
        Self::new(fill(|t| &t.okl), fill(|t| &t.plain))
    }

    /// More behind it.
    pub fn push(&mut self, other: &Self) {
        self.okl.push_str(&other.okl);
        self.plain.push_str(&other.plain);
    }

    /// A line behind it, in both languages.
    pub fn line(&mut self, depth: usize, line: &Self) {
        for (text, line) in [(&mut self.okl, &line.okl), (&mut self.plain, &line.plain)] {
            if !line.is_empty() {
                text.push_str(&"  ".repeat(depth));
                text.push_str(line);
                text.push('\n');
            }
        }
    }
}

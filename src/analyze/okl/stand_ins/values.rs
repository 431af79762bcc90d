//! Declarations whose value stands in brackets: `T x(a[i]);` looks like a function, and `T *p(x);` no grammar reads as
//! anything else.

use super::Program;

impl Program<'_> {
    /// Whether a name begins the value in `T x(a[i]);`, which looks like a parameter's type.
    pub(super) fn begins_value(&self, index: usize, last: usize) -> bool {
        let back = |n: usize| index.checked_sub(n);
        let (Some(open), Some(name), Some(before)) = (back(1), back(2), back(3)) else {
            return false;
        };
        self.word(open) == "("
            && self.is_identifier(name)
            && (self.is_identifier(before) || self.word(before) == ",")
            && matches!(self.word(last + 1), "[" | "(" | ",")
    }

    /// Where the value of a pointer ends whose declaration has it in the brackets that open there:
    /// `const T *p(x), *q(y);`.
    pub(super) fn pointer_value(&self, open: usize) -> Option<usize> {
        let mut star = open.checked_sub(2)?;
        if matches!(self.word(star), "const" | "volatile") {
            star = star.checked_sub(1)?;
        }
        if !self.is_identifier(open - 1) || self.word(star) != "*" {
            return None;
        }
        // The `*` stands behind the type, or behind a comma of the declaration.
        while matches!(self.word(star), "*" | "const" | "volatile") {
            star = star.checked_sub(1)?;
        }
        let is_type = |at: usize| {
            let word = self.word(at);
            let value = matches!(
                word,
                "false" | "new" | "return" | "sizeof" | "this" | "true"
            );
            !value && self.is_type(word)
        };
        // Most are products, and statements can be long.
        if self.word(star) != "," && !is_type(star) {
            return None;
        }
        let first = self.statement(open)?;
        let declares = is_type(first);
        let behind = self.word(star) == "," || first <= star;
        let next = self.word(open + 1);
        let value = matches!(next, "nullptr" | "this" | "new" | "sizeof");
        if !declares || !behind || next == ")" || self.is_type(next) && !value {
            return None;
        }
        let close = self.close(open)?;
        matches!(self.word(close + 1), "," | ";").then_some(close)
    }

    /// The first word of the statement around; `None` within brackets.
    fn statement(&self, at: usize) -> Option<usize> {
        let (mut first, mut depth) = (at, 0usize);
        while let Some(at) = first.checked_sub(1) {
            match self.word(at) {
                ";" | "{" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth += 1,
                "(" if depth == 0 && at > 0 && self.word(at - 1) == "for" => break,
                "(" | "[" | "{" if depth == 0 => return None,
                "(" | "[" | "{" => depth -= 1,
                _ => {}
            }
            first = at;
        }
        Some(first)
    }
}

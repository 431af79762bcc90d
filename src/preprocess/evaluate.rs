use super::State;
use super::condition::Verdict;
use super::directives::Line;
use super::pieces::{Kind, Piece};
use crate::diagnostics::codes;
use crate::expr::{self, EvaluateError, Expr, Scalar, UnaryOperator, Value};
use crate::lex::TokenKind;

/// Identifiers that mean something to the expression parser.
const WORDS: [&str; 10] = [
    "true", "false", "and", "or", "not", "not_eq", "bitand", "bitor", "xor", "compl",
];

/// The text of an expression, and which token each part of it is.
#[derive(Default)]
struct Condition {
    text: String,
    parts: Vec<(u32, Piece)>,
    /// The same for the vendor's compiler.
    kept: String,
    /// For each open parenthesis, how much there was with it.
    open: Vec<(usize, usize, usize)>,
}

/// What is wrong with a condition, and where; `None` for all of it.
struct Malformed(String, Option<Piece>);

impl Condition {
    fn add(&mut self, text: &str, piece: Piece) {
        self.add_kept(text);
        self.text.push(' ');
        self.parts.push((self.text.len() as u32, piece));
        self.text.push_str(text);
    }

    fn add_kept(&mut self, text: &str) {
        if !self.kept.is_empty() {
            self.kept.push(' ');
        }
        self.kept.push_str(match text {
            // C has no such words.
            "true" => "1",
            "false" => "0",
            "and" => "&&",
            "or" => "||",
            "not" => "!",
            "not_eq" => "!=",
            "bitand" => "&",
            "bitor" => "|",
            "xor" => "^",
            "compl" => "~",
            text => text,
        });
    }

    fn add_other(&mut self, text: &str, piece: Piece) {
        self.add(text, piece);
        match text {
            "(" => self.open.push(self.mark()),
            ")" => drop(self.open.pop()),
            _ => {}
        }
    }

    fn mark(&self) -> (usize, usize, usize) {
        (self.text.len(), self.parts.len(), self.kept.len())
    }

    /// Drops what stands to the left of an assignment.
    fn drop_left(&mut self) {
        let (text, parts, kept) = self.open.last().copied().unwrap_or_default();
        self.text.truncate(text);
        self.parts.truncate(parts);
        self.kept.truncate(kept);
    }

    /// `defined(NAME)`, which the expression knows as the name.
    fn add_defined(&mut self, name: &str, piece: Piece) {
        let kept = self.kept.len();
        self.add(name, piece);
        self.kept.truncate(kept);
        self.add_kept(&format!("defined({name})"));
    }

    fn part_at(&self, offset: u32) -> Option<Piece> {
        let index = self.parts.partition_point(|(start, _)| *start <= offset);
        self.parts.get(index.checked_sub(1)?).map(|part| part.1)
    }
}

impl State<'_> {
    /// Whether the expression of `#if` or `#elif` is true. What is none is reported and false.
    pub(super) fn evaluate(&mut self, line: &Line) -> Verdict {
        if !self.are_tokens(&line.source, line.rest()) {
            return Verdict::No;
        }
        let pieces = self.texts.pieces(&line.source, line.rest());
        let floor = self.contexts.len();
        self.push_context(pieces, None);
        let gathered = self.gather(floor, line.name());
        while self.next_of_context(floor).is_some() {}
        match gathered.and_then(|condition| self.value(condition)) {
            Ok(verdict) => verdict,
            Err(Malformed(what, piece)) => {
                match piece {
                    _ if self.stopped => {}
                    Some(piece) => {
                        self.fail_at(&codes::CONDITION_MALFORMED, &piece, &[&line.name(), &what])
                    }
                    None => {
                        let location = line.location(self);
                        self.fail(
                            &codes::CONDITION_MALFORMED,
                            location,
                            &[&line.name(), &what],
                        );
                    }
                }
                Verdict::No
            }
        }
    }

    /// Expands the condition and replaces what the expression language does not know.
    fn gather(&mut self, floor: usize, directive: &str) -> Result<Condition, Malformed> {
        let mut condition = Condition::default();
        while let Some(piece) = self.advance(floor, false, &mut None) {
            let text = self.texts.of(&piece);
            match piece.kind {
                Kind::Token(TokenKind::Number) => condition.add(&as_long(text), piece),
                Kind::Token(TokenKind::Identifier) => match text {
                    "defined" => self.defined(floor, piece, &mut condition)?,
                    "__has_include" | "__has_include_next" => {
                        let next = text == "__has_include_next";
                        let found = self.has_include(floor, piece, next)?;
                        condition.add(if found { "1L" } else { "0L" }, piece);
                    }
                    word if WORDS.contains(&word) || self.is_vendor(word) => {
                        condition.add(word, piece);
                    }
                    name => {
                        if self.open_follows(floor, false) {
                            let what = format!("'{name}' is no macro with arguments");
                            return Err(Malformed(what, Some(piece)));
                        }
                        condition.add("0L", piece);
                    }
                },
                _ if text == "=" => {
                    condition.drop_left();
                    self.fail_at(&codes::CONDITION_ASSIGNMENT, &piece, &[&directive]);
                }
                _ => condition.add_other(text, piece),
            }
        }
        Ok(condition)
    }

    /// `defined X` or `defined(X)`.
    fn defined(
        &mut self,
        floor: usize,
        at: Piece,
        condition: &mut Condition,
    ) -> Result<(), Malformed> {
        let wrong = || Malformed("'defined' needs the name of a macro".to_string(), Some(at));
        let mut name = self.next(floor, false).ok_or_else(wrong)?;
        let open = self.texts.is(&name, "(");
        if open {
            name = self.next(floor, false).ok_or_else(wrong)?;
        }
        if !name.is_identifier() {
            return Err(wrong());
        }
        if open
            && !self
                .next(floor, false)
                .is_some_and(|p| self.texts.is(&p, ")"))
        {
            return Err(wrong());
        }
        let text = self.texts.of(&name).to_string();
        let location = self.written(name.place, name.span.len());
        match self.is_defined(&text, location) {
            Some(defined) => condition.add(if defined { "1L" } else { "0L" }, name),
            // Only a name that decides leaves it open: the expression is evaluated lazily.
            None => condition.add_defined(&text, name),
        }
        Ok(())
    }

    /// `__has_include("x")` or `__has_include(<x>)`.
    fn has_include(&mut self, floor: usize, at: Piece, next: bool) -> Result<bool, Malformed> {
        let wrong = || {
            Malformed(
                "__has_include needs (\"FILE\") or (<FILE>)".into(),
                Some(at),
            )
        };
        let open = self.next(floor, false).ok_or_else(wrong)?;
        let first = self.advance(floor, false, &mut None).ok_or_else(wrong)?;
        let mut pieces = vec![first];
        if self.texts.is(&first, "<") {
            loop {
                let piece = self.next(floor, false).ok_or_else(wrong)?;
                pieces.push(piece);
                if self.texts.is(&piece, ">") {
                    break;
                }
            }
        }
        let close = self.next(floor, false).ok_or_else(wrong)?;
        let header = self.header_of(&pieces).ok_or_else(wrong)?;
        if !self.texts.is(&open, "(") || !self.texts.is(&close, ")") {
            return Err(wrong());
        }
        Ok(self.exists(&header, next))
    }

    fn value(&self, condition: Condition) -> Result<Verdict, Malformed> {
        let expr = expr::parse(&condition.text).map_err(|error| {
            let part = condition.part_at(error.span.start);
            let mut message = error.message;
            // The user knows the name, not the 0 that stands for it.
            if let Some(piece) = part.filter(Piece::is_identifier) {
                message = message.replace("'0L'", &format!("'{}'", self.texts.of(&piece)));
            }
            Malformed(message, part)
        })?;
        match expr::evaluate(&widened(expr), &|_| None) {
            Ok(Value::Int(_, bits)) => Ok(Verdict::of(bits != 0)),
            Ok(Value::Float(..)) => Err(Malformed("it is no integer".to_string(), None)),
            // What is left are the names that the vendor's compiler knows.
            Err(EvaluateError::Unknown(_)) => Ok(Verdict::Open(condition.kept)),
            Err(error) => Err(Malformed(error.to_string(), None)),
        }
    }
}

/// An integer as the preprocessor types it (C11 6.10.1p4): 64 bits wide, signed unless it says `u`
/// or does not fit.
fn as_long(number: &str) -> String {
    let plain = number.trim_end_matches(['l', 'L', 'z', 'Z']);
    match plain.strip_suffix(['u', 'U']) {
        Some(digits) => format!("{}uL", digits.trim_end_matches(['l', 'L', 'z', 'Z'])),
        None => format!("{plain}L"),
    }
}

/// The expression with all operands 64 bits wide.
fn widened(expr: Expr) -> Expr {
    let boxed = |e: Box<Expr>| Box::new(widened(*e));
    let long = |e: Expr| Expr::Cast(Scalar::Long, Box::new(e));
    match expr {
        Expr::Literal(Value::Int(scalar, bits)) if scalar != Scalar::ULong => {
            Expr::Literal(Value::Int(Scalar::Long, bits))
        }
        Expr::Unary(UnaryOperator::Not, a) => long(Expr::Unary(UnaryOperator::Not, boxed(a))),
        Expr::Unary(operator, a) => Expr::Unary(operator, boxed(a)),
        Expr::Binary(operator, a, b) => {
            let wide = Expr::Binary(operator, boxed(a), boxed(b));
            if operator.is_boolean() {
                long(wide)
            } else {
                wide
            }
        }
        Expr::Conditional(a, b, c) => Expr::Conditional(boxed(a), boxed(b), boxed(c)),
        other => other,
    }
}

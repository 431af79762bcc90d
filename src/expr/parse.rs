use super::operators::{BINARY, UNARY};
use super::{BinaryOperator, Expr, Scalar, UnaryOperator, Value, literal};
use crate::lex::{Token, TokenKind, lex};
use crate::source::Span;
use std::borrow::Cow;
use std::fmt;

/// Deepest nesting of parentheses, prefix operators, conditionals and arguments.
const DEEPEST: usize = 200;
/// Tallest tree: a sum of many terms is as tall as it has terms, and whoever walks the tree recurses.
const TALLEST: u16 = 500;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Where, in the text that was parsed.
    pub span: Span,
    /// What was expected and what was found.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ParseError {}

/// Reads one C expression over scalars, the whole of `text`.
///
/// `a.b` and `a->b` become the name `a.b`. There are no assignments, no comma operator, no
/// subscripts, no pointers.
///
/// # Errors
/// What is not such an expression, and what nests deeper than 200 levels.
pub fn parse(text: &str) -> Result<Expr, ParseError> {
    read(text, None)
}

/// Reads what an expression statement of the host's part may be; `types` knows the scalars that
/// typedefs name.
///
/// Beyond [`parse`] there are members and elements (`p->list[2].n` is a name, see
/// [`Expr::Element`]), and operators that change something or that want an address. They become
/// calls of functions that no program can have: `=`, `+=` and so on, `++_`, `_++`, `,`, `*_`, `&_`,
/// and `sizeof` of what is not a scalar type: of an expression, or of a name made of a type's words.
/// Whoever asks for statements takes them apart; nobody evaluates them.
///
/// # Errors
/// As [`parse`].
pub fn parse_statement(
    text: &str,
    types: &dyn Fn(&str) -> Option<Scalar>,
) -> Result<Expr, ParseError> {
    read(text, Some(types))
}

fn read(text: &str, types: Option<Types<'_>>) -> Result<Expr, ParseError> {
    let tokens = lex(text);
    let mut parser = Parser {
        text,
        tokens: &tokens,
        types,
        at: 0,
        depth: 0,
    };
    let node = parser.sequence()?;
    match parser.peek() {
        None => Ok(node.expr),
        Some(token) => Err(parser.error_at(token, "expected an operator or the end")),
    }
}

/// The scalars that names of types stand for.
type Types<'a> = &'a dyn Fn(&str) -> Option<Scalar>;

const ASSIGNMENTS: [&str; 11] = [
    "=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=",
];

/// A tree and its height.
struct Node {
    expr: Expr,
    height: u16,
}

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    /// What a statement may be is read, too.
    types: Option<Types<'a>>,
    at: usize,
    depth: usize,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn peek_text(&self, ahead: usize) -> &'a str {
        self.tokens
            .get(self.at + ahead)
            .map_or("", |t| t.text(self.text))
    }

    fn skip(&mut self, what: &str) -> bool {
        let found = self.peek_text(0) == what;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, what: &str) -> Parsed<()> {
        if self.skip(what) {
            Ok(())
        } else {
            Err(self.error(&format!("expected '{what}'")))
        }
    }

    /// `expectation`, and what stands there instead.
    fn error(&self, expectation: &str) -> ParseError {
        match self.peek() {
            Some(token) => self.error_at(token, expectation),
            None => {
                let span = Span::at(self.text.trim_end().len() as u32);
                ParseError {
                    span,
                    message: format!("{expectation}, found nothing more"),
                }
            }
        }
    }

    fn error_at(&self, token: Token, expectation: &str) -> ParseError {
        let found = match token.kind {
            TokenKind::UnterminatedString | TokenKind::UnterminatedCharacter => {
                "an unterminated literal".to_string()
            }
            TokenKind::UnterminatedComment => "an unterminated comment".to_string(),
            _ => format!("'{}'", token.text(self.text)),
        };
        ParseError {
            span: token.span,
            message: format!("{expectation}, found {found}"),
        }
    }

    fn node(&self, expr: Expr, below: u16) -> Parsed<Node> {
        if below >= TALLEST {
            Err(self.too_deep())
        } else {
            Ok(Node {
                expr,
                height: below + 1,
            })
        }
    }

    fn too_deep(&self) -> ParseError {
        let span = self
            .peek()
            .map_or(Span::at(self.text.len() as u32), |t| t.span);
        ParseError {
            span,
            message: "expression is nested too deeply".to_string(),
        }
    }

    fn deeper<T>(&mut self, inside: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let result = inside(self);
        self.depth -= 1;
        result
    }

    /// Expressions with commas between them, where statements are read.
    fn sequence(&mut self) -> Parsed<Node> {
        let first = self.expression()?;
        if self.types.is_none() || self.peek_text(0) != "," {
            return Ok(first);
        }
        let (mut parts, mut below) = (vec![first.expr], first.height);
        while self.skip(",") {
            let next = self.expression()?;
            below = below.max(next.height);
            parts.push(next.expr);
        }
        self.node(Expr::Call(",".into(), parts), below)
    }

    fn expression(&mut self) -> Parsed<Node> {
        self.deeper(|this| {
            let condition = this.operation()?;
            let operator = this.peek_text(0);
            if this.types.is_some() && ASSIGNMENTS.contains(&operator) {
                this.at += 1;
                let value = this.expression()?;
                let below = condition.height.max(value.height);
                let parts = vec![condition.expr, value.expr];
                return this.node(Expr::Call(operator.into(), parts), below);
            }
            if !this.skip("?") {
                return Ok(condition);
            }
            this.choices(condition)
        })
    }

    /// What follows `condition ?`. Conditionals one behind the other are nested to nobody who reads them.
    fn choices(&mut self, condition: Node) -> Parsed<Node> {
        let mut chosen = vec![(condition, self.sequence()?)];
        self.expect(":")?;
        let mut last = self.operation()?;
        while self.skip("?") {
            chosen.push((last, self.sequence()?));
            self.expect(":")?;
            last = self.operation()?;
        }
        let operator = self.peek_text(0);
        if self.types.is_some() && ASSIGNMENTS.contains(&operator) {
            self.at += 1;
            let value = self.expression()?;
            let below = last.height.max(value.height);
            let parts = vec![last.expr, value.expr];
            last = self.node(Expr::Call(operator.into(), parts), below)?;
        }
        while let Some((condition, yes)) = chosen.pop() {
            let below = condition.height.max(yes.height).max(last.height);
            let [a, b, c] = [condition.expr, yes.expr, last.expr].map(Box::new);
            last = self.node(Expr::Conditional(a, b, c), below)?;
        }
        Ok(last)
    }

    /// Operands and binary operators, by operator precedence on a stack of its own, so that only
    /// parentheses and the like recurse.
    fn operation(&mut self) -> Parsed<Node> {
        let mut left: Vec<(Node, BinaryOperator)> = Vec::new();
        loop {
            let mut operand = self.operand()?;
            let next = self.binary_operator();
            let binds = next.map_or(0, BinaryOperator::precedence);
            while let Some((first, operator)) = left.pop_if(|(_, o)| o.precedence() >= binds) {
                let below = first.height.max(operand.height);
                operand = self.node(Expr::binary(operator, first.expr, operand.expr), below)?;
            }
            match next {
                None => return Ok(operand),
                Some(operator) => left.push((operand, operator)),
            }
            self.at += 1;
        }
    }

    fn binary_operator(&self) -> Option<BinaryOperator> {
        let text = self.peek_text(0);
        let row = BINARY
            .iter()
            .find(|row| row.1 == text || (row.2 == text && !text.is_empty()));
        row.map(|row| row.0)
    }

    fn unary_operator(&self) -> Option<UnaryOperator> {
        let text = self.peek_text(0);
        let row = UNARY
            .iter()
            .find(|row| row.1 == text || (row.2 == text && !text.is_empty()));
        row.map(|row| row.0)
    }

    fn operand(&mut self) -> Parsed<Node> {
        let mut operand = self.prefixed()?;
        while self.types.is_some() && matches!(self.peek_text(0), "++" | "--") {
            let name = format!("_{}", self.peek_text(0));
            self.at += 1;
            operand = self.node(Expr::Call(name.into(), vec![operand.expr]), operand.height)?;
        }
        Ok(operand)
    }

    fn prefixed(&mut self) -> Parsed<Node> {
        let prefix = self.peek_text(0);
        if self.types.is_some() && matches!(prefix, "++" | "--" | "*" | "&") {
            self.at += 1;
            let a = self.deeper(Self::operand)?;
            return self.node(
                Expr::Call(format!("{prefix}_").into(), vec![a.expr]),
                a.height,
            );
        }
        if let Some(operator) = self.unary_operator() {
            self.at += 1;
            let a = self.deeper(Self::operand)?;
            return self.node(Expr::Unary(operator, Box::new(a.expr)), a.height);
        }
        let Some(token) = self.peek() else {
            return Err(self.error("expected an expression"));
        };
        match token.kind {
            TokenKind::Number | TokenKind::Character => {
                let read = match token.kind {
                    TokenKind::Number => literal::number,
                    _ => literal::character,
                };
                let value = read(&unspliced(token, self.text)).map_err(|message| ParseError {
                    span: token.span,
                    message,
                })?;
                self.at += 1;
                self.node(Expr::Literal(value), 0)
            }
            TokenKind::Identifier => self.word(token),
            TokenKind::Punctuator if token.is(self.text, "::") => self.name(),
            TokenKind::Punctuator if token.is(self.text, "(") => {
                self.at += 1;
                if let Some(scalar) = self.type_until(")") {
                    let a = self.deeper(Self::operand)?;
                    return self.node(Expr::Cast(scalar, Box::new(a.expr)), a.height);
                }
                let inside = self.sequence()?;
                self.expect(")")?;
                Ok(inside)
            }
            _ => Err(self.error_at(token, "expected an expression")),
        }
    }

    /// Words that name a scalar type, and `close` after them; nothing is taken where that is not so.
    fn type_until(&mut self, close: &str) -> Option<Scalar> {
        let rest = &self.tokens[self.at..];
        let count = rest.iter().take_while(|t| t.is_identifier()).count();
        if self.peek_text(count) != close {
            return None;
        }
        let words = || rest[..count].iter().map(|t| t.text(self.text));
        let scalar = Scalar::from_words(words()).or_else(|| {
            let mut names = words().filter(|w| *w != "const");
            let known = names.next().and_then(self.types?);
            known.filter(|_| names.next().is_none())
        })?;
        self.at += count + 1;
        Some(scalar)
    }

    fn word(&mut self, token: Token) -> Parsed<Node> {
        let text = token.text(self.text);
        match text {
            "true" | "false" => {
                self.at += 1;
                let value = Value::Int(Scalar::Bool, i64::from(text == "true"));
                return self.node(Expr::Literal(value), 0);
            }
            "sizeof" => {
                self.at += 1;
                if self.types.is_some() {
                    return self.size();
                }
                self.expect("(")?;
                let scalar = self.type_until(")");
                let scalar = scalar.ok_or_else(|| self.error("expected a scalar type"))?;
                return self.node(Expr::SizeOf(scalar), 0);
            }
            "static_cast" => {
                self.at += 1;
                self.expect("<")?;
                let scalar = self.type_until(">");
                let scalar = scalar.ok_or_else(|| self.error("expected a scalar type"))?;
                return self.cast(scalar);
            }
            _ => {}
        }
        let typedef = |types: Types<'_>| types(text).filter(|_| self.peek_text(1) == "(");
        match Scalar::from_words([text]).or_else(|| self.types.and_then(typedef)) {
            Some(scalar) if self.peek_text(1) == "(" => {
                self.at += 1;
                self.cast(scalar)
            }
            Some(_) => Err(self.error_at(token, "expected an expression")),
            None => self.name(),
        }
    }

    /// What follows `sizeof` in a statement: a type, or an operand.
    fn size(&mut self) -> Parsed<Node> {
        let bracket = self.skip("(");
        if let Some(scalar) = bracket.then(|| self.type_until(")")).flatten() {
            return self.node(Expr::SizeOf(scalar), 0);
        }
        let operand = match bracket {
            true => match self.words_until(")") {
                Some(words) => self.node(Expr::name(words), 0)?,
                None => {
                    let inside = self.sequence()?;
                    self.expect(")")?;
                    inside
                }
            },
            false => self.deeper(Self::operand)?,
        };
        let below = operand.height;
        self.node(Expr::Call("sizeof".into(), vec![operand.expr]), below)
    }

    /// Words that may name a type, with `*` behind them, and `close`; nothing is taken where that is
    /// not so.
    fn words_until(&mut self, close: &str) -> Option<String> {
        let rest = &self.tokens[self.at..];
        let is_word = |t: &&Token| t.is_identifier() || t.is(self.text, "::");
        let words = rest.iter().take_while(is_word).count();
        let stars = rest[words..].iter().take_while(|t| t.is(self.text, "*"));
        let count = words + stars.count();
        if words == 0 || self.peek_text(count) != close {
            return None;
        }
        let mut out = String::new();
        for token in &rest[..count] {
            let word = unspliced(*token, self.text);
            let apart = !out.is_empty() && word != "::" && !out.ends_with("::");
            out.push_str(if apart { " " } else { "" });
            out.push_str(&word);
        }
        self.at += count + 1;
        Some(out)
    }

    /// The parenthesised operand of `float(x)` and `static_cast<float>(x)`.
    fn cast(&mut self, scalar: Scalar) -> Parsed<Node> {
        self.expect("(")?;
        let a = self.expression()?;
        self.expect(")")?;
        self.node(Expr::Cast(scalar, Box::new(a.expr)), a.height)
    }

    /// A variable, a qualified name, a member path, or a call.
    fn name(&mut self) -> Parsed<Node> {
        let mut name = String::new();
        if self.skip("::") {
            name.push_str("::");
        }
        let mut indices: Vec<(Expr, Box<str>)> = Vec::new();
        let mut below = 0;
        loop {
            let Some(token) = self.peek().filter(Token::is_identifier) else {
                return Err(self.error("expected a name"));
            };
            let push =
                |text: &str, name: &mut String, indices: &mut Vec<(Expr, Box<str>)>| match indices
                    .last_mut()
                {
                    Some((_, after)) => *after = format!("{after}{text}").into(),
                    None => name.push_str(text),
                };
            push(&unspliced(token, self.text), &mut name, &mut indices);
            self.at += 1;
            while self.types.is_some() && self.skip("[") {
                let index = self.expression()?;
                self.expect("]")?;
                below = below.max(index.height);
                indices.push((index.expr, "".into()));
            }
            match (self.peek_text(0), self.types) {
                ("::", _) => push("::", &mut name, &mut indices),
                (".", _) | ("->", None) => push(".", &mut name, &mut indices),
                ("->", _) => push("->", &mut name, &mut indices),
                _ => break,
            }
            self.at += 1;
        }
        if !indices.is_empty() {
            return self.node(Expr::element(name.into(), indices), below);
        }
        if !self.skip("(") {
            return self.node(Expr::Name(name.into()), 0);
        }
        let mut arguments = Vec::new();
        while !self.skip(")") {
            if !arguments.is_empty() {
                self.expect(",")?;
            }
            let argument = self.expression()?;
            below = below.max(argument.height);
            arguments.push(argument.expr);
        }
        self.node(Expr::Call(name.into(), arguments), below)
    }
}

/// The token's spelling without backslash-newlines.
fn unspliced(token: Token, text: &str) -> Cow<'_, str> {
    let spelling = token.text(text);
    match token.spliced {
        true => Cow::Owned(crate::lex::unspliced(spelling)),
        false => Cow::Borrowed(spelling),
    }
}

#[cfg(test)]
#[path = "parse_tests.rs"]
mod tests;

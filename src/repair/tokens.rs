use super::brackets::edited;
use super::oracle::Oracle;
use super::{Repair, What};
use crate::diagnostics::nearest;
use crate::expr::Scalar;
use crate::lex::{Lexed, Token, TokenKind};
use crate::source::Span;
use std::cell::RefCell;

/// Words that C and OKL read in their own way.
pub(super) const KEYWORDS: [&str; 34] = [
    "for", "while", "do", "if", "else", "return", "switch", "case", "default", "break", "continue",
    "goto", "struct", "union", "enum", "typedef", "const", "static", "inline", "void", "int",
    "float", "double", "char", "long", "short", "unsigned", "signed", "bool", "sizeof", "template",
    "typename", "kernel", "reduce",
];

/// Those of Brook+ besides, before parameters.
const STREAM_KEYWORDS: [&str; 3] = ["out", "iter", "vout"];

/// Tokens behind the one at which the parser stopped that belong to the statement which it could not read.
const AHEAD: usize = 16;

/// Tokens before the one at which the parser stopped that may be where something is missing.
const WITHIN: usize = 24;

/// The `;`, `,` or operator that is missing where a text cannot be parsed, or the keyword that is misspelled. The parser
/// stopped at `error`. Whether it is only a guess: it goes no further than the next mistake, which may be its own.
pub(super) fn find(lexed: &Lexed<'_>, oracle: &Oracle<'_>, error: u32) -> Option<(Repair, bool)> {
    let stop = lexed.first_from(error);
    let last = (stop + AHEAD).min(lexed.tokens.len());
    let first = stop.saturating_sub(WITHIN);
    let search = Search {
        lexed,
        oracle,
        error,
        next: RefCell::new(None),
    };
    let found = search
        .stream(first, last)
        .or_else(|| search.keyword(first, last))
        .or_else(|| search.missing(first, last));
    let guessed = || search.next.take().map(|(_, repair)| (repair, true));
    found.map(|repair| (repair, false)).or_else(guessed)
}

struct Search<'s, 't> {
    lexed: &'s Lexed<'t>,
    oracle: &'s Oracle<'s>,
    error: u32,
    /// What helps as far as one of the next lines, and where that ends.
    next: RefCell<Option<(u32, Repair)>>,
}

impl Search<'_, '_> {
    /// Whether all can be parsed with a repair, or much more than before.
    fn helps(&self, repair: &Repair) -> bool {
        if !self.oracle.may_go_on() {
            return false;
        }
        let text = edited(self.lexed.text, repair);
        let Some(at) = self.oracle.first_error(&text) else {
            return true;
        };
        // What follows from the first error within a few lines is no other.
        if at > self.error + 80 {
            return true;
        }
        let between = text.get(self.error as usize..at as usize);
        let further = between.is_some_and(|text| text.contains('\n'));
        let mut next = self.next.borrow_mut();
        if further && next.as_ref().is_none_or(|(known, _)| at > *known) {
            *next = Some((at, repair.clone()));
        }
        false
    }

    /// `float a<` of Brook+.
    fn stream(&self, first: usize, last: usize) -> Option<Repair> {
        if !self.oracle.has_streams() {
            return None;
        }
        let word = |at: usize| self.lexed.word(at);
        let mut open = (first.max(1)..last)
            .filter(|&at| word(at) == "<" && matches!(word(at + 1), "," | ")" | ";"));
        open.find_map(|at| {
            let repair = Repair {
                span: Span::at(self.lexed.tokens.get(at)?.span.end),
                text: ">".to_string(),
                what: What::Missing(">", None),
                certain: true,
            };
            self.helps(&repair).then_some(repair)
        })
    }

    fn keyword(&self, first: usize, last: usize) -> Option<Repair> {
        for at in (first..last).rev() {
            let token = self.lexed.tokens.get(at)?;
            let word = self.lexed.word(at);
            if token.kind != TokenKind::Identifier || word.len() < 3 || KEYWORDS.contains(&word) {
                continue;
            }
            let streams = STREAM_KEYWORDS.iter().filter(|_| self.oracle.has_streams());
            let known = KEYWORDS.iter().chain(streams).copied();
            let Some(keyword) = nearest(word, known) else {
                continue;
            };
            let repair = Repair {
                span: token.span,
                text: keyword.to_string(),
                what: What::Keyword(keyword),
                certain: true,
            };
            if self.helps(&repair) {
                return Some(repair);
            }
        }
        None
    }

    fn missing(&self, first: usize, last: usize) -> Option<Repair> {
        let candidates: Vec<usize> = (first.max(1)..=last).rev().collect();
        let repair = |at: usize, text: &'static str, what: What, certain: bool| {
            let before = self.lexed.tokens.get(at - 1)?;
            let repair = Repair {
                span: Span::at(before.span.end),
                text: text.to_string(),
                what,
                certain,
            };
            self.helps(&repair).then_some(repair)
        };
        let word = |at: usize| self.lexed.word(at);
        let new_line = |at: usize| self.lexed.tokens.get(at).is_none_or(|t| t.line_start);
        let around = |at: usize| self.around(at);
        let ends = |at: usize| !matches!(word(at - 1), ";" | "{" | "," | "(" | "[");
        // `i < 8 ++i` is `i < 8; ++i`.
        let prefix = |at: usize| matches!(word(at - 1), "++" | "--") && !new_line(at);
        // At the end of a line, before a brace, and in the header of a loop nothing else can be missing.
        for &at in &candidates {
            let certain = new_line(at) || word(at) == "}" || around(at) == Around::Header;
            let here = match around(at) {
                Around::Block => word(at) != "{",
                Around::Header => word(at) != "{" && !(is_operand(self.lexed, at) && prefix(at)),
                _ => false,
            };
            if certain && here && ends(at) {
                let found = repair(at, ";", What::Missing(";", None), true);
                if found.is_some() {
                    return found;
                }
            }
        }
        for &at in &candidates {
            let between = ends(at) && !matches!(word(at), "," | ")" | "]");
            if around(at) == Around::List && between && !self.parts_attribute(at) {
                // Between two values an operator may be missing as well.
                let declares = matches!(word(at), "const" | "out" | "reduce" | "iter")
                    || (word(at) == "@" && new_line(at))
                    || Scalar::from_words([word(at)]).is_some();
                let found = repair(at, ",", What::Missing(",", None), declares);
                if found.is_some() {
                    return found;
                }
            }
        }
        for &at in &candidates {
            if around(at) == Around::Block && !new_line(at) && self.declares(at) {
                let found = repair(at, ",", What::Missing(",", None), false);
                if found.is_some() {
                    return found;
                }
            }
        }
        for &at in &candidates {
            if self.lacks_operand(at) {
                let found = repair(at, " 0", What::Operand, false);
                if found.is_some() {
                    return found;
                }
            }
        }
        for &at in &candidates {
            if self.lacks_operator(at) {
                let found = repair(at, " *", What::Operator, false);
                if found.is_some() {
                    return found;
                }
            }
        }
        for &at in &candidates {
            if around(at) == Around::Block && ends(at) && word(at) != "{" {
                let found = repair(at, ";", What::Missing(";", None), false);
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    /// Whether a token is a name behind another one that a declaration of a known type has brought.
    fn declares(&self, at: usize) -> bool {
        let word = |at: usize| self.lexed.word(at);
        let name = |at: usize| {
            let known = self.lexed.tokens.get(at).is_some_and(Token::is_identifier);
            known && !KEYWORDS.contains(&word(at)) && Scalar::from_words([word(at)]).is_none()
        };
        let first = (0..at)
            .rev()
            .find(|&before| matches!(word(before), ";" | "{" | "}"));
        let mut specifiers = (first.map_or(0, |first| first + 1)..at).take(8);
        let typed = specifiers.any(|before| Scalar::from_words([word(before)]).is_some());
        typed && name(at) && (name(at - 1) || word(at - 1) == "]")
    }

    /// Whether a token follows an operator, and is nothing that an operator can have.
    fn lacks_operand(&self, at: usize) -> bool {
        let before = self.lexed.word(at - 1);
        let operator = matches!(
            before,
            "+" | "-"
                | "*"
                | "/"
                | "%"
                | "="
                | "<"
                | ">"
                | "<="
                | ">="
                | "=="
                | "!="
                | "&&"
                | "||"
                | "&"
                | "|"
                | "^"
                | "+="
                | "-="
                | "*="
                | "/="
                | "?"
                | ":"
                | "<<"
                | ">>"
        );
        operator && matches!(self.lexed.word(at), ";" | ")" | "]" | "," | "}")
    }

    /// Whether a token begins an operand, behind another one.
    fn lacks_operator(&self, at: usize) -> bool {
        let operand = |at: usize| is_operand(self.lexed, at);
        let before = operand(at - 1) || matches!(self.lexed.word(at - 1), ")" | "]");
        before && (operand(at) || self.lexed.word(at) == "(")
    }

    /// Whether what is put before a token would part an attribute from the parameter that it is written before: the first
    /// of the list or of a line, or one without arguments that another line does not follow.
    fn parts_attribute(&self, at: usize) -> bool {
        let word = |at: usize| self.lexed.word(at);
        let new_line = |at: usize| self.lexed.tokens.get(at).is_some_and(|t| t.line_start);
        let Some(mut name) = at.checked_sub(1) else {
            return false;
        };
        let called = word(name) == ")";
        if called {
            let mut depth = 0usize;
            let open = (0..=name).rev().find(|&before| {
                match word(before) {
                    ")" => depth += 1,
                    "(" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0
            });
            name = open.map_or(0, |open| open.saturating_sub(1));
        }
        let Some(sign) = name.checked_sub(1).filter(|&sign| word(sign) == "@") else {
            return false;
        };
        let first = sign
            .checked_sub(1)
            .is_none_or(|at| matches!(word(at), "," | "("));
        first || new_line(sign) || (!called && !new_line(at))
    }

    /// Whether brackets behind a token are a list of arguments or parameters.
    fn is_called(&self, at: usize) -> bool {
        let name = self.lexed.tokens.get(at).is_some_and(Token::is_identifier);
        name && !KEYWORDS.contains(&self.lexed.word(at))
    }

    /// What a token stands in.
    fn around(&self, at: usize) -> Around {
        let mut depth = 0usize;
        for before in (0..at).rev().take(2000) {
            match self.lexed.word(before) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth > 0 => depth -= 1,
                "(" if before > 0 && self.lexed.word(before - 1) == "for" => return Around::Header,
                "(" if before > 0 && self.is_called(before - 1) => return Around::List,
                "(" => return Around::Brackets,
                "[" => return Around::Index,
                "{" if before > 0 && self.lexed.word(before - 1) == "=" => return Around::List,
                "{" => return Around::Block,
                _ => {}
            }
        }
        Around::Block
    }
}

pub(super) fn is_operand(lexed: &Lexed<'_>, at: usize) -> bool {
    let kind = lexed.tokens.get(at).map(|t| t.kind);
    matches!(kind, Some(TokenKind::Identifier | TokenKind::Number))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// A file's or a block's statements and declarations.
    Block,
    /// The header of a for loop.
    Header,
    /// Arguments, parameters, values of an array.
    List,
    /// Brackets around an expression or a condition.
    Brackets,
    Index,
}

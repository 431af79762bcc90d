use super::layout::Text;
use super::oracle::Oracle;
use super::tokens::is_operand;
use super::{Repair, What};
use crate::lex::{Lexed, Token, TokenKind};
use crate::source::Span;
use std::cmp::Ordering;

/// What is wrong with the brackets of a text, if they do not match.
pub(super) fn find(lexed: &Lexed<'_>, oracle: &Oracle<'_>) -> Option<Repair> {
    let text = Text::of(lexed);
    let wrong = text.first_wrong()?;
    let repair = match wrong {
        Wrong::Unclosed { open, before } => match lexed.word(open) {
            "{" => text.brace_for(open),
            _ => text.closing_for(open, before, oracle),
        },
        Wrong::Surplus(close) => text.surplus(close, oracle),
    };
    Some(repair)
}

/// Whether the brackets of a text do not match.
pub(super) fn are_wrong(lexed: &Lexed<'_>) -> bool {
    Text::of(lexed).first_wrong().is_some()
}

enum Wrong {
    /// A bracket that is not closed before that token.
    Unclosed { open: usize, before: usize },
    /// One that closes nothing.
    Surplus(usize),
}

impl Text<'_, '_> {
    /// The first bracket that has no partner, where layout shows it earlier than counting does.
    fn first_wrong(&self) -> Option<Wrong> {
        let mut open: Vec<usize> = Vec::new();
        // By layout: a brace that is closed further left than its line, or closes one that began further left.
        let (mut unclosed, mut surplus) = (None, None);
        for at in 0..self.lexed.tokens.len() {
            let kind = self.lexed.tokens.get(at).map(|t| t.kind);
            let ended = open.last().filter(|&&top| self.is_left_by_else(top, at));
            if let (Some(&top), None) = (ended, &unclosed) {
                unclosed = Some(Wrong::Unclosed {
                    open: top,
                    before: at,
                });
            }
            if self.directive[at] || kind != Some(TokenKind::Punctuator) {
                continue;
            }
            let word = self.lexed.word(at);
            let partner = match word {
                "(" | "[" | "{" => {
                    open.push(at);
                    continue;
                }
                ")" => "(",
                "]" => "[",
                "}" => "{",
                _ => continue,
            };
            let Some(&top) = open.last() else {
                return Some(Wrong::Surplus(surplus.unwrap_or(at)));
            };
            if self.lexed.word(top) == partner {
                // `= 0, 0 };` ends values that have not begun.
                let values = || word == "}" && self.is_of_values(top, at);
                if surplus.is_none() && values() {
                    surplus = Some(at);
                } else if word == "}" && self.starts_line(at) && top + 1 < at {
                    match self.askew(top, at) {
                        Ordering::Less if unclosed.is_none() => {
                            unclosed = Some(Wrong::Unclosed {
                                open: top,
                                before: at,
                            });
                        }
                        Ordering::Greater if surplus.is_none() => surplus = Some(at),
                        _ => {}
                    }
                }
                open.pop();
                continue;
            }
            if self.lexed.word(top) == "{" {
                // `)` in a block that it does not end.
                let further = open.iter().rev().any(|&o| self.lexed.word(o) == partner);
                return Some(match further && unclosed.is_some() {
                    true => Wrong::Unclosed {
                        open: top,
                        before: at,
                    },
                    false => Wrong::Surplus(at),
                });
            }
            return Some(Wrong::Unclosed {
                open: top,
                before: at,
            });
        }
        let &last = open.last()?;
        let end = self.lexed.tokens.len();
        if self.lexed.word(last) != "{" {
            return Some(Wrong::Unclosed {
                open: last,
                before: end,
            });
        }
        Some(unclosed.unwrap_or(Wrong::Unclosed {
            open: last,
            before: end,
        }))
    }

    /// The brace that is missing: before the first line that is no further right than what the open one begins.
    fn brace_for(&self, open: usize) -> Repair {
        let (next, shown) = self.first_outside(open);
        // A directive belongs to what follows it.
        let mut inside = (open..next).rev();
        let last = inside.find(|&at| !self.directive[at]).unwrap_or(open);
        let text = format!("\n{}}}", " ".repeat(self.head(open)));
        Repair {
            span: Span::at(self.span(last).end),
            text,
            what: What::Missing("}", Some(self.span(open))),
            certain: shown,
        }
    }

    /// The `)` or `]` that is missing, as far behind as the text can be parsed then.
    fn closing_for(&self, open: usize, before: usize, oracle: &Oracle<'_>) -> Repair {
        let round = self.lexed.word(open) == "(";
        let close = if round { ")" } else { "]" };
        let is_loop = open > 0 && self.lexed.word(open - 1) == "for";
        let (mut depth, mut semicolons) = (0usize, 0);
        let mut ends = Vec::new();
        for at in open + 1..=before {
            let word = self.lexed.word(at);
            // The bracket belongs before what begins or ends a statement, and an index before what it is given.
            let assigns = !round && depth == 0 && matches!(word, "=" | "+=" | "-=" | "*=" | "/=");
            let header = is_loop && semicolons < 3;
            let ends_here = match word {
                ";" if header => {
                    semicolons += 1;
                    false
                }
                ";" | "{" | "}" | "" => true,
                "for" | "if" | "while" | "return" => true,
                _ => assigns,
            };
            let new_line = self.starts_line(at) && at > open + 1 && depth == 0;
            if at == before || ends_here || new_line {
                ends.push(at);
            }
            if at == before || ends_here {
                break;
            }
            match word {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        // Where nothing else fits: behind each of the tokens, from the last one on.
        let first_end = ends.last().copied().unwrap_or(before);
        let others = (open + 1..first_end).rev().take(40);
        let candidates: Vec<usize> = ends.iter().rev().copied().chain(others).collect();
        let error = oracle_error(self.lexed.text, oracle);
        // Of `x[i)`, the bracket is another one.
        if matches!(self.lexed.word(before), ")" | "]") {
            let other = Repair {
                span: self.span(before),
                text: close.to_string(),
                what: What::Missing(close, Some(self.span(open))),
                certain: true,
            };
            let edited = edited(self.lexed.text, &other);
            if !are_wrong(&Lexed::new(&edited)) && oracle.first_error(&edited).is_none() {
                return other;
            }
        }
        let repair = |at: usize| Repair {
            span: Span::at(self.span(at - 1).end),
            text: close.to_string(),
            what: What::Missing(close, Some(self.span(open))),
            certain: true,
        };
        let fits = |&&at: &&usize| {
            let edited = edited(self.lexed.text, &repair(at));
            oracle.may_go_on() && oracle.is_better(&edited, error, 0) == Some(true)
        };
        let mut fitting = candidates.iter().filter(fits).copied();
        let found = fitting.next();
        // `a[i * b;` may have been `a[i] * b` or `a[i * b]`.
        // The header of a loop, an attribute and a condition end before what follows them.
        let head = (1..=2).any(|back| {
            let before = open.checked_sub(back).map_or("", |at| self.lexed.word(at));
            (back == 1 && matches!(before, "for" | "if" | "while" | "switch"))
                || (back == 2 && before == "@")
        });
        let first = found == ends.last().copied();
        let plain = found.is_some_and(|at| self.is_plain(open, at));
        let only = found.is_some() && (head && first && plain || fitting.next().is_none());
        // Nothing can be closed: it is too many itself.
        let gone = Repair {
            span: self.span(open),
            text: String::new(),
            what: What::Surplus,
            certain: false,
        };
        if found.is_none() && oracle.may_go_on() {
            let edited = edited(self.lexed.text, &gone);
            if oracle.is_better(&edited, error, 0) == Some(true) {
                return gone;
            }
        }
        match found.or(ends.last().copied()) {
            Some(at) => Repair {
                certain: only,
                ..repair(at)
            },
            None => Repair {
                certain: false,
                ..repair(before)
            },
        }
    }

    /// Whether brackets within others hold nothing that could have stood behind them: of `if (f(a + b)`, either one may
    /// be closed too late. Attributes belong into a tile.
    fn is_plain(&self, open: usize, end: usize) -> bool {
        let mut tiles = Vec::new();
        (open + 1..end).all(|at| {
            let word = self.lexed.word(at);
            let within = tiles.last().copied();
            match word {
                "(" => tiles.push(self.lexed.word(at - 1) == "tile"),
                ")" => {
                    tiles.pop();
                }
                _ => {}
            }
            let harmless = matches!(word, "(" | ")" | "[" | "]" | "," | "." | "->");
            within.is_none_or(|tile| tile && word == "@") || harmless || is_operand(self.lexed, at)
        })
    }

    /// Attributes such as `@inner0` before a `)` that closes nothing: they were given that number.
    fn numbered(&self, close: usize) -> Vec<Repair> {
        let ends = |at: usize| matches!(self.lexed.word(at), ";" | "{" | "}");
        let header = (1..close).rev().take_while(|&at| !ends(at)).take(40);
        let attribute = header.filter(|&at| self.lexed.word(at - 1) == "@");
        let opened = attribute.filter_map(|at| {
            let (word, span) = (self.lexed.word(at), self.span(at));
            let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
            let place = Span::at(span.start + name.len() as u32);
            let behind = matches!(self.lexed.word(at + 1), ")" | ",");
            let fits = name.len() < word.len() && behind;
            fits.then(|| Repair {
                span: place,
                text: "(".to_string(),
                what: What::Missing("(", Some(self.span(close))),
                certain: true,
            })
        });
        opened.collect()
    }

    /// The keyword before a `)` that closes nothing, whose header has no `(`.
    fn headless(&self, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for at in (0..close).rev().take(80) {
            match self.lexed.word(at) {
                ")" => depth += 1,
                "(" => depth = depth.checked_sub(1)?,
                "{" | "}" => return None,
                "for" | "if" | "while" | "switch" if depth == 0 => {
                    return (self.lexed.word(at + 1) != "(").then_some(at);
                }
                _ => {}
            }
        }
        None
    }

    /// Names and keywords before a bracket that closes nothing, behind which an operand follows at once, the last first.
    fn operands_to_open(&self, close: usize) -> Vec<usize> {
        let ends = |at: usize| matches!(self.lexed.word(at), ";" | "{" | "}");
        let statement = (0..close).rev().take_while(|&at| !ends(at)).take(60);
        let operand = |at: usize| is_operand(self.lexed, at);
        let named = |at: usize| {
            let name = self.lexed.tokens.get(at).is_some_and(Token::is_identifier);
            name || matches!(self.lexed.word(at), "]" | ")")
        };
        let applied = |&at: &usize| {
            let next = self.lexed.word(at + 1);
            named(at) && (operand(at + 1) || matches!(next, "(" | "-" | "!" | "&" | "*"))
        };
        statement.filter(applied).collect()
    }

    /// Ends of lines before a brace that closes nothing, in whose column they begin, and behind which lines begin further
    /// right, the last first.
    fn lines_to_open(&self, close: usize) -> Vec<usize> {
        let opens = |&at: &usize| {
            let last = at + 1 < close && self.starts_line(at + 1) && !self.directive[at];
            let deeper = self.line(at + 1) > self.head(at);
            let same = self.head(at) == self.line(close);
            let ends = matches!(self.lexed.word(at), ";" | "{" | "}" | ",");
            last && deeper && same && !ends
        };
        (0..close).rev().filter(opens).take(6).collect()
    }

    /// Whether a brace ends a line of values as if they had begun behind a `=`, and not the block in which they stand.
    fn is_of_values(&self, open: usize, close: usize) -> bool {
        let within = (open + 1..=close).any(|at| self.starts_line(at));
        within && !self.starts_line(close) && self.values_to_open(close).is_some()
    }

    /// The `=` behind which a brace is missing that the one before `;` or `,` closes.
    fn values_to_open(&self, close: usize) -> Option<usize> {
        if !matches!(self.lexed.word(close + 1), ";" | ",") {
            return None;
        }
        let statement = (0..close).rev().take(200);
        let mut here = statement.take_while(|&at| !matches!(self.lexed.word(at), ";" | "{" | "}"));
        here.find(|&at| self.lexed.word(at) == "=")
    }

    /// What to do about a bracket that closes nothing: there is a `(` missing behind a keyword, or it is too many.
    fn surplus(&self, close: usize, oracle: &Oracle<'_>) -> Repair {
        let opening = match self.lexed.word(close) {
            ")" => "(",
            "]" => "[",
            _ => "{",
        };
        if opening == "(" {
            let mut numbered = self.numbered(close);
            if let Some(repair) = numbered.pop() {
                let certain = numbered.is_empty();
                return Repair { certain, ..repair };
            }
        }
        let candidates = match opening {
            "{" => match self.values_to_open(close) {
                Some(assigned) => vec![assigned],
                None => self.lines_to_open(close),
            },
            "(" => match self.headless(close) {
                Some(keyword) => vec![keyword],
                None => self.operands_to_open(close),
            },
            _ => self.operands_to_open(close),
        };
        let error = oracle_error(self.lexed.text, oracle);
        let repair = |at: usize| {
            let (place, text) = match opening {
                "{" => (self.span(at).end, " {"),
                _ => (self.span(at + 1).start, opening),
            };
            let keyword = matches!(self.lexed.word(at), "if" | "while" | "for" | "switch");
            Repair {
                span: Span::at(place),
                text: text.to_string(),
                what: What::Missing(opening, Some(self.span(close))),
                // Where an operand begins is not where its brackets did.
                certain: opening == "{" || keyword,
            }
        };
        let helps = |&&at: &&usize| {
            let edited = edited(self.lexed.text, &repair(at));
            oracle.may_go_on() && oracle.is_better(&edited, error, 0).is_some()
        };
        let mut fitting = candidates.iter().filter(helps);
        if let Some(&at) = fitting.next() {
            let found = repair(at);
            // Layout may leave a choice of lines.
            let certain = found.certain && (opening != "{" || fitting.next().is_none());
            return Repair { certain, ..found };
        }
        Repair {
            span: self.span(close),
            text: String::new(),
            what: What::Surplus,
            certain: self.starts_line(close),
        }
    }
}

fn oracle_error(text: &str, oracle: &Oracle<'_>) -> u32 {
    oracle.first_error(text).unwrap_or(text.len() as u32)
}

/// A text with a repair made.
pub(super) fn edited(text: &str, repair: &Repair) -> String {
    let mut out = text.to_string();
    out.replace_range(
        repair.span.start as usize..repair.span.end as usize,
        &repair.text,
    );
    out
}

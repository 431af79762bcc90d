use super::macros::{Body, Item, Macro, Meaning, Parameters};
use super::pieces::{Kind, Piece, Source};
use super::{Define, State};
use crate::diagnostics::{Diagnostic, codes};
use crate::lex::TokenKind;
use crate::source::{COMMAND_LINE, Location, Place};
use std::cell::Cell;
use std::ops::Range;

/// What is wrong with a parameter list or a body, and where.
struct Malformed {
    what: String,
    /// Index of a token; `None` for the whole directive.
    at: Option<Piece>,
}

impl Malformed {
    fn at(piece: Option<&Piece>, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            at: piece.copied(),
        }
    }
}

impl State<'_> {
    /// The macros of the command line: a file of their own, for diagnostics to point into.
    pub(super) fn define_options(&mut self) {
        self.define_all("<predefined>", &self.options.predefined, false);
        self.define_all(COMMAND_LINE, &self.options.defines, true);
    }

    fn define_all(&mut self, name: &str, defines: &[Define], users: bool) {
        if defines.is_empty() {
            return;
        }
        let mut text = String::new();
        for define in defines {
            let value = define.value.replace(['\n', '\r'], " ");
            text.push_str(&format!(
                "#define {} {value}\n",
                define.name.replace(['\n', '\r'], " ")
            ));
        }
        let id = self.add_file(name.to_string(), text, None, None);
        let frame = self.frame(id);
        let source = frame.source;
        let mut at = 0;
        while source.is_directive(at) {
            let end = source.line_end(at);
            self.define(&source, at + 2..end, users);
            at = end;
        }
    }

    /// `#define`, by the user or not; the tokens are those after that word.
    pub(super) fn define(&mut self, source: &Source, line: Range<usize>, users: bool) {
        if !self.are_tokens(source, line.clone()) {
            return;
        }
        let Some(name) = self.macro_name(source, &line) else {
            return;
        };
        let mut pieces = self.texts.pieces(source, line.clone());
        // A line continuation is no white space.
        let ends = source
            .tokens
            .get(line.start)
            .map_or(0, |t| t.span.end as usize);
        let function = match pieces.get_mut(1) {
            Some(open) if self.texts.is(open, "(") => {
                let gap = source
                    .text
                    .get(ends..open.place.offset as usize)
                    .unwrap_or(" ");
                open.space = !crate::lex::unspliced(gap).is_empty();
                !open.space
            }
            _ => false,
        };
        self.drop_backslashes(&name, &mut pieces);
        let text = self.texts.of(&name).to_string();
        let parameters = match function {
            true => self.parameters(&pieces).map(Some),
            false => Ok(None),
        };
        let parsed = parameters.and_then(|found| {
            let (parameters, from) = match found {
                Some((parameters, from)) => (Some(parameters), from),
                None => (None, 1),
            };
            self.take_pragmas(&name, &mut pieces, from, parameters.as_ref())?;
            let body = self.body(pieces.get(from..).unwrap_or_default(), parameters.as_ref())?;
            Ok(match parameters {
                Some(parameters) => Meaning::Function(parameters, body),
                None => Meaning::Object(body),
            })
        });
        let meaning = match parsed {
            Ok(meaning) => meaning,
            Err((code, Malformed { what, at })) => {
                return self.fail_at(code, &at.unwrap_or(name), &[&text, &what]);
            }
        };
        // What holds attributes is of no use to the vendor's compiler.
        let plain = users && pieces.iter().all(|p| p.kind != Kind::Open);
        self.definitions += 1;
        let definition = plain.then(|| {
            (
                self.definitions,
                format!("#define {}", self.texts.join(&pieces)).into(),
            )
        });
        let new = Macro {
            name: text.into(),
            meaning,
            defined: Some(name.place),
            definition,
            active: Cell::new(false),
        };
        self.warn_of_redefinition(&new, &name);
        self.macros.insert(new);
    }

    /// Drops each `\` that white space follows: meant to continue a line, but not the last of it.
    fn drop_backslashes(&mut self, name: &Piece, pieces: &mut Vec<Piece>) {
        let is_stray = |(at, piece): (usize, &Piece)| {
            self.texts.is(piece, "\\") && pieces.get(at + 1).is_none_or(|next| next.space)
        };
        let stray = pieces.iter().enumerate().filter(|p| is_stray(*p));
        let stray: Vec<(usize, Piece)> = stray.map(|(at, piece)| (at, *piece)).collect();
        for (at, piece) in stray.into_iter().rev() {
            pieces.remove(at);
            let name = self.texts.of(name).to_string();
            self.fail_at(&codes::MACRO_STRAY_BACKSLASH, &piece, &[&name]);
        }
    }

    /// Takes `#pragma x` in a body, which no compiler does, for `_Pragma("x")`, as far as it is plain that all
    /// of the body is that.
    fn take_pragmas(
        &mut self,
        name: &Piece,
        pieces: &mut Vec<Piece>,
        from: usize,
        parameters: Option<&Parameters>,
    ) -> Result<(), Wrong> {
        let is_parameter =
            |word: &str| parameters.is_some_and(|p| p.names.iter().any(|n| **n == *word));
        let mut at = from;
        while let Some([hash, word]) = pieces.get(at..at + 2) {
            let pragma = hash.kind == Kind::Token(TokenKind::Punctuator)
                && word.is_identifier()
                && self.texts.is(hash, "#")
                && self.texts.is(word, "pragma")
                && !is_parameter("pragma");
            if !pragma {
                at += 1;
                continue;
            }
            let hash = *hash;
            let content = pieces.get(at + 2..).unwrap_or_default().to_vec();
            // Lines that continue are no lines.
            let words: Vec<&str> = content.iter().map(|p| self.texts.of(p)).collect();
            let is_code = |at: usize, word: &str| match word {
                ";" | "{" | "}" | "while" | "do" => true,
                "for" => words.get(at + 1) == Some(&"("),
                _ => false,
            };
            if words.iter().enumerate().any(|(at, word)| is_code(at, word)) {
                let what = "'#pragma' goes on to the macro's end; write _Pragma(\"…\"), with the words of \
                            the pragma in the quotes";
                return Err((&codes::MACRO_BODY, Malformed::at(Some(&hash), what)));
            }
            if content.iter().any(|p| is_parameter(self.texts.of(p))) {
                let what = "'#pragma' has a parameter in it; '#define PRAGMA(x) _Pragma(#x)' makes a \
                            macro that takes its words";
                return Err((&codes::MACRO_BODY, Malformed::at(Some(&hash), what)));
            }
            let text = self.stringize(&content, &hash);
            let made = [
                ("_Pragma", TokenKind::Identifier),
                ("(", TokenKind::Punctuator),
            ];
            let mut made = made
                .map(|(word, kind)| self.texts.make(word, kind, &hash))
                .to_vec();
            made.push(text);
            made.push(self.texts.make(")", TokenKind::Punctuator, &hash));
            pieces.truncate(at);
            pieces.extend(made);
            let name = self.texts.of(name).to_string();
            self.fail_at(&codes::MACRO_PRAGMA, &hash, &[&name]);
            break;
        }
        Ok(())
    }

    /// `#undef`; the tokens are those after that word.
    pub(super) fn undefine(&mut self, source: &Source, line: Range<usize>) {
        if let Some(name) = self.macro_name(source, &line) {
            self.macros.remove(self.texts.of(&name));
        }
    }

    fn macro_name(&mut self, source: &Source, line: &Range<usize>) -> Option<Piece> {
        let Some(token) = source.tokens.get(line.start).filter(|_| !line.is_empty()) else {
            let hash = source.tokens.get(line.start.saturating_sub(2)).copied()?;
            let location = self.at_token(source, hash);
            self.fail(&codes::MACRO_NAME, location, &[&""]);
            return None;
        };
        let piece = self.texts.piece(source, *token);
        let text = self.texts.of(&piece);
        if !piece.is_identifier() || matches!(text, "defined" | "__VA_ARGS__" | "__VA_OPT__") {
            let text = text.to_string();
            self.fail_at(&codes::MACRO_NAME, &piece, &[&text]);
            return None;
        }
        Some(piece)
    }

    /// The parameters after the name, and the index of the first token after them.
    fn parameters(&self, pieces: &[Piece]) -> Result<(Parameters, usize), Wrong> {
        let wrong = |at: usize, what: &str| {
            let piece = pieces.get(at).or(pieces.last());
            Err((&codes::MACRO_PARAMETERS, Malformed::at(piece, what)))
        };
        let text = |at: usize| pieces.get(at).map_or("", |p| self.texts.of(p));
        let mut parameters = Parameters {
            names: Vec::new(),
            variadic: false,
        };
        let mut at = 2;
        if text(at) == ")" {
            return Ok((parameters, at + 1));
        }
        loop {
            let Some(piece) = pieces.get(at) else {
                return wrong(at, "it does not end");
            };
            let name = match text(at) {
                "..." => "__VA_ARGS__",
                "__VA_ARGS__" | "__VA_OPT__" => return wrong(at, "the name is reserved"),
                name if piece.is_identifier() => name,
                _ => return wrong(at, "expected a parameter's name"),
            };
            if parameters.names.iter().any(|n| **n == *name) {
                return wrong(at, &format!("'{name}' stands in it twice"));
            }
            parameters.variadic = text(at) == "...";
            parameters.names.push(name.into());
            at += 1;
            // GNU: `args...`
            if !parameters.variadic && text(at) == "..." {
                parameters.variadic = true;
                at += 1;
            }
            match text(at) {
                ")" => return Ok((parameters, at + 1)),
                "," if !parameters.variadic => at += 1,
                "" => return wrong(at, "it does not end"),
                _ if parameters.variadic => return wrong(at, "'...' must stand last"),
                _ => return wrong(at, "expected ',' or ')'"),
            }
        }
    }

    fn body(&self, pieces: &[Piece], parameters: Option<&Parameters>) -> Result<Body, Wrong> {
        let mut items = Vec::with_capacity(pieces.len());
        self.body_items(pieces, parameters, false, &mut items)?;
        Ok(Body { items })
    }

    fn body_items(
        &self,
        pieces: &[Piece],
        parameters: Option<&Parameters>,
        optional: bool,
        items: &mut Vec<Item>,
    ) -> Result<(), Wrong> {
        let variadic = parameters.is_some_and(|p| p.variadic);
        let number = |piece: Option<&Piece>| {
            let name = self.texts.of(piece.filter(|p| p.is_identifier())?);
            parameters?.names.iter().position(|n| **n == *name)
        };
        let wrong =
            |piece: &Piece, what: &str| Err((&codes::MACRO_BODY, Malformed::at(Some(piece), what)));
        let mut in_attribute = false;
        let mut at = 0;
        while let Some(&piece) = pieces.get(at) {
            at += 1;
            in_attribute = match piece.kind {
                Kind::Open => true,
                Kind::Close => false,
                Kind::Token(_) => in_attribute,
            };
            let is_optional = |p: &Piece| p.is_identifier() && self.texts.is(p, "__VA_OPT__");
            if let Some(number) = number(Some(&piece)) {
                items.push(Item::Parameter(number, piece));
                continue;
            }
            let text = self.texts.of(&piece);
            let punctuator = piece.kind == Kind::Token(TokenKind::Punctuator);
            let stringize = punctuator && text == "#" && parameters.is_some() && !in_attribute;
            if punctuator && text == "##" {
                if at == 1 || at == pieces.len() {
                    return wrong(&piece, "'##' stands at its border");
                }
                items.push(Item::Paste(piece));
            } else if stringize && let Some(number) = number(pieces.get(at)) {
                at += 1;
                items.push(Item::Stringize(number, piece));
            } else if is_optional(&piece) || (stringize && pieces.get(at).is_some_and(is_optional))
            {
                at += usize::from(stringize);
                if !variadic || optional {
                    return wrong(&piece, "__VA_OPT__ cannot stand here");
                }
                let Some(length) = self.balanced(pieces.get(at..).unwrap_or_default()) else {
                    return wrong(&piece, "__VA_OPT__ needs content in parentheses");
                };
                let content = pieces.get(at + 1..at + length - 1).unwrap_or_default();
                at += length;
                let slot = items.len();
                items.push(Item::Optional {
                    items: 0,
                    stringize,
                    piece,
                });
                self.body_items(content, parameters, true, items)?;
                let count = items.len() - slot - 1;
                items[slot] = Item::Optional {
                    items: count,
                    stringize,
                    piece,
                };
            } else if stringize {
                return wrong(&piece, "'#' is not followed by a parameter");
            } else if piece.is_identifier() && text == "__VA_ARGS__" {
                return wrong(&piece, "__VA_ARGS__ belongs to a macro with '...'");
            } else {
                items.push(Item::Piece(piece));
            }
        }
        Ok(())
    }

    /// How many pieces `(…)` at the start takes.
    fn balanced(&self, pieces: &[Piece]) -> Option<usize> {
        let mut depth = 0usize;
        for (index, piece) in pieces.iter().enumerate() {
            match self.texts.of(piece) {
                "(" => depth += 1,
                ")" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return (index > 0).then_some(index + 1);
            }
        }
        None
    }

    fn warn_of_redefinition(&mut self, new: &Macro, name: &Piece) {
        let Some(old) = self.macros.get(&new.name) else {
            return;
        };
        if matches!(old.meaning, Meaning::Split(_)) || self.same(&old.meaning, &new.meaning) {
            return;
        }
        let earlier = old
            .defined
            .map(|place| self.written(place, new.name.len() as u32));
        let location: Location = self.written(name.place, new.name.len() as u32);
        let note = if earlier.is_some() {
            "defined first here"
        } else {
            "the macro is built in"
        };
        let diagnostic = Diagnostic::new(&codes::MACRO_REDEFINED, Some(location), &[&new.name]);
        self.sink.push(diagnostic.note(note, earlier));
    }

    /// Whether two definitions agree token by token (C11 6.10.3).
    pub(super) fn same(&self, a: &Meaning, b: &Meaning) -> bool {
        let (a, b) = match (a, b) {
            (Meaning::Object(a), Meaning::Object(b)) => (a, b),
            (Meaning::Function(p, a), Meaning::Function(q, b)) if p == q => (a, b),
            _ => return false,
        };
        let alike = |(index, (a, b)): (usize, (&Item, &Item))| {
            let same_item = match (a, b) {
                (Item::Parameter(m, _), Item::Parameter(n, _))
                | (Item::Stringize(m, _), Item::Stringize(n, _)) => m == n,
                _ => std::mem::discriminant(a) == std::mem::discriminant(b),
            };
            let (a, b) = (a.piece(), b.piece());
            same_item && (index == 0 || a.space == b.space) && self.texts.of(a) == self.texts.of(b)
        };
        a.items.len() == b.items.len() && a.items.iter().zip(&b.items).enumerate().all(alike)
    }

    /// Reports what among these is no token.
    pub(super) fn are_tokens(&mut self, source: &Source, range: Range<usize>) -> bool {
        let mut all = true;
        for index in range {
            let Some(token) = source.tokens.get(index) else {
                break;
            };
            let bad = matches!(
                token.kind,
                TokenKind::UnterminatedString
                    | TokenKind::UnterminatedCharacter
                    | TokenKind::UnterminatedComment
                    | TokenKind::Stray
            );
            if bad {
                self.lexical_error(source, *token);
                all = false;
            }
        }
        all
    }

    pub(super) fn place(source: &Source, index: usize) -> Place {
        let offset = source.tokens.get(index).map_or(0, |t| t.span.start);
        Place {
            file: source.id,
            offset,
        }
    }
}

type Wrong = (&'static crate::diagnostics::Code, Malformed);

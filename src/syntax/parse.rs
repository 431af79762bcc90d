use super::array_pointers::pointers_to_arrays;
use super::conditionals::assignments_in_conditionals;
use super::copy::copy;
use super::marks::{Mark, marks};
use super::memory;
use super::stand_ins::unreadable;
use super::{Field, Kind, NodeId, Tree};
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::lex::lex;
use crate::source::{Provenance, Span};
use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::OnceLock;
use tree_sitter::{Language, Parser};

/// Which grammar reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Plain C: Brook+ kernels.
    C,
    /// C++: OKL, and the host half of Brook+ programs.
    Cpp,
}

/// Names of one grammar, by the numbers tree-sitter gives them.
pub(super) struct Names {
    language: Language,
    pub(super) kinds: Vec<Kind>,
    pub(super) fields: Vec<Field>,
}

impl Names {
    fn of(grammar: Grammar) -> &'static Self {
        static C: OnceLock<Names> = OnceLock::new();
        static CPP: OnceLock<Names> = OnceLock::new();
        match grammar {
            Grammar::C => C.get_or_init(|| Self::build(tree_sitter_c::LANGUAGE.into())),
            Grammar::Cpp => CPP.get_or_init(|| Self::build(tree_sitter_cpp::LANGUAGE.into())),
        }
    }

    fn build(language: Language) -> Self {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| {
                language
                    .node_kind_for_id(id)
                    .map_or(Kind::Other, Kind::from_name)
            })
            .collect();
        let fields = (0..=language.field_count() as u16)
            .map(|id| {
                language
                    .field_name_for_id(id)
                    .map_or(Field::Other, Field::from_name)
            })
            .collect();
        Self {
            language,
            kinds,
            fields,
        }
    }
}

/// Parses `text`. `blank` are directive lines that no grammar needs to see; `only` restricts the
/// parse to some ranges. Syntax errors go to the sink. The grammar reads another text of the same length: words that it
/// could misunderstand have others in their places, names among them numbers.
pub(crate) fn parse_as(
    (text, read): (&str, &str),
    grammar: Grammar,
    blank: &[Span],
    only: Option<&[Span]>,
    provenance: &Provenance,
    sink: &mut Sink,
) -> Tree {
    let names = Names::of(grammar);
    let (input, mut marks) = input(read, blank, only);
    let tree = PARSER.with_borrow_mut(|parser| {
        parser.set_language(&names.language).ok()?;
        let sound = |tree: &tree_sitter::Tree| !tree.root_node().has_error();
        let broken = memory::still_broken(grammar, &input);
        let changed = match broken {
            Some(_) => None,
            None => changed(parser, grammar, &input),
        };
        let is_broken = broken.is_some() || changed.as_ref().is_some_and(|t| !sound(t));
        if is_broken && commas(&input).is_none() && memory::gives_up() {
            return None;
        }
        // Where something is wrong, the way to a tree leaves its traces in it.
        let tree = match broken.or(changed.filter(sound)) {
            Some(tree) => tree,
            None => parser.parse(&*input, None)?,
        };
        memory::remember(grammar, &input, &tree);
        if tree.root_node().has_error()
            && let Some(input) = commas(&input)
        {
            return parser.parse(&input, None);
        }
        Some(tree)
    });
    let Some(tree) = tree else {
        sink.push(Diagnostic::new(&codes::GRAMMAR_MISSING, None, &[]));
        return Tree::default();
    };
    let mut result = copy(&tree, names, text, &mut marks, provenance, sink);
    if grammar == Grammar::Cpp {
        assignments_in_conditionals(&mut result);
    }
    if tree.root_node().has_error() {
        report_errors(&result, text, provenance, sink);
    } else if !result.is_empty() {
        for mark in marks.iter().filter(|m| !m.used) {
            if only.is_none_or(|spans| spans.iter().any(|s| s.contains(mark.span))) {
                let what = mark.span.of(text);
                let name = what
                    .trim_start_matches("[[okl_")
                    .trim_start_matches("[[brook_");
                let name = name.split('(').next().unwrap_or("");
                let code = &codes::ATTRIBUTE_PLACE;
                sink.push(Diagnostic::at(code, provenance, mark.span, &[&name]));
            }
        }
    }
    result
}

thread_local! {
    static PARSER: RefCell<Parser> = RefCell::new(Parser::new());
}

/// The tree of an input of which most is as it was in the one before.
fn changed(parser: &mut Parser, grammar: Grammar, input: &str) -> Option<tree_sitter::Tree> {
    let old = memory::recalled(grammar, input)?;
    parser.parse(input, Some(&old))
}

/// What the parser is given, and the attributes that are blanks in it.
fn input<'t>(read: &'t str, blank: &[Span], only: Option<&[Span]>) -> (Cow<'t, str>, Vec<Mark>) {
    let (input, marks) = blanked(read, blank);
    // The parser could be told of ranges, but looks through all of them at every token.
    let gaps = only.map(|spans| between(spans, read)).unwrap_or_default();
    (without(input, gaps.into_iter()), marks)
}

/// What the parser is given for `text`: directive lines and attributes are blanks.
pub fn parser_input(text: &str, blank: &[Span]) -> String {
    blanked(text, blank).0.into_owned()
}

/// The parser's input, and the attributes that are blanks in it.
fn blanked<'t>(text: &'t str, directives: &[Span]) -> (Cow<'t, str>, Vec<Mark>) {
    let input = without(Cow::Borrowed(text), directives.iter().copied());
    // Without directives: one may stand between an attribute and its loop.
    let marks = marks((text, directives), &input);
    let input = without(input, marks.iter().map(|m| m.span));
    (unreadable(pointers_to_arrays(assignments(input))), marks)
}

/// The grammar does not know `(x = y, z)` in parentheses; `None` if there is nothing like it. It reads
/// another operator instead.
fn commas(text: &str) -> Option<String> {
    let mut open: Vec<(bool, Vec<usize>)> = Vec::new();
    let mut found = Vec::new();
    let mut previous = "";
    for token in lex(text) {
        let word = token.text(text);
        match word {
            "(" | "[" | "{" => {
                // What follows a name is a call's list, which the grammar knows.
                let plain = word == "("
                    && (!previous.ends_with(|c: char| c.is_alphanumeric() || c == '_')
                        || previous == "return");
                open.push((plain, Vec::new()));
            }
            ")" | "]" | "}" => {
                open.pop();
            }
            "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" => {
                if let Some((true, assignments)) = open.last_mut() {
                    assignments.push(token.span.end as usize - 1);
                }
            }
            "," => {
                if let Some((true, assignments)) = open.last_mut() {
                    found.append(assignments);
                }
            }
            _ => {}
        }
        previous = word;
    }
    if found.is_empty() {
        return None;
    }
    let mut bytes = text.as_bytes().to_vec();
    for at in found {
        let compound = at
            .checked_sub(1)
            .and_then(|before| bytes.get(before))
            .is_some_and(|b| b"+-*/%&|^".contains(b));
        if let Some(byte) = bytes.get_mut(at) {
            *byte = if compound { b' ' } else { b'|' };
        }
    }
    String::from_utf8(bytes).ok()
}

/// `v(i, j) = 0;` is an assignment to an element with dimensions, which the grammar takes for a pure
/// virtual function. It reads another digit instead; nobody reads the number from its tree.
fn assignments(text: Cow<'_, str>) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut zeros = Vec::new();
    for (at, _) in text.match_indices('=') {
        let before = bytes.get(..at).unwrap_or_default();
        let behind = bytes.get(at + 1..).unwrap_or_default();
        let closes = before.iter().rev().find(|b| !b.is_ascii_whitespace()) == Some(&b')');
        let zero = behind.iter().position(|b| !b.is_ascii_whitespace());
        let Some(zero) = zero.filter(|&z| closes && behind.get(z) == Some(&b'0')) else {
            continue;
        };
        let end = behind
            .iter()
            .skip(zero + 1)
            .find(|b| !b.is_ascii_whitespace());
        if end == Some(&b';') {
            zeros.push(at + 1 + zero);
        }
    }
    if zeros.is_empty() || text.contains("virtual") {
        return text;
    }
    let mut bytes = text.into_owned().into_bytes();
    for at in zeros {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = b'1';
        }
    }
    Cow::Owned(String::from_utf8(bytes).unwrap_or_default())
}

fn without(text: Cow<'_, str>, spans: impl ExactSizeIterator<Item = Span>) -> Cow<'_, str> {
    if spans.len() == 0 {
        return text;
    }
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        for byte in bytes.get_mut(span.range()).into_iter().flatten() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // Whole tokens were replaced by ASCII, so this is still UTF-8.
    String::from_utf8(bytes).map_or(text, Cow::Owned)
}

/// What stands before, between and behind ascending spans.
fn between(spans: &[Span], text: &str) -> Vec<Span> {
    let mut gaps = Vec::with_capacity(spans.len() + 1);
    let mut from = 0;
    for span in spans {
        gaps.push(Span::new(from, span.start.max(from)));
        from = span.end.max(from);
    }
    gaps.push(Span::new(from, (text.len() as u32).max(from)));
    gaps
}

/// Every place the grammar could not read is a diagnostic; the first few name the cause best.
fn report_errors(tree: &Tree, text: &str, provenance: &Provenance, sink: &mut Sink) {
    let mut reported = 0;
    let Some(root) = tree.root() else { return };
    let mut skip_until = 0;
    for id in tree.descendants(root) {
        let span = tree.span(id);
        if span.start < skip_until || reported >= 20 {
            continue;
        }
        match tree.kind(id) {
            Kind::Missing => {
                let what = what_is_missing(tree, id, text);
                sink.push(Diagnostic::at(
                    &codes::SYNTAX_MISSING,
                    provenance,
                    span,
                    &[&what],
                ));
            }
            Kind::Error => {
                let (span, what) = describe(span, text);
                if what == "@" {
                    sink.push(Diagnostic::at(&codes::STRAY_AT, provenance, span, &[]));
                } else {
                    sink.push(Diagnostic::at(
                        &codes::SYNTAX_ERROR,
                        provenance,
                        span,
                        &[&what],
                    ));
                }
                // What is wrong inside an unreadable piece follows from it.
                skip_until = tree.span(id).end;
            }
            _ => continue,
        }
        reported += 1;
    }
}

fn what_is_missing(tree: &Tree, id: NodeId, text: &str) -> &'static str {
    match tree.parent(id).map(|p| tree.kind(p)) {
        Some(Kind::CompoundStatement | Kind::FieldDeclarationList | Kind::DeclarationList) => "}",
        Some(Kind::ParenthesizedExpression | Kind::ArgumentList | Kind::ParameterList) => ")",
        Some(Kind::SubscriptExpression | Kind::SubscriptArguments | Kind::ArrayDeclarator) => "]",
        _ if tree.span(id).start as usize >= text.trim_end().len() => "}",
        _ => ";",
    }
}

/// The first word of an unreadable piece stands for it: pieces can be long.
fn describe(span: Span, text: &str) -> (Span, String) {
    let piece = span.of(text);
    let trimmed = piece.trim_start();
    let start = span.start + (piece.len() - trimmed.len()) as u32;
    let length = trimmed
        .char_indices()
        .find(|(i, c)| *i > 0 && !(c.is_alphanumeric() || *c == '_'))
        .map_or(trimmed.len(), |(i, _)| i);
    let word = trimmed.get(..length).unwrap_or("").to_string();
    (Span::new(start, start + length as u32), word)
}

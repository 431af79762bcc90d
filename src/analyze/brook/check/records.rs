use super::types::Ty;
use crate::lex::{Lexed, Token};
use crate::module::{Base, Fixed, Type};
use std::borrow::Cow;

/// A struct of the program.
#[derive(Clone, Debug)]
pub(in crate::analyze::brook) struct Record {
    /// Its names: `struct p_t` and what typedef calls it.
    pub(in crate::analyze::brook) names: Vec<String>,
    pub(in crate::analyze::brook) fields: Vec<RecordField>,
    /// Kernels can have elements of it.
    pub(in crate::analyze::brook) sound: bool,
    /// It is no struct but another name of this type, in these words.
    pub(in crate::analyze::brook) alias: Option<(Ty, String)>,
    /// What that is in memory, if it is of fixed point.
    pub(in crate::analyze::brook) fixed: Option<Fixed>,
}

/// A field of such a struct.
#[derive(Clone, Debug)]
pub(in crate::analyze::brook) struct RecordField {
    pub(in crate::analyze::brook) name: String,
    pub(in crate::analyze::brook) ty: Ty,
    /// What it is in memory, if it is of fixed point.
    pub(in crate::analyze::brook) fixed: Option<Fixed>,
    /// The sizes of an array.
    pub(in crate::analyze::brook) sizes: Vec<u64>,
}

/// The structs that a text declares at its top level. Host code may be any C++, so what does not look
/// like a C struct is none. With `fixed` they begin with BrookGPU's types of fixed point: other names of floats.
pub(in crate::analyze::brook) fn records(lexed: &Lexed<'_>, fixed: bool) -> Vec<Record> {
    let (text, tokens) = (lexed.text, lexed.tokens.as_slice());
    let word = |i: usize| lexed.word(i);
    let names = Fixed::NAMES.iter().filter(|_| fixed);
    let mut records: Vec<Record> = names
        .filter_map(|name| Fixed::from_name(name))
        .map(|fixed| Record {
            names: vec![fixed.name().to_string()],
            fields: Vec::new(),
            sound: false,
            alias: Some((Ty::Number(fixed.number()), fixed.number().to_string())),
            fixed: Some(fixed),
        })
        .collect();
    let mut at = 0;
    let mut depth = 0usize;
    while at < tokens.len() {
        match word(at) {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            "struct" | "union" if depth == 0 => {
                let named = usize::from(tokens.get(at + 1).is_some_and(Token::is_identifier));
                if word(at + 1 + named) == "{" {
                    let alias = at > 0 && word(at - 1) == "typedef";
                    let (record, end) = record(tokens, text, at, named, alias, &records);
                    records.extend(record);
                    at = end;
                    continue;
                }
            }
            "typedef" if depth == 0 => records.extend(alias(tokens, text, at, &records)),
            _ => {}
        }
        at += 1;
    }
    records
}

/// `typedef float4 Color;`
fn alias(tokens: &[Token], text: &str, at: usize, known: &[Record]) -> Option<Record> {
    let names = tokens.get(at + 1..)?;
    let names: Vec<&str> = names
        .iter()
        .take_while(|t| t.is_identifier())
        .map(|t| t.text(text))
        .collect();
    let (name, words) = names.split_last()?;
    let ends = tokens.get(at + 1 + names.len())?.is(text, ";");
    let words = words.join(" ");
    let ty = find(known, &words).filter(|_| ends && Type::from_words(name).is_none())?;
    Some(Record {
        names: vec![(*name).to_string()],
        fields: Vec::new(),
        sound: false,
        fixed: stored(known, &words),
        alias: Some((ty, words)),
    })
}

/// The struct whose keyword is token `at`, and the token behind its closing brace.
fn record(
    tokens: &[Token],
    text: &str,
    at: usize,
    named: usize,
    alias: bool,
    known: &[Record],
) -> (Option<Record>, usize) {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.text(text));
    let mut fields = Vec::new();
    let mut sound = word(at) == "struct";
    let mut next = at + 2 + named;
    while next < tokens.len() && word(next) != "}" {
        let mut end = next;
        while end < tokens.len() && !matches!(word(end), ";" | "{" | "}") {
            end += 1;
        }
        if word(end) != ";" {
            // A function or a nested struct: C++ of the host's own.
            return (None, skip(tokens, text, at + 1 + named));
        }
        sound &= field(tokens, text, next, end, known, &mut fields);
        next = end + 1;
    }
    let mut names = Vec::new();
    if named == 1 {
        names.push(format!("struct {}", word(at + 1)));
        // C++ needs no keyword before it.
        names.push(word(at + 1).to_string());
    }
    if alias && tokens.get(next + 1).is_some_and(Token::is_identifier) {
        names.push(word(next + 1).to_string());
    }
    let record = Record {
        names,
        fields,
        sound,
        alias: None,
        fixed: None,
    };
    (Some(record), next + 1)
}

/// `TYPE NAME, NAME[3]` in tokens `from..to`; `false` if kernels cannot have such a field.
fn field(
    tokens: &[Token],
    text: &str,
    from: usize,
    to: usize,
    known: &[Record],
    fields: &mut Vec<RecordField>,
) -> bool {
    let word = |i: usize| if i < to { tokens[i].text(text) } else { "" };
    let stop = (from..to)
        .find(|&i| !tokens[i].is_identifier())
        .unwrap_or(to);
    let name = stop.saturating_sub(1);
    let words: Vec<&str> = (from..name).map(word).collect();
    let Some(ty) = find(known, &words.join(" ")).filter(|_| name > from) else {
        return false;
    };
    let fixed = stored(known, &words.join(" "));
    let mut at = name;
    loop {
        if at >= to || !tokens[at].is_identifier() {
            return false;
        }
        let field = word(at).to_string();
        at += 1;
        let mut sizes = Vec::new();
        while word(at) == "[" {
            match word(at + 1).parse::<u64>() {
                Ok(size) if size > 0 && word(at + 2) == "]" => sizes.push(size),
                _ => return false,
            }
            at += 3;
        }
        fields.push(RecordField {
            name: field,
            ty,
            fixed,
            sizes,
        });
        match word(at) {
            "," => at += 1,
            "" => break,
            _ => return false,
        }
    }
    ty.arithmetic().is_some_and(|t| t.base != Base::Bool)
        || matches!(ty, Ty::Record(r) if known[r].sound)
}

/// The token behind the partner of the brace at `open`.
fn skip(tokens: &[Token], text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text(text) {
            "{" => depth += 1,
            "}" if depth == 1 => return index + 1,
            "}" => depth -= 1,
            _ => {}
        }
    }
    tokens.len()
}

const QUALIFIERS: [&str; 7] = [
    "const", "volatile", "restrict", "static", "extern", "auto", "register",
];

/// The type that words name: a number, a vector or a struct.
pub(super) fn find(records: &[Record], words: &str) -> Option<Ty> {
    let words = of_type(words);
    if let Some(ty) = Type::from_words(&words) {
        return Some(Ty::Number(ty));
    }
    let at = records
        .iter()
        .position(|r| r.names.iter().any(|n| *n == words))?;
    match &records[at].alias {
        Some((ty, _)) => Some(*ty),
        None => Some(Ty::Record(at)),
    }
}

/// What values of the type that words name are in memory, if they are of fixed point.
pub(super) fn stored(records: &[Record], words: &str) -> Option<Fixed> {
    let words = of_type(words);
    let found = records
        .iter()
        .find(|r| r.names.iter().any(|n| *n == words))?;
    found.fixed
}

/// The words without qualifiers and storage classes, which are not the type's.
fn of_type(words: &str) -> Cow<'_, str> {
    // Mostly it is one word.
    if !words.contains(|c: char| c.is_ascii_whitespace()) && !QUALIFIERS.contains(&words) {
        return Cow::Borrowed(words);
    }
    let mut of_type: Vec<&str> = words.split_ascii_whitespace().collect();
    of_type.retain(|w| !QUALIFIERS.contains(w));
    of_type.join(" ").into()
}

/// Whether streams can have elements of a type.
pub(super) fn is_element(records: &[Record], ty: Ty) -> bool {
    match ty {
        Ty::Number(ty) => ty.base != Base::Void,
        Ty::Record(record) => records[record].sound,
    }
}

/// How a type is called in messages.
pub(super) fn show(records: &[Record], ty: Ty) -> String {
    match ty {
        Ty::Number(ty) => ty.to_string(),
        Ty::Record(record) => records[record].names.last().cloned().unwrap_or_default(),
    }
}

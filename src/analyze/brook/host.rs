use super::check::host_functions;
use super::{items, spliced};
use crate::diagnostics::{Code, Diagnostic, Fix, Sink, codes, nearest};
use crate::lex::{Lexed, Token};
use crate::module::{Checking, HostDeclarator, HostKernel, HostProgram, HostStream, Type};
use crate::source::{FileId, Location, Provenance, Span};

/// The host half of a Brook+ program: the main file's normalised text, and what in it is Brook+.
///
/// Host code may be any C++, so it is read as tokens: the normaliser has marked all that matters.
pub(super) fn program(
    provenance: &Provenance,
    (analysed, kernels): (&Lexed<'_>, &[Span]),
    checking: &Checking,
    sink: &mut Sink,
) -> HostProgram {
    let (text, origins) = spliced::text(&provenance.files);
    let lexed = Lexed::new(&text);
    let plain = items::kernels(&lexed);
    let made = spliced::written_by_macros(&lexed, &origins, &plain, kernels, provenance);
    let plain = plain.iter().map(|k| (*k, items::name_of(&lexed, *k)));
    let made = made
        .iter()
        .map(|(here, there)| (*here, items::name_of(analysed, *there)));
    let mut spans: Vec<(Span, String)> = plain
        .chain(made)
        .map(|(span, name)| (span, name.to_string()))
        .collect();
    spans.sort_by_key(|(span, _)| span.start);
    let known: Vec<Span> = spans.iter().map(|(span, _)| *span).collect();
    let known = host_functions(&lexed, &known);
    let tokens = lexed.tokens;
    let mut program = HostProgram {
        kernels: Vec::new(),
        streams: Vec::new(),
        iterators: Vec::new(),
        has_main: false,
        checking: checking.clone(),
        text: String::new(),
        origins,
    };
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(&text));
    let mut unfinished: Vec<Span> = Vec::new();
    let mut misspelled: Vec<(Span, &'static str)> = Vec::new();
    let mut refused: Vec<(&'static Code, u32, String)> = Vec::new();
    let mut refuse = |code, offset, argument: &str| {
        refused.push((code, offset, argument.to_string()));
    };
    let mut next_kernel = spans.into_iter().peekable();
    let mut in_directive = false;
    let mut index = 0;
    // Brackets and braces that are open: streams between brackets outside of all braces are parameters.
    let (mut parameters, mut braces) = (0usize, 0usize);
    while index < tokens.len() {
        let span = tokens[index].span;
        if let Some((kernel, name)) = next_kernel.next_if(|(k, _)| span.start >= k.start) {
            let mut head = (index..tokens.len())
                .map(word)
                .take_while(|w| *w != name && *w != "{");
            let is_static = head.any(|w| w == "static");
            let defined = kernel.of(&text).trim_end().ends_with(['}', ')']);
            let included = program.place(kernel.start).file != FileId::MAIN;
            program.kernels.push(HostKernel {
                name,
                span: kernel,
                defined,
                // Every file that includes a definition has a kernel of its own; a prototype may be of another file's.
                internal: is_static || (included && defined),
                helper: false,
            });
            while index < tokens.len() && tokens[index].span.start < kernel.end {
                index += 1;
            }
            continue;
        }
        if tokens[index].line_start {
            in_directive = word(index) == "#";
        }
        // What macros write is looked at where it stands in the end.
        if in_directive {
            index += 1;
            continue;
        }
        match word(index) {
            "{" => braces += 1,
            "}" => braces = braces.saturating_sub(1),
            "(" if braces == 0 => parameters += 1,
            ")" if braces == 0 => parameters = parameters.saturating_sub(1),
            _ => {}
        }
        if let Some(code) = operator_of_kernels(word(index))
            && word(index + 1) == "("
            && braces > 0
            && !matches!(word(index.wrapping_sub(1)), "." | "->" | "::")
            && !known.contains(word(index))
        {
            refuse(code, span.start, "");
        }
        unfinished.extend(unfinished_stream(&tokens, &text, index));
        program.has_main |= word(index) == "main" && word(index + 1) == "(";
        if word(index) == "[" && word(index + 1) == "[" {
            match word(index + 2) {
                "brook_stream" => {
                    let parameter = parameters > 0;
                    let known = program.streams.len();
                    let iterates = program.iterators.last().is_some_and(|i: &Span| {
                        let behind = tokens.partition_point(|t| t.span.start < i.end);
                        !(behind..index).any(|at| word(at) == ";")
                    });
                    let points = word(index - 1) == ")";
                    index = match points {
                        true => pointer(&text, &tokens, index, &mut program),
                        false => stream(&text, &tokens, index, iterates, &mut program),
                    };
                    if let Some(stream) = program.streams.get_mut(known) {
                        stream.parameter = parameter && !points;
                    }
                    if let Some(stream) = program.streams.get(known) {
                        let initialized = word(index) == "=";
                        let taken = (parameter || points) && checking.brookgpu;
                        let keyword = parameter
                            .then(|| misspelled_keyword(&tokens, &text, index))
                            .flatten();
                        if let Some(keyword) = keyword.filter(|k| !misspelled.contains(k)) {
                            misspelled.push(keyword);
                        }
                        let fails = match taken || keyword.is_some() {
                            true => Vec::new(),
                            false => faults(&text, stream, parameter, initialized),
                        };
                        for (code, at, arguments) in fails {
                            refuse(code, at, &arguments);
                        }
                    }
                }
                "brook_iter" => {
                    let first = index;
                    while index < tokens.len() && !(word(index) == "]" && word(index + 1) == "]") {
                        index += 1;
                    }
                    let last = (index + 1).min(tokens.len() - 1);
                    program.iterators.push(span.to(tokens[last].span));
                    index = index.max(first + 1) + 1;
                }
                _ => index += 1,
            }
            continue;
        }
        index += 1;
    }
    for last in unfinished {
        let last = program.written(&provenance.files, last);
        let at = Location {
            span: Span::at(last.span.end),
            ..last
        };
        let code = &codes::SYNTAX_MISSING;
        let message = Diagnostic::new(code, Some(at), &[&";"]).label("expected ';'");
        sink.push(message.fix(Fix::insert(at, ";", true)));
    }
    for (token, keyword) in misspelled {
        let at = program.written(&provenance.files, token);
        let word = token.of(&text);
        let code = &codes::MISSPELLED_KEYWORD;
        let message = Diagnostic::new(code, Some(at), &[&word, &keyword]);
        sink.push(message.fix(Fix::rename(&[at], keyword, true)));
    }
    program.text = text;
    for (code, offset, argument) in refused {
        let at = program.written(&provenance.files, Span::at(offset));
        sink.push(Diagnostic::new(code, Some(at), &[&argument]));
    }
    program
}

/// The end of a stream's declaration, `float a<10>`, behind which another line begins instead of a `;`.
fn unfinished_stream(tokens: &[Token], text: &str, at: usize) -> Option<Span> {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let declares = Type::from_words(word(at)).is_some()
        && tokens.get(at + 1).is_some_and(Token::is_identifier)
        && word(at + 2) == "<";
    if !declares {
        return None;
    }
    let rest = tokens.get(at + 3..)?.iter().take(MOST_EXTENT_TOKENS);
    let close = rest.clone().position(|t| t.text(text) == ">")?;
    let plain = |t: &Token| !matches!(t.text(text), ";" | "{" | "}" | "=" | "&&" | "||");
    let next = tokens.get(at + 4 + close)?;
    let ends = next.line_start && next.is_identifier();
    (ends && rest.take(close).all(plain)).then(|| tokens.get(at + 3 + close).map(|t| t.span))?
}

/// The first word of the function whose parameters token `at` is among, if it is nearly a kernel's.
fn misspelled_keyword(tokens: &[Token], text: &str, at: usize) -> Option<(Span, &'static str)> {
    let ends = |t: &&Token| matches!(t.text(text), ";" | "}" | "{");
    let before = tokens.get(..at)?;
    let behind = before.iter().rev().position(|t| ends(&t));
    let first = before.get(before.len() - behind.unwrap_or(before.len()))?;
    let keyword = nearest(first.text(text), ["kernel", "reduce"])?;
    Some((first.span, keyword))
}

/// Tokens between the brackets of a stream's declaration, at most.
const MOST_EXTENT_TOKENS: usize = 32;

/// What only kernels ask for; host code may have functions of these names.
fn operator_of_kernels(word: &str) -> Option<&'static Code> {
    match word {
        "indexof" => Some(&codes::BROOK_HOST_INDEXOF),
        "instance" => Some(&codes::BROOK_HOST_INSTANCE),
        "instanceInGroup" => Some(&codes::BROOK_HOST_INSTANCEINGROUP),
        "syncGroup" => Some(&codes::BROOK_HOST_SYNCGROUP),
        _ => None,
    }
}

/// What is wrong with a declaration of streams.
fn faults(
    text: &str,
    stream: &HostStream,
    parameter: bool,
    initialized: bool,
) -> Vec<(&'static Code, u32, String)> {
    let mut found = Vec::new();
    let words = |d: &HostDeclarator| d.element_sizes.map_or("", |s| s.of(text)).to_string();
    let first = stream.declarators.first().map(words);
    for declarator in &stream.declarators {
        let at = declarator.attribute.start;
        if Some(words(declarator)) != first {
            found.push((&codes::BROOK_ARRAY_ELEMENTS_LATER, at, String::new()));
        }
        let extents = &declarator.extents;
        let float = |e: &String| {
            e.parse::<f64>().is_ok() && e.parse::<i64>().is_err()
                || e.trim_end_matches(['f', 'F']).parse::<f64>().is_ok() && e.contains('.')
        };
        // Only kernels have streams as parameters.
        if parameter || extents.is_empty() || extents.iter().any(|e| e.trim().is_empty()) {
            found.push((&codes::BROOK_STREAM_PLACE, at, String::new()));
        }
        if extents.len() > 4 {
            found.push((&codes::BROOK_RANK, at, extents.len().to_string()));
        }
        if extents.iter().any(float) {
            found.push((&codes::BROOK_STREAM_SIZE, at, String::new()));
        }
    }
    if initialized && !parameter {
        let at = stream.declarators.last().map_or(0, |d| d.attribute.start);
        found.push((&codes::BROOK_STREAM_INITIALIZER, at, String::new()));
    }
    found
}

/// `TYPE NAME [[brook_stream("<…>")]] , NAME [[…]] … ;`: token `index` is the first `[`. Returns the
/// index after the last declarator.
fn stream(
    text: &str,
    tokens: &[Token],
    index: usize,
    iterates: bool,
    program: &mut HostProgram,
) -> usize {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let is_name = |i: usize| tokens.get(i).is_some_and(Token::is_identifier);
    let follows = index > 1 && word(index - 2) == ",";
    // The declaration's type: the names before the stream's own, or before the first one of the declaration.
    let mut first = index - 1;
    if follows {
        first = index - 2;
        // Initialisers in braces belong to the declaration.
        let mut depth = 0usize;
        while first > 0 {
            match word(first - 1) {
                ";" if depth == 0 => break,
                "{" if depth == 0 => break,
                "}" if depth == 0 && word(first) != "," => break,
                "}" => depth += 1,
                "{" => depth -= 1,
                _ => {}
            }
            first -= 1;
        }
        while matches!(word(first), "static" | "const") {
            first += 1;
        }
    } else {
        while first > 0 && is_name(first - 1) && !tokens[first].line_start
            || first > 0 && is_name(first - 1) && index - first < 2
        {
            first -= 1;
        }
        while first + 2 < index && matches!(word(first), "static" | "extern") {
            first += 1;
        }
    }
    let last = match follows {
        true => first + usize::from(is_name(first + 1) && is_name(first + 2)),
        false => index.saturating_sub(2).max(first),
    };
    let words = tokens[first].span.to(tokens[last].span);
    let type_span = if follows {
        tokens[index - 2].span
    } else {
        words
    };
    let mut declarators = Vec::new();
    let mut at = index;
    loop {
        let name = word(at - 1).to_string();
        let mut end = at;
        while end + 1 < tokens.len() && !(word(end) == "]" && word(end + 1) == "]") {
            end += 1;
        }
        let attribute = tokens[at]
            .span
            .to(tokens[(end + 1).min(tokens.len() - 1)].span);
        let literal = word(at + 4).trim_matches('"');
        let inside = literal.trim_start_matches('<').trim_end_matches('>');
        let extents = crate::syntax::AttributeUse {
            dialect: crate::normalize::Dialect::Brook,
            name: String::new(),
            arguments: inside.replace("\\\"", "\""),
            has_arguments: true,
            span: attribute,
        };
        let extents = extents.split().into_iter().map(str::to_string).collect();
        at = end + 2;
        let first_bracket = at;
        while word(at) == "[" && word(at + 1) != "[" {
            while at < tokens.len() && word(at) != "]" {
                at += 1;
            }
            at += 1;
        }
        let element_sizes = (at > first_bracket).then(|| {
            tokens[first_bracket]
                .span
                .to(tokens[(at - 1).min(tokens.len() - 1)].span)
        });
        let mut values = None;
        if iterates && word(at) == "=" && word(at + 1) == "iter" && word(at + 2) == "(" {
            let first = at;
            let mut depth = 0usize;
            at += 2;
            while at < tokens.len() {
                match word(at) {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                at += 1;
                if depth == 0 {
                    break;
                }
            }
            let end = tokens[at - 1].span;
            values = Some((tokens[first].span.to(end), tokens[first + 2].span.to(end)));
        }
        declarators.push(HostDeclarator {
            name,
            attribute,
            extents,
            element_sizes,
            values,
        });
        let another =
            word(at) == "," && is_name(at + 1) && word(at + 2) == "[" && word(at + 3) == "[";
        if !another {
            break;
        }
        at += 2;
    }
    // Nothing of an object is in a register.
    let element = words.of(text).trim_start_matches("register ").to_string();
    let rest = (word(at) == "," && !iterates).then(|| tokens[at].span);
    program.streams.push(HostStream {
        type_span,
        element,
        declarators,
        follows,
        rest,
        parameter: false,
        pointer: false,
    });
    at
}

/// `TYPE (*NAME) [[brook_stream("<…>")]]`: a parameter or a variable that points to streams.
fn pointer(text: &str, tokens: &[Token], index: usize, program: &mut HostProgram) -> usize {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let mut end = index;
    while end + 1 < tokens.len() && !(word(end) == "]" && word(end + 1) == "]") {
        end += 1;
    }
    let last = (end + 1).min(tokens.len() - 1);
    // Between the type and here stand brackets around stars, a name and the sizes of an array.
    let mut open = index.saturating_sub(1);
    while open > 0 && word(open) != "(" {
        open -= 1;
    }
    let names = tokens.get(open..index).unwrap_or_default();
    let name = names.iter().find(|t| t.is_identifier());
    let type_span = tokens[open.saturating_sub(1)].span;
    program.streams.push(HostStream {
        type_span,
        element: type_span.of(text).to_string(),
        declarators: vec![HostDeclarator {
            name: name.map_or("", |n| n.text(text)).to_string(),
            attribute: tokens[index].span.to(tokens[last].span),
            extents: Vec::new(),
            element_sizes: None,
            values: None,
        }],
        follows: false,
        rest: None,
        parameter: false,
        pointer: true,
    });
    end + 2
}

use super::{Repair, What};
use crate::diagnostics::{Diagnostic, Fix, codes};
use crate::lex::lex;
use crate::source::{Location, Provenance, Span};

/// A repair as a message. `original` leads from the text in which it was found to `text`.
pub(super) fn message(
    repair: &Repair,
    original: &dyn Fn(Span) -> Span,
    provenance: &Provenance,
    text: &str,
) -> Option<Diagnostic> {
    let span = original(repair.span);
    let place = match span.is_empty() {
        true => behind(span.start, provenance)?,
        false => provenance.spelled(span).or_else(|| at(span, provenance))?,
    };
    let body = body_left_open(repair, original, provenance);
    let brace = matches!(repair.what, What::Missing("}", _));
    let outside = out_of_call(place, provenance).filter(|_| brace);
    let place = body.or(outside).unwrap_or(place);
    let word = span.of(text);
    let mut message = match &repair.what {
        What::Missing(character, open) => {
            let message = Diagnostic::new(&codes::SYNTAX_MISSING, Some(place), &[character])
                .label(format!("expected '{character}'"));
            let partner = open.and_then(|open| {
                let open = original(open);
                Some((open.of(text), provenance.spelled(open)?))
            });
            match partner {
                Some((open, place)) if !matches!(*character, "(" | "[" | "{") => {
                    message.note(format!("this '{open}' is not closed"), Some(place))
                }
                Some((close, place)) => {
                    message.note(format!("this '{close}' closes nothing"), Some(place))
                }
                None => message,
            }
        }
        What::Surplus => {
            Diagnostic::new(&codes::UNBALANCED, Some(place), &[&word]).label(match word {
                "(" | "[" => format!("this '{word}' is not closed"),
                _ => format!("this '{word}' closes nothing"),
            })
        }
        What::Keyword(keyword) => {
            Diagnostic::new(&codes::MISSPELLED_KEYWORD, Some(place), &[&word, keyword])
        }
        What::Operator => Diagnostic::new(&codes::SYNTAX_OPERATOR, Some(place), &[])
            .label("expected an operator, ',' or ';'"),
        What::Operand => Diagnostic::new(&codes::SYNTAX_OPERATOR, Some(place), &[])
            .label("expected an expression"),
    };
    let spelled = provenance.spelled(match span.is_empty() {
        true => Span::new(span.start.saturating_sub(1), span.start),
        false => span,
    });
    // What is within a macro's body is mended there, and nowhere else.
    let within = |at: Span| {
        let origin = provenance.origin(at)?;
        (!origin.expansions.is_empty()).then_some(origin.location)
    };
    let before = within(Span::new(span.start.saturating_sub(1), span.start));
    let behind = within(Span::new(span.end, span.end + 1));
    let in_macro = body.is_none() && before.is_some() && before == behind;
    if spelled.is_some() && !in_macro && !matches!(repair.what, What::Operator | What::Operand) {
        message = message.fix(Fix {
            message: match &repair.what {
                What::Missing(_, _) if !span.is_empty() => format!("write '{}'", repair.text),
                What::Missing(character, _) => format!("insert '{character}'"),
                What::Surplus => format!("remove '{word}'"),
                What::Keyword(keyword) => format!("write '{keyword}'"),
                What::Operator | What::Operand => String::new(),
            },
            edits: vec![(place, repair.text.clone())],
            // It was tried elsewhere.
            certain: repair.certain && body.is_none() && outside.is_none(),
        });
    }
    Some(message)
}

fn at(span: Span, provenance: &Provenance) -> Option<Location> {
    provenance.origin(span).map(|o| o.location)
}

/// Behind the call of a macro that is given the name of another one, if a place is behind that name: no brace stands there.
fn out_of_call(place: Location, provenance: &Provenance) -> Option<Location> {
    let text = provenance.files.get(place.file).map_or("", |f| &f.text);
    let behind = text.get(place.span.end as usize..)?;
    let tokens = lex(behind);
    let first = tokens.first()?.text(behind);
    if !matches!(first, ")" | ",") {
        return None;
    }
    let mut depth = 0usize;
    for token in tokens {
        match token.text(behind) {
            "(" => depth += 1,
            ")" if depth == 0 => {
                let span = Span::at(place.span.end + token.span.end);
                return Some(Location { span, ..place });
            }
            ")" => depth -= 1,
            ";" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}

/// Where the body of a macro ends that opens a bracket and does not close it: what follows where it is used has all of its
/// own.
fn body_left_open(
    repair: &Repair,
    original: &dyn Fn(Span) -> Span,
    provenance: &Provenance,
) -> Option<Location> {
    let What::Missing(")" | "]", Some(open)) = repair.what else {
        return None;
    };
    let opened = provenance.origin(original(open))?;
    let place = opened.spelled.filter(|_| !opened.expansions.is_empty())?;
    let text = provenance.files.get(place.file).map_or("", |f| &f.text);
    let tokens = lex(text);
    let at = tokens.partition_point(|t| t.span.start < place.span.start);
    let own = tokens.get(..=at)?.iter().rposition(|t| t.line_start)?;
    let last = tokens.iter().skip(at + 1).take_while(|t| !t.line_start);
    let end = last.last().or(tokens.get(at))?.span.end;
    let directive = tokens.get(own).is_some_and(|t| t.is(text, "#"));
    let defines = tokens.get(own + 1).is_some_and(|t| t.is(text, "define"));
    (directive && defines).then_some(Location {
        file: place.file,
        span: Span::at(end),
    })
}

/// The place directly behind a byte of the text.
fn behind(offset: u32, provenance: &Provenance) -> Option<Location> {
    let before = Span::new(offset.saturating_sub(1), offset);
    let origin = provenance.origin(before)?;
    let place = match origin.expansions.is_empty() {
        true => origin.location,
        false => whole_call(origin.location, provenance),
    };
    Some(Location {
        file: place.file,
        span: Span::at(place.span.end),
    })
}

/// The call of a macro with its arguments, of which only the name is known.
fn whole_call(name: Location, provenance: &Provenance) -> Location {
    let text = provenance.files.get(name.file).map_or("", |f| &f.text);
    let behind = text.get(name.span.end as usize..).unwrap_or("");
    let mut depth = 0usize;
    for token in lex(behind) {
        match token.text(behind) {
            "(" => depth += 1,
            ")" if depth == 1 => {
                let end = name.span.end + token.span.end;
                return Location {
                    span: Span::new(name.span.start, end),
                    ..name
                };
            }
            ")" => depth = depth.saturating_sub(1),
            _ if depth == 0 => break,
            _ => {}
        }
    }
    name
}

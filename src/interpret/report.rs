//! Findings as messages, and as JSON.

use super::{Failure, Finding, Kind, Settings};
use crate::diagnostics::{Code, Diagnostic, codes};
use crate::source::{Files, Location, Provenance, Span};
use serde_json::{Value, json};
use std::fmt::Display;

fn code(kind: Kind) -> &'static Code {
    match kind {
        Kind::Race => &codes::RACE,
        Kind::EqualRace => &codes::EQUAL_RACE,
        Kind::GroupRace => &codes::GROUP_RACE,
        Kind::EqualGroupRace => &codes::EQUAL_GROUP_RACE,
        Kind::MixedAtomics => &codes::MIXED_ATOMICS,
        Kind::BarrierDivergence => &codes::BARRIER_DIVERGENCE,
        Kind::CollectiveDivergence => &codes::COLLECTIVE_DIVERGENCE,
        Kind::ReadOutOfBounds => &codes::READ_OUT_OF_BOUNDS,
        Kind::WriteOutOfBounds => &codes::WRITE_OUT_OF_BOUNDS,
        Kind::Subscript => &codes::BAD_SUBSCRIPT,
        Kind::Row => &codes::BEYOND_ROW,
        Kind::NullPointer => &codes::NULL_POINTER,
        Kind::InvalidPointer => &codes::INVALID_POINTER,
        Kind::Uninitialised => &codes::UNWRITTEN_READ,
        Kind::UnfinishedCopy => &codes::UNFINISHED_COPY,
        Kind::NoValue => &codes::NO_VALUE,
        Kind::Overflow => &codes::SIGNED_OVERFLOW,
        Kind::DivisionByZero => &codes::DIVISION_BY_ZERO,
        Kind::Shift => &codes::BAD_SHIFT,
        Kind::Conversion => &codes::BAD_CONVERSION,
        Kind::GroupVariable => &codes::GROUP_VARIABLE_WRITTEN,
        Kind::ElementRace => &codes::ELEMENT_RACE,
        Kind::EqualElementRace => &codes::EQUAL_ELEMENT_RACE,
        Kind::Clamped => &codes::INDEX_CLAMPED,
        Kind::Dropped => &codes::WRITE_DROPPED,
        Kind::OrderDependence => &codes::ORDER_DEPENDENCE,
        Kind::OrderRounding => &codes::ORDER_ROUNDING,
    }
}

/// A finding as a message at the user's own text.
pub(crate) fn diagnostic(finding: &Finding, provenance: &Provenance) -> Diagnostic {
    let code = code(finding.kind);
    let element = match &finding.element {
        Some(element) => element.to_string(),
        None => "memory".to_string(),
    };
    let extent = finding.element.as_ref().map_or(0, |e| e.extent);
    let who = &finding.who;
    let other: &dyn Display = match &finding.other_who {
        Some(other) if finding.kind == Kind::UnfinishedCopy && other == who => &"it",
        Some(other) => other,
        None => &"another",
    };
    let (detail, other_detail) = (&finding.detail, &finding.other_detail);
    let arguments: Vec<&dyn Display> = match finding.kind {
        Kind::Race
        | Kind::EqualRace
        | Kind::GroupRace
        | Kind::EqualGroupRace
        | Kind::ElementRace
        | Kind::EqualElementRace
        | Kind::MixedAtomics => vec![&element, who, detail, other, other_detail],
        Kind::UnfinishedCopy => vec![&element, who, detail, other],
        Kind::BarrierDivergence | Kind::CollectiveDivergence => vec![who, other, other_detail],
        Kind::ReadOutOfBounds | Kind::WriteOutOfBounds | Kind::Subscript | Kind::Row => {
            vec![&element, &extent, who]
        }
        Kind::NullPointer | Kind::InvalidPointer => vec![who],
        Kind::Uninitialised | Kind::NoValue | Kind::GroupVariable => vec![&element, who],
        Kind::Overflow
        | Kind::DivisionByZero
        | Kind::Shift
        | Kind::Conversion
        | Kind::Clamped
        | Kind::Dropped => vec![detail, who],
        Kind::OrderDependence | Kind::OrderRounding => vec![&element, detail, other_detail],
    };
    let mut made = Diagnostic::at(code, provenance, finding.span, &arguments);
    if let Some(other) = finding.other.filter(|o| *o != finding.span) {
        let location = provenance.origin(other).map(|o| o.location);
        let note = match finding.kind {
            Kind::UnfinishedCopy => "the copy is here",
            _ => "the other access is here",
        };
        made = made.note(note, location);
    }
    match finding.count {
        1 => made,
        count => made.note(format!("seen {count} times; this was the first"), None),
    }
}

/// What kept a kernel from running to its end, as a message; `kernel` is where that is.
pub(crate) fn failure(
    failure: &Failure,
    settings: &Settings,
    provenance: &Provenance,
    kernel: Span,
    parameters: &[String],
) -> Diagnostic {
    let at =
        |code, span, arguments: &[&dyn Display]| Diagnostic::at(code, provenance, span, arguments);
    match failure {
        Failure::NotModelled(found) => at(&codes::NOT_MODELLED, found.span, &[&found.what]),
        Failure::Steps(span) => at(&codes::STEP_LIMIT, *span, &[&settings.steps]),
        Failure::Memory(span) => {
            let limit = settings.memory >> 20;
            at(&codes::MEMORY_LIMIT, span.unwrap_or(kernel), &[&limit])
        }
        Failure::Depth(span) => at(&codes::CALL_DEPTH, *span, &[&settings.depth]),
        Failure::TooMany(span) => at(&codes::TOO_MANY_ITEMS, *span, &[]),
        Failure::Nobody(span) => at(&codes::COLLECTIVE_OUTSIDE, *span, &[]),
        Failure::Argument(index) => {
            let name = parameters.get(*index).map_or("a parameter", String::as_str);
            at(&codes::ARGUMENT_LAYOUT, kernel, &[&name])
        }
    }
}

/// A finding as one JSON object.
pub(crate) fn to_json(finding: &Finding, provenance: &Provenance) -> Value {
    let message = diagnostic(finding, provenance).message;
    let location = |span| {
        let origin = provenance.origin(span);
        place(&provenance.files, origin.map(|o| o.location))
    };
    json!({
        "code": code(finding.kind).id,
        "kind": finding.kind,
        "message": message,
        "location": location(finding.span),
        "other": finding.other.map(location),
        "element": finding.element,
        "who": finding.who,
        "otherWho": finding.other_who,
        "detail": finding.detail,
        "otherDetail": finding.other_detail,
        "count": finding.count,
    })
}

fn place(files: &Files, location: Option<Location>) -> Value {
    let Some((location, file)) = location.and_then(|l| Some((l, files.get(l.file)?))) else {
        return Value::Null;
    };
    let (line, column) = file.line_column(location.span.start);
    let bytes = file.on_disk(location.span);
    json!({
        "file": file.name, "line": line, "column": column,
        "start": bytes.start, "end": bytes.end,
    })
}

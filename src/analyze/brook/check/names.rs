//! What is said about names that nobody knows: the name that was meant, or the define that is missing.

use super::Checker;
use crate::analyze::brook::functions;
use crate::diagnostics::{Code, Diagnostic, Fix, codes, is_certain, is_macro_like, nearest};
use crate::library;
use crate::source::Span;
use crate::syntax::NodeId;
use std::fmt::Display;

/// Types of the language, for proposals.
const TYPES: [&str; 16] = [
    "float", "float2", "float3", "float4", "int", "int2", "int3", "int4", "double", "double2",
    "uint", "uint2", "uint3", "uint4", "short", "char",
];

/// What is added to the next message.
#[derive(Debug, Default)]
pub(super) struct Hint {
    label: Option<String>,
    help: Option<String>,
    /// A name and the one that was meant.
    meant: Option<(String, String)>,
}

impl Hint {
    /// What stands at the caret.
    pub(super) fn label(text: impl Into<String>) -> Self {
        Self {
            label: Some(text.into()),
            ..Self::default()
        }
    }

    pub(super) fn add(self, mut message: Diagnostic) -> Diagnostic {
        if let (Some((name, near)), Some(at)) = (self.meant, message.location) {
            message = message.fix(Fix::rename(&[at], &near, is_certain(&name, &near)));
        }
        if let Some(label) = self.label {
            message = message.label(label);
        }
        match self.help {
            Some(help) => message.help(help),
            None => message,
        }
    }
}

impl Checker<'_, '_> {
    /// As `report`, with more for people to read.
    pub(super) fn report_with(
        &mut self,
        hint: Hint,
        code: &'static Code,
        span: Span,
        arguments: &[&dyn Display],
    ) {
        self.hint = Some(hint);
        self.report(code, span, arguments);
        self.hint = None;
    }

    fn hint(name: &str, near: Option<&str>) -> Hint {
        Hint {
            label: near.map(|near| format!("'{name}': did you mean '{near}'?")),
            help: is_macro_like(name)
                .then(|| format!("if builds are to define '{name}', pass -D {name}=…")),
            meant: near.map(|near| (name.to_string(), near.to_string())),
        }
    }

    /// A variable that is not there. All but the first of its uses follow from that.
    pub(super) fn undefined(&mut self, node: NodeId) {
        let (name, span) = (self.word(node), self.span(node));
        let near = nearest(name, self.visible(node));
        let mut hint = Self::hint(name, near);
        if hint.label.is_none() {
            hint.label = Some(format!("'{name}' is not declared"));
        }
        let again = !self.undefined.insert(name.to_string());
        self.following(again, |this| {
            this.report_with(hint, &codes::BROOK_UNDEFINED, span, &[&name])
        });
    }

    /// A function that is not there.
    pub(super) fn unknown_callee(&mut self, call: Span, name: &str) {
        let kernels = self.functions.iter().map(|f| f.name.as_str());
        let language = functions::names(self.checking).map(|n| -> &str { n });
        let near = nearest(name, kernels.chain(language)).map(str::to_string);
        let mut hint = Self::hint(name, near.as_deref());
        hint.label = Some(
            hint.label
                .unwrap_or_else(|| format!("there is no function '{name}'")),
        );
        let at = Span::new(call.start, call.start + name.len() as u32);
        // A function of C's that the language does not have was no mistake of typing.
        if library::is_c_function(name) {
            hint.meant = None;
            hint.label = Some(format!("Brook+ has no '{name}'"));
        }
        self.report_with(hint, &codes::BROOK_CALLEE, at, &[&name]);
    }

    /// A type that is not there.
    pub(super) fn unknown_type(&mut self, span: Span, words: &str) {
        let records = self
            .records
            .iter()
            .flat_map(|r| r.names.iter().map(String::as_str));
        let near = nearest(words, records.chain(TYPES));
        let hint = match near {
            Some(near) => Self::hint(words, Some(near)),
            None => Hint::default(),
        };
        self.report_with(hint, &codes::BROOK_TYPE, span, &[&words]);
    }
}

//! What is wrong with a source in the protocol's types, and the changes that mend it.

use super::super::positions::{Encoding, Lines, Made};
use super::documents::Documents;
use brook::diagnostics::{self, Report, Severity};
use brook::source::{FileId, Location};
use lsp_types::{
    CodeAction, CodeActionKind, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    NumberOrString, Range, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

/// Who says it.
const SOURCE: &str = "brook";
/// Places that a message names besides.
const MOST_RELATED: usize = 20;

/// Places of a report as the protocol names them.
pub(super) struct Places<'a> {
    report: &'a Report,
    documents: &'a Documents,
    encoding: Encoding,
    made: Made<(Uri, Lines<'a>)>,
}

impl<'a> Places<'a> {
    pub(super) fn new(report: &'a Report, documents: &'a Documents, encoding: Encoding) -> Self {
        Self {
            report,
            documents,
            encoding,
            made: Made::default(),
        }
    }

    fn file(&self, id: FileId) -> Option<(Uri, Lines<'a>)> {
        let file = self.report.files.get(id)?;
        let uri = self.documents.uri(&file.name)?;
        Some((uri, Lines::new(&file.text, self.encoding)))
    }

    fn place(&self, at: Location) -> Option<lsp_types::Location> {
        let file = self.made.of(at.file, || self.file(at.file))?;
        let (uri, lines) = &*file;
        Some(lsp_types::Location::new(uri.clone(), lines.range(at.span)))
    }

    /// All messages by the file they are in; without a place, at the beginning of `main`.
    pub(super) fn messages(&self, main: &Uri) -> HashMap<Uri, Vec<Diagnostic>> {
        let mut all: HashMap<Uri, Vec<Diagnostic>> = HashMap::new();
        for message in self.report.diagnostics.iter().filter(|d| !d.follows) {
            let place = message.location.and_then(|at| self.place(at));
            let (uri, range) = match place {
                Some(place) => (place.uri, place.range),
                None => (main.clone(), Range::default()),
            };
            all.entry(uri)
                .or_default()
                .push(self.message(message, range));
        }
        all
    }

    fn message(&self, message: &diagnostics::Diagnostic, range: Range) -> Diagnostic {
        let mut text = message.message.clone();
        for more in [&message.label, &message.help] {
            if let Some(more) = more.as_ref().filter(|m| **m != message.message) {
                text.push('\n');
                text.push_str(more);
            }
        }
        let mut related = Vec::new();
        for note in &message.notes {
            match note.location.and_then(|at| self.place(at)) {
                Some(location) if related.len() < MOST_RELATED => {
                    related.push(DiagnosticRelatedInformation {
                        location,
                        message: note.message.clone(),
                    });
                }
                Some(_) => {}
                None => {
                    text.push('\n');
                    text.push_str(&note.message);
                }
            }
        }
        Diagnostic {
            range,
            severity: Some(severity(message.severity)),
            code: Some(NumberOrString::String(message.code.id.to_string())),
            source: Some(SOURCE.to_string()),
            message: text,
            related_information: (!related.is_empty()).then_some(related),
            ..Diagnostic::default()
        }
    }

    /// Changes that mend what is wrong at a place of a file.
    pub(super) fn fixes(&self, uri: &Uri, range: Range) -> Vec<CodeAction> {
        let mut actions = Vec::new();
        for message in self.report.diagnostics.iter().filter(|d| !d.follows) {
            let place = message.location.and_then(|at| self.place(at));
            let Some(place) = place.filter(|p| p.uri == *uri && touches(p.range, range)) else {
                continue;
            };
            for fix in &message.fixes {
                let Some(edit) = self.edit(&fix.edits) else {
                    continue;
                };
                actions.push(CodeAction {
                    title: fix.message.clone(),
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![self.message(message, place.range)]),
                    edit: Some(edit),
                    is_preferred: Some(fix.certain),
                    ..CodeAction::default()
                });
            }
        }
        actions
    }

    /// All changes that leave no choice, as one.
    pub(super) fn all_fixes(&self) -> Option<CodeAction> {
        let fixes = diagnostics::certain(self.report);
        let edits: Vec<(Location, String)> = fixes.iter().flat_map(|f| f.edits.clone()).collect();
        let edit = self.edit(&edits).filter(|_| !edits.is_empty())?;
        Some(CodeAction {
            title: "make all changes that leave no choice".to_string(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(edit),
            ..CodeAction::default()
        })
    }

    fn edit(&self, edits: &[(Location, String)]) -> Option<WorkspaceEdit> {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for (at, text) in edits {
            let place = self.place(*at)?;
            let edits = changes.entry(place.uri).or_default();
            let file = self.report.files.get(at.file);
            let text = file.map_or(text.into(), |f| f.with_own_ends(text));
            edits.push(TextEdit::new(place.range, text.into_owned()));
        }
        Some(WorkspaceEdit::new(changes))
    }
}

fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        _ => DiagnosticSeverity::WARNING,
    }
}

/// Whether two ranges have a place in common, be it where one ends and the other begins.
fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}

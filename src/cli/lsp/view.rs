//! One file, as it is known in one source, and what is answered of it.

use super::super::configuration::Configuration;
use super::super::positions::{Lines, Made};
use super::convert;
use super::requests::{OFFERED, SHOW};
use super::server::Server;
use brook::ide::Analysis;
use brook::source::{FileId, Location, Span};
use lsp_types::{
    CodeLens, Command, Hover, HoverContents, InlayHint, InlayHintKind, InlayHintLabel,
    InlayHintTooltip, MarkupContent, MarkupKind, Position, SemanticToken, SymbolInformation,
    TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;

/// One file, as it is known in one source.
pub(super) struct View<'a> {
    server: &'a Server,
    pub(super) analysis: &'a Analysis,
    pub(super) file: FileId,
    pub(super) lines: Lines<'a>,
    made: Made<(Uri, Lines<'a>)>,
}

impl Server {
    /// What is known about a place; nothing where nothing is.
    pub(super) fn at<R>(
        &mut self,
        at: TextDocumentPositionParams,
        answer: impl FnOnce(&View<'_>, Location) -> Option<R>,
    ) -> Result<Option<R>, String> {
        let position = at.position;
        self.file(&at.text_document.uri, |view| {
            answer(view, view.location(position))
        })
    }

    pub(super) fn file<R>(
        &mut self,
        uri: &Uri,
        answer: impl FnOnce(&View<'_>) -> Option<R>,
    ) -> Result<Option<R>, String> {
        let Some(main) = self.documents.main_of(uri) else {
            return Ok(None);
        };
        let known = self.documents.known(&main, uri);
        Ok(known.and_then(|(analysis, file)| {
            let text = analysis.files().get(file).map_or("", |f| &f.text);
            answer(&View {
                server: self,
                analysis,
                file,
                lines: Lines::new(text, self.encoding),
                made: Made::default(),
            })
        }))
    }
}

impl Server {
    /// The colours of a text.
    pub(super) fn tokens(&mut self, uri: &Uri) -> Result<Option<Vec<SemanticToken>>, String> {
        self.file(uri, |view| {
            let classes = view.analysis.classes(view.file);
            Some(convert::tokens(&classes, &view.lines))
        })
    }

    /// The names of the project that a query means.
    pub(super) fn symbols(&mut self, query: &str) -> Vec<SymbolInformation> {
        self.project.find(query, &mut self.documents, self.encoding)
    }
}

impl View<'_> {
    fn location(&self, at: Position) -> Location {
        Location {
            file: self.file,
            span: Span::at(self.lines.offset(at)),
        }
    }

    pub(super) fn hover(&self, at: Location) -> Option<Hover> {
        let found = self.analysis.hover(at)?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: found.text,
            }),
            range: Some(self.lines.range(found.at.span)),
        })
    }

    fn place(&self, at: Location) -> Option<lsp_types::Location> {
        let made = self.made.of(at.file, || {
            let file = self.analysis.files().get(at.file)?;
            let uri = self.server.documents.uri(&file.name)?;
            Some((uri, Lines::new(&file.text, self.server.encoding)))
        })?;
        let (uri, lines) = &*made;
        Some(lsp_types::Location::new(uri.clone(), lines.range(at.span)))
    }

    /// Where things are declared: what `brook.toml` defines, there.
    pub(super) fn definitions(&self, all: Vec<Location>) -> Option<Vec<lsp_types::Location>> {
        let of = |at: Location| self.place(at).or_else(|| self.configured(at));
        Some(all.into_iter().filter_map(of).collect())
    }

    /// A macro of the project's.
    fn configured(&self, at: Location) -> Option<lsp_types::Location> {
        let files = self.analysis.files();
        let name = at.span.of(&files.get(at.file)?.text);
        let main = &files.get(FileId::MAIN)?.name;
        let found = Configuration::of(main).ok()??.defines(main, name)?;
        let file = Configuration::file(main)?;
        let text = brook::source::read_text(&file).ok()?;
        let uri = self.server.documents.uri(&file.to_string_lossy())?;
        let lines = Lines::new(&text, self.server.encoding);
        Some(lsp_types::Location::new(uri, lines.range(found)))
    }

    pub(super) fn places(&self, all: Vec<Location>) -> Option<Vec<lsp_types::Location>> {
        Some(all.into_iter().filter_map(|at| self.place(at)).collect())
    }

    pub(super) fn edits(&self, places: Vec<Location>, new: &str) -> WorkspaceEdit {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for place in places.into_iter().filter_map(|at| self.place(at)) {
            let edits = changes.entry(place.uri).or_default();
            edits.push(TextEdit::new(place.range, new.to_string()));
        }
        WorkspaceEdit::new(changes)
    }

    pub(super) fn hints(&self, range: lsp_types::Range) -> Vec<InlayHint> {
        let lines = &self.lines;
        let wanted = lines.span(range);
        let all = self.analysis.hints(self.file).into_iter();
        let seen = all.filter(|h| wanted.start <= h.at.span.start && h.at.span.start <= wanted.end);
        seen.map(|hint| InlayHint {
            position: lines.position(hint.at.span.start),
            label: InlayHintLabel::String(hint.text),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(hint.why)),
            padding_left: Some(true),
            padding_right: Some(true),
            data: None,
        })
        .collect()
    }

    pub(super) fn lenses(&self, uri: &Uri) -> Vec<CodeLens> {
        let lines = &self.lines;
        let mut lenses = Vec::new();
        for (_, at) in self.analysis.kernels(self.file) {
            for (backend, name) in OFFERED {
                let arguments = vec![uri.as_str().into(), backend.into()];
                lenses.push(CodeLens {
                    range: lines.range(at.span),
                    command: Some(Command::new(
                        format!("show {name}"),
                        SHOW.to_string(),
                        Some(arguments),
                    )),
                    data: None,
                });
            }
        }
        lenses
    }
}

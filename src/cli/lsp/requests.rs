//! What is answered to which request.

use super::super::positions::{Encoding, Lines};
use super::convert;
use super::messages::Places;
use super::server::{Server, read};
use brook::backend::Backend;
use brook::ide::{self, Analysis};
use brook::source::{FileId, Location, Span};
use brook::{Options, Source};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest, ExecuteCommand,
    FoldingRangeRequest, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest,
    References, Rename, Request as _, SemanticTokensFullRequest, ShowDocument,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability, CodeLens,
    CodeLensOptions, CodeLensParams, Command, CompletionOptions, CompletionParams,
    DocumentSymbolParams, ExecuteCommandOptions, ExecuteCommandParams, FoldingRangeParams,
    FoldingRangeProviderCapability, GotoDefinitionParams, Hover, HoverContents, HoverParams,
    HoverProviderCapability, InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams,
    InlayHintTooltip, MarkupContent, MarkupKind, OneOf, Position, ReferenceParams, RenameOptions,
    RenameParams, SemanticTokens, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensParams, ServerCapabilities, ShowDocumentParams, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit, Uri, WorkDoneProgressOptions,
    WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

/// The command that shows what a backend gets: arguments are the source's URI and the backend.
const SHOW: &str = "brook.showGenerated";
/// Backends that a lens offers.
const OFFERED: [(&str, &str); 4] = [
    ("cuda", "CUDA"),
    ("hip", "HIP"),
    ("opencl", "OpenCL"),
    ("openmp", "OpenMP"),
];

/// An answer, or why there is none.
type Answer = Result<Value, String>;

/// What this server can do.
pub(super) fn capabilities(encoding: Encoding) -> ServerCapabilities {
    let words = |all: &[&str]| Some(all.iter().map(|w| w.to_string()).collect());
    let tokens = SemanticTokensOptions {
        legend: convert::legend(),
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    };
    ServerCapabilities {
        position_encoding: Some(encoding.kind()),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(
            TextDocumentSyncKind::INCREMENTAL,
        )),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: words(&["@", ".", ">", ":"]),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![
                CodeActionKind::QUICKFIX,
                CodeActionKind::SOURCE_FIX_ALL,
            ]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: None,
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(tokens.into()),
        inlay_hint_provider: Some(OneOf::Left(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![SHOW.to_string()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// The answer to a request; `None` if nobody knows it.
pub(super) fn answer(server: &mut Server, method: &str, params: Value) -> Option<Answer> {
    Some(match method {
        HoverRequest::METHOD => with(params, |p: HoverParams| {
            server.at(p.text_document_position_params, |view, at| view.hover(at))
        }),
        GotoDefinition::METHOD => with(params, |p: GotoDefinitionParams| {
            server.at(p.text_document_position_params, |view, at| {
                view.places(view.analysis.definition(at))
            })
        }),
        References::METHOD => with(params, |p: ReferenceParams| {
            let declared = p.context.include_declaration;
            server.at(p.text_document_position, |view, at| {
                let mut found = view.analysis.references(at);
                if !declared {
                    let declarations = view.analysis.definition(at);
                    found.retain(|l| !declarations.contains(l));
                }
                view.places(found)
            })
        }),
        PrepareRenameRequest::METHOD => with(params, |p: TextDocumentPositionParams| {
            let found = server.at(p, |view, at| {
                let place = view.analysis.renamable(at);
                Some(place.map(|l| view.lines().range(l.span)))
            })?;
            found.transpose()
        }),
        Rename::METHOD => with(params, |p: RenameParams| {
            let new = p.new_name;
            let found = server.at(p.text_document_position, |view, at| {
                let places = view.analysis.rename(at, &new);
                Some(places.map(|places| view.edits(places, &new)))
            })?;
            found.transpose()
        }),
        Completion::METHOD => with(params, |p: CompletionParams| {
            server.at(p.text_document_position, |view, at| {
                let all = view.analysis.completions(at).into_iter();
                Some(all.map(convert::completion).collect::<Vec<_>>())
            })
        }),
        DocumentSymbolRequest::METHOD => with(params, |p: DocumentSymbolParams| {
            server.file(&p.text_document.uri, |view| {
                let all = view.analysis.symbols(view.file).into_iter();
                Some(
                    all.map(|s| convert::symbol(s, &view.lines()))
                        .collect::<Vec<_>>(),
                )
            })
        }),
        FoldingRangeRequest::METHOD => with(params, |p: FoldingRangeParams| {
            let document = server.documents.get(&p.text_document.uri);
            Ok(document.map(|document| {
                let lines = Lines::new(&document.text, server.encoding);
                let all = ide::folds(&document.text).into_iter();
                all.map(|(span, comment)| convert::fold(span, comment, &lines))
                    .collect::<Vec<_>>()
            }))
        }),
        SemanticTokensFullRequest::METHOD => with(params, |p: SemanticTokensParams| {
            server.file(&p.text_document.uri, |view| {
                let classes = view.analysis.classes(view.file);
                Some(SemanticTokens {
                    result_id: None,
                    data: convert::tokens(&classes, &view.lines()),
                })
            })
        }),
        InlayHintRequest::METHOD => with(params, |p: InlayHintParams| {
            let range = p.range;
            server.file(&p.text_document.uri, |view| Some(view.hints(range)))
        }),
        CodeLensRequest::METHOD => with(params, |p: CodeLensParams| {
            let uri = p.text_document.uri;
            server.file(&uri.clone(), |view| Some(view.lenses(&uri)))
        }),
        CodeActionRequest::METHOD => with(params, |p: CodeActionParams| {
            let uri = p.text_document.uri;
            let Some(main) = server.documents.main_of(&uri) else {
                return Ok(None);
            };
            let looked = server.documents.get(&main).and_then(|d| d.looked.as_ref());
            Ok(looked.map(|looked| {
                let places = Places {
                    report: looked.analysis.report(),
                    documents: &server.documents,
                    encoding: server.encoding,
                };
                // `source` asks for all kinds that begin so.
                let only = p.context.only.as_ref();
                let wanted = |kind: &CodeActionKind| {
                    only.is_none_or(|only| {
                        only.iter().any(|o| {
                            let rest = kind.as_str().strip_prefix(o.as_str());
                            rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
                        })
                    })
                };
                let mut actions = match wanted(&CodeActionKind::QUICKFIX) {
                    true => places.fixes(&uri, p.range),
                    false => Vec::new(),
                };
                if wanted(&CodeActionKind::SOURCE_FIX_ALL) {
                    actions.extend(places.all_fixes());
                }
                actions
            }))
        }),
        ExecuteCommand::METHOD => with(params, |p: ExecuteCommandParams| {
            if p.command != SHOW {
                return Err(format!("there is no command '{}'", p.command));
            }
            let mut arguments = p.arguments.into_iter();
            let uri = arguments.next().and_then(read::<Uri>);
            let backend = arguments.next().and_then(read::<String>);
            let uri = uri.ok_or("which source? the first argument is its URI")?;
            generated(server, &uri, backend.as_deref().unwrap_or("cuda"))
        }),
        _ => return None,
    })
}

/// Reads parameters and writes an answer.
fn with<P: DeserializeOwned, R: Serialize>(
    params: Value,
    answer: impl FnOnce(P) -> Result<Option<R>, String>,
) -> Answer {
    let params = serde_json::from_value(params).map_err(|e| e.to_string())?;
    serde_json::to_value(answer(params)?).map_err(|e| e.to_string())
}

/// One file, as it is known in one source.
struct View<'a> {
    server: &'a Server,
    analysis: &'a Analysis,
    file: FileId,
}

impl Server {
    /// What is known about a place; nothing where nothing is.
    fn at<R>(
        &mut self,
        at: TextDocumentPositionParams,
        answer: impl FnOnce(&View<'_>, Location) -> Option<R>,
    ) -> Result<Option<R>, String> {
        let position = at.position;
        self.file(&at.text_document.uri, |view| {
            answer(view, view.location(position))
        })
    }

    fn file<R>(
        &mut self,
        uri: &Uri,
        answer: impl FnOnce(&View<'_>) -> Option<R>,
    ) -> Result<Option<R>, String> {
        let Some(main) = self.documents.main_of(uri) else {
            return Ok(None);
        };
        let known = self.documents.known(&main, uri);
        Ok(known.and_then(|(analysis, file)| {
            answer(&View {
                server: self,
                analysis,
                file,
            })
        }))
    }
}

impl View<'_> {
    fn lines_of(&self, file: FileId) -> Lines<'_> {
        let text = self.analysis.files().get(file).map_or("", |f| &f.text);
        Lines::new(text, self.server.encoding)
    }

    fn lines(&self) -> Lines<'_> {
        self.lines_of(self.file)
    }

    fn location(&self, at: Position) -> Location {
        Location {
            file: self.file,
            span: Span::at(self.lines().offset(at)),
        }
    }

    fn hover(&self, at: Location) -> Option<Hover> {
        let found = self.analysis.hover(at)?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: found.text,
            }),
            range: Some(self.lines().range(found.at.span)),
        })
    }

    fn place(&self, at: Location) -> Option<lsp_types::Location> {
        let file = self.analysis.files().get(at.file)?;
        let uri = self.server.documents.uri(&file.name)?;
        let range = self.lines_of(at.file).range(at.span);
        Some(lsp_types::Location::new(uri, range))
    }

    fn places(&self, all: Vec<Location>) -> Option<Vec<lsp_types::Location>> {
        Some(all.into_iter().filter_map(|at| self.place(at)).collect())
    }

    fn edits(&self, places: Vec<Location>, new: &str) -> WorkspaceEdit {
        let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
        for place in places.into_iter().filter_map(|at| self.place(at)) {
            let edits = changes.entry(place.uri).or_default();
            edits.push(TextEdit::new(place.range, new.to_string()));
        }
        WorkspaceEdit::new(changes)
    }

    fn hints(&self, range: lsp_types::Range) -> Vec<InlayHint> {
        let lines = self.lines();
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

    fn lenses(&self, uri: &Uri) -> Vec<CodeLens> {
        let lines = self.lines();
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

/// What a backend gets of a source, for who shows it.
#[derive(Serialize)]
struct Generated {
    /// How a file of it is called.
    name: String,
    text: String,
    /// The file it was written to, if the client was asked to open that.
    uri: Option<Uri>,
}

fn generated(server: &mut Server, uri: &Uri, backend: &str) -> Result<Option<Generated>, String> {
    let main = server.documents.main_of(uri);
    let main = main.ok_or("this is no source of kernels that is open")?;
    let document = server.documents.get(&main);
    let looked = document.and_then(|d| Some((d, d.looked.as_ref()?)));
    let (document, looked) = looked.ok_or("this is no source of kernels that is open")?;
    let backend = Backend::built_in(backend).map_err(|e| e.to_string())?;
    let mut source = Source::new(document.name.clone(), document.text.as_bytes());
    source.dialect = document.dialect.unwrap_or(source.dialect);
    let options = Options {
        no_launcher: true,
        ..looked.analysis.options().clone()
    };
    let made = brook::transpile(&source, &backend, &options, looked.loader());
    let made = made.map_err(|report| report.to_string())?;
    let stem = Path::new(&document.name).file_stem();
    let stem = stem.map_or("kernels".into(), |s| s.to_string_lossy().into_owned());
    let name = format!("{stem}.{}", backend.extension);
    let mut shown = None;
    if server.shows_documents {
        let folder = std::env::temp_dir().join(format!("brook-lsp-{}", std::process::id()));
        let path = folder.join(&name);
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &made.device));
        written.map_err(|e| format!("cannot write '{}': {e}", path.display()))?;
        shown = super::uris::of(&path.to_string_lossy());
        if let Some(uri) = shown.clone() {
            let params = ShowDocumentParams {
                uri,
                external: None,
                take_focus: Some(false),
                selection: None,
            };
            server.ask(ShowDocument::METHOD, params);
        }
    }
    Ok(Some(Generated {
        name,
        text: made.device,
        uri: shown,
    }))
}

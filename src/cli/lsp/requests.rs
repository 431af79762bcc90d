//! What is answered to which request.

use super::super::positions::{Encoding, Lines};
use super::convert;
use super::generated::generated;
use super::messages::Places;
use super::server::{Server, read};
use super::symbols::macros;
use brook::ide;
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentSymbolRequest, ExecuteCommand,
    FoldingRangeRequest, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest,
    References, Rename, Request as _, SemanticTokensFullDeltaRequest, SemanticTokensFullRequest,
    WorkspaceSymbolRequest,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionParams, CodeActionProviderCapability,
    CodeLensOptions, CodeLensParams, CompletionOptions, CompletionParams, DocumentSymbol,
    DocumentSymbolParams, ExecuteCommandOptions, ExecuteCommandParams, FoldingRangeParams,
    FoldingRangeProviderCapability, GotoDefinitionParams, HoverParams, HoverProviderCapability,
    InlayHintParams, OneOf, ReferenceParams, RenameOptions, RenameParams,
    SemanticTokensDeltaParams, SemanticTokensFullOptions, SemanticTokensOptions,
    SemanticTokensParams, ServerCapabilities, TextDocumentPositionParams,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri, WorkDoneProgressOptions,
    WorkspaceSymbolParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The command that shows what a backend gets: arguments are the source's URI and the backend.
pub(super) const SHOW: &str = "brook.showGenerated";
/// Backends that a lens offers.
pub(super) const OFFERED: [(&str, &str); 4] = [
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
        full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
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
        workspace_symbol_provider: Some(OneOf::Left(true)),
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
                view.definitions(view.analysis.definition(at))
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
                Some(place.map(|l| view.lines.range(l.span)))
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
                let declared = view.analysis.symbols(view.file).into_iter();
                let mut all: Vec<DocumentSymbol> =
                    declared.map(|s| convert::symbol(s, &view.lines)).collect();
                let text = view.analysis.files().get(view.file).map_or("", |f| &f.text);
                let macros = macros(text).into_iter();
                all.extend(macros.map(|(name, at)| convert::macro_symbol(name, at, &view.lines)));
                all.sort_by_key(|s| s.range.start);
                Some(all)
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
            let uri = p.text_document.uri;
            let data = server.tokens(&uri)?;
            Ok(data.map(|data| server.told.all(&uri, data)))
        }),
        SemanticTokensFullDeltaRequest::METHOD => with(params, |p: SemanticTokensDeltaParams| {
            let uri = p.text_document.uri;
            let data = server.tokens(&uri)?;
            Ok(data.map(|data| server.told.since(&uri, &p.previous_result_id, data)))
        }),
        WorkspaceSymbolRequest::METHOD => with(params, |p: WorkspaceSymbolParams| {
            Ok(Some(server.symbols(&p.query)))
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
                let report = looked.analysis.report();
                let places = Places::new(report, &server.documents, server.encoding);
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

//! Messages, one after the other. What is wrong with a text is said once no other message waits: whoever types fast is not
//! told about every letter, and never about a text that is not there any more.

use super::super::Failure;
use super::super::configuration::Configuration;
use super::super::positions::{Encoding, Lines};
use super::documents::Documents;
use super::messages::Places;
use super::requests;
use super::symbols::Project;
use super::tokens::Told;
use super::uris;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, Exit,
    Notification as _, PublishDiagnostics,
};
use lsp_types::request::{Initialize, Request as _};
use lsp_types::{
    Diagnostic, DiagnosticSeverity, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, InitializeParams, InitializeResult,
    PublishDiagnosticsParams, ServerInfo, Uri,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

/// What is said about files, by the source that it was found in.
type Said = BTreeMap<String, BTreeMap<String, (Uri, Vec<Diagnostic>)>>;

/// How long nobody has to say anything before there is time to go through a text: the next message of several may still
/// be on its way.
const PAUSE: Duration = Duration::from_millis(1);

/// The state of one conversation.
pub(super) struct Server {
    connection: Connection,
    pub(super) encoding: Encoding,
    pub(super) documents: Documents,
    pub(super) project: Project,
    pub(super) told: Told,
    said: Said,
    /// The client opens files that it is told of.
    pub(super) shows_documents: bool,
    requests: i32,
}

/// Speaks until the client has enough; whether it said so as it should.
pub(super) fn serve(connection: Connection) -> Result<bool, String> {
    let Some((id, params)) = greeting(&connection)? else {
        return Ok(false);
    };
    let general = params.capabilities.general.as_ref();
    let encoding = Encoding::of(general.and_then(|g| g.position_encodings.as_ref()));
    let window = params.capabilities.window.as_ref();
    let shows = window.and_then(|w| w.show_document.as_ref());
    let result = InitializeResult {
        capabilities: requests::capabilities(encoding),
        server_info: Some(ServerInfo {
            name: "brook".to_string(),
            version: Some(env!("CARGO_PKG_VERSION").to_string()),
        }),
    };
    let result = serde_json::to_value(result).map_err(|e| e.to_string())?;
    connection
        .initialize_finish(id, result)
        .map_err(|e| e.to_string())?;
    let documents = Documents::new().map_err(|failure| match failure {
        Failure::Usage(what) | Failure::System(what) => what,
        Failure::Input => String::new(),
    })?;
    let mut server = Server {
        connection,
        encoding,
        documents,
        project: Project::new(folders(&params)),
        told: Told::default(),
        said: Said::new(),
        shows_documents: shows.is_some_and(|s| s.support),
        requests: 0,
    };
    server.run()
}

/// The first `initialize` with parameters as they should be, or nothing if the client leaves before. Others are refused, as
/// every request is, and the client may ask again; of notifications, only `exit` is heard.
fn greeting(connection: &Connection) -> Result<Option<(RequestId, InitializeParams)>, String> {
    loop {
        let (id, code, what) = match connection.receiver.recv() {
            Ok(Message::Request(asked)) if asked.method == Initialize::METHOD => {
                match serde_json::from_value(asked.params) {
                    Ok(params) => return Ok(Some((asked.id, params))),
                    Err(what) => {
                        let what = format!("'initialize' has other parameters: {what}");
                        (asked.id, ErrorCode::InvalidParams, what)
                    }
                }
            }
            Ok(Message::Request(asked)) => {
                let what = format!("'{}' comes before 'initialize'", asked.method);
                (asked.id, ErrorCode::ServerNotInitialized, what)
            }
            Ok(Message::Notification(told)) if told.method == Exit::METHOD => return Ok(None),
            Ok(_) => continue,
            Err(_) => return Ok(None),
        };
        let refusal = Response::new_err(id, code as i32, what);
        let sent = connection.sender.send(Message::Response(refusal));
        sent.map_err(|e| e.to_string())?;
    }
}

/// The folders that a client works in.
#[allow(deprecated, reason = "clients of before still say it so")]
fn folders(params: &InitializeParams) -> Vec<PathBuf> {
    let several = params.workspace_folders.iter().flatten();
    let mut all: Vec<PathBuf> = several
        .filter_map(|folder| uris::path(&folder.uri))
        .map(PathBuf::from)
        .collect();
    if all.is_empty() {
        all.extend(
            params
                .root_uri
                .as_ref()
                .and_then(uris::path)
                .map(PathBuf::from),
        );
    }
    // As files are compared with them.
    all.iter()
        .filter_map(|folder| std::fs::canonicalize(folder).ok())
        .collect()
}

impl Server {
    fn run(&mut self) -> Result<bool, String> {
        let incoming = self.connection.receiver.clone();
        loop {
            let message = match incoming.recv_timeout(PAUSE) {
                // Nobody waits: there is time to go through what has changed.
                Err(_) if self.say_next() => continue,
                Err(_) => incoming.recv().map_err(|_| ()),
                Ok(message) => Ok(message),
            };
            match message {
                Ok(Message::Request(request)) => {
                    let ends = self.connection.handle_shutdown(&request);
                    if ends.map_err(|e| e.to_string())? {
                        return Ok(true);
                    }
                    self.answer(request)?;
                }
                Ok(Message::Notification(notification)) => self.note(notification)?,
                Ok(Message::Response(_)) => {}
                // It is gone without a word.
                Err(_) => return Ok(false),
            }
        }
    }

    fn send(&self, message: Message) -> Result<(), String> {
        self.connection
            .sender
            .send(message)
            .map_err(|e| e.to_string())
    }

    fn answer(&mut self, request: Request) -> Result<(), String> {
        let id = request.id.clone();
        let response = match requests::answer(self, &request.method, request.params) {
            Some(Ok(value)) => Response::new_ok(id, value),
            Some(Err(what)) => Response::new_err(id, ErrorCode::InvalidParams as i32, what),
            None => {
                let what = format!("'{}' is not known here", request.method);
                Response::new_err(id, ErrorCode::MethodNotFound as i32, what)
            }
        };
        self.send(Message::Response(response))
    }

    /// Asks the client for something; nobody waits for the answer.
    pub(super) fn ask(&mut self, method: &str, params: impl serde::Serialize) {
        self.requests += 1;
        let request = Request::new(self.requests.into(), method.to_string(), params);
        // If it is gone, the loop ends soon.
        let _ = self.send(Message::Request(request));
    }

    fn note(&mut self, notification: Notification) -> Result<(), String> {
        match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                if let Some(p) = read::<DidOpenTextDocumentParams>(notification.params) {
                    let document = p.text_document;
                    let (language, version) = (document.language_id, document.version);
                    self.documents
                        .open(document.uri, &language, version, document.text);
                }
            }
            DidChangeTextDocument::METHOD => {
                if let Some(p) = read::<DidChangeTextDocumentParams>(notification.params) {
                    let (uri, version) = (p.text_document.uri, p.text_document.version);
                    let encoding = self.encoding;
                    self.documents
                        .change(&uri, version, p.content_changes, encoding);
                }
            }
            DidCloseTextDocument::METHOD => {
                if let Some(p) = read::<DidCloseTextDocumentParams>(notification.params) {
                    self.documents.close(&p.text_document.uri);
                    self.told.forget(&p.text_document.uri);
                    self.replace(p.text_document.uri.as_str(), BTreeMap::new())?;
                }
            }
            DidChangeWatchedFiles::METHOD => {
                if let Some(p) = read::<DidChangeWatchedFilesParams>(notification.params) {
                    for change in p.changes {
                        if let Some(path) = uris::path(&change.uri) {
                            self.documents.forget(&path);
                        }
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes through one text that has changed, and says what is wrong with it; whether there was anything to do.
    fn say_next(&mut self) -> bool {
        match self.documents.next_untold() {
            Some(uri) => self.say(&uri),
            None => match self.documents.complete_next() {
                Some((uri, true)) => self.say(&uri),
                Some((_, false)) => true,
                None => false,
            },
        }
    }

    /// Says what is known to be wrong with a source.
    fn say(&mut self, uri: &Uri) -> bool {
        let Some(looked) = self.documents.get(uri).and_then(|d| d.looked.as_ref()) else {
            return false;
        };
        let report = looked.analysis.report();
        let places = Places::new(report, &self.documents, self.encoding);
        let mut new: BTreeMap<String, (Uri, Vec<Diagnostic>)> = BTreeMap::new();
        for (uri, messages) in places.messages(uri) {
            new.insert(uri.as_str().to_string(), (uri, messages));
        }
        if let Some((file, what)) = &looked.misconfigured
            && let Some(uri) = self.documents.uri(&file.to_string_lossy())
        {
            let text = brook::source::read_text(file).unwrap_or_default();
            let place = Configuration::mistake(file, &text);
            let range = place.map(|span| Lines::new(&text, self.encoding).range(span));
            let message = Diagnostic {
                range: range.unwrap_or_default(),
                severity: Some(DiagnosticSeverity::ERROR),
                source: Some("brook".to_string()),
                message: what.clone(),
                ..Diagnostic::default()
            };
            let of_file = new.entry(uri.as_str().to_string());
            of_file.or_insert((uri, Vec::new())).1.push(message);
        }
        // What is sound says so, too.
        let own = new.entry(uri.as_str().to_string());
        own.or_insert_with(|| (uri.clone(), Vec::new()));
        // If the client is gone, the loop ends soon.
        let _ = self.replace(uri.as_str(), new);
        true
    }

    /// What was found in a source takes the place of what was found in it before.
    fn replace(
        &mut self,
        main: &str,
        new: BTreeMap<String, (Uri, Vec<Diagnostic>)>,
    ) -> Result<(), String> {
        let old = self.said.insert(main.to_string(), new).unwrap_or_default();
        let mut files: BTreeMap<String, Uri> = BTreeMap::new();
        for (name, (uri, _)) in old.iter().chain(&self.said[main]) {
            files.insert(name.clone(), uri.clone());
        }
        if self.said[main].is_empty() {
            self.said.remove(main);
        }
        for (name, uri) in files {
            // Sources that include the same file say the same of it.
            let mut known = BTreeSet::new();
            let all = self.said.values().filter_map(|of| of.get(&name));
            let messages = all.flat_map(|(_, messages)| messages.iter());
            let messages =
                messages.filter(|m| known.insert(format!("{:?} {}", m.range, m.message)));
            let params = PublishDiagnosticsParams {
                diagnostics: messages.cloned().collect(),
                version: self.documents.get(&uri).map(|d| d.version),
                uri,
            };
            let method = PublishDiagnostics::METHOD.to_string();
            self.send(Message::Notification(Notification::new(method, params)))?;
        }
        Ok(())
    }
}

/// Parameters as they should be; what is not so is not answered to.
pub(super) fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}

//! What the page asks, and what it is answered. Places are lines and columns from 0, columns in units of UTF-16.

use super::super::Failure;
use super::super::common::{Additions, Preprocess};
use super::super::positions::{Encoding, Lines, Made};
use super::super::reader;
use super::folder::{Fence, Folder};
use super::http::Answer;
use super::picture;
use brook::backend::Backend;
use brook::diagnostics::Report;
use brook::ide::{Analysis, CompletionKind, NameKind, TokenClass};
use brook::source::{Location, Span};
use brook::{Dialect, Options, Source, Translation};
use lsp_types::Position;
use serde::Deserialize;
use serde_json::{Value, json};
use std::io;
use std::rc::Rc;
use std::time::Instant;

/// What is shown, and how it is translated unless the page says more.
pub(super) struct Explorer {
    pub(super) folder: Folder,
    preprocess: Preprocess,
    /// What texts are gone through for, whatever they are shown as: the most permissive one.
    backend: Backend,
}

/// What the page asks about: a source as it stands in its editor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The source's name.
    file: String,
    text: String,
    #[serde(default)]
    options: Additions,
    /// What to translate it for.
    #[serde(default)]
    backends: Vec<String>,
    /// Which part of a translation.
    #[serde(default)]
    part: Part,
    /// A place in it.
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
    /// Which kernel to run, and with what.
    #[serde(default)]
    pub(super) kernel: Option<String>,
    #[serde(default)]
    pub(super) arguments: Vec<(String, String)>,
}

/// Parts of a translation.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Part {
    #[default]
    Device,
    Launcher,
    Host,
    Metadata,
    Normalized,
}

/// How many words of one kind options have.
const MOST_OPTIONS: usize = 1000;

/// A question, and all that the translator takes.
pub(super) struct Asked {
    pub(super) source: Source,
    pub(super) options: Options,
    pub(super) fence: Fence,
}

/// Why a question has no answer: the page's fault, not the source's.
pub(super) type Wrong = (u16, String);

impl Explorer {
    pub(super) fn new(folder: Folder, preprocess: Preprocess) -> Result<Self, Failure> {
        let backend = Backend::built_in("cuda").map_err(|e| Failure::System(e.to_string()))?;
        Ok(Self {
            folder,
            preprocess,
            backend,
        })
    }

    pub(super) fn answer(&self, what: &str, body: &[u8]) -> Answer {
        let answered = match what {
            "files" => Ok(self.files()),
            "source" => self.source(body),
            "look" => read(body).and_then(|q| self.look(&q)),
            "hover" => read(body).and_then(|q| self.hover(&q)),
            "complete" => read(body).and_then(|q| self.complete(&q)),
            "run" => read(body).and_then(|q| picture::run(self, &q)),
            _ => Err((404, "there is no such thing here".to_string())),
        };
        match answered {
            Ok(value) => Answer::json(&value),
            Err((status, why)) => Answer::refusal(status, &why),
        }
    }

    /// What there is to be shown.
    fn files(&self) -> Value {
        let (files, more) = self.folder.sources();
        json!({ "files": files, "more": more, "backends": Backend::names() })
    }

    /// A source as it is in its file; nothing new if it is as the page knows it.
    fn source(&self, body: &[u8]) -> Result<Value, Wrong> {
        #[derive(Deserialize)]
        struct Wanted {
            file: String,
            #[serde(default)]
            known: Option<String>,
        }
        let wanted: Wanted = read(body)?;
        let name = &wanted.file;
        let path = self.folder.path(name);
        let path = path.ok_or_else(|| (404, format!("'{name}' is not shown here")))?;
        let cannot = |e: io::Error| (404, format!("cannot read '{name}': {e}"));
        // Before it is read, so that no change is missed.
        let stamp = format!("{:?}", reader::stamp(&path));
        if wanted.known.as_ref() == Some(&stamp) {
            return Ok(json!({ "stamp": stamp }));
        }
        let bytes = brook::source::read(&path).map_err(cannot)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(json!({ "stamp": stamp, "text": text }))
    }

    /// A source by its name and text, and how it is translated.
    pub(super) fn asked(&self, question: &Question) -> Result<Asked, Wrong> {
        let path = self.folder.path(&question.file);
        let path = path.ok_or((404, format!("'{}' is not shown here", question.file)))?;
        let path = path.to_string_lossy().into_owned();
        let said = |failure| match failure {
            Failure::Usage(what) | Failure::System(what) => (422, what),
            Failure::Input => (422, "the options cannot be read".to_string()),
        };
        if question.options.words() > MOST_OPTIONS {
            return Err((422, format!("there are more than {MOST_OPTIONS} options")));
        }
        let preprocess = self.preprocess.with(&question.options);
        let options = preprocess.options_for(&path).map_err(said)?;
        let fence = self.folder.fence(&options);
        let source = Source::new(path, question.text.as_bytes());
        Ok(Asked {
            source,
            options,
            fence,
        })
    }

    fn analysis(&self, asked: &Asked) -> Analysis {
        let (source, options) = (asked.source.clone(), asked.options.clone());
        let loader = Rc::new(asked.fence.clone());
        Analysis::new(source, self.backend.clone(), options, loader)
    }

    /// Everything that changes while somebody types.
    fn look(&self, question: &Question) -> Result<Value, Wrong> {
        let start = Instant::now();
        let asked = self.asked(question)?;
        let mut backends: Vec<Backend> = Vec::new();
        for name in &question.backends {
            let backend = Backend::built_in(name).map_err(|e| (422, e.to_string()))?;
            // Each has a thread.
            if !backends.iter().any(|b| b.name == backend.name) {
                backends.push(backend);
            }
        }
        let (outputs, analysis) = std::thread::scope(|scope| {
            let (asked, part) = (&asked, question.part);
            let threads: Vec<_> = { backends.iter() }
                .map(|backend| scope.spawn(move || self.output(asked, backend, part)))
                .collect();
            // Here, where the tree of the text before is.
            let mut analysis = self.analysis(asked);
            analysis.complete();
            // A thread that has come to grief has an answer, too: none.
            let ended = threads.into_iter().map(|t| t.join().unwrap_or_default());
            (ended.collect::<Vec<Value>>(), analysis)
        });
        let lines = Lines::new(&question.text, Encoding::Utf16);
        let main = analysis.file(&asked.source.name);
        let classes = main.map_or(Vec::new(), |main| analysis.classes(main));
        let tokens = classes.iter().map(|(span, class)| {
            let at = lines.position(span.start);
            json!([at.line, at.character, lines.units(*span), name_of(*class)])
        });
        let tokens: Vec<Value> = tokens.collect();
        let hints = main.map_or(Vec::new(), |main| analysis.hints(main));
        let hints = hints.iter().map(|hint| {
            let at = lines.position(hint.at.span.start);
            json!({ "line": at.line, "column": at.character, "text": hint.text, "why": hint.why })
        });
        let hints: Vec<Value> = hints.collect();
        Ok(json!({
            "messages": self.messages(analysis.report(), &asked.source.name),
            "tokens": tokens,
            "hints": hints,
            "outputs": outputs,
            "microseconds": start.elapsed().as_micros() as u64,
        }))
    }

    /// One translation, or why there is none.
    fn output(&self, asked: &Asked, backend: &Backend, part: Part) -> Value {
        let (source, name) = (&asked.source, &backend.name);
        if part == Part::Normalized {
            let text = String::from_utf8_lossy(&source.text);
            let (plain, _) = brook::normalize(&text, source.dialect);
            return json!({ "backend": name, "text": plain, "map": [], "messages": [] });
        }
        let options = Options {
            no_launcher: part != Part::Launcher,
            ..asked.options.clone()
        };
        match brook::transpile(source, backend, &options, &asked.fence) {
            Ok(translation) => {
                let (text, map) = self.part(source, &translation, part);
                let messages = self.messages(&translation.warnings, &source.name);
                json!({ "backend": name, "text": text, "map": map, "messages": messages })
            }
            Err(report) => {
                let messages = self.messages(&report, &source.name);
                json!({ "backend": name, "text": null, "map": [], "messages": messages })
            }
        }
    }

    /// The text of a part, and where each of its lines comes from: a line of the source, or a name and a line.
    fn part(&self, source: &Source, translation: &Translation, part: Part) -> (Value, Vec<Value>) {
        let none = |why: &str| (json!(format!("// {why}\n")), Vec::new());
        match part {
            Part::Device => {
                let files = &translation.warnings.files;
                let map = translation.source_map.iter().map(|from| {
                    let Some((file, line)) = from else {
                        return Value::Null;
                    };
                    match files.get(*file) {
                        Some(file) if file.name != source.name => {
                            json!([self.folder.shown(&file.name), line - 1])
                        }
                        _ => json!(line - 1),
                    }
                });
                (json!(translation.device), map.collect())
            }
            Part::Launcher => match &translation.launcher {
                Some(text) => (json!(text), Vec::new()),
                None => none("This backend has no launcher: the runtime launches its kernels."),
            },
            Part::Host => match (&translation.host, source.dialect) {
                (Some(text), _) => (json!(text), Vec::new()),
                (None, Dialect::Okl) => none("OKL has no host part: programs launch its kernels."),
                (None, Dialect::Brook) => none("There is no host part."),
            },
            Part::Metadata | Part::Normalized => {
                let text = serde_json::to_string_pretty(&translation.metadata);
                let text = text.unwrap_or_else(|e| format!("// {e}"));
                (json!(text), Vec::new())
            }
        }
    }

    /// Messages by where they point in the source, or in other files.
    pub(super) fn messages(&self, report: &Report, main: &str) -> Vec<Value> {
        let made = Made::default();
        let shown = report.diagnostics.iter().filter(|d| !d.follows);
        let told = shown.map(|d| {
            let notes = d.notes.iter().map(|note| {
                let place = note.location.map(|at| self.place(report, &made, at, main));
                json!({ "message": note.message, "at": place })
            });
            let notes: Vec<Value> = notes.collect();
            let fixes = d.fixes.iter().map(|fix| {
                let edits = fix
                    .edits
                    .iter()
                    .map(|(at, text)| json!({ "at": self.place(report, &made, *at, main), "text": text }));
                let edits: Vec<Value> = edits.collect();
                json!({ "message": fix.message, "edits": edits })
            });
            let fixes: Vec<Value> = fixes.collect();
            json!({
                "code": d.code.id,
                "severity": d.severity.word(),
                "message": d.message,
                "label": d.label,
                "help": d.help,
                "notes": notes,
                "fixes": fixes,
                "at": d.location.map(|at| self.place(report, &made, at, main)),
            })
        });
        told.collect()
    }

    /// A place: lines and columns, and the file unless it is the source itself.
    pub(super) fn place<'r>(
        &self,
        report: &'r Report,
        made: &Made<Lines<'r>>,
        at: Location,
        main: &str,
    ) -> Value {
        let Some(file) = report.files.get(at.file) else {
            return Value::Null;
        };
        let lines = made.of(at.file, || Some(Lines::new(&file.text, Encoding::Utf16)));
        let Some(lines) = lines else {
            return Value::Null;
        };
        let range = lines.range(at.span);
        let other = (file.name != main).then(|| self.folder.shown(&file.name));
        json!({
            "from": [range.start.line, range.start.character],
            "to": [range.end.line, range.end.character],
            "file": other,
        })
    }

    /// What is to be said about a place.
    fn hover(&self, question: &Question) -> Result<Value, Wrong> {
        let asked = self.asked(question)?;
        let analysis = self.analysis(&asked);
        let at = place_of(&analysis, &asked, question);
        let lines = Lines::new(&question.text, Encoding::Utf16);
        let found = at.and_then(|at| analysis.hover(at));
        Ok(found.map_or(Value::Null, |hover| {
            let range = lines.range(hover.at.span);
            json!({
                "from": [range.start.line, range.start.character],
                "to": [range.end.line, range.end.character],
                "text": hover.text,
            })
        }))
    }

    /// What may be written at a place.
    fn complete(&self, question: &Question) -> Result<Value, Wrong> {
        let asked = self.asked(question)?;
        let analysis = self.analysis(&asked);
        let at = place_of(&analysis, &asked, question);
        let found = at.map_or(Vec::new(), |at| analysis.completions(at));
        let found = found.into_iter().map(|c| {
            let kind = match c.kind {
                CompletionKind::Attribute => "attribute",
                CompletionKind::Keyword => "keyword",
                CompletionKind::Macro => "macro",
                CompletionKind::Function => "function",
                CompletionKind::Name(kind) => kind_of(kind),
            };
            json!({ "label": c.label, "kind": kind, "detail": c.detail })
        });
        Ok(Value::Array(found.collect()))
    }
}

/// The place that a question is about.
fn place_of(analysis: &Analysis, asked: &Asked, question: &Question) -> Option<Location> {
    let lines = Lines::new(&question.text, Encoding::Utf16);
    let offset = lines.offset(Position::new(question.line, question.column));
    Some(Location {
        file: analysis.file(&asked.source.name)?,
        span: Span::at(offset),
    })
}

/// A question as JSON.
fn read<'b, T: Deserialize<'b>>(body: &'b [u8]) -> Result<T, Wrong> {
    serde_json::from_slice(body).map_err(|e| (400, format!("this is no question: {e}")))
}

/// What a piece of text is coloured as.
fn name_of(class: TokenClass) -> &'static str {
    match class {
        TokenClass::Name { kind, .. } => kind_of(kind),
        TokenClass::Attribute => "attribute",
        TokenClass::Macro => "macro",
        TokenClass::Keyword => "keyword",
    }
}

fn kind_of(kind: NameKind) -> &'static str {
    match kind {
        NameKind::Kernel => "kernel",
        NameKind::Function => "function",
        NameKind::Parameter => "parameter",
        NameKind::Variable => "variable",
        NameKind::Field => "field",
        NameKind::Record | NameKind::Type | NameKind::Enumeration => "type",
        NameKind::Enumerator => "constant",
        NameKind::Namespace => "namespace",
        NameKind::Label => "label",
    }
}

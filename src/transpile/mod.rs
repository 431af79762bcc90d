//! The pipeline: source text to device source, launcher, host program and metadata.
//!
//! - `reading.rs`: from a source to a module, and what is said where that fails.

mod reading;

use crate::analyze::{self, Until};
use crate::backend::Backend;
use crate::body::Program;
use crate::diagnostics::{Diagnostic, Report, Sink, codes};
use crate::lex::remembering_tokens;
use crate::module::Module;
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::render::{self, Metadata, RenderError, Rendered, Word};
use crate::rewrite;
use crate::schedule;
use crate::source::{FileId, Loader, Provenance};
use crate::source_text::Source;
use crate::stage::{Stage, Watch};
use crate::syntax::giving_up;
use reading::Reading;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use std::fmt::Display;

/// A finished translation.
#[derive(Debug)]
pub struct Translation {
    /// The backend's name.
    pub backend: String,
    /// Source for the device's compiler.
    pub device: String,
    /// C++ that launches the kernels without this project's runtime, where the backend has it.
    pub launcher: Option<String>,
    /// The host half of a Brook+ program as C++.
    pub host: Option<String>,
    /// What other files of the program include, where its kernels are exported.
    pub header: Option<String>,
    /// Everything a launch needs to know.
    pub metadata: Metadata,
    /// Paths of all files that were read besides the source itself.
    pub dependencies: Vec<String>,
    /// Warnings.
    pub warnings: Report,
    /// From lines of `device` (from 0) to the file and line (from 1) they came from.
    pub source_map: Vec<Option<(FileId, usize)>>,
    /// Which words of these lines the user has written, and where; empty without [`Options::line_directives`].
    pub words: Vec<Vec<Word>>,
    /// The same of the lines of `host`.
    pub host_words: Vec<Vec<Word>>,
    /// The kernels' source that travels in `host`; none without [`Options::line_directives`].
    #[cfg_attr(
        not(feature = "runtime"),
        expect(dead_code, reason = "the runtime asks")
    )]
    pub(crate) kernels: Option<KernelSource>,
}

/// The source of a program's kernels: what is left of its files, with macros expanded.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KernelSource {
    pub(crate) text: String,
    /// Where it was written.
    pub(crate) provenance: Provenance,
}

/// Translates one source for one backend.
///
/// A pure function: no environment, no clock, and no file but those that `loader` hands it. The same
/// input gives the same bytes.
///
/// # Errors
/// All errors found, with the files they point into.
pub fn transpile(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Result<Translation, Box<Report>> {
    transpile_watched(source, backend, options, loader, &|_| ())
}

/// As [`transpile`], and tells `watch` whenever another stage goes on.
///
/// # Errors
/// As [`transpile`].
pub fn transpile_watched(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
    watch: Watch<'_>,
) -> Result<Translation, Box<Report>> {
    let mut sink = Sink::default();
    let reading = Reading::new(source, backend, options, loader);
    let (module, files_read) = remembering_tokens(|| reading.understand(&mut sink, watch))?;
    watch(Stage::Rewrite);
    let schedule = schedule::schedule(&module, backend, options);
    let result = rewrite::rewrite(&module, &schedule, backend, options, &mut sink)
        .map_err(RenderError::from)
        .and_then(|rewritten| {
            watch(Stage::Render);
            render::render(&module, &schedule, backend, rewritten, &files_read, options)
        });
    let report = Report {
        diagnostics: sink.into_sorted(),
        files: module.provenance.files,
    };
    match result {
        Ok(_) if report.has_errors() => Err(Box::new(report)),
        Err(error) => Err(Box::new(internal(report, &error))),
        Ok(Rendered {
            device,
            launcher,
            host,
            header,
            metadata,
            source_map,
            words,
            host_words,
            kernels,
        }) => Ok(Translation {
            backend: backend.name.clone(),
            device,
            launcher,
            host,
            header,
            metadata,
            dependencies: files_read,
            kernels: { kernels.filter(|_| options.line_directives) }.map(|(text, map)| {
                let length = text.len() as u32;
                KernelSource {
                    text,
                    provenance: Provenance {
                        files: report.files.clone(),
                        segments: module.provenance.segments,
                        expansions: module.provenance.expansions,
                        renormalized: map.after(&module.provenance.renormalized, length),
                    },
                }
            }),
            warnings: report,
            source_map,
            words,
            host_words,
        }),
    }
}

/// Reports what is wrong with a source, without translating it.
///
/// # Errors
/// All errors found; warnings are in the `Ok` report.
pub fn check(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Result<Report, Box<Report>> {
    transpile(source, backend, options, loader).map(|t| t.warnings)
}

/// What the kernels of a source do, and what is known of the program besides; `backend` says what it defines.
///
/// # Errors
/// All errors found in the source.
pub(crate) fn bodies(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Result<(Module, Program, Sink), Box<Report>> {
    let mut sink = Sink::default();
    let reading = Reading::new(source, backend, options, loader);
    let prepared = reading.prepare(&mut sink, &|_| ())?;
    let told: (&mut Sink, Watch<'_>) = (&mut sink, &|_| ());
    let (read, dialect) = (prepared.read, source.dialect);
    let (mut module, program) = analyze::analyze(read, dialect, options, told, Until::Bodies);
    if sink.has_errors() {
        return Err(Box::new(Report {
            diagnostics: sink.into_sorted(),
            files: module.provenance.files,
        }));
    }
    module.instances = prepared.adjusted.instances;
    Ok((module, program, sink))
}

/// What is said of a source, and as much of it as is understood: for who looks at it while it is written.
pub(crate) struct Examined {
    /// What [`transpile`] says.
    pub(crate) report: Report,
    /// `None` where it cannot be parsed, empty where the report did not need it ([`understood`]). Its files are the report's.
    pub(crate) module: OnceCell<Option<Module>>,
}

/// Goes through all that has messages but the last stage, [`rewritten`], whatever is found on the way.
pub(crate) fn examined(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Examined {
    let reading = Reading::new(source, backend, options, loader).for_messages();
    let mut sink = Sink::default();
    let unread = |report: Report| Examined {
        report,
        module: OnceCell::from(None),
    };
    let prepared = match reading.prepare(&mut sink, &|_| ()) {
        Ok(prepared) => prepared,
        Err(report) => return unread(*report),
    };
    // What is missing is said instead of all else, but for attributes that do not exist.
    let (mut found, gave_up) = giving_up(|| reading.look_through(prepared, &mut sink, &|_| ()));
    if gave_up {
        let (dialect, module) = (source.dialect, found.as_ref().ok());
        let text = module.map_or("", |(module, _)| module.text.as_str());
        let missing = match analyze::has_unknown_attributes(text, dialect, options) {
            true => None,
            false => reading.missing(),
        };
        if let Some(report) = missing {
            let module = OnceCell::new();
            return Examined { report, module };
        }
        sink = Sink::default();
        found = match reading.prepare(&mut sink, &|_| ()) {
            Ok(prepared) => reading.look_through(prepared, &mut sink, &|_| ()),
            Err(report) => Err(report),
        };
    }
    let (module, _) = match found {
        Ok(found) => found,
        Err(report) => return unread(*report),
    };
    let failed = sink.has_errors();
    let mut report = Report {
        diagnostics: sink.into_sorted(),
        files: module.provenance.files.clone(),
    };
    if failed {
        report = reading.repaired(report);
    }
    let module = OnceCell::from(Some(module));
    Examined { report, module }
}

/// As much of a source as is understood, whatever is wrong with it.
pub(crate) fn understood(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Option<Module> {
    let reading = Reading::new(source, backend, options, loader).for_messages();
    let mut sink = Sink::default();
    let prepared = reading.prepare(&mut sink, &|_| ()).ok()?;
    let (module, _) = reading.look_through(prepared, &mut sink, &|_| ()).ok()?;
    Some(module)
}

/// The module of a source without errors.
#[cfg(test)]
pub(crate) fn analysed(source: &Source, backend: &Backend, options: &Options) -> Module {
    let loader = crate::source::MemoryLoader::new();
    let reading = Reading::new(source, backend, options, &loader);
    let found = reading.understand(&mut Sink::default(), &|_| ());
    found.unwrap_or_else(|report| panic!("{report}")).0
}

/// What is left to be said of a program without errors, once its text is rewritten for a backend.
pub(crate) fn rewritten(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Vec<Diagnostic> {
    let reading = Reading::new(source, backend, options, loader);
    let Ok((module, _)) = reading.understand(&mut Sink::default(), &|_| ()) else {
        return Vec::new();
    };
    let mut sink = Sink::default();
    let schedule = schedule::schedule(&module, backend, options);
    let result = rewrite::rewrite(&module, &schedule, backend, options, &mut sink);
    let report = Report {
        diagnostics: sink.into_sorted(),
        ..Report::default()
    };
    match result.map_err(RenderError::from) {
        Ok(_) => report.diagnostics,
        Err(error) => internal(report, &error).diagnostics,
    }
}

/// The text that an editor's words are looked up in: preprocessed as far as that can be done, whatever is wrong with it.
pub(crate) fn preprocessed(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Option<Preprocessed> {
    let reading = Reading::new(source, backend, options, loader);
    reading.preprocessed()
}

/// A template or an edit that fails is a defect of the backend's data or of ours; it is reported,
/// never hidden.
fn internal(mut report: Report, error: &dyn Display) -> Report {
    report
        .diagnostics
        .push(Diagnostic::new(&codes::INTERNAL, None, &[error]));
    report
}

//! The pipeline: source text to device source, launcher, host program and metadata.

use crate::analyze;
use crate::backend::{Backend, Shared};
use crate::body::Program;
use crate::compat;
use crate::diagnostics::{Diagnostic, Report, Sink, codes};
use crate::digest::Digest;
use crate::extension::{Extension, Messages};
use crate::grammar::Dialect;
use crate::module::Module;
use crate::normalize::{normalize, normalize_preprocessed};
use crate::options::Options;
use crate::preprocess::{self, Define};
use crate::render::{self, Metadata, RenderError, Rendered, Word};
use crate::repair;
use crate::rewrite;
use crate::source::{EditMap, FileId, Loader, Location};
use crate::source_text::{Source, lexical_errors, read};
use crate::stage::{Stage, Watch, within};
use crate::syntax::deeply;
use std::fmt::Display;
use std::sync::Arc;

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
    let (module, files_read) = understand(source, backend, options, loader, &mut sink, watch)?;
    watch(Stage::Rewrite);
    let result = rewrite::rewrite(&module, backend, options, &mut sink)
        .map_err(RenderError::from)
        .and_then(|rewritten| {
            watch(Stage::Render);
            render::render(&module, backend, rewritten, &files_read, options)
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
        }) => Ok(Translation {
            backend: backend.name.clone(),
            device,
            launcher,
            host,
            header,
            metadata,
            dependencies: files_read,
            warnings: report,
            source_map,
            words,
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
    let prepared = prepare(source, backend, options, loader, &mut sink, &|_| ())?;
    let (mut module, program) = match source.dialect {
        Dialect::Okl => analyze::analyze_okl_with_bodies(prepared.read, options, &mut sink),
        Dialect::Brook => analyze::analyze_brook_with_bodies(prepared.read, options, &mut sink),
    };
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
    /// Nothing where it cannot be parsed. Its files are the report's.
    pub(crate) module: Option<Module>,
}

/// Goes through all that has messages but the last stage, [`rewritten`], whatever is found on the way.
pub(crate) fn examined(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Examined {
    let mut sink = Sink::default();
    let found = look_through(source, backend, options, loader, &mut sink, &|_| ());
    let (module, _) = match found {
        Ok(found) => found,
        Err(report) => {
            return Examined {
                report: *report,
                module: None,
            };
        }
    };
    let failed = sink.has_errors();
    let mut report = Report {
        diagnostics: sink.into_sorted(),
        files: module.provenance.files.clone(),
    };
    if failed {
        report = repaired(report, source, backend, options, loader);
    }
    let module = Some(module);
    Examined { report, module }
}

/// What is left to be said of a program without errors, once its text is rewritten for a backend.
pub(crate) fn rewritten(module: &Module, backend: &Backend, options: &Options) -> Vec<Diagnostic> {
    let mut sink = Sink::default();
    let result = rewrite::rewrite(module, backend, options, &mut sink);
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
) -> Option<preprocess::Preprocessed> {
    let text = read(source).ok()?;
    let dialect = source.dialect;
    let normalizer = |raw: &str| normalize(raw, dialect);
    let here = preprocess_options(source, backend, options);
    let (name, mut sink) = (&source.name, Sink::default());
    let mut read = preprocess::preprocess(name, &text, loader, &here, &normalizer, &mut sink);
    normalize_again(&mut read, dialect, &|_| ());
    compat::mend(&mut read, dialect, &mut sink);
    Some(read)
}

/// Normalises what macros have written.
fn normalize_again(read: &mut preprocess::Preprocessed, dialect: Dialect, watch: Watch<'_>) {
    // Brook+'s words are everybody's: any macro may have written some.
    let words = dialect == Dialect::Brook && !read.provenance.expansions.is_empty();
    if read.expanded_attributes || words {
        watch(Stage::Normalize);
        let (text, map) = normalize_preprocessed(&read.text, dialect);
        read.renormalize(text, map);
    }
}

/// Normalise, preprocess, parse, analyse; also the paths of the files that were read.
fn understand(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Result<(Module, Vec<String>), Box<Report>> {
    let (module, files_read) = look_through(source, backend, options, loader, sink, watch)?;
    if sink.has_errors() {
        let diagnostics = std::mem::take(sink).into_sorted();
        let report = Report {
            diagnostics,
            files: module.provenance.files,
        };
        return Err(Box::new(repaired(report, source, backend, options, loader)));
    }
    Ok((module, files_read))
}

/// The same, errors or not.
fn look_through(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Result<(Module, Vec<String>), Box<Report>> {
    let mut prepared = prepare(source, backend, options, loader, sink, watch)?;
    let dialect = source.dialect;
    watch(Stage::Analyze);
    let files_read = std::mem::take(&mut prepared.read.dependencies);
    let conditionals = prepared.read.conditionals.clone();
    let adjusted = prepared.adjusted;
    let mut module = analyzed(prepared.read, dialect, options, sink, watch);
    if sink.has(&codes::TOO_DEEP) {
        // Trees that are deep are few, so that nobody else has to care.
        let mut again = Sink::default();
        let read = prepare(source, backend, options, loader, &mut again, &|_| ())?.read;
        let deep = deeply(|| {
            let module = analyzed(read, dialect, options, &mut again, &|_| ());
            (module, again)
        });
        if let Some((found, again)) = deep {
            (module, *sink) = (found, again);
        }
    }
    module.instances = adjusted.instances;
    module.templates = adjusted.templates;
    let none =
        module.kernels.is_empty() && (module.templates.is_empty() || !options.templates_later);
    if none && dialect == Dialect::Okl && !sink.has_errors() {
        let at = Some(Location::BEGINNING);
        sink.push(Diagnostic::new(&codes::NO_KERNEL, at, &[]));
    }
    if !sink.has_errors() {
        check_extensions(&module, &options.extensions, sink);
    }
    if !sink.has_errors() {
        analyze::check_calls(&module, sink);
        analyze::check_names(&module, sink);
    }
    let hoists = backend.lowering.shared == Shared::Hoist;
    analyze::check_launches(&module, &conditionals, hoists, sink);
    Ok((module, files_read))
}

/// A report that says what is missing, where that is why a source cannot be parsed.
fn repaired(
    report: Report,
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
) -> Report {
    let is_syntax = |d: &Diagnostic| repair::is_syntax(d.code);
    if !report.diagnostics.iter().any(is_syntax) || options.unexpanded {
        return report;
    }
    let Ok(text) = read(source) else {
        return report;
    };
    let as_written = |raw: &str| (raw.to_string(), EditMap::identity());
    let options_here = preprocess_options(source, backend, options);
    let mut sink = Sink::default();
    let name = &source.name;
    let read = preprocess::preprocess(name, &text, loader, &options_here, &as_written, &mut sink);
    let dialect = source.dialect;
    let mut found = repair::diagnose(&read.text, &read.provenance, dialect, options);
    if found.is_empty() {
        return report;
    }
    found.sort_by_key(|d| d.location.map(|l| (l.file, l.span.start)));
    Report {
        diagnostics: found,
        files: read.provenance.files,
    }
}

/// What is parsed.
struct Prepared {
    read: preprocess::Preprocessed,
    adjusted: compat::Adjusted,
}

/// Normalise and preprocess.
fn prepare(
    source: &Source,
    backend: &Backend,
    options: &Options,
    loader: &dyn Loader,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Result<Prepared, Box<Report>> {
    watch(Stage::Preprocess);
    let text = read(source)?;
    let text = &*text;
    let dialect = source.dialect;
    let normalizer = |raw: &str| {
        within(watch, Stage::Normalize, Stage::Preprocess, || {
            normalize(raw, dialect)
        })
    };
    let options_here = preprocess_options(source, backend, options);
    let mut read = match options.unexpanded && dialect == Dialect::Brook {
        true => {
            let report = lexical_errors(source);
            if report.has_errors() {
                return Err(Box::new(report));
            }
            preprocess::verbatim(&source.name, text, &normalizer)
        }
        false => {
            preprocess::preprocess(&source.name, text, loader, &options_here, &normalizer, sink)
        }
    };
    normalize_again(&mut read, dialect, watch);
    watch(Stage::Compat);
    let adjusted = compat::adjust(&mut read, dialect, options, sink);
    if !sink.has_errors() {
        analyze::check_shape(&read, sink);
    }
    if sink.has_errors() {
        let diagnostics = std::mem::take(sink).into_sorted();
        let report = Report {
            diagnostics,
            files: read.provenance.files,
        };
        return Err(Box::new(repaired(report, source, backend, options, loader)));
    }
    Ok(Prepared { read, adjusted })
}

/// Parse and analyse.
fn analyzed(
    read: preprocess::Preprocessed,
    dialect: Dialect,
    options: &Options,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Module {
    match dialect {
        Dialect::Okl => analyze::analyze_okl(read, options, sink, watch),
        Dialect::Brook => analyze::analyze_brook(read, options, sink, watch),
    }
}

/// What extensions say about uses of their attributes, and about kernels.
fn check_extensions(module: &Module, extensions: &[Arc<dyn Extension>], sink: &mut Sink) {
    for (index, extension) in extensions.iter().enumerate() {
        let mut messages = Messages::new(module, sink);
        for site in module.sites.iter().filter(|s| s.extension == index) {
            extension.check(site, &mut messages);
        }
        for kernel in &module.kernels {
            extension.check_kernel(kernel, &mut messages);
        }
    }
}

/// What `OKL_KERNEL_HASH` is: the same for the same source and options, wherever the source lies.
fn kernel_hash(source: &Source, backend: &Backend, options: &Options) -> String {
    let mut digest = Digest::default();
    digest.add(&source.text);
    digest.add(backend.name.as_bytes());
    for Define { name, value } in &options.defines {
        digest.add(name.as_bytes());
        digest.add(value.as_bytes());
    }
    digest.add(&[
        u8::from(options.no_auto_barriers),
        u8::from(options.no_widen),
        u8::from(options.buffer_offsets),
    ]);
    // What is made later of a template is another program, the rest of it is not.
    if options.only_instances {
        digest.add(b"only instances");
    }
    if !options.choices.is_empty() {
        digest.add(format!("{:?}", options.choices).as_bytes());
    }
    digest.add(options.intrinsics.text().as_bytes());
    for extension in &options.extensions {
        digest.add(extension.name().as_bytes());
        digest.add(extension.version().as_bytes());
    }
    for path in options
        .include_directories
        .iter()
        .chain(&options.forced_includes)
        .chain(&options.instantiate)
    {
        digest.add(path.as_bytes());
    }
    format!("\"{digest}\"")
}

fn preprocess_options(
    source: &Source,
    backend: &Backend,
    options: &Options,
) -> preprocess::Options {
    let define = |name: &str, value: &str| Define {
        name: name.into(),
        value: value.into(),
    };
    let dialect = source.dialect;
    let mut predefined = vec![
        define("__OKL__", "1"),
        define("__OCCA__", "1"),
        define("OKL_KERNEL_HASH", &kernel_hash(source, backend, options)),
    ];
    predefined.extend(
        backend
            .defines
            .iter()
            .map(|(name, value)| define(name, value)),
    );
    preprocess::Options {
        predefined,
        defines: options.defines.clone(),
        include_directories: options.include_directories.clone(),
        forced_includes: options.forced_includes.clone(),
        quoted_not_found: match dialect {
            Dialect::Okl => preprocess::Missing::Error,
            Dialect::Brook => preprocess::Missing::Keep,
        },
        vendor_macros: backend.vendor_macros.clone(),
        vendor_conditions: match dialect {
            Dialect::Okl => preprocess::VendorConditions::Keep,
            Dialect::Brook => preprocess::VendorConditions::HostOnly,
        },
        search_angle: dialect == Dialect::Okl,
    }
}

/// A template or an edit that fails is a defect of the backend's data or of ours; it is reported,
/// never hidden.
fn internal(mut report: Report, error: &dyn Display) -> Report {
    report
        .diagnostics
        .push(Diagnostic::new(&codes::INTERNAL, None, &[error]));
    report
}

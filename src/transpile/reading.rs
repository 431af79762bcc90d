//! From a source to a module: normalised, preprocessed, parsed and analysed, and what is said where that fails.

use crate::analyze::{self, Until};
use crate::backend::{Backend, Shared};
use crate::compat;
use crate::diagnostics::{Code, Diagnostic, Report, Sink, codes};
use crate::digest::Digest;
use crate::extension::{Extension, Messages};
use crate::grammar::Dialect;
use crate::module::Module;
use crate::normalize::{normalize, normalize_preprocessed};
use crate::options::Options;
use crate::preprocess::{self, Define, Normalizer, Preprocessed};
use crate::repair;
use crate::source::{EditMap, Loader, Location};
use crate::source_text::{Source, lexical_errors, read};
use crate::stage::{Stage, Watch, within};
use crate::syntax::deeply;
use std::sync::Arc;

/// All that decides what is read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    source: &'a Source,
    backend: &'a Backend,
    options: &'a Options,
    loader: &'a dyn Loader,
    until: Until,
}

/// What is parsed.
pub(super) struct Prepared {
    pub(super) read: Preprocessed,
    pub(super) adjusted: compat::Adjusted,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        source: &'a Source,
        backend: &'a Backend,
        options: &'a Options,
        loader: &'a dyn Loader,
    ) -> Self {
        Self {
            source,
            backend,
            options,
            loader,
            until: Until::Schedules,
        }
    }

    /// The same for who only looks at messages and names.
    pub(super) fn for_messages(self) -> Self {
        Self {
            until: Until::Messages,
            ..self
        }
    }

    /// Normalise, preprocess, parse, analyse; also the paths of the files that were read.
    pub(super) fn understand(
        self,
        sink: &mut Sink,
        watch: Watch<'_>,
    ) -> Result<(Module, Vec<String>), Box<Report>> {
        let prepared = self.prepare(sink, watch)?;
        let (module, files_read) = self.look_through(prepared, sink, watch)?;
        if sink.has_errors() {
            let diagnostics = std::mem::take(sink).into_sorted();
            let report = Report {
                diagnostics,
                files: module.provenance.files,
            };
            return Err(Box::new(self.repaired(report)));
        }
        Ok((module, files_read))
    }

    /// Normalise and preprocess.
    pub(super) fn prepare(
        self,
        sink: &mut Sink,
        watch: Watch<'_>,
    ) -> Result<Prepared, Box<Report>> {
        watch(Stage::Preprocess);
        let text = read(self.source)?;
        let (dialect, options) = (self.source.dialect, self.options);
        let normalizer = |raw: &str| {
            within(watch, Stage::Normalize, Stage::Preprocess, || {
                normalize(raw, dialect)
            })
        };
        let mut read = match options.unexpanded && dialect == Dialect::Brook {
            true => {
                let report = lexical_errors(self.source);
                if report.has_errors() {
                    return Err(Box::new(report));
                }
                preprocess::verbatim(&self.source.name, &text, &normalizer)
            }
            false => self.preprocess(&text, &normalizer, sink),
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
            return Err(Box::new(self.repaired(report)));
        }
        Ok(Prepared { read, adjusted })
    }

    /// Parse and analyse, errors or not.
    pub(super) fn look_through(
        self,
        mut prepared: Prepared,
        sink: &mut Sink,
        watch: Watch<'_>,
    ) -> Result<(Module, Vec<String>), Box<Report>> {
        let (dialect, options) = (self.source.dialect, self.options);
        watch(Stage::Analyze);
        let files_read = std::mem::take(&mut prepared.read.dependencies);
        let conditionals = prepared.read.conditionals.clone();
        let adjusted = prepared.adjusted;
        let analyzed = |read, told: (&mut Sink, Watch<'_>)| {
            analyze::analyze(read, dialect, options, told, self.until).0
        };
        let mut module = analyzed(prepared.read, (sink, watch));
        if sink.has(&codes::TOO_DEEP) {
            // Trees that are deep are few, so that nobody else has to care.
            let mut again = Sink::default();
            let read = self.prepare(&mut again, &|_| ())?.read;
            let deep = deeply(|| {
                let module = analyzed(read, (&mut again, &|_| ()));
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
        let hoists = self.backend.lowering.shared == Shared::Hoist;
        analyze::check_launches(&module, &conditionals, hoists, sink);
        Ok((module, files_read))
    }

    /// A report that says what is missing, where that is why a source cannot be parsed.
    pub(super) fn repaired(self, report: Report) -> Report {
        let any = |is: fn(&Code) -> bool| report.diagnostics.iter().any(|d| is(d.code));
        let found = match () {
            () if any(repair::is_syntax) => self.missing(),
            () if any(repair::may_be_bracket) => self.missing_if(repair::is_unbalanced),
            () => None,
        };
        found.unwrap_or(report)
    }

    /// What is missing where a source cannot be parsed, if that is found.
    pub(super) fn missing(self) -> Option<Report> {
        self.missing_if(|_| true)
    }

    /// The same of a text that something holds of.
    fn missing_if(self, wanted: impl Fn(&str) -> bool) -> Option<Report> {
        if self.options.unexpanded {
            return None;
        }
        let text = read(self.source).ok()?;
        let as_written = |raw: &str| (raw.to_string(), EditMap::identity());
        let read = self.preprocess(&text, &as_written, &mut Sink::default());
        if !wanted(&read.text) {
            return None;
        }
        let dialect = self.source.dialect;
        let mut found = repair::diagnose(&read.text, &read.provenance, dialect, self.options);
        if found.is_empty() {
            return None;
        }
        found.sort_by_key(|d| d.location.map(|l| (l.file, l.span.start)));
        // The body of a macro lacks the same wherever it is used.
        let partner = |d: &Diagnostic| d.notes.first().and_then(|note| note.location);
        found.dedup_by(|a, b| {
            a.location == b.location && partner(a).is_some() && partner(a) == partner(b)
        });
        Some(Report {
            diagnostics: found,
            files: read.provenance.files,
        })
    }

    /// The text that an editor's words are looked up in: preprocessed as far as that can be done, whatever is wrong with it.
    pub(super) fn preprocessed(self) -> Option<Preprocessed> {
        let text = read(self.source).ok()?;
        let dialect = self.source.dialect;
        let normalizer = |raw: &str| normalize(raw, dialect);
        let mut sink = Sink::default();
        let mut read = self.preprocess(&text, &normalizer, &mut sink);
        normalize_again(&mut read, dialect, &|_| ());
        compat::mend(&mut read, dialect, &mut sink);
        Some(read)
    }

    fn preprocess(self, text: &str, normalizer: &Normalizer<'_>, sink: &mut Sink) -> Preprocessed {
        let here = self.preprocess_options();
        preprocess::preprocess(
            &self.source.name,
            text,
            self.loader,
            &here,
            normalizer,
            sink,
        )
    }

    fn preprocess_options(self) -> preprocess::Options {
        let (backend, options) = (self.backend, self.options);
        let define = |name: &str, value: &str| Define {
            name: name.into(),
            value: value.into(),
        };
        let dialect = self.source.dialect;
        let mut predefined = vec![
            define("__OKL__", "1"),
            define("__OCCA__", "1"),
            define("OKL_KERNEL_HASH", &self.kernel_hash()),
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

    /// What `OKL_KERNEL_HASH` is: the same for the same source and options, wherever the source lies.
    fn kernel_hash(self) -> String {
        let options = self.options;
        let mut digest = Digest::default();
        digest.add(&self.source.text);
        digest.add(self.backend.name.as_bytes());
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
}

/// Normalises what macros have written.
fn normalize_again(read: &mut Preprocessed, dialect: Dialect, watch: Watch<'_>) {
    // Brook+'s words are everybody's: any macro may have written some.
    let words = dialect == Dialect::Brook && !read.provenance.expansions.is_empty();
    if read.expanded_attributes || words {
        watch(Stage::Normalize);
        let (text, map) = normalize_preprocessed(&read.text, dialect);
        read.renormalize(text, map);
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

//! Whole blocks of text from templates: preludes, launchers, host programs.
//!
//! - `mod.rs`: device source: prelude, rewritten text, epilogue.
//! - `context.rs`, `brook.rs`, `fold.rs`: what the templates of device source see.
//! - `launcher.rs`, `launcher_code.rs`: the host's part of each kernel as C++, and its statements.
//! - `extensions.rs`: what extensions add before the text and change in the end.
//! - `library.rs`: what preludes say about names of the C library.
//! - `host.rs`: the host half of a Brook+ program; `header.rs`: what other files know of it.
//! - `callable.rs`: what stands in place of a kernel there.
//! - `metadata.rs`: what a launch needs to know, as data.
//! - `lines.rs`: `#line`, for the messages of the device's compiler; `words.rs`: where the words of its lines were written.
//! - `templates.rs`: the template engine.

mod brook;
mod callable;
mod context;
mod extensions;
mod fold;
mod header;
mod host;
mod launcher;
mod launcher_code;
mod library;
mod lines;
mod metadata;
mod templates;
mod words;

pub use crate::rewrite::{
    ArgumentMetadata, DeviceKernel, Dtype, EnumeratorMetadata, FieldMetadata,
};
pub(crate) use metadata::kernels;
pub use metadata::{Form, KernelMetadata, Metadata, ParameterMetadata, Role};
pub use templates::RenderError;
pub use words::Word;

use crate::backend::Backend;
use crate::module::Module;
use crate::options::Options;
use crate::rewrite::{Rewritten, Use};
use crate::schedule::Schedule;
use crate::source::{EditMap, FileId};
use context::DeviceContext;
use templates::Templates;

/// All texts of one translation.
#[derive(Debug)]
pub struct Rendered {
    /// Source for the device's compiler.
    pub device: String,
    /// C++ that launches the kernels.
    pub launcher: Option<String>,
    /// The host half of a Brook+ program.
    pub host: Option<String>,
    /// The header of a Brook+ program whose kernels are exported.
    pub header: Option<String>,
    /// What a launch needs to know.
    pub metadata: Metadata,
    /// From lines of `device` to lines of the user's files.
    pub source_map: Vec<Option<(FileId, usize)>>,
    /// Words of those lines, where `#line` was asked for.
    pub words: Vec<Vec<Word>>,
    /// The same of `host`.
    pub host_words: Vec<Vec<Word>>,
    /// The kernels' source that travels in `host`, and where in the module's text that comes from.
    pub kernels: Option<(String, EditMap)>,
}

/// Renders everything around the rewritten text.
///
/// # Errors
/// A template of the backend is wrong.
pub(crate) fn render(
    module: &Module,
    schedule: &Schedule<'_>,
    backend: &Backend,
    rewritten: Rewritten,
    files_read: &[String],
    options: &Options,
) -> Result<Rendered, RenderError> {
    let templates = Templates::of(backend)?;
    let wanted = rewritten.uses.iter().filter_map(|used| {
        let function = match used {
            Use::Part(part) if !part.is_required() => return None,
            // Some preludes have these for all kernels, and ask for none.
            Use::Function(name) => Some(format!("brook_{name}")),
            Use::Operator(name) => Some(format!("brook_{name}")),
            Use::Atomic(name) => Some(format!("brook_atomic_{name}")),
            _ => None,
        };
        Some((used.key()?, function))
    });
    // What the built-in ones have is tested; to read their templates for that takes a third of a small program's time.
    let checked = backend.from_directory || cfg!(debug_assertions);
    if let Some(key) = checked.then(|| templates.unmet(wanted)).flatten() {
        let name = &backend.name;
        let reason = format!("the templates of backend '{name}' have nothing for '{key}'");
        return Err(RenderError::new(reason));
    }
    let source = module
        .provenance
        .files
        .get(FileId::MAIN)
        .map_or("", |f| f.name.as_str());
    let context = DeviceContext::new(module, schedule, backend, &rewritten);
    let mut prelude = templates
        .render("prelude.tera", &context)?
        .unwrap_or_default();
    prelude.push_str(&intrinsics(&rewritten, backend, options, &context)?);
    prelude.push_str(&extensions::prelude(module, backend, &options.extensions));
    let epilogue = templates
        .render("epilogue.tera", &context)?
        .unwrap_or_default();
    let mut source_map = source_map(module, &prelude, &rewritten.text, &rewritten.map);
    let mut words = match options.line_directives {
        true => words::words(module, &prelude, &rewritten.text, &rewritten.map),
        false => Vec::new(),
    };
    let mut device = prelude;
    device.push_str(rewritten.text.trim_end());
    device.push('\n');
    device.push_str(&epilogue);
    for extension in &options.extensions {
        if extensions::finish(&mut device, &mut source_map, &**extension, backend)? {
            // Its lines are known, their words are not.
            words.clear();
        }
    }
    if options.line_directives {
        let files = &module.provenance.files;
        (device, source_map) = lines::with_directives(&device, &source_map, &mut words, files);
    }
    let mut metadata = Metadata::new(
        module,
        options,
        &backend.name,
        rewritten.device_kernels,
        rewritten.host,
        files_read,
    );
    let launcher = match options.no_launcher {
        true => None,
        false => launcher::render(&templates, &metadata, &context.source)?,
    };
    // C++ that launches them has names of C++; whoever asks for them by data, the user's.
    name_instances(module, &mut metadata.kernels);
    let exported = module.host.as_ref().filter(|_| options.exported_kernels);
    let header = exported.map(|h| header::render(h, source, options));
    let host = module
        .host
        .as_ref()
        .map(|h| host::render(h, module, source, options))
        .transpose()?;
    let (host, host_words, kernels) = match host {
        Some(host) => (Some(host.text), host.words, Some(host.kernels)),
        None => (None, Vec::new(), None),
    };
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
    })
}

/// What the functions need that the backend spells in its own way.
/// Kernels that are instances of templates by the names that the user gave them.
pub(crate) fn name_instances(module: &Module, kernels: &mut [KernelMetadata]) {
    for (name, given) in &module.instances {
        for kernel in kernels.iter_mut().filter(|k| k.name == *name) {
            kernel.name.clone_from(given);
        }
    }
}

fn intrinsics(
    rewritten: &Rewritten,
    backend: &Backend,
    options: &Options,
    context: &DeviceContext,
) -> Result<String, RenderError> {
    let names = rewritten.uses.iter();
    let names = names.filter_map(|u| match u {
        Use::Intrinsic(name) => Some(name),
        _ => None,
    });
    let mut out = String::new();
    for name in names {
        let row = options.intrinsics.get(name);
        if let Some(text) = row.and_then(|r| r.prelude(&backend.name)) {
            out.push_str(templates::render_text(text, context)?.trim_start_matches('\n'));
        }
    }
    Ok(out)
}

/// One entry a line of the device source: the line of the user's file that its first word came from.
fn source_map(
    module: &Module,
    prelude: &str,
    text: &str,
    map: &EditMap,
) -> Vec<Option<(FileId, usize)>> {
    let generated = prelude.matches('\n').count();
    let mut lines = vec![None; generated];
    let mut at = 0u32;
    for line in text.split_inclusive('\n') {
        let first = line.len() - line.trim_start().len();
        let offset = at + first as u32;
        at += line.len() as u32;
        let blank = line.trim().is_empty();
        let original = (!blank).then(|| map.original(offset));
        lines.push(original.and_then(|o| module.provenance.file_line(o)));
    }
    lines
}

/// A file's name as it stands in generated text: nothing in it ends a line.
fn printable(name: &str) -> String {
    name.replace(|c: char| c.is_control(), "?")
}

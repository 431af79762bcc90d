//! `brook sanitize`: from a source to what running one of its kernels brings to light.

use crate::backend::Backend;
use crate::body::{BodyId, Program};
use crate::diagnostics::{Diagnostic, Report, codes};
use crate::interpret::{self, Argument, Finding, Launched, Order, Settings};
use crate::module::{Kernel, KernelForm, Module, ParameterKind};
use crate::normalize::Dialect;
use crate::options::Options;
use crate::render::{self, KernelMetadata};
use crate::source::{Files, Loader, Location, Provenance, Span};
use crate::source_text::Source;
use crate::transpile;

/// What CUDA's compiler says of itself to programs that ask.
const VENDOR_MACROS: [(&str, &str); 3] = [
    ("__CUDACC__", "1"),
    ("__CUDACC_RTC__", "1"),
    ("__CUDA_ARCH__", "800"),
];

/// What running a kernel brought to light.
#[derive(Debug)]
pub struct Sanitized {
    /// By cause, in source order.
    pub findings: Vec<Finding>,
    /// The launches of the first run, in order; only so many of them.
    pub launched: Vec<Launched>,
    /// The same as messages, with the files they point into.
    pub report: Report,
    /// The same as JSON objects, one a line.
    pub json: String,
}

impl Sanitized {
    /// Whether nothing is wrong: what was found are remarks, if anything.
    pub fn is_clean(&self) -> bool {
        self.findings.iter().all(|f| f.kind.is_remark())
    }
}

/// Runs a kernel in each order, and watches what it does; arguments, in the order of its parameters, hold afterwards what
/// the first run made of them.
///
/// # Errors
/// What is wrong with the source, what is not modelled, and limits that were reached.
pub fn sanitize(
    source: &Source,
    options: &Options,
    loader: &dyn Loader,
    kernel: &str,
    arguments: &mut Vec<Argument>,
    orders: &[Order],
    settings: &Settings,
) -> Result<Sanitized, Box<Report>> {
    if source.dialect != Dialect::Okl {
        return Err(not_modelled("streams without shapes"));
    }
    let mut options = options.clone();
    let asked = kernel.trim().to_string();
    if asked.ends_with('>') && !options.instantiate.iter().any(|i| i.trim() == asked) {
        options.instantiate.push(asked.clone());
    }
    let sanitizer = Sanitizer::new(source, &options, loader)?;
    sanitizer.run(kernel, arguments, &[], orders, settings)
}

/// Runs a kernel of Brook+ in each order, as [`sanitize`] does. `shapes` has the extents of each argument that is a stream or an
/// array, slowest first, and nothing for values and for the variable of a reduction.
///
/// # Errors
/// As [`sanitize`]; and streams that do not fit together.
#[allow(clippy::too_many_arguments, reason = "those of `sanitize`, and shapes")]
pub fn sanitize_streams(
    source: &Source,
    options: &Options,
    loader: &dyn Loader,
    kernel: &str,
    arguments: &mut Vec<Argument>,
    shapes: &[Vec<u32>],
    orders: &[Order],
    settings: &Settings,
) -> Result<Sanitized, Box<Report>> {
    if source.dialect != Dialect::Brook {
        return Err(not_modelled("streams of OKL"));
    }
    let sanitizer = Sanitizer::new(source, options, loader)?;
    sanitizer.run(kernel, arguments, shapes, orders, settings)
}

/// The streams of a call.
pub(crate) struct Shapes<'a> {
    /// The extents of each argument, slowest first; nothing for what is no stream.
    pub(crate) extents: &'a [Vec<u32>],
    /// Missing dimensions are 1, as in BrookGPU.
    pub(crate) pads: bool,
    /// Where the kernel runs, if that is not all of the first output: how many elements, from where on, and what inputs are
    /// stretched to, from where on. Fastest first.
    pub(crate) place: Option<[[u32; 4]; 4]>,
}

/// A source that has been read, whose kernels can be run again and again.
pub struct Sanitizer {
    module: Module,
    program: Program,
    kernels: Vec<KernelMetadata>,
    dialect: Dialect,
}

impl Sanitizer {
    /// Reads a source.
    ///
    /// # Errors
    /// What is wrong with the source.
    pub fn new(
        source: &Source,
        options: &Options,
        loader: &dyn Loader,
    ) -> Result<Self, Box<Report>> {
        let mut options = options.clone();
        options.templates_later |= source.dialect == Dialect::Okl;
        let (module, program) = understood(source, &options, loader)?;
        // The host's part of a kernel is in its body.
        let host = vec![Vec::new(); module.kernels.len()];
        let mut kernels = render::kernels(&module, &options, host);
        render::name_instances(&module, &mut kernels);
        Ok(Self {
            module,
            program,
            kernels,
            dialect: source.dialect,
        })
    }

    /// The same of a source that was itself made of what `before` leads back from: places are those in there.
    #[cfg(feature = "runtime")]
    pub(crate) fn written_in(mut self, before: Provenance) -> Self {
        let length = self.module.text.len() as u32;
        if let Some(whole) = self.module.provenance.after(before, length) {
            self.module.provenance = whole;
        }
        self
    }

    /// The kernels, and what each takes.
    #[must_use]
    pub fn kernels(&self) -> &[KernelMetadata] {
        &self.kernels
    }

    /// The files that places are in.
    #[must_use]
    pub fn files(&self) -> &Files {
        &self.module.provenance.files
    }

    /// Where something of the text that was analysed is as it was written.
    #[must_use]
    pub fn place(&self, span: Span) -> Option<Location> {
        let origin = self.module.provenance.origin(span)?;
        Some(origin.location)
    }

    /// Runs a kernel as [`sanitize()`] does, or as [`sanitize_streams`] with the extents of its arguments.
    ///
    /// # Errors
    /// What is not modelled, limits that were reached, and streams that do not fit together.
    pub fn run(
        &self,
        kernel: &str,
        arguments: &mut Vec<Argument>,
        shapes: &[Vec<u32>],
        orders: &[Order],
        settings: &Settings,
    ) -> Result<Sanitized, Box<Report>> {
        if self.dialect == Dialect::Brook {
            let host = self.module.host.as_ref();
            let shapes = Shapes {
                extents: shapes,
                pads: host.is_some_and(|h| h.checking.brookgpu),
                place: None,
            };
            return self.call(kernel, arguments, &shapes, orders, settings);
        }
        let Some(id) = self.id(kernel) else {
            return Err(not_modelled(&format!("kernel '{kernel}'")));
        };
        watched(&self.module, &self.program, id, arguments, orders, settings)
    }

    /// Whether a kernel is modelled as a whole, whatever it is given.
    ///
    /// # Errors
    /// What is not modelled.
    pub fn modelled(&self, kernel: &str) -> Result<(), Box<Report>> {
        let Some(id) = self.id(kernel) else {
            return Err(not_modelled(&format!("kernel '{kernel}'")));
        };
        let settings = Settings::default();
        interpret::modelled(&self.program, id)
            .map_err(|failure| ended(&self.module, &self.program, id, &failure, &settings))
    }

    /// The body of a kernel, which has the name that its user gave an instance.
    fn id(&self, kernel: &str) -> Option<BodyId> {
        let asked = kernel.trim();
        let mut instances = self.module.instances.iter();
        let instance = instances.find(|(_, given)| given == asked);
        self.program
            .kernel(instance.map_or(asked, |(name, _)| name))
    }

    /// As [`sanitize_streams`].
    ///
    /// # Errors
    /// As [`sanitize_streams`], but for the source's own.
    pub(crate) fn call(
        &self,
        kernel: &str,
        arguments: &mut Vec<Argument>,
        shapes: &Shapes<'_>,
        orders: &[Order],
        settings: &Settings,
    ) -> Result<Sanitized, Box<Report>> {
        let known = self.module.kernels.iter().find(|k| k.name == kernel);
        let (Some(id), Some(known)) = (self.program.kernel(kernel), known) else {
            return Err(not_modelled(&format!("kernel '{kernel}'")));
        };
        let provenance = &self.module.provenance;
        let extents = extents(known, shapes.extents, shapes.pads).map_err(|what| {
            let diagnostic =
                Diagnostic::at(&codes::STREAM_SHAPES, provenance, known.head, &[&what]);
            with_files(diagnostic, provenance)
        })?;
        let given = arguments.len();
        let (domain, extents) = extents;
        let place = shapes.place.unwrap_or([domain, [0; 4], domain, [0; 4]]);
        let extents = place.into_iter().chain(extents).flatten();
        arguments.extend(extents.map(|n| Argument::Value(i64::from(n).to_ne_bytes().to_vec())));
        let found = watched(&self.module, &self.program, id, arguments, orders, settings);
        arguments.truncate(given);
        found
    }
}

fn failed(diagnostic: Diagnostic) -> Box<Report> {
    Box::new(Report {
        diagnostics: vec![diagnostic],
        ..Report::default()
    })
}

/// The same of what has a place.
fn with_files(diagnostic: Diagnostic, provenance: &Provenance) -> Box<Report> {
    let mut report = failed(diagnostic);
    report.files = provenance.files.clone();
    report
}

pub(crate) fn not_modelled(what: &str) -> Box<Report> {
    failed(Diagnostic::new(&codes::NOT_MODELLED, None, &[&what]))
}

fn understood(
    source: &Source,
    options: &Options,
    loader: &dyn Loader,
) -> Result<(Module, Program), Box<Report>> {
    // Without a target, the most permissive one says.
    let backend = Backend::built_in("cuda");
    let mut backend = backend.map_err(|e| not_modelled(&e.to_string()))?;
    // Nobody compiles what is run here: conditionals are decided as the target's compiler does.
    backend.vendor_macros.clear();
    let defines = VENDOR_MACROS.map(|(name, value)| (name.to_string(), value.to_string()));
    backend.defines.extend(defines);
    let (module, program, _) = transpile::bodies(source, &backend, options, loader)?;
    for body in &program.bodies {
        program.assert_valid(body);
    }
    Ok((module, program))
}

/// What kept a kernel from running to its end.
fn ended(
    module: &Module,
    program: &Program,
    id: BodyId,
    failure: &interpret::Failure,
    settings: &Settings,
) -> Box<Report> {
    let parameters = &program.bodies[id.0 as usize];
    let count = parameters.parameters as usize;
    let names = parameters.variables[..count].iter();
    let names: Vec<String> = names.map(|v| v.name.clone()).collect();
    let known = module.kernels.iter().find(|k| k.name == parameters.name);
    let kernel = known.map_or(parameters.span, |k| k.head);
    let provenance = &module.provenance;
    let diagnostic = interpret::failure(failure, settings, provenance, kernel, &names);
    with_files(diagnostic, provenance)
}

fn watched(
    module: &Module,
    program: &Program,
    id: BodyId,
    arguments: &mut Vec<Argument>,
    orders: &[Order],
    settings: &Settings,
) -> Result<Sanitized, Box<Report>> {
    let provenance = &module.provenance;
    let run = interpret::run_orders(program, id, arguments, orders, settings);
    let (findings, launched) =
        run.map_err(|failure| ended(module, program, id, &failure, settings))?;
    let diagnostics = findings.iter();
    let diagnostics = diagnostics.map(|f| interpret::diagnostic(f, provenance));
    let diagnostics = diagnostics.collect();
    let lines = findings.iter();
    let lines = lines.map(|f| interpret::to_json(f, provenance).to_string() + "\n");
    let json = lines.collect();
    let findings_left = !findings.is_empty();
    Ok(Sanitized {
        findings,
        launched,
        report: Report {
            diagnostics,
            files: match findings_left {
                true => provenance.files.clone(),
                false => Files::default(),
            },
        },
        json,
    })
}

/// The extents of where a kernel runs, and of each argument, fastest first: what the runtime would tell it.
fn extents(
    kernel: &Kernel,
    shapes: &[Vec<u32>],
    pads: bool,
) -> Result<([u32; 4], Vec<[u32; 4]>), String> {
    if shapes.len() != kernel.parameters.len() {
        return Err(format!("there are {} of them", kernel.parameters.len()));
    }
    let mut all = Vec::new();
    for (shape, parameter) in shapes.iter().zip(&kernel.parameters) {
        let mut extents = [1; 4];
        if shape.len() > 4 || shape.contains(&0) {
            return Err(format!("'{}' has no such shape", parameter.name));
        }
        for (to, from) in extents.iter_mut().zip(shape.iter().rev()) {
            *to = *from;
        }
        all.push(extents);
    }
    if matches!(kernel.form, KernelForm::Vout) {
        // What is not modelled is said where it stands.
        return Ok(([1; 4], all));
    }
    let pairs = || kernel.parameters.iter().zip(shapes).zip(&all);
    let writes = |k: &ParameterKind| match k {
        ParameterKind::StreamOut { .. } => true,
        ParameterKind::Reduce => matches!(kernel.form, KernelForm::Reduce { .. }),
        _ => false,
    };
    let first = pairs()
        .find(|((p, _), _)| writes(&p.kind))
        .or_else(|| pairs().find(|((p, _), _)| matches!(p.kind, ParameterKind::Scatter(_))));
    let Some(((_, first), domain)) = first else {
        return Err("nothing is written".to_string());
    };
    let reduces = matches!(kernel.form, KernelForm::Reduce { .. });
    let input = pairs().find(|((p, _), _)| p.kind == ParameterKind::StreamIn);
    let rank = input.map_or(0, |((_, shape), _)| shape.len()).min(4);
    let mut domain = *domain;
    if reduces && (1..rank).contains(&first.len()) {
        // The slowest dimensions are kept, and the others folded.
        domain.rotate_right(rank - first.len());
    }
    for ((parameter, shape), extents) in pairs() {
        let (wanted, name) = (first.len(), &parameter.name);
        match parameter.kind {
            ParameterKind::StreamOut { .. }
                if *extents != domain || shape.len() != wanted && !pads =>
            {
                return Err(format!("'{name}' has not the shape of the first output"));
            }
            ParameterKind::StreamIn if reduces => {
                // A variable has no dimensions.
                let fits = shape.len() >= wanted || pads;
                if !fits || extents.iter().zip(domain).any(|(n, cells)| n % cells != 0) {
                    return Err(format!("'{name}' is not cut into so many parts"));
                }
            }
            ParameterKind::StreamIn if shape.len() != wanted && !pads => {
                return Err(format!(
                    "'{name}' has {} dimensions, not {wanted}",
                    shape.len()
                ));
            }
            ParameterKind::Gather(rank) | ParameterKind::Scatter(rank)
                if shape.len() != rank && !(pads && extents[rank..].iter().all(|n| *n == 1)) =>
            {
                return Err(format!(
                    "'{name}' has {} dimensions, not {rank}",
                    shape.len()
                ));
            }
            _ => {}
        }
    }
    Ok((domain, all))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::source::MemoryLoader;

    /// What is found in a kernel `f` of a number and a buffer of so many `int`s with nothing in them.
    fn check(source: &str, number: i32, count: usize) -> (Vec<String>, Vec<i32>) {
        let mut arguments = vec![
            Argument::Value(number.to_ne_bytes().to_vec()),
            Argument::Buffer {
                bytes: vec![0; 4 * count],
                filled: false,
            },
        ];
        let found = sanitize(
            &Source::new("f.okl", source),
            &Options::default(),
            &MemoryLoader::new(),
            "f",
            &mut arguments,
            &[Order::Forward, Order::Reversed, Order::Random(3)],
            &Settings::default(),
        )
        .unwrap();
        let codes = found.report.diagnostics.iter();
        let codes = codes.map(|d| d.code.id.to_string()).collect();
        let Argument::Buffer { bytes, .. } = &arguments[1] else {
            return (codes, Vec::new());
        };
        let values = bytes.chunks_exact(4);
        let values = values.map(|b| i32::from_ne_bytes([b[0], b[1], b[2], b[3]]));
        (codes, values.collect())
    }

    #[test]
    fn warps_wait_for_themselves_only() {
        let source = |from: &str| {
            format!(
                "@kernel void f(const int n, int *a) {{ for (int g = 0; g < n; ++g; @outer) {{ @shared int s[64];
                for (int t = 0; t < 64; ++t; @inner) {{ s[t] = t; @barrier(\"warp\"); a[t] = s[{from}]; }} }} }}"
            )
        };
        let (codes, values) = check(&source("t ^ 1"), 1, 64);
        assert_eq!(codes, Vec::<String>::new());
        assert_eq!(values[..4], [1, 0, 3, 2]);
        let (codes, _) = check(&source("t ^ 32"), 1, 64);
        assert!(codes.contains(&"SAN001".to_string()), "{codes:?}");
    }

    #[test]
    fn exclusive_variables_begin_with_each_group() {
        let source = "@kernel void f(const int n, int *a) { for (int g = 0; g < n; ++g; @outer) { @exclusive int x = 5;
            for (int t = 0; t < 4; ++t; @inner) x += t;
            for (int t = 0; t < 4; ++t; @inner) a[4 * g + t] = x; } }";
        let (codes, values) = check(source, 2, 8);
        assert_eq!(codes, Vec::<String>::new());
        assert_eq!(values, [5, 6, 7, 8, 5, 6, 7, 8]);
    }

    #[test]
    fn records_may_be_copied_with_what_nobody_wrote() {
        let source = |field: &str| {
            format!(
                "struct P {{ int k, l; }}; struct P make(int k) {{ struct P p; p.k = k; return p; }}
                @kernel void f(const int n, int *a) {{ for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {{
                struct P p = make(i); struct P q = p; a[i] = q.{field}; }} }}"
            )
        };
        assert_eq!(check(&source("k"), 3, 3), (Vec::new(), vec![0, 1, 2]));
        assert_eq!(check(&source("l"), 3, 3).0, ["SAN013"]);
    }

    #[test]
    fn calls_and_arithmetic_are_those_of_c() {
        let source = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
            @kernel void f(const int n, int *a) { for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {
            unsigned char c = 250; c += 3 * i; switch (i) { case 1: a[i] = c; break; case 2: a[i] = -7 / 2;
            break; default: a[i] = fib(i + 10) + (int) (2.75f * i); } } }";
        assert_eq!(check(source, 4, 4), (Vec::new(), vec![55, 253, -3, 241]));
    }
}

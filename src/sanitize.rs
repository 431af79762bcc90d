//! `brook sanitize`: from a source to what running one of its kernels brings to light.

use crate::backend::Backend;
use crate::diagnostics::{Diagnostic, Report, codes};
use crate::interpret::{self, Argument, Finding, Order, Settings};
use crate::normalize::Dialect;
use crate::options::Options;
use crate::source::Loader;
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
    /// The same as messages, with the files they point into.
    pub report: Report,
    /// The same as JSON objects, one a line.
    pub json: String,
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
    let failed = |diagnostic| {
        Box::new(Report {
            diagnostics: vec![diagnostic],
            ..Report::default()
        })
    };
    let not_modelled = |what: &str| failed(Diagnostic::new(&codes::NOT_MODELLED, None, &[&what]));
    if source.dialect != Dialect::Okl {
        return Err(not_modelled("Brook+"));
    }
    // Without a target, the most permissive one says.
    let backend = Backend::built_in("cuda");
    let mut backend = backend.map_err(|e| not_modelled(&e.to_string()))?;
    // Nobody compiles what is run here: conditionals are decided as the target's compiler does.
    backend.vendor_macros.clear();
    let defines = VENDOR_MACROS.map(|(name, value)| (name.to_string(), value.to_string()));
    backend.defines.extend(defines);
    let mut options = options.clone();
    let asked = kernel.trim().to_string();
    if asked.ends_with('>') && !options.instantiate.iter().any(|i| i.trim() == asked) {
        options.instantiate.push(asked.clone());
    }
    options.templates_later = true;
    let (module, program, _) = transpile::bodies(source, &backend, &options, loader)?;
    let instance = module.instances.iter().find(|(_, name)| *name == asked);
    let name = instance.map_or(asked.as_str(), |(name, _)| name);
    let Some(id) = program.kernel(name) else {
        return Err(not_modelled(&format!("kernel '{kernel}'")));
    };
    let parameters = &program.bodies[id.0 as usize];
    let count = parameters.parameters as usize;
    let names: Vec<String> = { parameters.variables[..count].iter() }
        .map(|v| v.name.clone())
        .collect();
    let provenance = module.provenance;
    let run = interpret::run_orders(&program, id, arguments, orders, settings);
    let findings = match run {
        Ok(findings) => findings,
        Err(failure) => {
            let diagnostic = interpret::failure(&failure, settings, &provenance, &names);
            let mut report = failed(diagnostic);
            report.files = provenance.files;
            return Err(report);
        }
    };
    let diagnostics = findings.iter();
    let diagnostics = diagnostics.map(|f| interpret::diagnostic(f, &provenance));
    let diagnostics = diagnostics.collect();
    let lines = findings.iter();
    let lines = lines.map(|f| interpret::to_json(f, &provenance).to_string() + "\n");
    let json = lines.collect();
    Ok(Sanitized {
        findings,
        report: Report {
            diagnostics,
            files: provenance.files,
        },
        json,
    })
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

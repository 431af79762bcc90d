//! `brook sanitize`: from a source to what running one of its kernels brings to light.

use crate::backend::Backend;
use crate::diagnostics::{Diagnostic, Report, codes};
use crate::interpret::{self, Argument, Finding, Order, Settings};
use crate::normalize::Dialect;
use crate::options::Options;
use crate::source::Loader;
use crate::source_text::Source;
use crate::transpile;

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
    let backend = backend.map_err(|e| not_modelled(&e.to_string()))?;
    let (module, program, _) = transpile::bodies(source, &backend, options, loader)?;
    let Some(id) = program.kernel(kernel) else {
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

//! An attribute that `brook` does not have: `@unroll(n)` before an ordinary loop asks the target's
//! compiler for `n` copies of its body.
//!
//! ```
//! use brook::{Options, Source, backend::Backend, source::MemoryLoader};
//! use std::sync::Arc;
//!
//! let okl = "@kernel void k(const int n, float *a) {
//!   for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
//!     @unroll(4) for (int k = 0; k < 16; ++k) a[16 * i + k] = k;
//!   }
//! }";
//! let options = Options {
//!     extensions: vec![Arc::new(brook_extension_example::Unroll)],
//!     ..Options::default()
//! };
//! let cuda = Backend::built_in("cuda").unwrap();
//! let source = Source::new("k.okl", okl);
//! let translation = brook::transpile(&source, &cuda, &options, &MemoryLoader::new()).unwrap();
//! assert!(translation.device.contains("#pragma unroll 4"));
//! ```

use brook::Dialect;
use brook::Extension;
use brook::backend::Backend;
use brook::diagnostics::{Code, Severity};
use brook::extension::{Attribute, Target};
use brook::extension::{Changes, Messages};
use brook::module::{Kernel, KernelForm, Site};
use brook::source::Edits;

static ATTRIBUTES: [Attribute; 1] = [Attribute {
    name: "unroll",
    dialect: Dialect::Okl,
    targets: &[Target::Loop],
    least_arguments: 1,
    most_arguments: 1,
    summary: "Asks for copies of an ordinary loop's body.",
}];

/// Most copies that are asked for.
const MOST: i64 = 64;

static NOT_A_COUNT: Code = Code {
    id: "UNR001",
    severity: Severity::Error,
    text: "[@unroll] takes a constant from 2 to {}, not '{}'",
    help: None,
    explain: "The number of copies has to be known, and to be sensible.",
    classic: None,
};

static NOT_ORDINARY: Code = Code {
    id: "UNR002",
    severity: Severity::Error,
    text: "[@unroll] is for ordinary loops; this one is distributed by '@{}'",
    help: Some("put it on a loop inside"),
    explain: "A loop that is distributed over a device has no body to copy.",
    classic: None,
};

static MANY_COPIES: Code = Code {
    id: "UNR003",
    severity: Severity::Warning,
    text: "kernel '{}' asks for {} copies in {} launches",
    help: None,
    explain: "Large kernels run slowly, and compile slowly.",
    classic: None,
};

/// Adds `@unroll(n)`.
#[derive(Debug)]
pub struct Unroll;

impl Unroll {
    /// How many copies a use asks for.
    fn copies(site: &Site) -> &str {
        site.arguments.first().map_or("", String::as_str)
    }
}

impl Extension for Unroll {
    fn name(&self) -> &str {
        env!("CARGO_PKG_NAME")
    }

    fn version(&self) -> String {
        env!("CARGO_PKG_VERSION").to_string()
    }

    fn attributes(&self) -> &[Attribute] {
        &ATTRIBUTES
    }

    fn check(&self, site: &Site, messages: &mut Messages<'_>) {
        let argument = Self::copies(site);
        match messages.integer(argument) {
            Some(2..=MOST) => {}
            _ => messages.report(&NOT_A_COUNT, site.attribute, &[&MOST, &argument]),
        }
        let mut beside = site.beside.iter();
        if let Some(other) = beside.find(|a| matches!(a.as_str(), "outer" | "inner" | "tile")) {
            messages.report(&NOT_ORDINARY, site.attribute, &[other]);
        }
    }

    fn check_kernel(&self, kernel: &Kernel, messages: &mut Messages<'_>) {
        let KernelForm::Okl { nests } = &kernel.form else {
            return;
        };
        let module = messages.module();
        let inside = module.sites.iter().filter(|s| kernel.body.contains(s.node));
        let copies: i64 = inside
            .filter_map(|s| messages.integer(Self::copies(s)))
            .sum();
        if copies > 4 * MOST {
            let arguments: [&dyn std::fmt::Display; 3] = [&kernel.name, &copies, &nests.len()];
            messages.report(&MANY_COPIES, kernel.head, &arguments);
        }
    }

    fn lower(&self, site: &Site, backend: &Backend, changes: &mut Changes<'_>) {
        let count = Self::copies(site);
        let pragma = match backend.spelling.unroll_count.as_str() {
            // The target has no word for it, so nothing is lost but the advice.
            "" => return,
            spelled => spelled.replace("{count}", count),
        };
        changes.insert_line(site.node.start, &format!("#pragma {pragma}"));
    }

    fn prelude(&self, sites: &[&Site], _: &Backend) -> String {
        match sites.len() {
            0 => String::new(),
            n => format!("// {n} loops with @unroll.\n"),
        }
    }

    /// The last stage sees the whole device source; this one signs it.
    fn finish(&self, device: &str, _: &Backend, edits: &mut Edits) {
        edits.insert(
            device.len() as u32,
            "// Checked by the example extension.\n",
        );
    }
}

//! Preprocessed text, before it is parsed: what no compiler would take and existing tools do, or what the parser
//! misreads, is mended, by edits whose maps lead back.
//!
//! - `gaps.rs`: comments and continued lines inside of statements.
//! - `backslashes.rs`: `\` that continues no line.
//! - `semicolons.rs`: `;` inside the parentheses of an expression.
//! - `casts.rs`: `long(x)`.
//! - `commas.rs`: assignments beside a comma.
//! - `array_pointers.rs`: `int(*p)[4]`.
//! - `templates.rs`: kernels that are templates; `instances.rs`: kernels out of them; `request.rs`: how they are asked
//!   for.
//!
//! All but the first are for OKL.

mod array_pointers;
mod backslashes;
mod casts;
mod commas;
mod gaps;
mod instances;
mod request;
mod semicolons;
mod templates;

pub(crate) use array_pointers::{STAND_IN, array_pointers};
pub(crate) use instances::Instance;
#[cfg(feature = "runtime")]
pub(crate) use request::{Request, is_argument};

use crate::diagnostics::Sink;
use crate::grammar::Dialect;
use crate::lex::{lex, mentions};
use crate::module::KernelTemplate;
use crate::options::Options;
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// What is known of kernels that are templates.
#[derive(Debug, Default)]
pub(crate) struct Adjusted {
    /// Kernels that came from them.
    pub(crate) instances: Vec<Instance>,
    /// All of them.
    pub(crate) templates: Vec<KernelTemplate>,
}

/// Mends `read`, and makes kernels of templates; what was done is told in warnings.
pub(crate) fn adjust(
    read: &mut Preprocessed,
    dialect: Dialect,
    options: &Options,
    sink: &mut Sink,
) -> Adjusted {
    mend(read, dialect, sink);
    let any = !options.instantiate.is_empty() || mentions(&read.text, &["template"]);
    if !any || dialect == Dialect::Brook {
        return Adjusted::default();
    }
    let mut edits = Edits::new();
    let (adjusted, refused) = instances::instantiate(read, options, &mut edits, sink);
    apply(read, edits);
    for request in refused {
        request.say(&mut read.provenance.files, sink);
    }
    adjusted
}

/// Mends `read`, and leaves templates as they are written.
pub(crate) fn mend(read: &mut Preprocessed, dialect: Dialect, sink: &mut Sink) {
    let tokens = lex(&read.text);
    let mut edits = Edits::new();
    gaps::clear(&read.text, &tokens, &mut edits);
    if dialect == Dialect::Okl {
        backslashes::drop_stray(read, &tokens, &mut edits, sink);
        semicolons::drop_within_parentheses(read, &tokens, &mut edits, sink);
        casts::spell_functional_casts(read, &tokens, &mut edits);
        array_pointers::part_from_types(read, &tokens, &mut edits);
        commas::bracket_assignments(read, &tokens, &mut edits);
    }
    apply(read, edits);
}

fn apply(read: &mut Preprocessed, edits: Edits) {
    if edits.is_empty() {
        return;
    }
    // No two edits touch the same tokens; should that ever be wrong, the parser reports what it finds
    // in the text as written.
    if let Ok((text, map)) = edits.apply(&read.text) {
        read.renormalize(text, map);
    }
}

//! Preprocessed text, before it is parsed: what no compiler would take and existing tools do, or what the parser
//! misreads, is mended, by edits whose maps lead back.
//!
//! - `gaps.rs`: comments and continued lines inside of statements.
//! - `backslashes.rs`: `\` that continues no line.
//! - `semicolons.rs`: `;` inside the parentheses of an expression.
//! - `casts.rs`: `long(x)`.
//! - `commas.rs`: assignments beside a comma.
//! - `instances.rs`: kernels out of templates; `request.rs`: how they are asked for.
//!
//! All but the first are for OKL.

mod backslashes;
mod casts;
mod commas;
mod gaps;
mod instances;
mod request;
mod semicolons;

pub(crate) use instances::Instance;

use crate::diagnostics::Sink;
use crate::lex::lex;
use crate::normalize::Dialect;
use crate::preprocess::Preprocessed;
use crate::source::Edits;

/// Mends `read`; what was done is told in warnings. `requests` are the kernels wanted of templates.
pub(crate) fn adjust(
    read: &mut Preprocessed,
    dialect: Dialect,
    requests: &[String],
    sink: &mut Sink,
) -> Vec<Instance> {
    let tokens = lex(&read.text);
    let mut edits = Edits::new();
    gaps::clear(&read.text, &tokens, &mut edits);
    if dialect == Dialect::Okl {
        backslashes::drop_stray(read, &tokens, &mut edits, sink);
        semicolons::drop_within_parentheses(read, &tokens, &mut edits, sink);
        casts::spell_functional_casts(read, &tokens, &mut edits);
        commas::bracket_assignments(read, &tokens, &mut edits);
    }
    apply(read, edits);
    if requests.is_empty() || dialect == Dialect::Brook {
        return Vec::new();
    }
    let mut edits = Edits::new();
    let instances = instances::instantiate(read, requests, &mut edits, sink);
    apply(read, edits);
    instances
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

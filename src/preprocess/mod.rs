//! The C preprocessor, with memory: every byte of its output knows where it came from.
//!
//! Text without macros is copied in large runs; only macro calls are taken apart into tokens. What
//! is read is normalised text, in which attributes look like `[[okl_tile("(N, @outer)")]]`: the
//! content of such a string takes part in expansion as if it were plain tokens.
//!
//! - `options.rs`: what the caller decides; [`Define`].
//! - `scan.rs`: the main loop over files, and the fast path over text that no macro touches.
//! - `directives.rs`: what a line that begins with `#` does; `define.rs` reads `#define`,
//!   `condition.rs` chooses among groups, `evaluate.rs` gives `#if` its value, `include.rs` finds
//!   files, `pragma.rs` keeps what is for the vendor's compiler.
//! - `kept.rs`: conditionals that stay in the text; `snapshot.rs`: the macros in each of their groups.
//! - `macros.rs`: macros and the table that holds them.
//! - `expand.rs`: from a call to its result, with rescanning; `arguments.rs` gathers arguments,
//!   `substitute.rs` puts them in their places, `operators.rs` is `#` and `##`.
//! - `pieces.rs`: tokens during expansion, and the texts in which they are spelled.
//! - `output.rs`: the resulting text and its segments.
//! - `verbatim.rs`: a text with nothing expanded; `amd_preprocessor.rs`: the preprocessor of `brcc -pp`.
//! - `failures.rs`: where diagnostics point, and when to give up.

mod amd_preprocessor;
mod arguments;
mod condition;
mod define;
mod directives;
mod evaluate;
mod expand;
mod failures;
mod include;
mod kept;
mod macros;
mod operators;
mod options;
mod output;
mod pieces;
mod pragma;
mod scan;
mod snapshot;
mod substitute;
#[cfg(test)]
mod tests;
mod verbatim;

pub use amd_preprocessor::amd_preprocessed;
pub use kept::{KeptConditional, directives};
pub use options::{Define, Missing, Normalizer, Options, VendorConditions};
pub use verbatim::verbatim;

use crate::diagnostics::Sink;
use crate::module::Directive;
use crate::source::{EditMap, FileId, Files, Loader, Provenance, Span};
use expand::Context;
use foldhash::{HashMap, HashMapExt};
use macros::Macros;
use output::Output;
use pieces::{Piece, Texts};
use scan::Frame;
use std::sync::Arc;

/// Deepest nesting of includes.
const DEEPEST_INCLUDE: usize = 200;
/// Deepest nesting of calls within arguments.
const DEEPEST_ARGUMENT: usize = 200;
/// Deepest nesting of parentheses in one argument.
const DEEPEST_PARENTHESIS: usize = 1000;
/// Tokens that expansions may produce. Tests do not wait that long.
const MOST_TOKENS: usize = if cfg!(test) { 1_000_000 } else { 10_000_000 };
/// Bytes that expansions and includes may add, and bytes that `#` and `##` may make.
const MOST_BYTES: usize = 64 << 20;
/// Files that may be included, each inclusion counted.
const MOST_INCLUDES: usize = 100_000;

/// A text without macros and conditionals, and the way back.
#[derive(Debug)]
pub struct Preprocessed {
    /// The text.
    pub text: String,
    /// From the text to what the user wrote; also the files, to render diagnostics with.
    pub provenance: Provenance,
    /// An expansion produced an attribute, or there is an `@`: the text has to be normalised again.
    pub expanded_attributes: bool,
    /// Paths of all files that the loader gave, in order, each once; what `__has_include` found is
    /// among them, the main text is not.
    pub dependencies: Vec<String>,
    /// Lines of the text (without their newline) that are for the vendor's compiler: `#include`,
    /// `#pragma`, unknown directives.
    pub kept_directives: Vec<Span>,
    /// The conditionals among these, outer ones before those inside.
    pub conditionals: Vec<KeptConditional>,
    /// Among these the includes, ascending.
    pub kept_includes: Vec<Directive>,
    /// Names of the macros that are defined at the end, sorted.
    pub macros: Vec<Arc<str>>,
}

/// Preprocesses `raw`, the text of the file `name`.
///
/// Errors go to `sink`; what is returned then is as complete as it could be made, and its files are
/// what the diagnostics point into.
pub fn preprocess(
    name: &str,
    raw: &str,
    loader: &dyn Loader,
    options: &Options,
    normalize: &Normalizer<'_>,
    sink: &mut Sink,
) -> Preprocessed {
    let mut state = State {
        options,
        loader,
        normalize,
        sink,
        files: Files::default(),
        texts: Texts::default(),
        by_path: HashMap::new(),
        lines: HashMap::new(),
        dependencies: Vec::new(),
        macros: Macros::new(),
        expansions: Vec::new(),
        output: Output::default(),
        frames: Vec::new(),
        contexts: Vec::new(),
        spare: Vec::new(),
        spare_lists: Vec::new(),
        definitions: 0,
        tokens: 0,
        inclusions: 0,
        counter: 0,
        argument_depth: 0,
        lexical_errors: 0,
        bytes_allowed: MOST_BYTES + raw.len(),
        expanded_attributes: false,
        in_arguments: false,
        without_vendor: false,
        stopped: false,
    };
    state.run(name, raw);
    let macros = state.macros.names();
    let Output {
        text,
        segments,
        kept,
        kept_includes,
        ..
    } = state.output;
    Preprocessed {
        conditionals: kept::conditionals(&text, &kept),
        text,
        provenance: Provenance {
            files: state.files,
            segments,
            expansions: state.expansions,
            renormalized: EditMap::identity(),
        },
        expanded_attributes: state.expanded_attributes,
        dependencies: state.dependencies,
        kept_directives: kept,
        kept_includes,
        macros,
    }
}

impl Preprocessed {
    /// Takes over the text after a change, such as another normalisation, and the map back from it.
    pub fn renormalize(&mut self, text: String, map: EditMap) {
        self.kept_directives = kept::lines(&text);
        let includes = self
            .kept_directives
            .iter()
            .filter(|d| kept::is_include(d.of(&text)));
        for (known, span) in self.kept_includes.iter_mut().zip(includes) {
            known.span = *span;
        }
        // Those of a text that was not preprocessed are the host's compiler's.
        if !self.conditionals.is_empty() {
            self.conditionals = kept::conditionals(&text, &self.kept_directives);
        }
        let length = text.len() as u32;
        self.text = text;
        self.provenance.renormalized = map.after(&self.provenance.renormalized, length);
    }
}

/// Everything one run knows. The rooms of this module are its methods.
struct State<'a> {
    options: &'a Options,
    loader: &'a dyn Loader,
    normalize: &'a Normalizer<'a>,
    sink: &'a mut Sink,
    files: Files,
    texts: Texts,
    /// Files already read, by normalised path.
    by_path: HashMap<String, FileId>,
    /// Offsets of newlines in a file as written, for `__LINE__`.
    lines: HashMap<FileId, Vec<u32>>,
    dependencies: Vec<String>,
    macros: Macros,
    expansions: Vec<crate::source::Expansion>,
    output: Output,
    /// The files being read, the innermost last.
    frames: Vec<Frame>,
    /// The expansions being rescanned, the innermost last.
    contexts: Vec<Context>,
    /// Vectors of finished contexts, to be used again.
    spare: Vec<Vec<Piece>>,
    /// Likewise lists of arguments, each without any.
    spare_lists: Vec<Vec<Vec<Piece>>>,
    /// Macros defined so far.
    definitions: u32,
    /// Tokens that expansions have produced so far.
    tokens: usize,
    inclusions: usize,
    /// The next value of `__COUNTER__`.
    counter: u32,
    argument_depth: usize,
    lexical_errors: usize,
    /// Most bytes of output.
    bytes_allowed: usize,
    expanded_attributes: bool,
    /// The arguments of a macro are being gathered.
    in_arguments: bool,
    /// The vendor's macros count as not defined.
    without_vendor: bool,
    /// A limit was passed: nothing more is read.
    stopped: bool,
}

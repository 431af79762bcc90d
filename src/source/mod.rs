//! Text, and where every byte of it came from.
//!
//! - [`Span`]: a range of bytes in one text.
//! - [`Edits`] (`edits.rs`): the one way to change a text. Edits name spans, refuse to overlap, and
//!   leave a map back to the text they changed: an [`EditMap`] (`edit_map.rs`).
//! - [`Files`] (`files.rs`): what the user wrote: the main file and everything it includes.
//! - [`Provenance`] (`provenance.rs`): from a place in the preprocessed text back to the user's own
//!   line, through every macro expansion and include on the way.

mod edit_map;
mod edits;
#[cfg(test)]
mod edits_tests;
mod files;
mod provenance;
mod span;

pub use edit_map::EditMap;
pub use edits::{Edits, Moved, Overlap};
pub use files::{
    COMMAND_LINE, FileId, FileLoader, Files, Loader, Location, MemoryLoader, Place, SourceFile,
    read, read_below, read_text,
};
pub(crate) use files::{MARK, MOST_BYTES};
pub use provenance::{Expansion, ExpansionId, Origin, Provenance, Segment};
pub use span::Span;

//! What needs no compiler, so that it runs at each save: `scripts/test quick`.
//!
//! - `abi`: the header of the library and what it exports
//! - `broken`: sources as people break them
//! - `cli`: the command, from outside
//! - `contract`: the tables of `docs/backends.md`
//! - `crates`: what is published is whole
//! - `deleted`: kernels without one character
//! - `depth`: long chains, and nesting without end
//! - `diagnostics`: what the checker says
//! - `directions`: imports point one way
//! - `examples`: their page, and its commands
//! - `folders`: a backend is a folder
//! - `interfaces`: the pages of the C and the C++ interface
//! - `layout`: gaps between tokens never matter
//! - `links`: those in pages lead somewhere
//! - `lsp`: the language server
//! - `messages`: Brook+'s messages
//! - `purity`: the same input gives the same bytes
//! - `reference`: the pages of the two languages
//! - `sanitize`: what the interpreter finds
//! - `snapshots`: the generated text of every example
//! - `explore`: what the explorer's server answers, and to whom
//! - `watch`: what is done again when a file changes

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod abi;
mod broken;
mod cli;
mod contract;
mod crates;
mod deleted;
mod depth;
mod diagnostics;
mod difference;
mod directions;
mod examples;
mod explore;
mod folders;
mod interfaces;
mod layout;
mod links;
mod lsp;
mod messages;
mod purity;
mod reference;
mod sanitize;
mod snapshots;
#[path = "../support/mod.rs"]
mod support;
mod watch;

fn main() {
    support::run(&[
        ("abi", abi::trials),
        ("broken", broken::trials),
        ("cli", cli::trials),
        ("contract", contract::trials),
        ("crates", crates::trials),
        ("deleted", deleted::trials),
        ("depth", depth::trials),
        ("diagnostics", diagnostics::trials),
        ("directions", directions::trials),
        ("examples", examples::trials),
        ("folders", folders::trials),
        ("interfaces", interfaces::trials),
        ("layout", layout::trials),
        ("links", links::trials),
        ("lsp", lsp::trials),
        ("messages", messages::trials),
        ("purity", purity::trials),
        ("reference", reference::trials),
        ("sanitize", sanitize::trials),
        ("snapshots", snapshots::trials),
        ("explore", explore::trials),
        ("watch", watch::trials),
    ])
}

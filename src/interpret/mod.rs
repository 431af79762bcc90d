//! Runs bodies, and watches what they do: races, barriers that not all reach, accesses out of bounds, values that nobody
//! wrote, arithmetic that C leaves undefined.
//!
//! - `compile/`, `code.rs`: bodies become instructions on registers, so that an item can stop anywhere and go on later.
//! - `machine.rs`: runs instructions; `thread.rs`: what runs them; `access.rs`: reads and writes.
//! - `numbers.rs`, `real.rs`: arithmetic; `trouble.rs`: what is seldom needed.
//! - `groups.rs`, `collective.rs`: groups one after the other, the items of each from one barrier to the next.
//! - `memory.rs`, `shadow.rs`: objects and pointers; who accessed each cell, and when.
//! - `copies.rs`: copies that go on while their item does.
//! - `trace.rs`: what was launched, and what a group of it did.
//! - `run.rs`, `orders.rs`: one run; one in each order, and what depends on that.
//! - `findings.rs`, `report.rs`: what came to light, as messages and as JSON.
//!
//! Nothing here knows text, syntax or names. What is not modelled is an error before anything runs.

mod access;
mod code;
mod collective;
mod compile;
mod copies;
mod findings;
mod groups;
mod machine;
mod memory;
mod numbers;
mod orders;
mod real;
mod report;
mod run;
mod shadow;
#[cfg(test)]
mod tests;
mod thread;
mod trace;
mod trouble;

use compile::NotModelled;
pub use findings::{Element, Finding, Kind, Who};
pub(crate) use orders::run_orders;
pub(crate) use report::{diagnostic, failure, to_json};
pub(crate) use run::run;
pub use trace::{Launched, Step};

use crate::body::{BodyId, Program};
use crate::source::Span;

/// In which order items run, and groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they are numbered.
    Forward,
    /// The last one first.
    Reversed,
    /// In one that this number decides.
    Random(u64),
}

/// How a kernel is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The order of groups and of items.
    pub order: Order,
    /// How many instructions may run, about.
    pub steps: u64,
    /// How many bytes arguments and their shadow may take.
    pub memory: u64,
    /// How deep calls may be.
    pub depth: usize,
    /// Whether indices that Brook+ clamps, and writes that it drops, are found.
    pub clamped: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            order: Order::Forward,
            steps: 20_000_000_000,
            memory: 8 << 30,
            depth: 1000,
            clamped: false,
        }
    }
}

/// What is passed for a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The bytes of a value, as they lie in memory.
    Value(Vec<u8>),
    /// What a pointer points to: its bytes, and whether somebody has given them to it.
    Buffer {
        /// They are what the kernel made of them afterwards.
        bytes: Vec<u8>,
        /// If not, a read of what the kernel has not written is found.
        filled: bool,
    },
}

/// Whether all is modelled that a kernel may do.
///
/// # Errors
/// The first thing that is not.
pub(crate) fn modelled(program: &Program, kernel: BodyId) -> Result<(), Failure> {
    let code = compile::compile(program, kernel);
    code.map(|_| ()).map_err(Failure::NotModelled)
}

/// Why a kernel did not run to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Something is not modelled.
    NotModelled(NotModelled),
    /// The limit of steps is reached.
    Steps(Span),
    /// The limit of memory is; without a place, by what the kernel is given and has.
    Memory(Option<Span>),
    /// Calls are too deep.
    Depth(Span),
    /// There are more groups, or items, than can be.
    TooMany(Span),
    /// A function of all items is called outside of items.
    Nobody(Span),
    /// An argument, by number, does not fit its parameter.
    Argument(usize),
}

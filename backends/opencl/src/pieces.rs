//! Page-locked pieces of memory through which copies of other host memory go.

use crate::commands::Commands;
use crate::handle::Handle;
use crate::mapped::Mapped;
use brook_driver::{PIECE, Result};
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// What a session keeps for copies.
#[derive(Default)]
pub(crate) struct Pieces {
    pub(crate) lanes: Mutex<Vec<Lane>>,
    /// Addresses of host memory that the vendor allocated for the session.
    mapped: Mutex<Vec<Range<usize>>>,
}

impl Pieces {
    /// Remembers host memory that needs no pieces.
    pub(crate) fn mapped(&self, addresses: Range<usize>) {
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.push(addresses);
    }

    /// Forgets it.
    pub(crate) fn unmapped(&self, start: usize) {
        let mut mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.retain(|m| m.start != start);
    }

    /// Whether the vendor allocated what lies there.
    pub(crate) fn is_mapped(&self, address: usize) -> bool {
        let mapped = self.mapped.lock().unwrap_or_else(PoisonError::into_inner);
        mapped.iter().any(|m| m.contains(&address))
    }
}

/// A queue with two mapped buffers, and the events of what was last started with them.
pub(crate) struct Lane {
    pub(crate) queue: Commands,
    pub(crate) pieces: [Mapped; 2],
    pub(crate) events: [Option<Handle>; 2],
}

impl Lane {
    /// Of a queue of its own.
    pub(crate) fn new(context: &Handle, queue: Commands) -> Result<Self> {
        let piece = || Mapped::new(context, &queue, PIECE);
        Ok(Self {
            pieces: [piece()?, piece()?],
            queue,
            events: [None, None],
        })
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        for piece in &self.pieces {
            piece.unmap(&self.queue);
        }
    }
}

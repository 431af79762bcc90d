use serde::{Deserialize, Serialize};

/// From offsets in an edited text back to offsets in the text before.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EditMap {
    pub(super) runs: Vec<Run>,
}

/// Where a piece of an edited text begins, and what it comes from.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Run {
    pub(super) new: u32,
    pub(super) old: u32,
    /// Bytes of this run stand one for one for bytes of the old text; otherwise all of them stand
    /// for the one place where they were inserted.
    pub(super) verbatim: bool,
}

pub(super) fn original(runs: &[Run], offset: u32) -> u32 {
    let index = runs.partition_point(|r| r.new <= offset);
    match index.checked_sub(1).and_then(|i| runs.get(i)) {
        Some(run) if run.verbatim => run.old + (offset - run.new),
        Some(run) => run.old,
        None => offset,
    }
}

impl EditMap {
    /// The map of a text that was not changed.
    pub fn identity() -> Self {
        Self::default()
    }

    /// Where the byte at `offset` came from.
    pub fn original(&self, offset: u32) -> u32 {
        original(&self.runs, offset)
    }

    /// The map through two changes: this one of a text that `earlier` leads back from. `length` is that
    /// of the newest text.
    #[must_use]
    pub fn after(self, earlier: &Self, length: u32) -> Self {
        if earlier.runs.is_empty() {
            return self;
        }
        if self.runs.is_empty() {
            return earlier.clone();
        }
        let mut runs = Vec::with_capacity(self.runs.len() + earlier.runs.len());
        for (index, run) in self.runs.iter().enumerate() {
            let end = self.runs.get(index + 1).map_or(length, |next| next.new);
            let first = earlier.runs.partition_point(|r| r.new <= run.old);
            let start = Run {
                new: run.new,
                old: earlier.original(run.old),
                verbatim: run.verbatim && earlier.is_verbatim(run.old),
            };
            runs.push(start);
            if !run.verbatim {
                continue;
            }
            // Where the earlier text was itself put together, the run falls into parts.
            let last = run.old + (end - run.new);
            let inner = earlier.runs.get(first..).unwrap_or_default();
            runs.extend(inner.iter().take_while(|r| r.new < last).map(|r| Run {
                new: run.new + (r.new - run.old),
                ..*r
            }));
        }
        Self { runs }
    }

    /// Whether the byte at `offset` was copied rather than inserted.
    pub fn is_verbatim(&self, offset: u32) -> bool {
        let index = self.runs.partition_point(|r| r.new <= offset);
        index
            .checked_sub(1)
            .and_then(|i| self.runs.get(i))
            .is_none_or(|run| run.verbatim)
    }
}

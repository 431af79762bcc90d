//! The launches of a kernel's last call. A call whose numbers, shapes and structures are the last one's makes the same launches, with
//! whatever memory it is given, so that its host part need not be evaluated again. That is so of most calls of a program that calls a
//! kernel many times.

use super::Result;
use super::launch::{Bound, Given, LaunchSink, Worked, to_bytes};
use brook_driver::Limits;

/// Launches that are remembered of a call at most.
const MOST: usize = 8;

/// What a call was given besides memory, and its launches.
#[derive(Default)]
pub(super) struct Remembered {
    given: Vec<u8>,
    launches: Launches,
}

#[derive(Default)]
enum Launches {
    /// Until there was a second call like it.
    #[default]
    Unknown,
    Known(Vec<Launched>),
    /// Too many.
    Many,
}

struct Launched {
    kernel: String,
    groups: [u64; 3],
    items: [u32; 3],
    arguments: Vec<Given>,
    offsets: bool,
    bases: Vec<(usize, u64)>,
}

impl Launched {
    fn of(worked: &Worked<'_>) -> Self {
        Self {
            kernel: worked.kernel.to_string(),
            groups: worked.groups,
            items: worked.items,
            arguments: worked.arguments.to_vec(),
            offsets: worked.offsets,
            bases: worked.bases.to_vec(),
        }
    }

    fn worked(&self) -> Worked<'_> {
        Worked {
            kernel: &self.kernel,
            groups: self.groups,
            items: self.items,
            arguments: &self.arguments,
            offsets: self.offsets,
            bases: &self.bases,
        }
    }
}

/// Notes the launches of a call, to be [remembered](Remembered::remember).
#[derive(Default)]
pub(super) struct Notes(Vec<Launched>);

impl Notes {
    pub(super) fn note(&mut self, worked: &Worked<'_>) {
        // One more tells that there were too many.
        if self.0.len() <= MOST {
            self.0.push(Launched::of(worked));
        }
    }
}

/// How a call is like the last one.
pub(super) enum Like {
    Other,
    /// The same, whose launches nobody has noted.
    Unknown,
    /// The same, and its launches were handed to the sink.
    Done,
}

impl Remembered {
    /// Does a call that is like the last one, if it is known what that launched. A call that is not is what the next one is compared
    /// with.
    ///
    /// # Errors
    /// What the sink returns.
    pub(super) fn call(
        &mut self,
        bindings: &[(&str, Bound<'_>)],
        limits: &Limits,
        sink: &mut LaunchSink<'_>,
    ) -> Result<Like> {
        if !self.is_last(bindings) {
            self.given.clear();
            let given = &mut self.given;
            each(bindings, &mut |part| {
                given.extend_from_slice(part);
                true
            });
            self.launches = Launches::Unknown;
            return Ok(Like::Other);
        }
        match &self.launches {
            Launches::Unknown => Ok(Like::Unknown),
            Launches::Many => Ok(Like::Other),
            Launches::Known(launches) => {
                for launched in launches {
                    launched.worked().hand(bindings, limits, sink)?;
                }
                Ok(Like::Done)
            }
        }
    }

    /// The launches of a call like the last one.
    pub(super) fn remember(&mut self, notes: Notes) {
        self.launches = match notes.0.len() > MOST {
            true => Launches::Many,
            false => Launches::Known(notes.0),
        };
    }

    fn is_last(&self, bindings: &[(&str, Bound<'_>)]) -> bool {
        let mut rest = self.given.as_slice();
        let all = each(
            bindings,
            &mut |part| match rest.split_at_checked(part.len()) {
                Some((own, behind)) if own == part => {
                    rest = behind;
                    true
                }
                _ => false,
            },
        );
        // Nothing was given before there was a call.
        all && rest.is_empty() && !self.given.is_empty()
    }
}

/// Gives `take` the bytes that tell what names stand for, but for memory, piece by piece, until it does not want more.
fn each(bindings: &[(&str, Bound<'_>)], take: &mut impl FnMut(&[u8]) -> bool) -> bool {
    bindings.iter().all(|(name, bound)| {
        let sized = |tag: u8, length: usize| {
            let [a, b, c, d, ..] = (length as u64).to_le_bytes();
            [tag, a, b, c, d]
        };
        if !(take(&sized(0, name.len())) && take(name.as_bytes())) {
            return false;
        }
        match bound {
            Bound::Buffer(_) => take(&[1]),
            Bound::Null => take(&[2]),
            Bound::Scalar(value) => {
                let mut room = [0; 8];
                to_bytes(*value, &mut room);
                take(&[3, value.scalar() as u8]) && take(&room)
            }
            Bound::Bytes(bytes) => take(&sized(4, bytes.len())) && take(bytes),
            Bound::Structure(bytes, _) => take(&sized(5, bytes.len())) && take(bytes),
        }
    })
}

#[cfg(test)]
#[path = "remembered_tests.rs"]
mod tests;

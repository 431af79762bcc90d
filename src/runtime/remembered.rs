//! The launches of a kernel's last call. A call for which what the host part computes with is the last one's makes the same launches, with
//! whatever memory it is given, and numbers that are handed on, so that its host part need not be evaluated again. That is so of most calls of a program that calls a
//! kernel many times.

use super::Result;
use super::launch::{Bound, Computed, Given, LaunchSink, Worked, to_bytes};
use crate::expr::Scalar;
use brook_driver::Limits;

/// Launches that are remembered of a call at most.
const MOST: usize = 8;

/// What a call was given, and its launches.
#[derive(Default)]
pub(super) struct Remembered {
    given: Vec<Name>,
    launches: Launches,
}

struct Name {
    name: String,
    stands: Stands,
}

/// What a name stood for.
enum Stands {
    Memory,
    Null,
    /// Whatever was handed on.
    Passed,
    Number(Scalar, [u8; 8]),
    Bytes(Vec<u8>),
}

impl Stands {
    fn of(name: &str, bound: &Bound<'_>, computed: &Computed) -> Self {
        match bound {
            Bound::Buffer(_) => Self::Memory,
            Bound::Null => Self::Null,
            _ if computed.lets_pass(name) => Self::Passed,
            Bound::Scalar(value) => {
                let mut bytes = [0; 8];
                to_bytes(*value, &mut bytes);
                Self::Number(value.scalar(), bytes)
            }
            Bound::Bytes(bytes) | Bound::Structure(bytes, _) => Self::Bytes(bytes.to_vec()),
        }
    }

    /// Whether it is what a name stands for now, as far as that decides.
    fn is(&self, bound: &Bound<'_>) -> bool {
        match (self, bound) {
            (Self::Memory, Bound::Buffer(_)) | (Self::Null, Bound::Null) => true,
            (Self::Passed, bound) => !matches!(bound, Bound::Buffer(_) | Bound::Null),
            (Self::Number(scalar, own), Bound::Scalar(value)) => {
                let mut bytes = [0; 8];
                to_bytes(*value, &mut bytes);
                *scalar == value.scalar() && *own == bytes
            }
            (Self::Bytes(own), Bound::Bytes(bytes) | Bound::Structure(bytes, _)) => own == bytes,
            _ => false,
        }
    }
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
        computed: &Computed,
        limits: &Limits,
        sink: &mut LaunchSink<'_>,
    ) -> Result<Like> {
        if !self.is_last(bindings, computed) {
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

    /// Whether a call was given what the last one was; now it is the last one.
    fn is_last(&mut self, bindings: &[(&str, Bound<'_>)], computed: &Computed) -> bool {
        // Nothing was given before there was a call.
        let mut same = self.given.len() == bindings.len() && !bindings.is_empty();
        self.given.truncate(bindings.len());
        for (place, (name, bound)) in bindings.iter().enumerate() {
            match self.given.get_mut(place) {
                Some(own) if own.name == *name => {
                    if !own.stands.is(bound) {
                        own.stands = Stands::of(name, bound, computed);
                        same = false;
                    }
                }
                own => {
                    same = false;
                    let given = Name {
                        name: name.to_string(),
                        stands: Stands::of(name, bound, computed),
                    };
                    match own {
                        Some(own) => *own = given,
                        None => self.given.push(given),
                    }
                }
            }
        }
        same
    }
}

#[cfg(test)]
#[path = "remembered_tests.rs"]
mod tests;

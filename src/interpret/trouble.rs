//! What is seldom needed: findings, and accesses of whole records.

use super::code::Subscript;
use super::findings::{Element, Finding, Kind, Who};
use super::machine::{Machine, Position};
use super::memory::{self, By, Local, Target, Trouble, offset};
use super::shadow::Conflict;
use super::thread::FIRST_ITEM;
use crate::source::Span;

impl Machine<'_> {
    /// Who a thread is, or was at that time.
    pub(super) fn who(&self, thread: u32, time: u32) -> Who {
        let at = self.groups.partition_point(|(began, _)| *began <= time);
        let group = at.checked_sub(1).map(|at| self.groups[at].1);
        match thread {
            0 => Who {
                group: None,
                item: None,
            },
            1 if self.code.elements => Who {
                group: None,
                item: group,
            },
            1 => Who { group, item: None },
            item => Who {
                group,
                item: self.items.get((item - FIRST_ITEM) as usize).copied(),
            },
        }
    }

    pub(super) fn span(&self, site: u32) -> Span {
        self.code.spans[site as usize]
    }

    /// A finding that is about no memory.
    #[cold]
    #[inline(never)]
    pub(super) fn find(&mut self, kind: Kind, position: &Position<'_>, detail: String) {
        self.found(kind, position, None, None, None, (detail, String::new()));
    }

    fn found(
        &mut self,
        kind: Kind,
        position: &Position<'_>,
        element: Option<Element>,
        other: Option<Span>,
        other_who: Option<Who>,
        (detail, other_detail): (String, String),
    ) {
        let span = self.span(position.site);
        let who = self.who(position.thread, self.memory.clock.now);
        let launch = self.launches;
        self.findings.add(kind, span, other, || Finding {
            kind,
            span,
            other,
            element,
            who,
            other_who,
            detail,
            other_detail,
            launch,
            count: 1,
        });
    }

    /// An index that its dimension does not have; where in the array the element is, if it has it in another row.
    #[cold]
    #[inline(never)]
    pub(super) fn bad_subscript(
        &mut self,
        subscript: &Subscript,
        indices: &[u64],
        position: &Position<'_>,
    ) -> Option<u64> {
        let dimensions = &subscript.dimensions;
        let bytes = { indices.iter().zip(dimensions) }.map(|(i, (size, _))| i.wrapping_mul(*size));
        let bytes = bytes.fold(0, u64::wrapping_add);
        let (size, extent) = dimensions.first().copied().unwrap_or_default();
        let inside = bytes < size * extent;
        let wrong =
            { indices.iter().zip(dimensions) }.rfind(|(index, (_, extent))| *index >= extent);
        let (index, (_, extent)) = wrong?;
        let element = Element {
            name: subscript.name.clone(),
            index: *index as i64,
            extent: *extent,
        };
        let kind = match inside {
            true => Kind::Row,
            false => Kind::Subscript,
        };
        self.found(
            kind,
            position,
            Some(element),
            None,
            None,
            Default::default(),
        );
        inside.then_some(bytes)
    }

    fn named(&self, variable: u32) -> Element {
        Element {
            name: self.code.variables[variable as usize].clone(),
            index: 0,
            extent: 1,
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn unwritten(&mut self, variable: u32, position: &Position<'_>) {
        let element = self.named(variable);
        self.found(
            Kind::Uninitialised,
            position,
            Some(element),
            None,
            None,
            Default::default(),
        );
    }

    #[cold]
    #[inline(never)]
    pub(super) fn no_value(&mut self, function: u32, position: &Position<'_>) {
        let element = self.named(function);
        self.found(
            Kind::NoValue,
            position,
            Some(element),
            None,
            None,
            Default::default(),
        );
    }

    #[cold]
    #[inline(never)]
    pub(super) fn group_variable(&mut self, variable: u32, position: &Position<'_>) {
        let element = self.named(variable);
        self.found(
            Kind::GroupVariable,
            position,
            Some(element),
            None,
            None,
            Default::default(),
        );
    }

    /// What element of what a pointer leads to.
    fn element(&self, pointer: u64, position: &Position<'_>) -> Option<Element> {
        let at = offset(pointer);
        let of = |name: &str, element: u64, size: u64| Element {
            name: name.to_string(),
            index: at.div_euclid(element.max(1) as i64),
            extent: size / element.max(1),
        };
        match memory::target(pointer, position.thread) {
            Target::Shared(object) => {
                let (name, element) = self.names.get(object)?;
                Some(of(name, *element, self.memory.objects[object].size))
            }
            Target::Own(object) => {
                let frame = position.frames.iter().rev().find(|f| f.object <= object)?;
                let objects = &self.code.functions[frame.function].objects;
                let found = objects.get(object - frame.object)?;
                Some(of(&found.name, found.element, found.size))
            }
            _ => None,
        }
    }

    /// The findings about an access.
    #[cold]
    #[inline(never)]
    pub(super) fn trouble(
        &mut self,
        trouble: Trouble,
        pointer: u64,
        bytes: usize,
        write: bool,
        by: By,
        position: &Position<'_>,
    ) {
        self.one_of(trouble, pointer, bytes, write, by, position);
        while let Some(trouble) = self.memory.more.pop() {
            self.one_of(trouble, pointer, bytes, write, by, position);
        }
    }

    fn one_of(
        &mut self,
        trouble: Trouble,
        pointer: u64,
        bytes: usize,
        write: bool,
        by: By,
        position: &Position<'_>,
    ) {
        let element = self.element(pointer, position);
        let kind = match trouble {
            Trouble::Null => Kind::NullPointer,
            Trouble::Invalid => Kind::InvalidPointer,
            Trouble::Bounds if write => Kind::WriteOutOfBounds,
            Trouble::Bounds => Kind::ReadOutOfBounds,
            Trouble::Group => Kind::GroupVariable,
            Trouble::Conflict(Conflict::Unwritten) => Kind::Uninitialised,
            Trouble::Equal(Conflict::Unwritten) => return,
            Trouble::Copying(thread, site) => {
                let detail = if write { "writes it" } else { "reads it" };
                let detail = (detail.to_string(), String::new());
                let who = self.who(thread, self.memory.clock.now);
                let kind = Kind::UnfinishedCopy;
                let span = self.span(site);
                return self.found(kind, position, element, Some(span), Some(who), detail);
            }
            Trouble::Conflict(conflict @ Conflict::Unordered { .. }) => {
                return self.race(conflict, false, element, write, by, position);
            }
            Trouble::Equal(conflict @ Conflict::Unordered { .. }) => {
                return self.race(conflict, true, element, write, by, position);
            }
        };
        let detail = match trouble {
            Trouble::Bounds => format!("{bytes} bytes at byte {}", offset(pointer)),
            _ => String::new(),
        };
        self.found(kind, position, element, None, None, (detail, String::new()));
    }

    fn race(
        &mut self,
        conflict: Conflict,
        equal: bool,
        element: Option<Element>,
        write: bool,
        by: By,
        position: &Position<'_>,
    ) {
        let Conflict::Unordered {
            other,
            write: other_write,
            between_groups,
        } = conflict
        else {
            return;
        };
        let kind = match (between_groups, equal) {
            _ if other.atomic() != by.atomic => Kind::MixedAtomics,
            _ if self.code.elements && equal => Kind::EqualElementRace,
            _ if self.code.elements => Kind::ElementRace,
            (false, false) => Kind::Race,
            (false, true) => Kind::EqualRace,
            (true, false) => Kind::GroupRace,
            (true, true) => Kind::EqualGroupRace,
        };
        if equal && other.site == by.site && self.is_alike(by.site) {
            return;
        }
        let word = |write: bool, atomic: bool| {
            let word = match (write, atomic) {
                (false, false) => "reads it",
                (true, false) => "writes it",
                (false, true) => "reads it atomically",
                (true, true) => "writes it atomically",
            };
            word.to_string()
        };
        let details = (word(write, by.atomic), word(other_write, other.atomic()));
        let span = self.span(other.site);
        let who = self.who(other.item(), other.time);
        self.found(kind, position, element, Some(span), Some(who), details);
    }

    /// Whether several items are one iteration there, so that all of them write what it writes.
    fn is_alike(&self, site: u32) -> bool {
        let alike = &self.code.alike;
        let at = alike.partition_point(|(_, end)| *end <= site);
        alike.get(at).is_some_and(|(start, _)| *start <= site)
    }

    /// Copies a record, with what nobody wrote of it.
    #[cold]
    #[inline(never)]
    pub(super) fn copy(
        &mut self,
        local: &mut Local,
        (to, from): (u64, u64),
        size: usize,
        atomic: bool,
        position: &Position<'_>,
    ) {
        if size == 0 {
            return;
        }
        let by = By {
            thread: position.thread,
            site: position.site,
            atomic,
            item: position.thread >= FIRST_ITEM,
        };
        let at = offset(from);
        let found = match memory::target(from, position.thread) {
            Target::Shared(object) => self.memory.locate(object, at, size).map(|found| {
                // Who reads what nobody wrote of a record may never look at it.
                let trouble = self.memory.note_read(object, at, size, by);
                let matters = |t: &Trouble| !matches!(t, Trouble::Conflict(Conflict::Unwritten));
                self.memory.more.retain(matters);
                let trouble = trouble.filter(matters).or_else(|| self.memory.more.pop());
                let written = self.memory.written(object, at, size);
                let bytes = self.memory.bytes[found..found + size].to_vec();
                (bytes, written, trouble)
            }),
            Target::Own(object) => local.locate(object, at, size).map(|found| {
                let written = local.written[found..found + size].to_vec();
                (local.bytes[found..found + size].to_vec(), written, None)
            }),
            Target::Nothing => Err(Trouble::Null),
            Target::Foreign => Err(Trouble::Invalid),
            Target::Reported => Ok((vec![0; size], vec![true; size], None)),
        };
        let (bytes, written) = match found {
            Ok((bytes, written, None)) => (bytes, written),
            Ok((bytes, written, Some(trouble))) => {
                self.trouble(trouble, from, size, false, by, position);
                (bytes, written)
            }
            Err(trouble) => {
                self.trouble(trouble, from, size, false, by, position);
                (vec![0; size], vec![true; size])
            }
        };
        self.place(local, to, &bytes, &written, by, position);
    }

    /// Writes zeros.
    #[cold]
    #[inline(never)]
    pub(super) fn zero(
        &mut self,
        local: &mut Local,
        to: u64,
        size: usize,
        position: &Position<'_>,
    ) {
        let by = By {
            thread: position.thread,
            site: position.site,
            atomic: false,
            item: position.thread >= FIRST_ITEM,
        };
        self.place(local, to, &vec![0; size], &vec![true; size], by, position);
    }

    fn place(
        &mut self,
        local: &mut Local,
        to: u64,
        bytes: &[u8],
        written: &[bool],
        by: By,
        position: &Position<'_>,
    ) {
        let (at, size) = (offset(to), bytes.len());
        if size == 0 {
            return;
        }
        let trouble = match memory::target(to, position.thread) {
            Target::Shared(object) => match self.memory.locate(object, at, size) {
                Ok(found) => {
                    let same = |old: &[u8]| old == bytes;
                    let trouble = self.memory.note_write(object, at, size, by, same);
                    self.memory.bytes[found..found + size].copy_from_slice(bytes);
                    match trouble {
                        Some(trouble) => trouble,
                        None => return,
                    }
                }
                Err(trouble) => trouble,
            },
            Target::Own(object) => match local.locate(object, at, size) {
                Ok(found) => {
                    local.bytes[found..found + size].copy_from_slice(bytes);
                    local.written[found..found + size].copy_from_slice(written);
                    return;
                }
                Err(trouble) => trouble,
            },
            Target::Nothing => Trouble::Null,
            Target::Foreign => Trouble::Invalid,
            Target::Reported => return,
        };
        self.trouble(trouble, to, size, true, by, position);
    }

    /// An item that waits for another one in vain.
    #[cold]
    #[inline(never)]
    pub(super) fn divergence(
        &mut self,
        kind: Kind,
        waiting: (u32, u32),
        missing: (u32, Option<u32>),
    ) {
        let now = self.memory.clock.now;
        let (span, other) = (self.span(waiting.1), missing.1.map(|site| self.span(site)));
        let who = self.who(waiting.0, now);
        let other_who = Some(self.who(missing.0, now));
        let other_detail = match other {
            Some(_) => "waits elsewhere",
            None => "has ended",
        };
        let launch = self.launches;
        self.findings.add(kind, span, other, || Finding {
            kind,
            span,
            other,
            element: None,
            who,
            other_who,
            detail: "waits".to_string(),
            other_detail: other_detail.to_string(),
            launch,
            count: 1,
        });
    }
}

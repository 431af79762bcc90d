//! The accesses to the elements that a chunk needs.

use super::super::coarsening::COUNTER;
use super::bodies::Bodies;
use super::lines::Lines;
use super::wide_name;
use crate::module::ElementAccess;
use crate::rewrite::text::parenthesized;
use crate::schedule::Window;

/// An element that is read.
#[derive(Clone, Copy)]
struct Read<'a> {
    number: usize,
    element: &'a ElementAccess,
    window: &'a Window,
}

impl Bodies<'_, '_> {
    /// Whether an element's alignment has to be asked for: what others say is known where all of these have an address to ask.
    fn asks(&self, number: usize) -> bool {
        !self.is_known() || self.this.asked.elements.contains(&number)
    }

    /// Whether some elements say for others whether they are aligned.
    pub(super) fn is_known(&self) -> bool {
        let window = |n: &usize| self.wide.windows.get(*n);
        let mut asked = self.this.asked.elements.iter().map(window);
        asked.all(|w| w.is_some_and(|w| !w.pieces.is_empty()))
    }

    /// Whether the elements of the iteration are aligned with which a chunk begins.
    pub(super) fn addresses_aligned(&self) -> String {
        let windows = self.this.elements.iter().zip(&self.wide.windows);
        let asked = windows.enumerate().filter(|(n, _)| self.asks(*n));
        let mut masks: Vec<(usize, Vec<String>)> = Vec::new();
        for (_, (e, window)) in asked {
            let Some(piece) = window.pieces.first() else {
                continue;
            };
            let mask = e.scalar.size() * self.width() - 1;
            let address = format!("(size_t)({})", self.address(e, *piece));
            match masks.iter_mut().find(|(m, _)| *m == mask) {
                Some((_, all)) => all.push(address),
                None => masks.push((mask, vec![address])),
            }
        }
        let masks = masks.iter().map(|(mask, all)| match all.as_slice() {
            [one] => format!("({one} & {mask}) == 0"),
            all => format!("(({}) & {mask}) == 0", all.join(" | ")),
        });
        let all: Vec<String> = masks.collect();
        all.join(" && ")
    }

    /// The address of an element that is so many behind an iteration's own.
    fn address(&self, e: &ElementAccess, distance: i64) -> String {
        let own = format!("{} + {}", e.array, parenthesized(e.index.of(self.text())));
        match distance {
            0 => own,
            d if d < 0 => format!("{own} - {}", d.unsigned_abs()),
            d => format!("{own} + {d}"),
        }
    }

    /// What holds the elements of an array that a chunk needs.
    pub(super) fn name(&self, number: usize, e: &ElementAccess) -> String {
        format!("brook_{}_{number}", e.array)
    }

    /// Elements at once as the target reads and writes them.
    pub(super) fn piece(&self, e: &ElementAccess, distance: i64, constant: &str) -> String {
        let global = match self.pass.backend.spelling.global.as_str() {
            "" => String::new(),
            space => format!("{space} "),
        };
        // A program may have variables called as the target's own type is.
        let raw = format!("{}_raw", wide_name(e.scalar, self.width()));
        format!(
            "*({global}{constant}{raw} *)({})",
            self.address(e, distance)
        )
    }

    /// Reads what a chunk needs.
    pub(super) fn reads(&self, lines: &mut Lines) {
        for &number in &self.kept.order {
            let element = self.this.elements.get(number);
            if let Some((element, window)) = element.zip(self.wide.windows.get(number)) {
                self.read(
                    lines,
                    Read {
                        number,
                        element,
                        window,
                    },
                );
            }
        }
    }

    /// Reads all elements of an array that a chunk needs, but those that the item has read before.
    fn read(&self, lines: &mut Lines, read: Read<'_>) {
        let Read { number, window, .. } = read;
        let again = |distance: i64| self.kept.from(number, distance).is_some();
        let whole = |piece: i64| (piece..).take(self.width()).all(again);
        let (old, new): (Vec<i64>, Vec<i64>) = window.pieces.iter().partition(|p| whole(**p));
        let (old_single, single): (Vec<i64>, Vec<i64>) =
            window.single.iter().partition(|d| again(**d));
        if !old.is_empty() || !old_single.is_empty() {
            lines.open(&format!("if ({COUNTER} == 0) {{"));
            self.load(lines, read, (&old, &old_single));
            lines.close(1);
            lines.open("else {");
            let old = old.iter().flat_map(|p| (*p..).take(self.width()));
            for distance in old.chain(old_single) {
                if let Some((from, there)) = self.kept.from(number, distance) {
                    let (to, from) = (self.one(number, distance), self.one(from, there));
                    lines.line(&format!("{to} = {from};"));
                }
            }
            lines.close(1);
        }
        self.load(lines, read, (&new, &single));
    }

    /// What holds one of the elements that a chunk needs.
    fn one(&self, number: usize, distance: i64) -> String {
        let both = self.this.elements.get(number);
        let both = both.zip(self.wide.windows.get(number));
        both.map_or_else(String::new, |(e, window)| {
            let component = if window.is_one_piece() { ".v" } else { "" };
            let at = distance - window.first;
            format!("{}{component}[{at}]", self.name(number, e))
        })
    }

    /// A value that was read, kept apart from other reads if it has to be.
    fn apart(&self, number: usize, value: String) -> String {
        match self.apart.get(number) {
            Some(true) => format!("brook_opaque({value})"),
            _ => value,
        }
    }

    /// Reads these pieces and single elements.
    fn load(&self, lines: &mut Lines, read: Read<'_>, (pieces, single): (&[i64], &[i64])) {
        let Read {
            number,
            element: e,
            window,
        } = read;
        let name = self.name(number, e);
        for &distance in pieces {
            let piece = self.apart(number, self.piece(e, distance, "const "));
            if window.is_one_piece() {
                lines.line(&format!("{name}.raw = {piece};"));
                continue;
            }
            lines.open("{");
            let ty = wide_name(e.scalar, self.width());
            lines.line(&format!("{ty} brook_piece;"));
            lines.line(&format!("brook_piece.raw = {piece};"));
            for at in 0..self.width() {
                let to = self.one(number, distance + at as i64);
                lines.line(&format!("{to} = brook_piece.v[{at}];"));
            }
            lines.close(1);
        }
        for &distance in single {
            let value = self.apart(number, format!("*({})", self.address(e, distance)));
            lines.line(&format!("{} = {value};", self.one(number, distance)));
        }
    }
}

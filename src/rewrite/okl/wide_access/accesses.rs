//! The accesses to the elements that a chunk needs.

use super::bodies::Bodies;
use super::lines::Lines;
use super::wide_name;
use crate::module::ElementAccess;
use crate::rewrite::text::parenthesized;
use crate::schedule::Window;

impl Bodies<'_, '_> {
    /// Whether the elements of the iteration are aligned with which a chunk begins.
    pub(super) fn addresses_aligned(&self) -> String {
        let windows = self.this.elements.iter().zip(&self.wide.windows);
        let mut masks: Vec<(usize, Vec<String>)> = Vec::new();
        for (e, window) in windows {
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

    /// Reads all elements of an array that a chunk needs.
    pub(super) fn read(
        &self,
        lines: &mut Lines,
        number: usize,
        e: &ElementAccess,
        window: &Window,
    ) {
        let name = self.name(number, e);
        let kept = |value: String| match self.apart.get(number) {
            Some(true) => format!("brook_opaque({value})"),
            _ => value,
        };
        let piece = |distance: i64| kept(self.piece(e, distance, "const "));
        if window.is_one_piece() {
            lines.line(&format!("{name}.raw = {};", piece(window.first)));
            return;
        }
        for &distance in &window.pieces {
            lines.open("{");
            let ty = wide_name(e.scalar, self.width());
            lines.line(&format!("{ty} brook_piece;"));
            lines.line(&format!("brook_piece.raw = {};", piece(distance)));
            for at in 0..self.width() {
                let to = distance - window.first + at as i64;
                lines.line(&format!("{name}[{to}] = brook_piece.v[{at}];"));
            }
            lines.close(1);
        }
        for &distance in &window.single {
            let value = kept(format!("*({})", self.address(e, distance)));
            lines.line(&format!("{name}[{}] = {value};", distance - window.first));
        }
    }
}

//! Matrices of a group that lie the other way, or both ways, where loops stay loops.

use super::Pass;
use crate::module::{LoopId, MatrixAccess, MatrixLayout, SharedVariable};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// What the declaration of such matrices becomes, and of the second copies.
    pub(super) fn matrices(
        &mut self,
        span: Span,
        words: Span,
        variables: &[SharedVariable],
        nest: LoopId,
    ) -> Result<(), Overlap> {
        for variable in variables {
            let layout = self.layout(variable.layout, nest);
            let [(rows, _), (columns, _)] = *variable.sizes.as_slice() else {
                continue;
            };
            if layout == MatrixLayout::Turned {
                self.exchange(rows, columns)?;
            }
            if layout == MatrixLayout::Both {
                let ty = self.copy(words)?;
                let (rows, columns) = (self.copy(rows)?, self.copy(columns)?);
                let name = turned(&variable.name);
                self.edits
                    .append(span.end, format!(" {ty} {name}[{columns}][{rows}];"));
            }
        }
        Ok(())
    }

    /// An access to such a matrix, or the assignment to one.
    pub(super) fn matrix_access(&mut self, access: &MatrixAccess) -> Result<(), Overlap> {
        let [first, last] = access.subscripts;
        let name = access.name.of(self.text);
        match (self.layout(access.layout, access.nest), access.written) {
            (MatrixLayout::Both, Some(end)) => {
                let (first, last) = (self.copy(first)?, self.copy(last)?);
                let copy = format!(
                    ", {}[{last}][{first}] = {name}[{first}][{last}]",
                    turned(name)
                );
                self.edits.append(end, copy);
            }
            (MatrixLayout::Both, None) if access.across => {
                self.edits.replace(access.name, turned(name));
                self.exchange(first, last)?;
            }
            (MatrixLayout::Turned, _) => self.exchange(first, last)?,
            _ => {}
        }
        Ok(())
    }

    /// How a matrix lies here: devices' items are no lanes.
    pub(super) fn layout(&self, layout: MatrixLayout, nest: LoopId) -> MatrixLayout {
        match self.is_simt() {
            true => MatrixLayout::Declared,
            false => self.schedule.layout(layout, nest),
        }
    }

    /// Puts each of two texts where the other stands.
    fn exchange(&mut self, a: Span, b: Span) -> Result<(), Overlap> {
        let (of_a, of_b) = (
            self.edits.take(a, self.text)?,
            self.edits.take(b, self.text)?,
        );
        self.edits.replace(a, of_b);
        self.edits.replace(b, of_a);
        Ok(())
    }

    /// A text as it will be, which stays where it is.
    fn copy(&mut self, span: Span) -> Result<String, Overlap> {
        let text = self.edits.take(span, self.text)?;
        self.edits.replace(span, text.clone());
        Ok(text)
    }
}

/// The name of the second copy.
pub(super) fn turned(name: &str) -> String {
    format!("brook_turned_{name}")
}

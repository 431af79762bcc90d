//! Arrays of several dimensions that a group shares and that are filled through one row, where loops stay loops. Solvers
//! run over all rows as if they were one, which GPUs obey and C++ says nothing about: compilers take it that no row is
//! left. Behind such rows lies one array. Others stay as they are: compilers know more about rows.

use super::Pass;
use super::matrices::turned;
use crate::module::{ConstructKind, LoopId, MatrixLayout, SharedVariable};
use crate::rewrite::Part;
use crate::rewrite::text::parenthesized;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    /// Whether an array is one of these. A type that is defined with it cannot be named.
    pub(super) fn is_flat(variable: &SharedVariable) -> bool {
        variable.leaves_rows && variable.rank > 1 && !variable.defines_type
    }

    /// A declaration with such arrays.
    pub(super) fn flat(
        &mut self,
        span: Span,
        words: Span,
        variables: &[SharedVariable],
        nest: LoopId,
    ) -> Result<(), Overlap> {
        let ty = self.edits.take(words, self.text)?;
        let mut texts = Vec::new();
        for variable in variables {
            let mut sizes = Vec::new();
            for (size, _) in &variable.sizes {
                let size = self.edits.take(*size, self.text)?;
                sizes.push(format!("[{}]", parenthesized(size.trim())));
            }
            let name = &variable.name;
            let ty = format!("{ty} {}", "*".repeat(variable.pointers));
            let ty = ty.trim_end();
            let layout = self.layout(variable.layout, nest);
            if layout != MatrixLayout::Declared {
                sizes.reverse();
            }
            let all = sizes.concat();
            if !Self::is_flat(variable) {
                let second = layout == MatrixLayout::Both;
                if second {
                    texts.push(format!("{ty} {}{all};", turned(name)));
                    sizes.reverse();
                }
                texts.push(format!("{ty} {name}{};", sizes.concat()));
                continue;
            }
            self.uses.insert(Part::Flat.into());
            match layout {
                MatrixLayout::Both => {
                    texts.push(format!("brook_array<{ty}{all}> {};", turned(name)));
                    sizes.reverse();
                    texts.push(format!("brook_array<{ty}{}> {name};", sizes.concat()));
                }
                _ if variable.whole => {
                    let flat = flat(name);
                    texts.push(format!("brook_array<{ty}{all}> {flat};"));
                    texts.push(format!("{ty} (&{name}){all} = {flat}.rows();"));
                }
                _ => texts.push(format!("brook_array<{ty}{all}> {name};")),
            }
        }
        self.edits.discard(span);
        self.edits.replace(span, texts.join(" "));
        Ok(())
    }

    /// The name of such an array where all its subscripts follow. With two of them the first gives a pointer; more of
    /// them are given at once, since an object between them would be one for each lane.
    pub(super) fn shared_element(
        &mut self,
        span: Span,
        (declaration, which): (usize, usize),
        brackets: &[Span],
    ) {
        if !self.backend.spelling.shared.is_empty() || self.is_simt() {
            return;
        }
        let declared = self.module.constructs.get(declaration).map(|c| &c.kind);
        let Some(ConstructKind::Shared { variables, .. }) = declared else {
            return;
        };
        let Some(variable) = variables.get(which).filter(|v| Self::is_flat(v)) else {
            return;
        };
        if variable.whole {
            self.edits.replace(span, flat(&variable.name));
        }
        let [first, .., before, last] = brackets else {
            return;
        };
        self.edits
            .replace(Span::new(first.start, first.start + 1), "(");
        for pair in brackets.windows(2).take(brackets.len() - 2) {
            if let [one, next] = pair {
                self.edits
                    .replace(Span::new(one.end - 1, next.start + 1), ", ");
            }
        }
        self.edits
            .replace(Span::new(before.end - 1, last.start), ")");
    }
}

/// The name of the array behind the rows, where these have a name of their own.
fn flat(name: &str) -> String {
    format!("brook_flat_{name}")
}

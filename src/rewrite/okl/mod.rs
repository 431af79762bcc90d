//! OKL for both execution models.
//!
//! - `mod.rs`: the pass over all constructs, and what both models share.
//! - `simt.rs`: loops become indices; each outermost nest becomes a device kernel.
//! - `loops.rs`: loops stay loops; exclusive variables become arrays.
//! - `atomics.rs`: how an atomic statement is written.
//! - `parameters.rs`: how a parameter of a device kernel is written.

mod atomics;
mod loops;
mod parameters;
mod simt;

use super::Rewritten;
use super::text::parenthesized;
use crate::backend::{AddressSpaces, Backend, Model};
use crate::diagnostics::{Code, Diagnostic, Sink, codes};
use crate::module::{Construct, Dimensions, LoopId, Module, What};
use crate::source::{Edits, Overlap, Span};
use crate::transpile::Options;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Display;

/// The state of one rewrite.
struct Pass<'a> {
    module: &'a Module,
    text: &'a str,
    backend: &'a Backend,
    options: &'a Options,
    sink: &'a mut Sink,
    edits: Edits,
    uses: BTreeSet<String>,
    /// Declarations moved to the beginning of a device kernel, by nest.
    hoisted: HashMap<LoopId, Vec<String>>,
}

/// Rewrites an OKL module.
pub(super) fn rewrite(
    module: &Module,
    backend: &Backend,
    options: &Options,
    sink: &mut Sink,
) -> Result<Rewritten, Overlap> {
    let mut pass = Pass {
        module,
        text: &module.text,
        backend,
        options,
        sink,
        edits: Edits::new(),
        uses: BTreeSet::new(),
        hoisted: HashMap::new(),
    };
    for construct in &module.constructs {
        pass.construct(construct)?;
    }
    pass.file_scope();
    let (device_kernels, host) = match backend.model {
        Model::Simt => pass.device_kernels()?,
        Model::Loops => pass.functions(),
    };
    let (text, map) = pass.edits.apply(&module.text)?;
    Ok(Rewritten {
        text,
        map,
        device_kernels,
        host,
        uses: pass.uses,
    })
}

impl Pass<'_> {
    fn error(&mut self, code: &'static Code, span: Span, arguments: &[&dyn Display]) {
        self.sink.push(Diagnostic::at(
            code,
            &self.module.provenance,
            span,
            arguments,
        ));
    }

    fn is_simt(&self) -> bool {
        self.backend.model == Model::Simt
    }

    fn construct(&mut self, construct: &Construct) -> Result<(), Overlap> {
        let span = construct.span;
        match &construct.what {
            What::Attribute => self.edits.delete_word(span, self.text),
            What::Restrict { at } => {
                self.edits.delete_word(span, self.text);
                let keyword = self.backend.spelling.restrict.as_str();
                if !keyword.is_empty() {
                    let after = self.text.as_bytes().get(*at as usize);
                    let gap = if after.is_some_and(u8::is_ascii_whitespace) {
                        ""
                    } else {
                        " "
                    };
                    self.edits.insert(*at, format!(" {keyword}{gap}"));
                }
            }
            What::Pointer {
                at,
                global,
                shared,
                private,
            } => {
                self.pointer(span, *at, (*global, *shared, *private));
            }
            What::Dim {
                base,
                indices,
                dimensions,
            } => {
                self.dimension_access(span, *base, indices, dimensions)?;
            }
            What::Atomic(atomic) => self.atomic(span, atomic)?,
            What::Critical { attribute } => self.critical(span, *attribute),
            What::Loop(id) if self.is_simt() => self.simt_loop(*id)?,
            What::Loop(id) => self.host_loop(*id)?,
            What::Barrier { scope, .. } if self.is_simt() => {
                self.simt_barrier(span, *scope);
            }
            What::Barrier { inside, .. } => self.host_barrier(span, *inside),
            What::Shared { attribute, nest } => self.shared(span, *attribute, *nest)?,
            What::Exclusive { .. } | What::ExclusiveUse { .. } if self.is_simt() => {}
            What::Exclusive { .. } => self.exclusive(construct)?,
            What::ExclusiveUse { end, by_item } => {
                let at = if *by_item { span.end } else { *end };
                self.edits.append(at, "[brook_item]");
            }
            // What is left belongs to Brook+.
            _ => {}
        }
        Ok(())
    }

    fn pointer(&mut self, span: Span, at: u32, (global, shared, private): (bool, bool, bool)) {
        if self.backend.lowering.address_spaces == AddressSpaces::None {
            return;
        }
        if usize::from(global) + usize::from(shared) + usize::from(private) > 1 {
            let name = self.backend.name.clone();
            self.error(&codes::POINTER_SPACES, span, &[&name]);
        }
        let spelling = &self.backend.spelling;
        if private && !global && !shared {
            return;
        }
        let space = if shared {
            &spelling.shared
        } else {
            &spelling.global
        };
        self.edits.insert(at, format!("{space} "));
    }

    /// `m(i, j)` becomes `m[i + X * (j)]`.
    fn dimension_access(
        &mut self,
        span: Span,
        base: Span,
        indices: &[Span],
        dimensions: &Dimensions,
    ) -> Result<(), Overlap> {
        let base = self.edits.take(base, self.text)?;
        let mut texts = Vec::with_capacity(indices.len());
        for index in indices {
            texts.push(self.edits.take(*index, self.text)?);
        }
        // From the slowest dimension to the fastest: Horner's scheme over memory order.
        let mut offset = String::new();
        for &which in dimensions.order.iter().rev() {
            let index = texts.get(which).map_or("", String::as_str);
            let extent = dimensions.extents.get(which).map_or("", String::as_str);
            offset = match offset.is_empty() {
                true => parenthesized(index),
                false => format!(
                    "{} + {} * {}",
                    parenthesized(index),
                    parenthesized(extent),
                    parenthesized(&offset)
                ),
            };
        }
        self.edits.replace(span, format!("{base}[{offset}]"));
        Ok(())
    }

    /// Markers of functions and constants at file scope.
    fn file_scope(&mut self) {
        let function = self.backend.spelling.function.clone();
        if !function.is_empty() {
            for f in &self.module.functions {
                self.edits.insert(f.marker, format!("{function} "));
            }
        }
        let constant = self.backend.spelling.constant.clone();
        if !constant.is_empty() {
            for span in &self.module.constants {
                self.edits.insert(span.start, format!("{constant} "));
            }
        }
    }
}

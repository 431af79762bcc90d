use super::Pass;
use crate::backend::Atomics;
use crate::module::AtomicOperation;
use crate::rewrite::text::begins_line;
use crate::source::{Overlap, Span};

impl Pass<'_> {
    pub(super) fn atomic(
        &mut self,
        span: Span,
        operation: &AtomicOperation,
        target: Span,
    ) -> Result<(), Overlap> {
        match self.backend.lowering.atomics {
            Atomics::Functions => self.atomic_call(span, operation, target),
            Atomics::Pragma => {
                self.atomic_pragma(span, operation);
                Ok(())
            }
        }
    }

    /// A call of a function of the prelude, which is overloaded for every type and kind of memory.
    fn atomic_call(
        &mut self,
        span: Span,
        operation: &AtomicOperation,
        target: Span,
    ) -> Result<(), Overlap> {
        let memory = self.edits.take(target, self.text)?;
        let mut take = |span: Span| self.edits.take(span, self.text);
        let (name, call) = match operation {
            AtomicOperation::Update { operator, value } => {
                let name = match *operator {
                    "+" => "add",
                    "-" => "sub",
                    "*" => "mul",
                    "/" => "div",
                    "&" => "and",
                    "|" => "or",
                    _ => "xor",
                };
                let value = take(*value)?;
                (name, format!("brook_atomic_{name}(&({memory}), {value})"))
            }
            AtomicOperation::Increment => ("add", format!("brook_atomic_add(&({memory}), 1)")),
            AtomicOperation::Decrement => ("sub", format!("brook_atomic_sub(&({memory}), 1)")),
            AtomicOperation::Write { value } => {
                let value = take(*value)?;
                ("write", format!("brook_atomic_write(&({memory}), {value})"))
            }
            AtomicOperation::Read { target } => {
                let target = take(*target)?;
                ("read", format!("{target} = brook_atomic_read(&({memory}))"))
            }
        };
        self.uses.insert("atomics".to_string());
        self.uses.insert(format!("atomic_{name}"));
        self.edits.replace(span, call);
        Ok(())
    }

    fn atomic_pragma(&mut self, span: Span, operation: &AtomicOperation) {
        let clause = match operation {
            AtomicOperation::Write { .. } => " write",
            AtomicOperation::Read { .. } => " read",
            _ => " update",
        };
        self.pragma(span.start, &format!("omp atomic{clause}"));
    }

    /// Inserts a pragma before a statement: on a line of its own where the statement begins its
    /// line, as an operator within the line otherwise.
    pub(super) fn pragma(&mut self, at: u32, pragma: &str) {
        let indent = super::super::text::indentation(self.text, at);
        let text = match begins_line(self.text, at) {
            true => format!("#pragma {pragma}\n{indent}"),
            false => format!("_Pragma(\"{pragma}\") "),
        };
        self.edits.insert(at, text);
    }
}

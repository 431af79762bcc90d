use super::Pass;
use crate::backend::{AddressSpaces, Atomics, Critical, spaced};
use crate::diagnostics::codes;
use crate::module::{Atomic, AtomicComponent, AtomicOperation, AtomicShape, Origin, VectorType};
use crate::rewrite::text::{begins_line, indentation};
use crate::rewrite::{Part, Use};
use crate::source::{Overlap, Span};

impl Pass<'_> {
    pub(super) fn atomic(&mut self, span: Span, atomic: &Atomic) -> Result<(), Overlap> {
        let most = self.backend.lowering.most_atomic;
        if let Some(bytes) = atomic.bytes.filter(|bytes| most > 0 && *bytes > most) {
            let what = format!("operation on {bytes} bytes");
            let name = self.backend.name.clone();
            self.error(&codes::ATOMIC_UNSUPPORTED, atomic.memory, &[&name, &what]);
            return Ok(());
        }
        let pragma = match self.backend.lowering.atomics {
            Atomics::Functions => None,
            Atomics::Pragma => clause(atomic),
        };
        let is_loop = self.backend.lowering.atomics == Atomics::Pragma;
        match pragma {
            // Where loops stay loops, one thread runs all items of a group.
            Some(_) if atomic.group => Ok(()),
            _ if atomic.object.is_some() && atomic.group && is_loop => Ok(()),
            _ if atomic.object.is_some() || computes(atomic) => self.atomic_object(span, atomic),
            Some(clause) => {
                self.pragma(span.start, &format!("omp atomic {clause}"));
                Ok(())
            }
            None => self.atomic_call(span, atomic),
        }
    }

    /// A call of a function of the prelude, which is overloaded for every type and kind of memory.
    fn atomic_call(&mut self, span: Span, atomic: &Atomic) -> Result<(), Overlap> {
        let memory = self.edits.copy(atomic.memory, self.text)?;
        let after = atomic.result.is_some_and(|r| r.after);
        let (mut name, value) = match atomic.operation {
            AtomicOperation::Update {
                operator,
                value,
                reversed,
            } => {
                let reversed = if reversed { "r" } else { "" };
                let value = self.edits.take(value, self.text)?;
                (format!("{reversed}{}", operator.name()), Some(value))
            }
            AtomicOperation::Increment => ("add".to_string(), Some("1".to_string())),
            AtomicOperation::Decrement => ("sub".to_string(), Some("1".to_string())),
            AtomicOperation::Write { value } => {
                let name = match atomic.result {
                    Some(result) if !result.after => "exchange",
                    _ => "write",
                };
                (name.to_string(), Some(self.edits.take(value, self.text)?))
            }
            AtomicOperation::Read | AtomicOperation::Compute { .. } => ("read".to_string(), None),
        };
        self.uses.insert(Part::Atomics.into());
        self.uses.insert(Use::Atomic(name.clone()));
        if after && name != "write" {
            name.push_str("_after");
            self.uses.insert(Use::Atomic(name.clone()));
        }
        let value = value.map_or(String::new(), |v| format!(", {v}"));
        let address = self.address(&memory, atomic)?;
        let mut call = format!("brook_atomic_{name}({address}{value})");
        if let Some(target) = atomic.result.and_then(|r| r.target) {
            let target = self.edits.take(target, self.text)?;
            call = format!("{target} = {call}");
        }
        if atomic.shape == AtomicShape::Block {
            call = format!("{{ {call}; }}");
        }
        // The memory may be named twice; what is not taken goes.
        self.edits.discard(span);
        self.edits.replace(span, call);
        Ok(())
    }

    /// The address of the memory; of a vector's component, where C has none, that of the vector, and its number.
    pub(super) fn address(&self, memory: &str, atomic: &Atomic) -> Result<String, Overlap> {
        let spaces = self.backend.lowering.address_spaces != AddressSpaces::None;
        let Some(component) = atomic.component.filter(|_| spaces) else {
            return Ok(format!("&({memory})"));
        };
        let AtomicComponent {
            vector,
            index,
            base,
            arrow,
            origin,
        } = component;
        let base = self.edits.copy(base, self.text)?;
        Ok(self.component_pointer((&base, vector), arrow, index, origin))
    }

    /// The address of a component of the vector that `base` is, or points to.
    pub(super) fn component_pointer(
        &self,
        (base, vector): (&str, VectorType),
        arrow: bool,
        index: usize,
        origin: Origin,
    ) -> String {
        let space = spaced(self.space_keyword(origin));
        let address = if arrow { "" } else { "&" };
        format!(
            "(({space}{} *){address}{base} + {index})",
            vector.base_name()
        )
    }

    /// A block that one item at a time runs.
    pub(super) fn critical(&mut self, block: Span, attribute: Span) {
        self.edits.delete_word(attribute, self.text);
        match self.backend.lowering.critical {
            Critical::None => {
                let name = self.backend.name.clone();
                self.error(&codes::ATOMIC_BLOCK, attribute, &[&name]);
            }
            Critical::Pragma => self.pragma(block.start, "omp critical (brook_atomic)"),
            Critical::Lock => {
                self.uses.insert(Part::Atomics.into());
                self.uses.insert(Part::AtomicLock.into());
                // The lock is freed inside the condition: an item that waits cannot keep the one
                // that holds it from getting there.
                self.edits.insert(
                    block.start,
                    "{ for (bool brook_held = false; !brook_held;) if ((brook_held = brook_atomic_enter())) { ",
                );
                self.edits.append(block.end, " brook_atomic_leave(); } }");
            }
        }
    }

    /// Inserts a pragma before a statement: on a line of its own where the statement begins its
    /// line, as an operator within the line otherwise.
    pub(super) fn pragma(&mut self, at: u32, pragma: &str) {
        let indent = indentation(self.text, at);
        let text = match begins_line(self.text, at) {
            true => format!("#pragma {pragma}\n{indent}"),
            false => format!("_Pragma(\"{pragma}\") "),
        };
        self.edits.insert(at, text);
    }
}

/// Whether the new value is any expression of the old one.
fn computes(atomic: &Atomic) -> bool {
    matches!(atomic.operation, AtomicOperation::Compute { .. })
}

/// The clause with which OpenMP takes the statement as it is written; `None` where it has no such
/// form.
fn clause(atomic: &Atomic) -> Option<&'static str> {
    if atomic.shape == AtomicShape::Initializer || !atomic.bare || atomic.object.is_some() {
        return None;
    }
    match (atomic.operation, atomic.result) {
        (AtomicOperation::Update { operator, .. }, _) if operator.is_function() => None,
        (AtomicOperation::Compute { .. }, _) => None,
        (AtomicOperation::Read, _) => Some("read"),
        (AtomicOperation::Write { .. }, None) => Some("write"),
        // `v = x = e` and `{ x = e; v = x; }` are none of its forms.
        (AtomicOperation::Write { .. }, Some(result)) if result.after => None,
        (_, None) => Some("update"),
        (_, Some(_)) => Some("capture"),
    }
}

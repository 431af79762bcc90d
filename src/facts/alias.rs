//! What memory two accesses cannot have in common.

use super::affine::Object;
use crate::body::VariableId;
use crate::module::{Parameter, ParameterKind};

/// What is known of the memory that a kernel's arguments point to.
#[derive(Clone, Debug)]
pub(crate) struct Aliases {
    /// Of each parameter: whether it is a pointer, and promises that nothing else leads to what is written through it.
    parameters: Vec<(bool, bool)>,
}

impl Aliases {
    pub(crate) fn of(parameters: &[Parameter]) -> Self {
        let known = |p: &Parameter| {
            let pointer = matches!(p.kind, ParameterKind::Pointer(_));
            (pointer, pointer && p.restrict == Some(true))
        };
        Self {
            parameters: parameters.iter().map(known).collect(),
        }
    }

    /// Whether no byte of one object is one of the other's, if one of them is written. Of objects that are one, nothing is
    /// said.
    pub(crate) fn apart(&self, one: Object, other: Object) -> bool {
        match (one, other) {
            (Object::Variable(a), Object::Variable(b)) => a != b,
            // The host knows no address of a variable that kernels have.
            (Object::Variable(_), Object::Pointed(p))
            | (Object::Pointed(p), Object::Variable(_)) => {
                self.argument(p).is_some_and(|(pointer, _)| pointer)
            }
            (Object::Pointed(a), Object::Pointed(b)) => {
                let promises = |p| self.argument(p).is_some_and(|(_, promises)| promises);
                a != b && (promises(a) || promises(b))
            }
        }
    }

    fn argument(&self, pointer: VariableId) -> Option<(bool, bool)> {
        match pointer {
            VariableId::Local(index) => self.parameters.get(index as usize).copied(),
            VariableId::Global(_) => None,
        }
    }
}

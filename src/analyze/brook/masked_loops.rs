//! Kernels with a loop that items leave at different times.

use super::body::Body;
use super::check::Ty;
use super::functions;
use crate::analyze::masked_loops::{Outer, Returns, Surroundings, may_suit};
use crate::expr::Scalar;
use crate::module::{BY_ITEM, Base, KernelForm, Lockstep, Parameter, ParameterKind, Type};
use crate::syntax::type_span;

/// What differs by item without being a parameter.
const PLACES: [&str; 2] = ["indexof", "instance"];

impl Body<'_, '_> {
    /// The loop of a kernel over streams that items leave at different times.
    pub(super) fn lockstep(&self) -> Option<Lockstep> {
        let kernel = &self.unit.kernels[self.kernel];
        if !matches!(kernel.form, KernelForm::Map { group_size: None }) {
            return None;
        }
        let tree = self.context.tree;
        tree.children(self.body).find(|&s| may_suit(tree, s))?;
        let text = self.context.text;
        let words = |declaration| type_span(tree, declaration).of(text);
        let scalar = |ty: Type| match ty.is_vector() || ty.base == Base::Void {
            true => None,
            false => ty.base.scalar(),
        };
        let typed = |node| scalar(self.facts.number(node)?);
        let named = |declaration| match self.facts.named(words(declaration))? {
            Ty::Number(ty) => scalar(ty),
            _ => None,
        };
        let vector = |declaration| match self.facts.named(words(declaration))? {
            Ty::Number(ty) if ty.is_vector() => Some((ty.base.scalar()?, ty.width)),
            _ => None,
        };
        let found = Surroundings {
            tree,
            text,
            sema: self.context.sema,
            typed: &typed,
            wraps: true,
            named: &named,
            vector: &vector,
            is_library: &|_, name| {
                functions::find(name, true).is_some() && !self.unit.numbers.contains_key(name)
            },
            returns: Returns::Nothing,
            varies: &|name| PLACES.contains(&name),
        }
        .of_function(self.body, kernel.parameters.iter().map(outer).collect())?;
        (found.exits & BY_ITEM != 0).then_some(found)
    }
}

fn outer(parameter: &Parameter) -> Outer {
    let output = matches!(parameter.kind, ParameterKind::StreamOut { .. });
    let number = output
        || matches!(
            parameter.kind,
            ParameterKind::Value | ParameterKind::StreamIn
        );
    let is_lane = |ty: &Scalar| *ty == Scalar::Bool || ty.size() >= 4;
    let ty = parameter.scalar.filter(is_lane).filter(|_| number);
    Outer {
        name: parameter.name.clone(),
        ty,
        vector: None,
        // The language lets nobody write to what is read.
        constant: matches!(
            parameter.kind,
            ParameterKind::StreamIn | ParameterKind::Gather(_)
        ),
        depends: match parameter.kind {
            ParameterKind::Value => 0,
            _ => BY_ITEM,
        },
        given: ty.is_none(),
        output,
    }
}

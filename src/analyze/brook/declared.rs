//! Kernels' parameters by their declarations.

use crate::analyze::Context;
use crate::sema::DefinitionId;
use crate::syntax::{NodeId, declarators, parameters};

/// The parameters that a body knows, by name: those of the head before it, whatever prototypes call them.
pub(super) fn parameters_of<'a>(
    context: &Context<'a>,
    body: NodeId,
) -> impl Iterator<Item = (&'a str, DefinitionId)> {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    let function = tree.parent(body);
    let list = function.and_then(|f| parameters(tree, f));
    let list = list.map(|(list, _)| list).unwrap_or_default();
    let names = list
        .into_iter()
        .flat_map(move |p| declarators(tree, p, text));
    names.filter_map(move |name| Some((name.name, sema.definition(name.node?)?)))
}

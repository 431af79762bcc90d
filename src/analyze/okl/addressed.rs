//! Constants whose addresses other constants hold. NVIDIA's compiler takes whatever a pointer in constant or static memory
//! leads to for global memory, so these are not kept in constant memory there.

use super::unit::Unit;
use crate::analyze::Context;
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, declarators};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// The constants among those at file scope that are so, in the order of the text.
pub(super) fn addressed(context: &Context<'_>, unit: &Unit) -> Vec<Span> {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    let Some(root) = tree.root().filter(|_| !unit.constants.is_empty()) else {
        return Vec::new();
    };
    let declared: HashSet<Span> = unit.constants.iter().copied().collect();
    let mut constants: HashMap<DefinitionId, Span> = HashMap::new();
    let mut holders = Vec::new();
    for node in tree.descendants(root) {
        if tree.kind(node) != Kind::Declaration {
            continue;
        }
        let span = tree.span(node);
        let at_file_scope = declared.contains(&span);
        for name in declarators(tree, node, text) {
            let Some(id) = name.node.and_then(|n| sema.definition(n)) else {
                continue;
            };
            if at_file_scope {
                constants.insert(id, span);
            }
            let lasts = at_file_scope || sema.defined(id).storage.lasting;
            holders.extend(name.value.filter(|_| lasts));
        }
    }
    let mut found: HashSet<Span> = HashSet::new();
    while let Some(node) = holders.pop() {
        match tree.kind(node) {
            Kind::InitializerList => holders.extend(tree.children(node)),
            Kind::InitializerPair => holders.extend(tree.child(node, Field::Value)),
            _ if sema.scalar(node).is_some() || sema.vector(node).is_some() => {}
            _ => {
                let names = tree.descendants(node);
                let names = names.filter(|&n: &NodeId| tree.kind(n) == Kind::Identifier);
                found.extend(names.filter_map(|n| constants.get(&sema.definition(n)?)));
            }
        }
    }
    let all = unit.constants.iter();
    all.filter(|span| found.contains(span)).copied().collect()
}

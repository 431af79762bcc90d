//! Names that targets spell in their own way, found in one pass over the tree.

use super::unit::Unit;
use crate::analyze::Context;
use crate::module::{ConstructKind, VectorType};
use crate::syntax::{Field, Kind};
use foldhash::{HashSet, HashSetExt};

/// Records every use of a vector type, or of the function that makes one. What the program defines
/// itself under such a name is its own.
pub(super) fn vector_types(context: &Context<'_>, unit: &mut Unit) {
    let tree = context.tree;
    let Some(root) = tree.root() else { return };
    let mut own: HashSet<&str> = HashSet::new();
    let mut found = Vec::new();
    for node in tree.descendants(root) {
        let kind = tree.kind(node);
        if !matches!(kind, Kind::TypeIdentifier | Kind::Identifier) {
            continue;
        }
        let text = tree.text(node, context.text);
        let Some(ty) = VectorType::from_name(text.strip_prefix("make_").unwrap_or(text)) else {
            continue;
        };
        let defines = matches!(tree.field(node), Field::Declarator)
            || (tree.field(node) == Field::Name
                && tree
                    .parent(node)
                    .and_then(|p| tree.child(p, Field::Body))
                    .is_some());
        if defines {
            own.insert(text);
        }
        found.push((node, ty, text));
    }
    for (node, ty, text) in found {
        if !own.contains(text) {
            let makes = text.starts_with("make_");
            unit.push(tree.span(node), ConstructKind::VectorName { ty, makes });
        }
    }
}

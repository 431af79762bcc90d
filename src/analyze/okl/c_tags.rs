//! Structures, unions and enumerations that C knows with their keyword only.

use crate::analyze::Context;
use crate::sema::{DefinitionId, DefinitionKind};
use crate::syntax::{Field, Kind, NodeId, declarators};
use foldhash::{HashSet, HashSetExt};

/// The names of those that are declared anywhere, and of typedefs.
pub(super) struct Tags<'t> {
    tags: HashSet<(&'t str, &'static str)>,
    typedefs: HashSet<&'t str>,
}

impl<'t> Tags<'t> {
    pub(super) fn new(context: &Context<'t>, root: NodeId) -> Self {
        let (tree, text) = (context.tree, context.text);
        let (mut tags, mut typedefs) = (HashSet::new(), HashSet::new());
        for node in tree.descendants(root) {
            let name = tree.child(node, Field::Name);
            match tree.kind(node) {
                Kind::TypeDefinition => {
                    typedefs.extend(declarators(tree, node, text).iter().map(|d| d.name));
                }
                Kind::AliasDeclaration => typedefs.extend(name.map(|n| tree.text(n, text))),
                kind => {
                    let keyword = keyword_of(kind);
                    tags.extend(name.zip(keyword).map(|(n, k)| (tree.text(n, text), k)));
                }
            }
        }
        Self { tags, typedefs }
    }

    /// The keyword that a use of a name needs in C.
    pub(super) fn keyword(&self, context: &Context<'_>, name: NodeId) -> Option<&'static str> {
        let (tree, sema) = (context.tree, context.sema);
        let words = tree.text(name, context.text);
        let (_, first) = self.tags.iter().find(|(tag, _)| *tag == words)?;
        let Some(id) = sema.definition(name) else {
            return (!self.typedefs.contains(words)).then_some(*first);
        };
        match sema.defined(id).kind {
            // Others of the name may be of another kind.
            DefinitionKind::Record | DefinitionKind::Enumeration => {
                tag(context, id).or(Some(*first))
            }
            _ => None,
        }
    }
}

/// The keyword of what a definition names, if that is declared with one.
pub(super) fn tag(context: &Context<'_>, id: DefinitionId) -> Option<&'static str> {
    let (tree, sema) = (context.tree, context.sema);
    let known = sema.defined(id).kind;
    if !matches!(known, DefinitionKind::Record | DefinitionKind::Enumeration) {
        return None;
    }
    let mut specifiers = sema.uses(id).iter().filter_map(|n| tree.parent(*n));
    specifiers.find_map(|n| keyword_of(tree.kind(n)))
}

/// The keyword that the type of a declaration needs in C where it is named without one; otherwise nothing.
pub(super) fn tag_of_type(context: &Context<'_>, declaration: NodeId) -> &'static str {
    let named = context.tree.child(declaration, Field::Type);
    let named = named.filter(|&n| context.tree.kind(n) == Kind::TypeIdentifier);
    let tag = named.and_then(|n| tag(context, context.sema.definition(n)?));
    tag.unwrap_or("")
}

fn keyword_of(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::StructSpecifier => Some("struct "),
        Kind::UnionSpecifier => Some("union "),
        Kind::EnumSpecifier => Some("enum "),
        _ => None,
    }
}

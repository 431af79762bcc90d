//! Declarations that C has in another way: variables that outlive their function, functions that share a name.

use crate::analyze::Context;
use crate::expr::Scalar;
use crate::sema::{DefinitionId, DefinitionKind, TypeKind};
use crate::syntax::{Field, Kind, NodeId, function_declarator, specifiers};
use foldhash::{HashMap, HashMapExt};

/// Whether `static` stands at a variable of a function's own. OpenCL C has none such.
pub(super) fn is_static_local(context: &Context<'_>, node: NodeId) -> bool {
    let tree = context.tree;
    let declaration = tree
        .parent(node)
        .filter(|&p| tree.kind(p) == Kind::Declaration);
    let words = tree.text(node, context.text);
    words == "static"
        && declaration.is_some_and(|d| {
            std::iter::successors(Some(d), |&n| tree.parent(n))
                .any(|n| tree.kind(n) == Kind::FunctionDefinition)
        })
}

/// Whether such variables are the same for whoever comes by, so that each may have one of its own.
pub(super) fn is_always_the_same(context: &Context<'_>, node: NodeId) -> bool {
    let (tree, sema) = (context.tree, context.sema);
    let Some(declaration) = tree.parent(node) else {
        return false;
    };
    let constexpr = specifiers(tree, declaration, context.text).constexpr;
    let names = tree.children(declaration);
    let mut names = names.filter(|&c| tree.field(c) == Field::Declarator);
    names.all(|declarator| {
        let own = sema.declared_by(declarator);
        let said = own.and_then(|id| sema.qualified(id));
        let value = tree.child(declarator, Field::Value);
        let unchanged = said.is_some_and(|q| q.own.constant && !q.own.volatile);
        constexpr || (unchanged && value.is_some_and(|v| is_constant(context, v)))
    })
}

/// Whether nothing in an expression is found out when the program runs.
fn is_constant(context: &Context<'_>, value: NodeId) -> bool {
    let (tree, sema) = (context.tree, context.sema);
    tree.descendants(value).all(|n| match tree.kind(n) {
        Kind::Identifier => sema.definition(n).is_none_or(|id| {
            let known = sema.defined(id);
            let lasts = known.storage.lasting || !sema.is_local(id);
            match known.kind {
                DefinitionKind::Variable => {
                    lasts && sema.qualified(id).is_some_and(|q| q.own.constant)
                }
                DefinitionKind::Function => false,
                _ => true,
            }
        }),
        Kind::UpdateExpression | Kind::AssignmentExpression => false,
        _ => true,
    })
}

/// Functions that share their names with others.
pub(super) struct Overloads(HashMap<DefinitionId, bool>);

impl Overloads {
    /// All of a program.
    pub(super) fn new(context: &Context<'_>) -> Self {
        let (tree, sema) = (context.tree, context.sema);
        let mut found = HashMap::new();
        let nodes = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        let declared = nodes.filter(|&n| tree.kind(n) == Kind::FunctionDeclarator);
        let declared: Vec<NodeId> = declared.collect();
        // The last of them knows all others.
        for node in declared.into_iter().rev() {
            let name = tree.child(node, Field::Declarator);
            let last = name.and_then(|n| sema.definition(n));
            let Some(last) = last.filter(|id| !found.contains_key(id)) else {
                continue;
            };
            let all = || std::iter::successors(Some(last), |id| sema.overload_before(*id));
            if sema.overload_before(last).is_some() {
                let same = all().all(|id| is_told_apart(context, id))
                    && all().all(|id| pointers(context, id) == pointers(context, last));
                found.extend(all().map(|id| (id, same)));
            }
        }
        Self(found)
    }

    /// For what declares such a function: whether a compiler of C would find the same one for each call.
    pub(super) fn has(&self, context: &Context<'_>, node: NodeId) -> Option<bool> {
        if self.0.is_empty() {
            return None;
        }
        let tree = context.tree;
        let name = tree.child(function_declarator(tree, node)?, Field::Declarator)?;
        self.0.get(&context.sema.definition(name)?).copied()
    }
}

/// Whether every value of the types of a function's parameters has that type in C, too: enumerators, characters and what
/// comparisons give are integers there.
fn is_told_apart(context: &Context<'_>, id: DefinitionId) -> bool {
    let kinds = context.sema.parameters(id);
    kinds.into_iter().all(|kind| {
        !matches!(
            kind,
            TypeKind::Unknown
                | TypeKind::Enumeration(_)
                | TypeKind::Scalar(Scalar::Bool | Scalar::Char)
        )
    })
}

/// Which of a function's parameters are pointers.
fn pointers(context: &Context<'_>, id: DefinitionId) -> Vec<usize> {
    let kinds = context.sema.parameters(id);
    let all = kinds.iter().enumerate().filter(|(_, kind)| {
        matches!(
            kind,
            TypeKind::Pointer(_) | TypeKind::Array(_) | TypeKind::Reference(_)
        )
    });
    all.map(|(at, _)| at).collect()
}

//! Where items wait for each other in the bodies of inner loops: what the walk finds there. `fission.rs` says what becomes of it.

use super::walk::Walk;
use crate::diagnostics::codes;
use crate::module::{LoopId, LoopKind};
use crate::sema::{DefinitionId, TypeKind};
use crate::source::Span;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, attributes_of, decorated, is_record, specifiers,
};
use foldhash::HashSet;

/// An inner loop in whose body its items wait for each other.
pub(super) struct Waits {
    pub(super) leaf: LoopId,
    pub(super) body: NodeId,
    pub(super) barriers: Vec<NodeId>,
    /// Calls of functions of the group.
    pub(super) calls: Vec<NodeId>,
}

/// A variable that such a body declares where it may be cut.
pub(super) struct Local {
    pub(super) leaf: LoopId,
    pub(super) declaration: NodeId,
    pub(super) definition: Option<DefinitionId>,
    /// Where its name is declared.
    pub(super) name: Span,
    /// It is data that can be declared where the body begins, and assigned to where its declaration is.
    pub(super) assignable: bool,
    /// Its uses among the constructs.
    pub(super) uses: Vec<usize>,
}

impl Walk<'_, '_> {
    /// Notes where items wait in the body of the loop `id`, and which declarations may have to outlive that.
    pub(super) fn phases(&mut self, id: LoopId, body: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let calls = self.collectives_of(body);
        if !self.unit.is_in_inner(Some(id)) {
            return;
        }
        let is_barrier = |&node: &NodeId| {
            tree.kind(node) == Kind::AttributedStatement
                && attributes_of(tree, node, text)
                    .iter()
                    .any(|a| a.name == "barrier")
                && self.belongs(node, body)
        };
        let barriers: Vec<NodeId> = tree.descendants(body).filter(is_barrier).collect();
        if barriers.is_empty() && calls.is_empty() {
            return;
        }
        let mut blocks: HashSet<_> = [body].into_iter().collect();
        for &place in barriers.iter().chain(&calls) {
            let mut at = tree.parent(place);
            while let Some(around) = at.filter(|&a| a != body && blocks.insert(a)) {
                at = tree.parent(around);
            }
        }
        let blocks = { blocks.into_iter() }.filter(|&b| tree.kind(b) == Kind::CompoundStatement);
        let declarations = blocks.flat_map(|b| tree.children(b));
        let declarations = declarations.filter(|&n| tree.kind(n) == Kind::Declaration);
        self.locals_of.extend(declarations.map(|n| (n.index(), id)));
        self.unit.loops[id.0 as usize].waits = true;
        self.unit.waits.push(Waits {
            leaf: id,
            body,
            barriers,
            calls,
        });
    }

    /// Whether a variable can be declared in another place than it is, and be assigned to where its declaration stands.
    pub(super) fn is_assignable(&self, declaration: NodeId, names: &[Declarator]) -> bool {
        let data =
            |n: &Declarator| !n.reference && !n.function && n.sizes.iter().all(Option::is_some);
        names.iter().all(data) && self.is_plain(declaration) && !self.begins_anew(declaration)
    }

    /// Whether fields of what is declared have values of their own, which they get where the declaration stands.
    fn begins_anew(&self, declaration: NodeId) -> bool {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let TypeKind::Record(id) = sema.kind(sema.described(declaration)) else {
            return false;
        };
        let name = sema.name_span(id);
        let mut named = tree.within(name).filter(|&n| tree.span(n) == name);
        let record = named.find_map(|n| tree.parent(n).filter(|&p| is_record(tree.kind(p))));
        record.is_some_and(|record| {
            tree.descendants(record).any(|n| {
                tree.kind(n) == Kind::FieldDeclaration
                    && tree.child(n, Field::DefaultValue).is_some()
            })
        })
    }

    /// No other attributed loop, and no lambda, stands between the node and the body.
    pub(super) fn belongs(&self, node: NodeId, body: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.parent(node);
        while let Some(around) = at.filter(|&a| a != body) {
            let attributed = tree.kind(around) == Kind::AttributedStatement
                && tree.kind(decorated(tree, around)) == Kind::ForStatement;
            let is_loop = attributed
                && attributes_of(tree, around, self.context.text)
                    .iter()
                    .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"));
            if is_loop || tree.kind(around) == Kind::LambdaExpression {
                return false;
            }
            at = tree.parent(around);
        }
        true
    }

    /// A declaration whose type is plain data that can be assigned after it is declared.
    fn is_plain(&self, declaration: NodeId) -> bool {
        let tree = self.context.tree;
        let ty = tree.child(declaration, Field::Type);
        let named = matches!(
            ty.map(|t| tree.kind(t)),
            Some(
                Kind::PrimitiveType
                    | Kind::SizedType
                    | Kind::TypeIdentifier
                    | Kind::StructSpecifier
            )
        );
        let said = specifiers(tree, declaration, self.context.text);
        let forbidden = said.is_static || said.constexpr || said.volatile;
        let name = ty.and_then(|t| match is_record(tree.kind(t)) {
            true => tree.child(t, Field::Name),
            false => Some(t),
        });
        let name = name.map_or("", |n| tree.text(n, self.context.text));
        let atomic = attributes_of(tree, declaration, self.context.text)
            .iter()
            .any(|a| a.name == "atomic");
        let class = self.unit.types.get(name).is_some_and(|t| t.methods);
        let sema = self.context.sema;
        let unassignable = self.unit.types.get(name).is_some_and(|t| t.unassignable)
            || !sema.is_assignable(sema.described(declaration));
        let names = || {
            tree.children(declaration)
                .filter(|&c| tree.field(c) == Field::Declarator)
        };
        // Pointers and references to arrays.
        let nested = names().any(|d| {
            let mut parts = tree.descendants(d);
            parts.any(|n| tree.kind(n) == Kind::ParenthesizedDeclarator)
        });
        let valued = names().any(|d| tree.kind(d) == Kind::InitDeclarator);
        let defined = valued && self.defines_type(declaration);
        named && !forbidden && !class && !atomic && !unassignable && !nested && !defined
    }

    /// Warns of a barrier that not all items of a group may reach together.
    pub(super) fn divergence(&mut self, barrier: NodeId) {
        let tree = self.context.tree;
        let mut at = tree.parent(barrier);
        while let Some(around) = at {
            let condition = match tree.kind(around) {
                Kind::IfStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
                | Kind::ForStatement => tree.child(around, Field::Condition),
                Kind::FunctionDefinition => return,
                _ => None,
            };
            let attributed = tree
                .parent(around)
                .is_some_and(|p| tree.kind(p) == Kind::AttributedStatement);
            if let Some(condition) = condition.filter(|_| !attributed) {
                let names = tree
                    .descendants(condition)
                    .filter(|&n| tree.kind(n) == Kind::Identifier);
                for name in names {
                    let name = tree.text(name, self.context.text);
                    let by_item = self.unit.scopes.get(name).is_some_and(|s| {
                        s.item_variable.is_some_and(|v| self.is_exclusive(v))
                            || s.loop_variable.is_some_and(|l| {
                                self.unit.loops[l.0 as usize].kind == LoopKind::Inner
                            })
                    });
                    if by_item {
                        let span = tree.span(barrier);
                        let note = ("this decides which of them do", tree.span(condition));
                        let code = &codes::BARRIER_DIVERGES;
                        self.context.error_with(code, span, &[&name], note);
                        return;
                    }
                }
            }
            at = tree.parent(around);
        }
    }

    /// Whether the type that a declaration names is defined in it.
    pub(super) fn defines_type(&self, declaration: NodeId) -> bool {
        let tree = self.context.tree;
        let ty = tree.child(declaration, Field::Type);
        ty.is_some_and(|t| tree.child(t, Field::Body).is_some())
    }

    /// Whether such a variable is an `@exclusive` one.
    fn is_exclusive(&self, item_variable: usize) -> bool {
        let variable = self.item_variables.get(item_variable);
        variable.is_none_or(|v| v.local.is_none())
    }
}

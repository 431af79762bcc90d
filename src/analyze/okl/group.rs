//! What stands outside of all inner loops belongs to the group: where it changes memory that others see,
//! it happens once, although every item comes by.

use super::symbols::Refers;
use super::walk::Walk;
use crate::diagnostics::codes;
use crate::library;
use crate::module::{ConstructKind, LoopId, Origin, Space};
use crate::source::Span;
use crate::syntax::{Declarator, Field, Kind, NodeId, declarators};

impl Walk<'_, '_> {
    /// The nest, outside of its inner loops.
    fn group(&self) -> Option<LoopId> {
        self.root
            .filter(|_| !self.inside_inner() || self.run_by_others().is_some())
    }

    /// Records a statement that is run once: by the first item of a group, or by one of all that come by.
    fn runs_once(&mut self, node: NodeId, span: Span, nest: LoopId) {
        self.keeps_to_itself(node);
        match self.run_by_others() {
            Some(within) => self.once(node, span, within),
            None => self.unit.push(span, ConstructKind::GroupStatement { nest }),
        }
    }

    /// An `@atomic` outside of all inner loops.
    pub(super) fn atomic_of_group(&mut self, node: NodeId) {
        if let Some(nest) = self.group() {
            let span = self.context.tree.span(node);
            self.runs_once(node, span, nest);
        }
    }

    /// Records a statement outside of all inner loops that writes what others see.
    pub(super) fn group_statement(&mut self, node: NodeId, span: Span) {
        let Some(nest) = self.group().filter(|_| !self.in_atomic) else {
            return;
        };
        if self.changes(node) {
            self.runs_once(node, span, nest);
        }
    }

    /// Reports a statement for one item that also changes a variable of which every item has its own.
    fn keeps_to_itself(&mut self, statement: NodeId) {
        let tree = self.context.tree;
        let inside: Vec<&str> = tree
            .descendants(statement)
            .filter(|&n| tree.kind(n) == Kind::Declaration)
            .flat_map(|n| declarators(tree, n, self.context.text))
            .map(|declared| declared.name)
            .collect();
        let own = tree.descendants(statement).find(|&n| {
            let target = target(self, n).map(|t| tree.unparenthesized(t));
            let name = target.filter(|&t| tree.kind(t) == Kind::Identifier);
            name.is_some_and(|name| {
                let name = tree.text(name, self.context.text);
                let symbol = self.unit.scopes.get(name);
                !inside.contains(&name)
                    && !symbol.is_some_and(|s| s.shared || s.item_variable.is_some() || s.host)
            })
        });
        let mut calls = tree
            .descendants(statement)
            .filter(|&n| tree.kind(n) == Kind::CallExpression);
        let own = own.or_else(|| calls.find_map(|call| self.own_changed_by(call, &inside)));
        if let Some(own) = own {
            let span = tree.span(own);
            self.context.error(&codes::GROUP_EFFECT, span, &[]);
        }
    }

    /// What a call may change that every item has for itself: by an address, a reference, or as the object of a method.
    fn own_changed_by(&self, call: NodeId, inside: &[&str]) -> Option<NodeId> {
        let tree = self.context.tree;
        let changed = self.context.sema.changed_by(call);
        changed.into_iter().find(|&value| {
            self.roots(value).into_iter().any(|name| {
                let name = tree.text(name, self.context.text);
                let symbol = self.unit.scopes.get(name);
                let others = symbol.is_some_and(|s| {
                    let space = s.pointer.and_then(|p| self.unit.space(p));
                    let seen = matches!(space, Some(Space::Global | Space::Shared));
                    s.shared || s.item_variable.is_some() || s.host || seen
                });
                !inside.contains(&name) && !others
            })
        })
    }

    /// Records a declaration outside of all inner loops whose value changes what others see.
    pub(super) fn group_declaration(
        &mut self,
        node: NodeId,
        names: &[Declarator],
        words: Span,
        atomic: bool,
    ) {
        let Some(nest) = self.group() else { return };
        let tree = self.context.tree;
        let values = names.iter().filter_map(|n| n.value);
        if !atomic && !values.clone().any(|v| self.changes(v)) {
            return;
        }
        let scalar = self.unit.scalar_of(self.context.sema, node);
        let block = tree
            .parent(node)
            .is_some_and(|p| matches!(tree.kind(p), Kind::CompoundStatement | Kind::CaseStatement));
        match (names, scalar) {
            ([name], Some(scalar))
                if !atomic
                    && self.run_by_others().is_none()
                    && block
                    && name.pointers == 0
                    && name.sizes.is_empty()
                    && !name.reference
                    && name
                        .value
                        .is_some_and(|v| tree.kind(v) != Kind::InitializerList) =>
            {
                if let Some(value) = name.value {
                    self.keeps_to_itself(value);
                }
                let value = name.value.map_or(name.span, |v| tree.span(v));
                self.unit.push(
                    tree.span(node),
                    ConstructKind::GroupDeclaration {
                        nest,
                        words,
                        scalar,
                        name: name.name.to_string(),
                        value,
                    },
                );
            }
            _ => {
                let span = tree.span(node);
                self.context.error(&codes::GROUP_EFFECT, span, &[]);
            }
        }
    }

    /// Reports a condition or a loop's header outside of all inner loops that changes what others see.
    pub(super) fn group_condition(&mut self, statement: NodeId) {
        if self.group().is_none() {
            return;
        }
        let tree = self.context.tree;
        let fields = [Field::Condition, Field::Initializer, Field::Update];
        let parts = fields.into_iter().filter_map(|f| tree.child(statement, f));
        for part in parts {
            // Declarations in headers are looked at as such.
            if tree.kind(part) != Kind::Declaration && self.changes(part) {
                let span = tree.span(part);
                self.context.error(&codes::GROUP_EFFECT, span, &[]);
            }
        }
    }

    /// Whether something changes memory that others see.
    fn changes(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        tree.descendants(node).any(|n| match tree.kind(n) {
            Kind::CallExpression => self.call_changes(n),
            _ => target(self, n).is_some_and(|t| self.is_seen_by_others(t)),
        })
    }

    /// Whether a call does: of an atomic function, or of one that is given the memory to write to.
    fn call_changes(&self, call: NodeId) -> bool {
        let tree = self.context.tree;
        let sema = self.context.sema;
        let changed = sema.changed_by(call);
        if changed.into_iter().any(|value| self.is_memory(value)) {
            return true;
        }
        let (Some(function), Some(list)) = (
            tree.child(call, Field::Function),
            tree.child(call, Field::Arguments),
        ) else {
            return false;
        };
        let name = tree.text(function, self.context.text);
        if sema.callees(call).is_empty() {
            return library::is_vendor_atomic(name);
        }
        let mut parameters =
            (0..tree.children(list).count()).flat_map(|at| sema.parameters_for(call, at));
        parameters.any(|p| self.carries_memory(p))
    }

    /// Whether a structure that a parameter is has a pointer to what others see, through which that may be changed.
    fn carries_memory(&self, parameter: NodeId) -> bool {
        let sema = self.context.sema;
        let id = sema.declared(parameter);
        let fields = id.map_or(Vec::new(), |id| sema.pointers_in(sema.defined(id).ty));
        fields.into_iter().any(|field| {
            let known = self.unit.pointer_fields.of(field);
            known.is_some_and(|(id, _)| self.is_common(Origin::Pointer(*id)))
        })
    }

    /// Whether others see what lies there.
    fn is_common(&self, origin: Origin) -> bool {
        matches!(self.unit.space(origin), Some(Space::Global | Space::Shared))
    }

    /// Whether a value is a place, or the address of one, that others see.
    fn is_memory(&self, value: NodeId) -> bool {
        self.roots(value).into_iter().any(|name| {
            let name = self.context.tree.text(name, self.context.text);
            self.unit.scopes.get(name).is_some_and(|s| {
                let space = s.pointer.and_then(|p| self.unit.space(p));
                s.shared || matches!(space, Some(Space::Global | Space::Shared))
            })
        })
    }

    /// The names of the variables that a place, or the address that a value is, may be in.
    pub(super) fn roots(&self, value: NodeId) -> Vec<NodeId> {
        let tree = self.context.tree;
        let sema = self.context.sema;
        let mut found = Vec::new();
        let mut left = vec![tree.unparenthesized(value)];
        while let Some(node) = left.pop() {
            let fields: &[Field] = match tree.kind(node) {
                Kind::Identifier => {
                    found.push(node);
                    continue;
                }
                Kind::BinaryExpression => &[Field::Left, Field::Right],
                Kind::ConditionalExpression => &[Field::Consequence, Field::Alternative],
                Kind::CommaExpression => &[Field::Right],
                Kind::CastExpression => &[Field::Value],
                Kind::CallExpression => &[Field::Function],
                _ => &[Field::Argument],
            };
            let parts = fields.iter().filter_map(|&f| tree.child(node, f));
            // A number is added to an address.
            let sum = tree.kind(node) == Kind::BinaryExpression;
            let parts = parts.filter(|&p| !sum || sema.is_pointer(p) != Some(false));
            left.extend(parts.map(|p| tree.unparenthesized(p)));
        }
        found
    }

    /// Whether a place is not a variable or array of the item's own.
    fn is_seen_by_others(&self, place: NodeId) -> bool {
        let tree = self.context.tree;
        let behind = tree.unparenthesized(place);
        // Through a pointer that is a field.
        let through = tree.kind(behind) != Kind::Identifier
            && tree
                .descendants(behind)
                .any(|n| tree.kind(n) == Kind::FieldExpression)
            && self.context.sema.is_pointer(behind) == Some(false)
            && self.place(behind).into_iter().any(|o| self.is_common(o));
        let roots = self.roots(place);
        through || roots.into_iter().any(|name| self.is_seen(place, name))
    }

    /// Whether others see a place in that variable, or behind it.
    fn is_seen(&self, place: NodeId, name: NodeId) -> bool {
        let tree = self.context.tree;
        let Some(symbol) = self.unit.scopes.get(tree.text(name, self.context.text)) else {
            return false;
        };
        let place = tree.unparenthesized(place);
        if let Some(Refers::Pointer(origin)) = symbol.refers {
            let space = self.unit.space(origin);
            return matches!(space, Some(Space::Global | Space::Shared));
        }
        let space = symbol.pointer.and_then(|p| self.unit.space(p));
        match space {
            _ if symbol.item_variable.is_some() => false,
            _ if symbol.shared => true,
            Some(Space::Global | Space::Shared) => tree.kind(place) != Kind::Identifier,
            _ => false,
        }
    }

    /// Whether an inner loop is around here.
    pub(super) fn inside_inner(&self) -> bool {
        self.unit.is_in_inner(self.current)
    }
}

/// What an assignment or `++` changes.
fn target(walk: &Walk<'_, '_>, node: NodeId) -> Option<NodeId> {
    let tree = walk.context.tree;
    match tree.kind(node) {
        Kind::AssignmentExpression => tree.child(node, Field::Left),
        Kind::UpdateExpression => tree.child(node, Field::Argument),
        _ => None,
    }
}

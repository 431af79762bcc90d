//! Variables of functions that last: whether anybody may know where they are when their function is over.

use super::{DefinitionId, Sema, TypeKind};
use crate::syntax::{Field, Kind, NodeId, function_declarator};
use std::collections::HashSet;

impl Sema<'_> {
    /// Whether the address of one of the `static` variables of a declaration may outlive its function, as that of a variable
    /// which each call has anew would not. `Unknown` types may hold addresses.
    pub(crate) fn address_may_leave(&self, declaration: NodeId) -> bool {
        let tree = self.tree;
        let mut addresses = Addresses {
            sema: self,
            returned: self.gives_addresses(declaration),
            followed: HashSet::new(),
        };
        let declarators = tree.children(declaration);
        let mut declarators = declarators.filter(|&c| tree.field(c) == Field::Declarator);
        declarators.any(|declarator| match self.declared_by(declarator) {
            Some(id) => addresses.leave_by(id),
            None => true,
        })
    }

    /// The variable that a declarator declares.
    pub(crate) fn declared_by(&self, declarator: NodeId) -> Option<DefinitionId> {
        let mut inside = self.tree.descendants(declarator);
        let name = inside.find(|&n| self.tree.kind(n) == Kind::Identifier);
        name.and_then(|n| self.definition(n))
    }

    /// Whether the function around a node may return an address.
    fn gives_addresses(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let mut around = std::iter::successors(Some(node), |&n| tree.parent(n));
        let function = around.find(|&n| tree.kind(n) == Kind::FunctionDefinition);
        let declarator = function.and_then(|f| function_declarator(tree, f));
        let name = declarator.and_then(|d| tree.child(d, Field::Declarator));
        let id = name.and_then(|n| self.definition(n));
        let ty = id.map_or(TypeKind::Unknown, |id| self.kind(self.defined(id).ty));
        let TypeKind::Function(result) = ty else {
            return true;
        };
        !matches!(
            self.kind(result),
            TypeKind::Void | TypeKind::Scalar(_) | TypeKind::Vector(_) | TypeKind::Enumeration(_)
        )
    }
}

/// Where the addresses go that variables of a function have or hold.
struct Addresses<'s, 't> {
    sema: &'s Sema<'t>,
    /// The function's result may hold addresses.
    returned: bool,
    followed: HashSet<DefinitionId>,
}

impl Addresses<'_, '_> {
    /// Whether an address that a variable has, or holds, leaves by one of its uses.
    fn leave_by(&mut self, id: DefinitionId) -> bool {
        if !self.followed.insert(id) {
            return false;
        }
        let (tree, sema) = (self.sema.tree, self.sema);
        let own = sema.name_span(id);
        let mut uses = sema.uses(id).iter();
        uses.any(|&name| tree.span(name) != own && self.leaves(name))
    }

    fn leaves(&mut self, name: NodeId) -> bool {
        let (tree, sema) = (self.sema.tree, self.sema);
        let mut node = name;
        // `a[i]` and `a.x` are places, whose addresses are taken only by `&`, or by what is an array.
        let mut place = true;
        while let Some(parent) = tree.parent(node) {
            let is = |field| tree.child(parent, field) == Some(node);
            match tree.kind(parent) {
                Kind::SizeofExpression | Kind::Decltype => return false,
                Kind::ParenthesizedExpression | Kind::FieldExpression => {}
                // An index is a number.
                Kind::SubscriptExpression if is(Field::Argument) => {}
                Kind::SubscriptExpression => return false,
                Kind::PointerExpression => {
                    let operator = tree.child(parent, Field::Operator);
                    let takes = operator.is_some_and(|o| tree.text(o, sema.text) == "&");
                    // Where a pointer lies, from which anybody may read it.
                    if takes && place && sema.is_pointer(node) == Some(true) && !self.is_array(node)
                    {
                        return true;
                    }
                    place = !takes;
                }
                // The value is what the place has from then on.
                Kind::UpdateExpression => {}
                Kind::AssignmentExpression if is(Field::Left) => {}
                _ if place && self.is_number(node) => return false,
                Kind::InitDeclarator => {
                    let declarator = tree.child(parent, Field::Declarator);
                    let into = declarator.and_then(|d| sema.declared_by(d));
                    return into.is_none_or(|id| self.leave_by(id));
                }
                Kind::AssignmentExpression => {
                    let into = tree.child(parent, Field::Left);
                    let into = into.filter(|&n| tree.kind(n) == Kind::Identifier);
                    let into = into.and_then(|n| sema.definition(n));
                    if into.is_none_or(|id| self.leave_by(id)) {
                        return true;
                    }
                }
                Kind::ArgumentList => {
                    let Some(call) = tree.parent(parent) else {
                        return true;
                    };
                    if tree.kind(call) == Kind::CallExpression && self.may_keep(call, node) {
                        return true;
                    }
                    place = false;
                }
                Kind::CallExpression => {
                    let ty = sema.kind(sema.type_of(parent));
                    if matches!(
                        ty,
                        TypeKind::Scalar(_) | TypeKind::Vector(_) | TypeKind::Void
                    ) {
                        return false;
                    }
                }
                Kind::ReturnStatement => return self.returned,
                // What follows from two addresses, or from one and a number.
                Kind::BinaryExpression => {
                    if sema.scalar(parent).is_some() {
                        return false;
                    }
                }
                Kind::ConditionalExpression if is(Field::Condition) => return false,
                Kind::ConditionalExpression
                | Kind::CommaExpression
                | Kind::CastExpression
                | Kind::CompoundLiteral
                | Kind::InitializerList
                | Kind::InitializerPair => {}
                // Nobody has the value, or only whether it is null.
                Kind::ExpressionStatement
                | Kind::ForStatement
                | Kind::DoStatement
                | Kind::ConditionClause
                | Kind::UnaryExpression => return false,
                _ => return true,
            }
            node = parent;
        }
        true
    }

    fn is_array(&self, node: NodeId) -> bool {
        matches!(self.sema.kind(self.sema.type_of(node)), TypeKind::Array(_))
    }

    fn is_number(&self, node: NodeId) -> bool {
        self.sema.scalar(node).is_some() || self.sema.vector(node).is_some()
    }

    /// Whether what is called may write an address that it is given where others find it: through another argument.
    fn may_keep(&self, call: NodeId, address: NodeId) -> bool {
        let (tree, sema) = (self.sema.tree, self.sema);
        let function = tree.child(call, Field::Function);
        if function.is_none_or(|f| tree.kind(f) != Kind::Identifier) {
            return true;
        }
        let list = tree.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|l| tree.children(l));
        let mut others = arguments.enumerate().filter(|&(_, n)| n != address);
        others.any(|(position, argument)| {
            let holds = |kind: TypeKind| match kind {
                TypeKind::Scalar(_) | TypeKind::Vector(_) | TypeKind::Enumeration(_) => false,
                _ => true,
            };
            match sema.kind(sema.value_of(argument)) {
                TypeKind::Pointer(to) => holds(sema.kind(to)),
                kind => holds(kind) && (kind == TypeKind::Unknown || sema.may_bind(call, position)),
            }
        })
    }
}

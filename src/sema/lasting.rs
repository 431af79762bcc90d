//! Variables of functions that last: whether anybody may know where they are when their function is over.

use super::{DefinitionId, Sema, Type, TypeKind};
use crate::expr::Scalar;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, function_declarator};
use foldhash::{HashSet, HashSetExt};

impl Sema<'_> {
    /// Whether the address of one of the `static` variables of a declaration may outlive the block that it is in, as that of a
    /// variable which is anew there each time would not. `Unknown` types may hold addresses.
    pub(crate) fn address_may_leave(&self, declaration: NodeId) -> bool {
        let tree = self.tree;
        let mut addresses = Addresses {
            sema: self,
            returned: self.gives_addresses(declaration),
            block: self.block(declaration),
            as_numbers: None,
            followed: HashSet::new(),
        };
        let declarators = tree.children(declaration);
        let mut declarators = declarators.filter(|&c| tree.field(c) == Field::Declarator);
        declarators.any(|declarator| match self.declared_by(declarator) {
            Some(id) => addresses.leave_by(id),
            None => true,
        })
    }

    /// The block that a declaration is in, unless that is its function's.
    fn block(&self, declaration: NodeId) -> Option<Span> {
        let tree = self.tree;
        let mut around = std::iter::successors(Some(declaration), |&n| tree.parent(n));
        let block = around.find(|&n| tree.kind(n) == Kind::CompoundStatement)?;
        let of = tree.parent(block).map(|p| tree.kind(p));
        (of != Some(Kind::FunctionDefinition)).then(|| tree.span(block))
    }

    /// Whether variables of a type may hold an address.
    fn holds_addresses(&self, ty: Type) -> bool {
        self.any_part(ty, |kind| {
            matches!(
                kind,
                TypeKind::Unknown
                    | TypeKind::Pointer(_)
                    | TypeKind::Reference(_)
                    | TypeKind::Function(_)
            )
        })
    }

    /// Whether a cast makes a number of an address.
    fn is_address_as_number(&self, node: NodeId) -> bool {
        let tree = self.tree;
        let value = match tree.kind(node) {
            Kind::CastExpression => tree.child(node, Field::Value),
            // `long(p)`, `reinterpret_cast<long>(p)`
            Kind::CallExpression => {
                let function = tree.child(node, Field::Function);
                let casts = function.is_some_and(|f| {
                    let kind = tree.kind(f);
                    kind == Kind::PrimitiveType
                        || kind == Kind::SizedType
                        || kind == Kind::TemplateFunction
                });
                let list = tree.child(node, Field::Arguments).filter(|_| casts);
                list.and_then(|l| tree.children(l).next())
            }
            _ => None,
        };
        let is_bool = self.scalar(node) == Some(Scalar::Bool);
        value.is_some_and(|v| self.is_pointer(v) == Some(true))
            && self.scalar(node).is_some()
            && !is_bool
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

/// Whether a number is only compared.
fn is_compared(tree: &Tree, node: NodeId, text: &str) -> bool {
    let around = std::iter::successors(tree.parent(node), |&n| tree.parent(n));
    let mut around = around.skip_while(|&n| tree.kind(n) == Kind::ParenthesizedExpression);
    around.next().is_some_and(|n| {
        let operator = tree.child(n, Field::Operator);
        let operator = operator.map_or("", |o| tree.text(o, text));
        tree.kind(n) == Kind::BinaryExpression
            && matches!(
                operator,
                "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||"
            )
    })
}

/// Where the addresses go that variables of a function have or hold.
struct Addresses<'s, 't> {
    sema: &'s Sema<'t>,
    /// The function's result may hold addresses.
    returned: bool,
    /// The block that the variable is in, unless that is its function's.
    block: Option<Span>,
    /// Whether anything in the program makes a number of an address, once that was asked.
    as_numbers: Option<bool>,
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
        // A variable that stays when the block is over, or begins anew.
        if self
            .block
            .is_some_and(|b| own.start < b.start || own.start >= b.end)
        {
            return true;
        }
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
                Kind::ParenthesizedExpression => {}
                Kind::FieldExpression => place = true,
                // An index is a number.
                Kind::SubscriptExpression if is(Field::Argument) => place = true,
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
                Kind::InitDeclarator if place && self.is_value(node) => {
                    let declarator = tree.child(parent, Field::Declarator);
                    let refers = |d: NodeId| tree.kind(d) == Kind::ReferenceDeclarator;
                    let into = declarator.filter(|&d| refers(d));
                    let into = into.and_then(|d| sema.declared_by(d));
                    return into.is_some_and(|id| self.leave_by(id));
                }
                Kind::ArgumentList if place && self.is_value(node) => {
                    let call = tree.parent(parent);
                    return call.is_none_or(|call| {
                        self.is_bound(call, parent, node)
                            && (self.may_keep(call, node)
                                || self.sema.is_pointer(call) != Some(false))
                    });
                }
                _ if place && self.is_value(node) => return false,
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
                    if sema.is_address_as_number(parent) {
                        return true;
                    }
                    let wide = matches!(sema.scalar(parent), Some(Scalar::Long | Scalar::ULong));
                    if !sema.holds_addresses(sema.type_of(parent)) {
                        return wide && self.are_addresses_numbers();
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
                Kind::CastExpression if sema.is_address_as_number(parent) => {
                    return !is_compared(tree, parent, sema.text);
                }
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

    /// Whether what is copied of a place has no address in it, and is none.
    fn is_value(&self, node: NodeId) -> bool {
        let ty = self.sema.type_of(node);
        !self.is_array(node) && !self.sema.holds_addresses(ty)
    }

    /// Whether a function of the program may refer to what a call gives it.
    fn is_bound(&self, call: NodeId, list: NodeId, argument: NodeId) -> bool {
        let (tree, sema) = (self.sema.tree, self.sema);
        let position = tree.children(list).position(|n| n == argument);
        let given = position.map(|at| sema.parameters_for(call, at));
        let mut given = given.into_iter().flatten().filter_map(|p| sema.declared(p));
        given.any(|id| matches!(sema.kind(sema.defined(id).ty), TypeKind::Reference(_)))
    }

    fn are_addresses_numbers(&mut self) -> bool {
        let sema = self.sema;
        *self.as_numbers.get_or_insert_with(|| {
            let all = sema.tree.root().into_iter();
            let mut all = all.flat_map(|r| sema.tree.descendants(r));
            all.any(|n| sema.is_address_as_number(n))
        })
    }

    /// Whether what is called may write an address that it is given where others find it: through another argument.
    fn may_keep(&mut self, call: NodeId, address: NodeId) -> bool {
        let (tree, sema) = (self.sema.tree, self.sema);
        let function = tree.child(call, Field::Function);
        if function.is_none_or(|f| tree.kind(f) != Kind::Identifier) {
            return true;
        }
        let list = tree.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|l| tree.children(l));
        let mut others = arguments.enumerate().filter(|&(_, n)| n != address);
        others.any(|(position, argument)| {
            let ty = sema.value_of(argument);
            match sema.kind(ty) {
                TypeKind::Pointer(to) => {
                    let number = sema.kind(to);
                    let wide = matches!(number, TypeKind::Scalar(Scalar::Long | Scalar::ULong));
                    sema.holds_addresses(to) || wide && self.are_addresses_numbers()
                }
                kind => {
                    let unknown = kind == TypeKind::Unknown;
                    sema.holds_addresses(ty) && (unknown || sema.may_bind(call, position))
                }
            }
        })
    }
}

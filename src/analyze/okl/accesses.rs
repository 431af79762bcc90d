//! Accesses to memory that pointers lead to: what they do with it, and where the pointers come from.

use super::walk::Walk;
use crate::module::{Access, AccessKind, ConstructKind, Origin, Origins, Space};
use crate::sema::{DefinitionKind, TypeKind};
use crate::syntax::{Field, Kind, NodeId, is_name};

/// What surrounds an access says of it.
struct Use {
    kind: AccessKind,
    /// An argument of the program's own functions.
    argument: bool,
}

impl Walk<'_, '_> {
    /// Notes what `p[i]`, `*p`, `p->x` or `m(i, j)` does, with all that is taken of it: `p[i].x`.
    pub(super) fn memory_access(&mut self, node: NodeId) {
        let tree = self.context.tree;
        // What stands around the nests is the host's.
        let of_host = self.in_kernel && self.root.is_none() && !self.in_lambda;
        if of_host || self.is_part_of_access(node) {
            return;
        }
        let is_access = match tree.kind(node) {
            Kind::SubscriptExpression => true,
            Kind::FieldExpression => self.leads_through_memory(node),
            Kind::PointerExpression => tree.text(node, self.context.text).starts_with('*'),
            Kind::CallExpression => self.dimensions_of_call(node).is_some(),
            _ => false,
        };
        if !is_access {
            return;
        }
        let origins = self.origins_of_access(node);
        let own = |o: &Origin| matches!(o, Origin::Space(space) if *space != Space::Global);
        if !origins.is_empty() && origins.iter().all(own) {
            return;
        }
        let Some(found) = self.use_of(node) else {
            return;
        };
        if found.kind == AccessKind::Read {
            let access = self.unit.accesses.len();
            self.unit.push(tree.span(node), ConstructKind::Read(access));
        }
        let plain = self.is_number(node);
        self.unit.accesses.push(Access {
            span: tree.span(node),
            kind: found.kind,
            origins,
            function: self.function,
            argument: found.argument,
            plain,
        });
    }

    /// Where the memory of an access lies; an array's or a pointer's element takes no list.
    fn origins_of_access(&mut self, node: NodeId) -> Origins {
        let tree = self.context.tree;
        let array = tree
            .child(node, Field::Argument)
            .filter(|&a| tree.kind(a) == Kind::Identifier)
            .filter(|_| tree.kind(node) == Kind::SubscriptExpression);
        let symbol = array.and_then(|a| self.unit.scopes.get(tree.text(a, self.context.text)));
        match symbol.and_then(|s| s.pointer) {
            Some(origin) => Origins::One(origin),
            None => Origins::Many(self.place(node)),
        }
    }

    /// Whether an expression around takes more of what this names, or calls it.
    fn is_part_of_access(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = node;
        while let Some(around) = tree.parent(at) {
            return match tree.kind(around) {
                Kind::ParenthesizedExpression => {
                    at = around;
                    continue;
                }
                Kind::SubscriptExpression | Kind::FieldExpression => {
                    tree.field(at) == Field::Argument
                }
                Kind::CallExpression => {
                    tree.field(at) == Field::Function && self.dimensions_of_call(around).is_some()
                }
                _ => false,
            };
        }
        false
    }

    /// Whether a field is one of something that a pointer leads to.
    fn leads_through_memory(&self, field: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = field;
        loop {
            match tree.kind(at) {
                Kind::ParenthesizedExpression => {}
                Kind::FieldExpression => {
                    let operator = tree.child(at, Field::Operator);
                    if operator.is_some_and(|o| tree.text(o, self.context.text) == "->") {
                        return true;
                    }
                }
                Kind::SubscriptExpression | Kind::PointerExpression => return true,
                Kind::CallExpression => return self.dimensions_of_call(at).is_some(),
                _ => return false,
            }
            let inner = match tree.kind(at) {
                Kind::ParenthesizedExpression => tree.children(at).next(),
                _ => tree.child(at, Field::Argument),
            };
            match inner {
                Some(inner) => at = inner,
                None => return false,
            }
        }
    }

    /// What is done with an access; `None` where no memory is touched.
    fn use_of(&self, node: NodeId) -> Option<Use> {
        let tree = self.context.tree;
        let text = self.context.text;
        let used = |kind| {
            Some(Use {
                kind,
                argument: false,
            })
        };
        let mut at = node;
        while let Some(around) = tree.parent(at) {
            let field = tree.field(at);
            let operator = || {
                let operator = tree.child(around, Field::Operator);
                operator.map_or("", |o| tree.text(o, text))
            };
            match tree.kind(around) {
                Kind::ParenthesizedExpression => {}
                Kind::ConditionalExpression if field != Field::Condition => {}
                Kind::CommaExpression if field == Field::Right => {}
                Kind::AssignmentExpression if field == Field::Left => {
                    let plain = operator() == "=" || self.in_atomic;
                    return used(match plain {
                        true => AccessKind::Write,
                        false => AccessKind::Change,
                    });
                }
                // Indivisible reads are no ordinary ones.
                Kind::AssignmentExpression if self.in_atomic && operator() == "=" => return None,
                Kind::UpdateExpression => {
                    return used(match self.in_atomic {
                        true => AccessKind::Write,
                        false => AccessKind::Change,
                    });
                }
                Kind::PointerExpression if operator() == "&" => return None,
                Kind::SizeofExpression | Kind::Decltype => return None,
                Kind::CallExpression if field == Field::Function => {
                    return used(AccessKind::Bound);
                }
                Kind::InitDeclarator => {
                    let declarator = tree.child(around, Field::Declarator)?;
                    let bound = self.is_reference(declarator)
                        || tree.descendants(declarator).any(|n| {
                            matches!(
                                tree.kind(n),
                                Kind::ReferenceDeclarator | Kind::StructuredBinding
                            )
                        });
                    return match (bound, self.in_atomic) {
                        (true, _) => used(AccessKind::Bound),
                        (false, true) => None,
                        (false, false) => used(AccessKind::Read),
                    };
                }
                Kind::ForRangeLoop if field == Field::Right => return used(AccessKind::Bound),
                Kind::ReturnStatement if self.returns_reference(around) => {
                    return used(AccessKind::Bound);
                }
                Kind::CastExpression => {
                    let ty = tree.child(around, Field::Type);
                    let bound = ty.is_some_and(|t| self.names_reference(t));
                    return used(match bound {
                        true => AccessKind::Bound,
                        false => AccessKind::Read,
                    });
                }
                Kind::ArgumentList => return Some(self.use_of_argument(at, around)),
                _ => return used(AccessKind::Read),
            }
            at = around;
        }
        used(AccessKind::Read)
    }

    fn use_of_argument(&self, argument: NodeId, list: NodeId) -> Use {
        let tree = self.context.tree;
        let text = self.context.text;
        let call = tree.parent(list);
        let function = call.and_then(|c| tree.child(c, Field::Function));
        let known = function.filter(|&f| tree.kind(f) == Kind::Identifier);
        let name = known.map_or("", |f| tree.text(f, text));
        // Of the target's functions, and of the program's own plain ones, it is known which take references.
        let declared = self.unit.declared.get(name);
        let known = !name.is_empty() && declared.is_none_or(|d| !(d.ty || d.global || d.local));
        let position = tree.children(list).position(|a| a == argument);
        let bound = match (call, position) {
            (Some(call), Some(position)) => self
                .unit
                .references
                .binds_variable(tree, call, text, position),
            _ => false,
        };
        let bound = bound
            || matches!((call, position), (Some(c), Some(p)) if self.context.sema.may_bind(c, p));
        // `static_cast<const T &>(p[i])`
        let cast = function.is_some_and(|f| {
            let mut inside = tree.descendants(f);
            tree.kind(f) == Kind::TemplateFunction && inside.any(|n| self.names_reference(n))
        });
        Use {
            kind: match bound || cast {
                true => AccessKind::Bound,
                false => AccessKind::Read,
            },
            argument: !known,
        }
    }

    /// Whether a name is declared as a reference by the name of its type.
    fn is_reference(&self, name: NodeId) -> bool {
        let sema = self.context.sema;
        let id = sema.definition(name);
        id.is_some_and(|id| matches!(sema.kind(sema.defined(id).ty), TypeKind::Reference(_)))
    }

    /// Whether a descriptor of a type names a reference.
    fn names_reference(&self, descriptor: NodeId) -> bool {
        let sema = self.context.sema;
        matches!(
            sema.kind(sema.described(descriptor)),
            TypeKind::Reference(_)
        )
    }

    /// Whether the function or lambda around returns a reference: `auto f() -> T &`, and `T &f()`.
    fn returns_reference(&self, statement: NodeId) -> bool {
        let tree = self.context.tree;
        let function = std::iter::successors(Some(statement), |n| tree.parent(*n)).find(|&n| {
            let kind = tree.kind(n);
            matches!(kind, Kind::FunctionDefinition | Kind::LambdaExpression)
        });
        let Some(function) = function else {
            return false;
        };
        let parts = tree.children(function);
        let head = parts.filter(|&c| tree.field(c) != Field::Body);
        let mut head = head.flat_map(|c| tree.descendants(c));
        let is_function = tree.kind(function) == Kind::FunctionDefinition;
        head.any(|n| match tree.kind(n) {
            Kind::Decltype => true,
            // Behind an arrow.
            Kind::TypeDescriptor => {
                let around = tree.parent(n).map(|p| tree.kind(p));
                around == Some(Kind::Other) && self.names_reference(n)
            }
            Kind::ReferenceDeclarator => is_function && tree.parent(n) == Some(function),
            kind if is_name(kind) => is_function && self.is_function_to_reference(n),
            _ => false,
        })
    }

    fn is_function_to_reference(&self, name: NodeId) -> bool {
        let sema = self.context.sema;
        let known = sema
            .definition(name)
            .map(|id| sema.kind(sema.defined(id).ty));
        let own = sema.definition(name).map(|id| sema.defined(id).kind);
        match known {
            Some(TypeKind::Function(result)) if own == Some(DefinitionKind::Function) => {
                matches!(sema.kind(result), TypeKind::Reference(_))
            }
            _ => false,
        }
    }

    /// Whether an access names a number or a vector for sure.
    fn is_number(&self, node: NodeId) -> bool {
        let sema = self.context.sema;
        let kind = sema.kind(sema.type_of(node));
        matches!(kind, TypeKind::Scalar(_) | TypeKind::Vector(_))
    }
}

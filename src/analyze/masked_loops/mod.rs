//! Loops that items leave at different times, and that a block of items may run together: what an item evaluates
//! after it has left is thrown away, so nothing in the loop may read or write memory, fail, or be undefined for
//! values that the item would not have come to.
//!
//! - `mod.rs`: bodies with such a loop, and what lives across it.
//! - `statements.rs`: the loop's statements, of which lanes are left out by masks.
//! - `expressions.rs`: which expressions are harmless.
//! - `varying.rs`: whether items leave at different times at all.

mod expressions;
mod statements;
mod varying;

use crate::expr::Scalar;
use crate::module::{LaneVariable, Lockstep};
use crate::sema::Sema;
use crate::source::Span;
use crate::syntax::{Declarator, Field, Kind, NodeId, Tree, declarators};
pub(super) use varying::depends;

/// What the search for such loops needs to know of the language and of the program.
pub(super) struct Surroundings<'s> {
    pub(super) tree: &'s Tree,
    pub(super) text: &'s str,
    /// Integers wrap.
    pub(super) wraps: bool,
    pub(super) sema: &'s Sema<'s>,
    /// The scalar that an expression is.
    pub(super) typed: &'s dyn Fn(NodeId) -> Option<Scalar>,
    /// The scalar that a declaration begins with.
    pub(super) named: &'s dyn Fn(NodeId) -> Option<Scalar>,
    /// The vector that it begins with: its components' type and number.
    pub(super) vector: &'s dyn Fn(NodeId) -> Option<(Scalar, u8)>,
    /// Whether a call is one of the target's function of that name.
    pub(super) is_library: &'s dyn Fn(NodeId, &str) -> bool,
    /// What a loop may return, if it may at all.
    pub(super) returns: Returns,
    /// Whether what is not declared in the body, by its name, differs by item.
    pub(super) varies: &'s dyn Fn(&str) -> bool,
}

/// What a loop may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Returns {
    /// It may not return.
    Never,
    /// Nothing.
    Nothing,
    /// A number.
    Number(Scalar),
}

/// A variable that is declared before a loop.
#[derive(Clone, Debug)]
pub(super) struct Outer {
    pub(super) name: String,
    /// `None` for what is no number, or has another name or an address.
    pub(super) ty: Option<Scalar>,
    /// The vector that it is.
    pub(super) vector: Option<(Scalar, u8)>,
    pub(super) constant: bool,
    /// What it depends on: see [`Lockstep::exits`].
    pub(super) depends: u64,
    /// It is the caller's, who has it behind the loop, too.
    pub(super) given: bool,
    /// The caller reads it in the end.
    pub(super) output: bool,
}

/// Whether that may be such a loop, as far as can be seen without looking at names: most loops read memory.
pub(super) fn may_suit(tree: &Tree, node: NodeId) -> bool {
    let is_loop = |kind| {
        matches!(
            kind,
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop
        )
    };
    let kind = tree.kind(node);
    let suits = |n: NodeId| {
        let kind = tree.kind(n);
        let other = matches!(
            kind,
            Kind::SubscriptExpression
                | Kind::PointerExpression
                | Kind::FieldExpression
                | Kind::SwitchStatement
                | Kind::AttributedStatement
                | Kind::LambdaExpression
        );
        n == node || !(other || is_loop(kind))
    };
    kind != Kind::ForRangeLoop && is_loop(kind) && tree.descendants(node).all(suits)
}

impl Surroundings<'_> {
    /// The first such loop among the statements of a function's body. `outer` are its parameters.
    pub(super) fn of_function(&self, body: NodeId, mut outer: Vec<Outer>) -> Option<Lockstep> {
        let tree = self.tree;
        let statements: Vec<NodeId> = tree.children(body).collect();
        for (index, &statement) in statements.iter().enumerate() {
            if may_suit(tree, statement)
                && let Some(mut found) = self.read(statement, &outer)
            {
                let rest = statements.get(index + 1..).unwrap_or_default();
                found.body = tree.span(body);
                let before = statements.get(..index).unwrap_or_default();
                found.early = self.early(before)?;
                found.returns |= !found.early.is_empty();
                self.outlives(&mut found, [before, rest], &outer)?;
                return self.is_sound(before, rest, &outer).then_some(found);
            }
            if !self.is_before(statement, true) {
                return None;
            }
            self.declare(statement, &mut outer);
        }
        None
    }

    /// What leaves the function before the loop.
    fn early(&self, before: &[NodeId]) -> Option<Vec<(Span, Option<Span>)>> {
        let tree = self.tree;
        let all = before.iter().flat_map(|&s| tree.descendants(s));
        let returns = all.filter(|&n| tree.kind(n) == Kind::ReturnStatement);
        returns
            .map(|node| {
                let value = tree.children(node).next();
                let known = match self.returns {
                    Returns::Never => false,
                    Returns::Nothing => value.is_none(),
                    Returns::Number(_) => {
                        value.is_some_and(|v| tree.kind(v) != Kind::InitializerList)
                    }
                };
                known.then(|| (tree.span(node), value.map(|v| tree.span(v))))
            })
            .collect()
    }

    /// A statement that may stand before such a loop: nothing leaves the body in it, unless `returns`.
    pub(super) fn is_before(&self, statement: NodeId, returns: bool) -> bool {
        let tree = self.tree;
        let known = matches!(
            tree.kind(statement),
            Kind::Declaration
                | Kind::ExpressionStatement
                | Kind::IfStatement
                | Kind::ForStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::CompoundStatement
        );
        known
            && tree.descendants(statement).all(|n| {
                (returns || tree.kind(n) != Kind::ReturnStatement)
                    && !matches!(
                        tree.kind(n),
                        Kind::GotoStatement
                            | Kind::LabeledStatement
                            | Kind::AttributedStatement
                            | Kind::LambdaExpression
                            | Kind::StructSpecifier
                            | Kind::ClassSpecifier
                            | Kind::UnionSpecifier
                            | Kind::EnumSpecifier
                    )
            })
    }

    /// Adds what a statement declares, and notes what it gives to variables.
    pub(super) fn declare(&self, statement: NodeId, outer: &mut Vec<Outer>) {
        let tree = self.tree;
        let text = self.text;
        let depends = depends(self, statement, outer);
        for node in tree.descendants(statement) {
            let target = match tree.kind(node) {
                Kind::AssignmentExpression => tree.child(node, Field::Left),
                Kind::UpdateExpression => tree.child(node, Field::Argument),
                _ => None,
            };
            let Some(name) = target.map(|t| tree.text(t, text)) else {
                continue;
            };
            for known in outer.iter_mut().filter(|o| o.name == name) {
                known.depends |= depends;
            }
        }
        if tree.kind(statement) != Kind::Declaration {
            return;
        }
        let vector = (self.vector)(statement);
        for name in declarators(tree, statement, text) {
            let plain = name.pointers == 0 && name.sizes.is_empty() && !name.reference;
            outer.push(Outer {
                ty: self.scalar(statement, &name),
                vector: vector.filter(|_| plain && !name.function),
                constant: self.is_constant(&name),
                name: name.name.to_string(),
                depends,
                given: false,
                output: false,
            });
        }
    }

    /// The scalar that a declared variable is, if lanes can have it.
    fn scalar(&self, declaration: NodeId, name: &Declarator) -> Option<Scalar> {
        let plain =
            name.pointers == 0 && name.sizes.is_empty() && !name.reference && !name.function;
        let known = self.sema.defined(self.sema.definition(name.node?)?);
        let lane = plain && !known.qualified.own.volatile && !known.storage.lasting;
        (self.named)(declaration).filter(|ty| lane && is_lane(*ty))
    }

    fn is_constant(&self, name: &Declarator) -> bool {
        let id = name.node.and_then(|n| self.sema.definition(n));
        id.is_some_and(|id| self.sema.defined(id).qualified.own.constant)
    }

    /// Notes which variables are mentioned behind the loop; `None` if one of them cannot be kept.
    fn outlives(
        &self,
        found: &mut Lockstep,
        [before, rest]: [&[NodeId]; 2],
        outer: &[Outer],
    ) -> Option<()> {
        for name in outer {
            // What the caller reads, and only the end gives to it, the end finds with the caller.
            let used = || found.variables.iter().any(|v| v.name == name.name);
            let needed = match name.output {
                true => used() || self.mentions(before, &name.name),
                false => self.mentions(rest, &name.name),
            };
            if !needed {
                continue;
            }
            if let Some(known) = found.variables.iter_mut().find(|v| v.name == name.name) {
                known.outlives = true;
                continue;
            }
            match name.ty.map(|ty| (ty, 1)).or(name.vector) {
                Some((ty, components)) => found.variables.push(LaneVariable {
                    name: name.name.clone(),
                    ty,
                    components,
                    used: false,
                    changes: false,
                    outlives: true,
                }),
                None if name.given && !name.output => {}
                None => return None,
            }
        }
        Some(())
    }

    /// Whether a name is mentioned in any of the statements.
    pub(super) fn mentions(&self, statements: &[NodeId], name: &str) -> bool {
        let tree = self.tree;
        let mut all = statements.iter().flat_map(|&s| tree.descendants(s));
        all.any(|n| tree.kind(n) == Kind::Identifier && tree.text(n, self.text) == name)
    }

    /// Whether the stretches before and behind the loop can be parted: what is given to both is not changed in the
    /// first, and nothing in the second has to be a constant.
    fn is_sound(&self, before: &[NodeId], rest: &[NodeId], outer: &[Outer]) -> bool {
        let tree = self.tree;
        let given = |name: &&Outer| name.given && name.ty.is_none() && !name.constant;
        let parted = outer
            .iter()
            .filter(given)
            .all(|name| !self.mentions(before, &name.name) || !self.mentions(rest, &name.name));
        parted && rest.iter().all(|&s| self.is_behind(s)) && {
            let names = before
                .iter()
                .filter(|&&s| tree.kind(s) == Kind::Declaration);
            // A name may stand for itself in sizes of arrays only where it is a constant.
            names.count() == 0 || rest.iter().all(|&s| !self.wants_constants(s))
        }
    }

    /// A statement that may stand behind such a loop.
    pub(super) fn is_behind(&self, statement: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(statement).all(|n| {
            !matches!(
                tree.kind(n),
                Kind::GotoStatement | Kind::LabeledStatement | Kind::AttributedStatement
            )
        })
    }

    /// Whether a statement may need the value of a constant at compile time.
    pub(super) fn wants_constants(&self, statement: NodeId) -> bool {
        let tree = self.tree;
        tree.descendants(statement).any(|n| {
            matches!(
                tree.kind(n),
                Kind::ArrayDeclarator
                    | Kind::TemplateType
                    | Kind::TemplateFunction
                    | Kind::CaseStatement
                    | Kind::StaticAssert
                    | Kind::LambdaExpression
                    | Kind::InitializerList
                    | Kind::Decltype
            )
        })
    }
}

/// The types that lanes have: smaller numbers would be converted at every step.
fn is_lane(ty: Scalar) -> bool {
    ty == Scalar::Bool || ty.size() >= 4
}

//! Loops that items leave at different times: in functions, and in the bodies of loops over items, which call these
//! functions or have such loops themselves.

use super::walk::Walk;
use crate::analyze::masked_loops::{Outer, Returns, Surroundings, depends, may_suit};
use crate::expr::{Expr, Scalar};
use crate::module::{
    BY_ITEM, Comparison, Function, LaneVariable, Lockstep, LockstepCall, LockstepItems,
    LockstepStage, Loop, LoopId, LoopKind,
};
use crate::sema::TypeKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, declarators, parameters};
use std::collections::VecDeque;

/// Parameters that [`Lockstep::exits`] has room for.
const MOST_PARAMETERS: usize = 63;

/// How the body of an item is cut so far.
#[derive(Default)]
struct Cuts {
    stages: Vec<LockstepStage>,
    /// Variables of the body, and the number of cuts before each.
    outer: Vec<Outer>,
    declared: Vec<usize>,
    /// Statements and parts of them that mention variables, and the number of cuts before each.
    placed: Vec<(NodeId, usize)>,
    /// The arguments of calls, which belong to what stands before the cut.
    lists: Vec<NodeId>,
}

impl Walk<'_, '_> {
    fn surroundings<T>(
        &self,
        returns: Returns,
        varies: &dyn Fn(&str) -> bool,
        ask: impl FnOnce(&Surroundings<'_>) -> T,
    ) -> T {
        let sema = self.context.sema;
        let is_library = |call: NodeId, name: &str| {
            let declared = self.unit.declared.get(name);
            declared.is_none_or(|d| d.leaves_device_code())
                && !self.unit.intrinsics.contains_key(&call.index())
        };
        ask(&Surroundings {
            tree: self.context.tree,
            text: self.context.text,
            wraps: false,
            sema,
            typed: &|node| sema.scalar(node),
            named: &|declaration| sema.described_scalar(declaration),
            vector: &|_| None,
            is_library: &is_library,
            returns,
            varies,
        })
    }

    /// The loop of a function of numbers that items leave at different times.
    pub(super) fn lockstep_of(&self, node: NodeId, function: &Function) -> Option<Lockstep> {
        let tree = self.context.tree;
        let text = self.context.text;
        let body = tree.child(node, Field::Body)?;
        tree.children(body).find(|&s| may_suit(tree, s))?;
        let name = declarators(tree, node, text).into_iter().next()?;
        let (given, list) = parameters(tree, node)?;
        // A template's span is another one; members and operators have no plain name.
        let file_wide = tree.parent(node).is_some_and(|p| tree.parent(p).is_none());
        let plain =
            function.span == tree.span(node) && file_wide && name.pointers == 0 && !name.reference;
        let is_name = |n: &str| n.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let known = self.unit.lockstep.contains_key(&function.name)
            || self.unit.functions.iter().any(|f| f.name == function.name);
        if !plain || known || !is_name(&function.name) || given.len() > MOST_PARAMETERS {
            return None;
        }
        let sema = self.context.sema;
        let scalar = |ty| match sema.kind(ty) {
            TypeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        };
        let is_word = |n: &NodeId| tree.kind(*n) == Kind::StorageClass;
        let mut words = tree
            .children(node)
            .filter(is_word)
            .map(|n| tree.text(n, text));
        let rest = words.all(|w| matches!(w, "inline" | "static" | "constexpr"));
        let declared = sema.definition(name.node?)?;
        let result = match sema.kind(sema.defined(declared).ty) {
            TypeKind::Function(result) => scalar(result).filter(|_| rest)?,
            _ => return None,
        };
        let mut outer = Vec::new();
        for (index, parameter) in given.into_iter().enumerate() {
            let found = declarators(tree, parameter, text).into_iter().next()?;
            let known = sema.defined(sema.definition(found.node?)?);
            let said = known.qualified.own;
            let is_lane = |ty: &Scalar| *ty == Scalar::Bool || ty.size() >= 4;
            outer.push(Outer {
                name: found.name.to_string(),
                ty: scalar(known.ty).filter(|ty| !said.volatile && is_lane(ty)),
                vector: None,
                constant: said.constant,
                depends: 1 << index,
                given: false,
                output: false,
            });
        }
        let found = self.surroundings(Returns::Number(result), &|_| false, |s| {
            s.of_function(body, outer)
        })?;
        Some(Lockstep {
            parameters: list,
            ..found
        })
    }

    /// Where the body of an innermost loop over items is cut for such loops.
    pub(super) fn lockstep_items(&self, id: LoopId, body: NodeId) -> Option<LockstepItems> {
        let tree = self.context.tree;
        let this = &self.unit.loops[id.0 as usize];
        if this.kind != LoopKind::Inner || !this.block || !this.children.is_empty() {
            return None;
        }
        let calls = !self.unit.lockstep.is_empty();
        let has_loop = |block| tree.children(block).any(|s| may_suit(tree, s));
        let guarded = || {
            let (_, inside) = self.guard(tree.children(body).last()?)?;
            Some(may_suit(tree, inside) || has_loop(inside))
        };
        let loops = has_loop(body) || guarded() == Some(true);
        if !(calls || loops) || !is_plain(this) {
            return None;
        }
        let variable = this.header.variable.as_str();
        self.surroundings(Returns::Never, &|name| name == variable, |s| {
            self.stages(s, body)
        })
    }

    fn stages(&self, s: &Surroundings<'_>, body: NodeId) -> Option<LockstepItems> {
        let tree = self.context.tree;
        let mut cuts = Cuts::default();
        let mut guarded = None;
        let mut left: VecDeque<NodeId> = tree.children(body).collect();
        while let Some(statement) = left.pop_front() {
            // A check of bounds around all the rest.
            if cuts.stages.is_empty()
                && left.is_empty()
                && guarded.is_none()
                && let Some((condition, inside)) = self.guard(statement)
            {
                cuts.placed.push((condition, 0));
                let span = tree.span(inside);
                let block = tree.kind(inside) == Kind::CompoundStatement;
                guarded = Some(match block {
                    true => (Span::new(span.start + 1, span.end - 1), true),
                    false => (span, false),
                });
                match block {
                    true => left.extend(tree.children(inside)),
                    false => left.push_back(inside),
                }
                continue;
            }
            self.cut(s, statement, &mut cuts)?;
        }
        if cuts.stages.is_empty() {
            return None;
        }
        let kept = kept(s, &cuts)?;
        Some(LockstepItems {
            stages: cuts.stages,
            guarded,
            kept,
        })
    }

    /// The condition of a statement that has nothing but a condition and a body, and that body.
    fn guard(&self, statement: NodeId) -> Option<(NodeId, NodeId)> {
        let tree = self.context.tree;
        let known = tree.kind(statement) == Kind::IfStatement
            && tree.child(statement, Field::Alternative).is_none();
        let condition = tree.child(statement, Field::Condition).filter(|_| known)?;
        let start = Span::new(tree.span(statement).start, tree.span(condition).start);
        let inside = tree.child(statement, Field::Consequence)?;
        let plain = start.of(self.context.text).trim() == "if"
            && tree.children(condition).count() == 1
            && tree.kind(tree.unparenthesized(condition)) != Kind::Declaration;
        plain.then_some((condition, inside))
    }

    /// Cuts the body at a statement, if that is or calls such a loop; `None` where the body cannot be cut at all.
    fn cut(&self, s: &Surroundings<'_>, statement: NodeId, cuts: &mut Cuts) -> Option<()> {
        let tree = self.context.tree;
        let at = cuts.stages.len();
        if may_suit(tree, statement)
            && let Some(found) = s.read(statement, &cuts.outer)
            && found.exits & BY_ITEM != 0
        {
            cuts.placed.push((statement, at));
            cuts.stages.push(LockstepStage::Loop(Box::new(found)));
            return Some(());
        }
        if !s.is_before(statement, false) {
            return None;
        }
        let calls = self.lockstep_calls(s, statement, &cuts.outer);
        if !calls.is_empty() {
            cuts.placed
                .extend(calls.iter().map(|&(list, _)| (list, at)));
            cuts.lists.extend(calls.iter().map(|&(list, _)| list));
            let calls = calls.into_iter().map(|(_, call)| call).collect();
            let start = tree.span(statement).start;
            cuts.stages.push(LockstepStage::Calls(start, calls));
        }
        let at = cuts.stages.len();
        cuts.placed.push((statement, at));
        let known = cuts.outer.len();
        s.declare(statement, &mut cuts.outer);
        let (before, fresh) = cuts.outer.split_at(known);
        // A name that hides another would have its place.
        let hides = |o: &Outer| before.iter().any(|b| b.name == o.name);
        if fresh.iter().any(hides) {
            return None;
        }
        cuts.declared.resize(cuts.outer.len(), at);
        Some(())
    }

    /// Calls in a statement that are made before anything else in it, whatever that is: their arguments' node, and
    /// what is known of them.
    fn lockstep_calls(
        &self,
        s: &Surroundings<'_>,
        statement: NodeId,
        outer: &[Outer],
    ) -> Vec<(NodeId, LockstepCall)> {
        let tree = self.context.tree;
        let one = match tree.kind(statement) {
            _ if self.unit.lockstep.is_empty() => false,
            Kind::ExpressionStatement => true,
            Kind::Declaration => declarators(tree, statement, self.context.text).len() == 1,
            _ => false,
        };
        let nodes = tree.descendants(statement).take_while(|_| one);
        let calls = nodes.filter(|&n| tree.kind(n) == Kind::CallExpression);
        calls
            .filter_map(|call| self.lockstep_call(s, call, statement, outer))
            .collect()
    }

    fn lockstep_call(
        &self,
        s: &Surroundings<'_>,
        call: NodeId,
        statement: NodeId,
        outer: &[Outer],
    ) -> Option<(NodeId, LockstepCall)> {
        let (tree, text) = (self.context.tree, self.context.text);
        let function = tree.child(call, Field::Function)?;
        let name = tree.text(function, text);
        let index = *self.unit.lockstep.get(name)?;
        let mut same = self.unit.functions.iter().filter(|f| f.name == name);
        let lockstep = same.next()?.lockstep.as_ref()?;
        if same.next().is_some() || outer.iter().any(|o| o.name == name) {
            return None;
        }
        let mut at = call;
        while at != statement {
            let around = tree.parent(at)?;
            let operator = tree.child(around, Field::Operator);
            let operator = operator.map_or("", |o| tree.text(o, text));
            let at_once = match tree.kind(around) {
                Kind::BinaryExpression => !matches!(operator, "&&" | "||"),
                Kind::AssignmentExpression => tree.field(at) == Field::Right,
                Kind::CallExpression => {
                    let name = tree.child(around, Field::Function)?;
                    !self.unit.lockstep.contains_key(tree.text(name, text))
                }
                Kind::ArgumentList
                | Kind::ParenthesizedExpression
                | Kind::CastExpression
                | Kind::UnaryExpression
                | Kind::InitDeclarator
                | Kind::ExpressionStatement
                | Kind::Declaration => true,
                _ => false,
            };
            if !at_once {
                return None;
            }
            at = around;
        }
        let list = tree.child(call, Field::Arguments)?;
        let changes = |n| {
            matches!(
                tree.kind(n),
                Kind::AssignmentExpression | Kind::UpdateExpression
            )
        };
        if tree.descendants(list).any(changes) {
            return None;
        }
        let by_item = |(index, argument): (usize, NodeId)| {
            lockstep.exits >> index & 1 != 0 && depends(s, argument, outer) & BY_ITEM != 0
        };
        let differs = lockstep.exits & BY_ITEM != 0 || tree.children(list).enumerate().any(by_item);
        let inside = tree.span(list);
        let call = LockstepCall {
            span: tree.span(call),
            function: index,
            arguments: Span::new(inside.start + 1, inside.end - 1),
        };
        differs.then_some((list, call))
    }
}

/// Variables that live across cuts; `None` if one of them cannot be kept.
fn kept(s: &Surroundings<'_>, cuts: &Cuts) -> Option<Vec<(LaneVariable, usize, usize)>> {
    let Cuts {
        stages,
        outer,
        declared,
        placed,
        lists,
    } = cuts;
    let tree = s.tree;
    let is_named_in = |node: NodeId, name: &str| {
        let named = |n: &NodeId| tree.kind(*n) == Kind::Identifier && tree.text(*n, s.text) == name;
        let mut all = tree.descendants(node).filter(named);
        all.any(|n| !lists.iter().any(|&l| l != node && tree.is_within(n, l)))
    };
    let mut kept = Vec::new();
    for (name, &first) in outer.iter().zip(declared) {
        let uses = placed.iter().filter(|(n, _)| is_named_in(*n, &name.name));
        let last = uses.map(|(_, at)| *at).max().unwrap_or(first);
        if last <= first {
            continue;
        }
        let one = LaneVariable {
            name: name.name.clone(),
            ty: name.ty?,
            components: 1,
            used: true,
            changes: !name.constant,
            outlives: true,
        };
        kept.push((one, first, last));
    }
    // Fields of one name have one type.
    let mut fields: Vec<(&str, Scalar)> = Vec::new();
    let of_loops = stages.iter().flat_map(|stage| match stage {
        LockstepStage::Loop(found) => found.variables.as_slice(),
        LockstepStage::Calls(..) => &[],
    });
    for field in kept.iter().map(|(v, ..)| v).chain(of_loops) {
        match fields.iter().find(|(name, _)| *name == field.name) {
            Some((_, ty)) if *ty != field.ty => return None,
            Some(_) => {}
            None => fields.push((&field.name, field.ty)),
        }
    }
    let mut behind = placed.iter().filter(|(_, at)| *at > 0);
    let sized = behind.any(|(node, _)| s.wants_constants(*node));
    (!sized || kept.is_empty()).then_some(kept)
}

/// Whether a loop over items counts up by one, over values that a wider type has room for, and holds nothing that
/// ties items to each other.
fn is_plain(this: &Loop) -> bool {
    let h = &this.header;
    let compares = matches!(h.comparison, Comparison::Less | Comparison::LessEqual);
    let counts = matches!(h.scalar, Some(Scalar::Int | Scalar::UInt)) && !h.is_auto();
    this.plain_body
        && !this.waits
        && !this.uses_item_variables
        && !this.has_continue
        && !this.has_return
        && this.constants.trim().is_empty()
        && compares
        && counts
        && !h.down
        && h.step == Expr::int(1)
}

//! Nests whose items have elements of arrays of their own, neighbouring items neighbouring ones.
//!
//! Only what is plain to see counts: perfectly nested loops around a body without jumps, loops and addresses, in
//! which every access to memory goes by an index that grows by one with the loop variable, or does not depend on
//! it and is only read.

use super::affine::Growth;
use super::purity::{has_effect, is_plain, is_pure};
use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::work::work;
use crate::expr::{self, Expr, Scalar};
use crate::module::{
    Construct, ConstructKind, ElementAccess, Elementwise, IndexDeclaration, Loop, LoopId, LoopKind,
    Parameter, ParameterKind,
};
use crate::sema::{Sema, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators};
use std::collections::BTreeMap;

/// The facts about the nest under `root` of the kernel with that body and those parameters.
pub(super) fn elementwise(
    context: &Context<'_>,
    unit: &Unit,
    body: NodeId,
    root: LoopId,
    parameters: &[Parameter],
) -> Option<Elementwise> {
    let (outer, leaf) = loops(context.text, unit, root)?;
    let this = loop_(unit, leaf);
    let tree = context.tree;
    let node = tree
        .descendants(body)
        .find(|&n| tree.span(n) == this.body && tree.kind(n) != Kind::AttributedStatement)?;
    let mut finder = Finder {
        tree,
        text: context.text,
        sema: context.sema,
        unit,
        parameters,
        growth: Growth::new(&this.header.variable, &this.header.start),
        touched: Vec::new(),
    };
    let (first, guard, rest) = finder.parts(node)?;
    let guard = guard.map(|g| tree.span(g));
    for &statement in &rest {
        finder.statement(statement)?;
    }
    let begin = tree.span(*rest.first()?).start;
    let work = work(context, &rest);
    let rest = Span::new(begin, tree.span(*rest.last()?).end);
    let elements = finder.elements()?;
    // What is copied or replaced must have nothing in it that a backend spells differently.
    let kept: Vec<Span> = first.iter().map(|f| f.span).chain(guard).collect();
    let uses = elements.iter().flat_map(|e| &e.uses);
    let mut own = kept.iter().chain(uses);
    let spelled = |c: &&Construct| !matches!(c.kind, ConstructKind::Read(_));
    let plain = |s: &Span| {
        let mut spelled = unit.constructs.iter().filter(spelled);
        !spelled.any(|c| s.contains(c.span))
    };
    own.all(plain).then_some(Elementwise {
        leaf,
        outer,
        first,
        guard,
        rest,
        work,
        elements,
    })
}

fn loop_(unit: &Unit, id: LoopId) -> &Loop {
    &unit.loops[id.index()]
}

/// The outer loop along x and the innermost inner loop, which goes along x, of loops one inside the other.
fn loops(text: &str, unit: &Unit, root: LoopId) -> Option<(LoopId, LoopId)> {
    let mut outer = None;
    let mut at = root;
    loop {
        let this = loop_(unit, at);
        if this.guarded
            || !this.absent.is_empty()
            || !this.constants.is_empty()
            || this.barrier_before
            || this.kind == LoopKind::Sequential
        {
            return None;
        }
        if this.kind == LoopKind::Outer && this.axis == 0 {
            outer = Some(at);
        }
        match this.children.as_slice() {
            [] => break,
            [child] => {
                let own = this.tile.is_some() && loop_(unit, *child).span == this.span;
                // Nothing else stands in the body.
                let alone = own || this.holds_only(text, loop_(unit, *child).span);
                at = *child;
                if !alone {
                    return None;
                }
            }
            _ => return None,
        }
    }
    let leaf = loop_(unit, at);
    let h = &leaf.header;
    let upward = !h.down && h.step == Expr::int(1);
    let int = matches!(
        h.scalar,
        Some(Scalar::Int | Scalar::Long | Scalar::UInt | Scalar::ULong)
    );
    let fine = leaf.kind == LoopKind::Inner && leaf.axis == 0 && upward && int;
    Some((outer?, at)).filter(|_| fine)
}

/// Of a body: declarations at the beginning, the condition around the rest, the rest.
type Parts = (Vec<IndexDeclaration>, Option<NodeId>, Vec<NodeId>);

/// An access to memory.
struct Touch {
    array: usize,
    index: String,
    index_span: Span,
    offset: i64,
    span: Span,
    /// It is the item's own element; otherwise one that all items have in common.
    own: bool,
    reads: bool,
    writes: bool,
    /// The end of its statement.
    statement: u32,
}

/// All accesses to one element.
#[derive(Default)]
struct Place {
    /// The last statement with one.
    last: u32,
    /// The first statement that writes.
    first_write: Option<u32>,
    /// Other items than its own write it, too.
    others_write: bool,
}

/// How far the statement of an access may be from it.
const FARTHEST: usize = 300;

struct Finder<'a> {
    tree: &'a Tree,
    text: &'a str,
    sema: &'a Sema<'a>,
    unit: &'a Unit,
    parameters: &'a [Parameter],
    /// Of variables of the body.
    growth: Growth,
    touched: Vec<Touch>,
}

impl Finder<'_> {
    /// The declarations at the beginning, the condition around the rest, and the rest.
    fn parts(&mut self, body: NodeId) -> Option<Parts> {
        let tree = self.tree;
        let all: Vec<NodeId> = match tree.kind(body) {
            Kind::CompoundStatement => tree.children(body).collect(),
            _ => vec![body],
        };
        let mut first = Vec::new();
        let mut rest = all.as_slice();
        while let [statement, others @ ..] = rest
            && let Some(declaration) = self.index_declaration(*statement)
        {
            first.push(declaration);
            rest = others;
        }
        let [only] = rest else {
            return Some((first, None, rest.to_vec()));
        };
        if tree.kind(*only) != Kind::IfStatement {
            return Some((first, None, rest.to_vec()));
        }
        let condition = tree.child(*only, Field::Condition)?;
        let plain = |n: NodeId| {
            let kind = tree.kind(n);
            is_pure(kind, tree.field(n))
        };
        let fine = tree.descendants(condition).skip(1).all(plain)
            && tree.child(*only, Field::Alternative).is_none();
        let then = tree.child(*only, Field::Consequence)?;
        let rest = match tree.kind(then) {
            Kind::CompoundStatement => tree.children(then).collect(),
            _ => vec![then],
        };
        fine.then_some((first, Some(condition), rest))
    }

    /// `const int i = b * 256 + t;`: notes how the variable grows.
    fn index_declaration(&mut self, node: NodeId) -> Option<IndexDeclaration> {
        let tree = self.tree;
        if tree.kind(node) != Kind::Declaration {
            return None;
        }
        let wide = matches!(
            self.sema.described_scalar(node),
            Some(Scalar::Int | Scalar::Long | Scalar::UInt | Scalar::ULong)
        );
        let plain = tree.descendants(node).skip(1).all(|n| {
            let kind = tree.kind(n);
            is_pure(kind, tree.field(n))
        });
        if !(wide && plain) {
            return None;
        }
        let mut names = Vec::new();
        for child in tree.children(node) {
            if tree.kind(child) != Kind::InitDeclarator {
                continue;
            }
            let name = tree.child(child, Field::Declarator)?;
            let said = self.sema.qualified(self.sema.definition(name)?)?;
            if !said.own.constant || said.own.volatile {
                return None;
            }
            let value = tree.child(child, Field::Value)?;
            let value = expr::parse(tree.text(value, self.text)).ok()?;
            let name = tree.text(name, self.text).to_string();
            self.growth.define(&name, &value);
            names.push(name);
        }
        let span = tree.span(node);
        (!names.is_empty()).then_some(IndexDeclaration { span, names })
    }

    /// A statement of the rest.
    fn statement(&mut self, node: NodeId) -> Option<()> {
        let tree = self.tree;
        if !matches!(
            tree.kind(node),
            Kind::Declaration | Kind::ExpressionStatement
        ) {
            return None;
        }
        let end = tree.span(node).end;
        for n in tree.descendants(node).skip(1) {
            let kind = tree.kind(n);
            if !is_plain(kind, tree.field(n)) {
                return None;
            }
            match kind {
                Kind::Identifier => self.name(n, end)?,
                Kind::CallExpression => {
                    let callee = tree.child(n, Field::Function)?;
                    let given = tree.children(tree.child(n, Field::Arguments)?).count();
                    if (0..given).any(|at| self.sema.may_bind(n, at)) {
                        return None;
                    }
                    let name = tree.text(callee, self.text);
                    // What waits for other items, or shows in which order they come.
                    let special = ["work_group_", "okl_", "atomic", "printf", "__"];
                    if tree.kind(callee) != Kind::Identifier
                        || special.iter().any(|s| name.starts_with(s))
                    {
                        return None;
                    }
                }
                Kind::AssignmentExpression | Kind::UpdateExpression => {
                    let target = match kind {
                        Kind::UpdateExpression => tree.child(n, Field::Argument)?,
                        _ => tree.child(n, Field::Left)?,
                    };
                    match tree.kind(target) {
                        Kind::SubscriptExpression => {}
                        // Variables of the rest only.
                        Kind::Identifier => {
                            let name = tree.text(target, self.text);
                            self.growth.is_unknown(name).then_some(())?;
                        }
                        _ => return None,
                    }
                }
                _ => {}
            }
        }
        if tree.kind(node) == Kind::Declaration {
            for declared in declarators(tree, node, self.text) {
                let hides = self.growth.has(&declared.name)
                    || self.parameters.iter().any(|p| p.name == declared.name);
                if hides
                    || declared.pointers > 0
                    || declared.reference
                    || !declared.sizes.is_empty()
                    || !self.holds_value(declared.node?)
                {
                    return None;
                }
                self.growth.forget(declared.name);
            }
        }
        Some(())
    }

    /// Whether what is declared is a value of its own, whatever its type is called.
    fn holds_value(&self, name: NodeId) -> bool {
        let known = self.sema.definition(name).map(|id| self.sema.defined(id));
        known.is_some_and(|d| {
            d.is_deduced()
                || !matches!(
                    self.sema.kind(d.ty),
                    TypeKind::Unknown
                        | TypeKind::Reference(_)
                        | TypeKind::Pointer(_)
                        | TypeKind::Array(_)
                )
        })
    }

    /// A name: of an array, it has to be that of an access which happens in any case.
    fn name(&mut self, node: NodeId, statement: u32) -> Option<()> {
        let tree = self.tree;
        let name = tree.text(node, self.text);
        let Some(array) = self.parameters.iter().position(|p| p.name == name) else {
            // Arrays and pointers besides parameters are not looked into.
            let symbol = self.unit.scopes.get(name);
            return symbol.is_none_or(|s| s.pointer.is_none()).then_some(());
        };
        let parameter = &self.parameters[array];
        if parameter.kind == ParameterKind::Value {
            return Some(());
        }
        let access = tree.parent(node)?;
        let own_place =
            tree.kind(access) == Kind::SubscriptExpression && tree.field(node) == Field::Argument;
        if !own_place
            || parameter.kind != ParameterKind::Pointer(1)
            || !self.happens(access, statement)
        {
            return None;
        }
        let index = tree.child(access, Field::Index)?;
        let index = match tree.kind(index) {
            Kind::SubscriptArguments => tree.children(index).next()?,
            _ => index,
        };
        let mut inner = tree.descendants(index).map(|n| tree.kind(n));
        if inner.any(has_effect) {
            return None;
        }
        let text = tree.text(index, self.text);
        let parsed = expr::parse(text).ok()?;
        let own = match self.growth.slope(&parsed)? {
            0 => false,
            1 => true,
            _ => return None,
        };
        let (reads, writes) = self.use_of(access);
        self.touched.push(Touch {
            array,
            index: text.split_whitespace().collect(),
            index_span: tree.span(index),
            offset: self.growth.offset(&parsed),
            span: tree.span(access),
            own,
            reads,
            writes,
            statement,
        });
        Some(())
    }

    /// Whether an access happens whenever its statement does.
    fn happens(&self, access: NodeId, statement: u32) -> bool {
        let tree = self.tree;
        let mut at = access;
        let mut steps = 0;
        while let Some(around) = tree.parent(at)
            && tree.span(around).end <= statement
        {
            // Every operand of a long sum asks.
            steps += 1;
            if steps > FARTHEST {
                return false;
            }
            let skipped = match tree.kind(around) {
                Kind::ConditionalExpression => tree.field(at) != Field::Condition,
                Kind::BinaryExpression => {
                    let operator = tree.child(around, Field::Operator);
                    let operator = operator.map_or("", |o| tree.text(o, self.text));
                    matches!(operator, "&&" | "||" | "and" | "or") && tree.field(at) == Field::Right
                }
                Kind::ExpressionStatement | Kind::Declaration => return true,
                _ => false,
            };
            if skipped {
                return false;
            }
            at = around;
        }
        true
    }

    /// Whether an access reads, and whether it writes.
    fn use_of(&self, access: NodeId) -> (bool, bool) {
        let tree = self.tree;
        let Some(around) = tree.parent(access) else {
            return (true, false);
        };
        match (tree.kind(around), tree.field(access)) {
            (Kind::UpdateExpression, _) => (true, true),
            (Kind::AssignmentExpression, Field::Left) => {
                let operator = tree.child(around, Field::Operator);
                let plain = operator.is_none_or(|o| tree.text(o, self.text) == "=");
                // The value of an assignment is that of its target.
                let used =
                    tree.parent(around).map(|p| tree.kind(p)) != Some(Kind::ExpressionStatement);
                (!plain || used, true)
            }
            _ => (true, false),
        }
    }

    /// The items' own elements, unless it could matter when they are read and written.
    fn elements(self) -> Option<Vec<ElementAccess>> {
        let restrict = |array: usize| self.parameters[array].restrict == Some(true);
        let mut places: BTreeMap<(usize, &str), Place> = BTreeMap::new();
        for touch in &self.touched {
            let place = places.entry((touch.array, &touch.index)).or_default();
            place.last = place.last.max(touch.statement);
            if touch.writes {
                let first = place.first_write.get_or_insert(touch.statement);
                *first = touch.statement.min(*first);
                place.others_write |= !touch.own;
            }
        }
        // Two places of one array that are written end this, so few are compared with all.
        for (at, written) in &places {
            let Some(first_write) = written.first_write else {
                continue;
            };
            for ((array, _), other) in places.iter().filter(|(o, _)| *o != at) {
                let apart = *array != at.0 && (restrict(*array) || restrict(at.0));
                let before = other.first_write.is_none() && other.last <= first_write;
                if written.others_write || !(apart || before) {
                    return None;
                }
            }
        }
        let mut elements: Vec<(String, ElementAccess)> = Vec::new();
        for touch in self.touched.iter().filter(|t| t.own) {
            let parameter = &self.parameters[touch.array];
            let scalar = parameter.scalar.filter(|s| *s != Scalar::Bool)?;
            if parameter.volatile {
                return None;
            }
            let same = |(index, e): &(String, ElementAccess)| {
                e.array == parameter.name && *index == touch.index
            };
            let twice = elements.iter().any(|(_, e)| e.array == parameter.name);
            let known = elements.iter().position(same);
            match known.and_then(|at| elements.get_mut(at)) {
                Some((_, element)) => {
                    element.uses.push(touch.span);
                    element.reads |= touch.reads;
                    element.writes |= touch.writes;
                }
                // Two elements of one array are not both aligned.
                None if twice => return None,
                None => {
                    let element = ElementAccess {
                        array: parameter.name.clone(),
                        scalar,
                        index: touch.index_span,
                        offset: touch.offset,
                        uses: vec![touch.span],
                        reads: touch.reads,
                        writes: touch.writes,
                    };
                    elements.push((touch.index.clone(), element));
                }
            }
        }
        // An element that all items have in common is no element to write.
        let shared = self.touched.iter().any(|t| !t.own && t.writes);
        (!elements.is_empty() && !shared).then(|| elements.into_iter().map(|(_, e)| e).collect())
    }
}

//! Masked loops: in functions, and in the bodies of loops over items, which call these functions or have such loops
//! themselves.

use super::unit::Unit;
use crate::analyze::masked_loops::{Text, has_long_doubles, may_have, may_suit};
use crate::body::{Body, BodyId, Program, StatementKind, TypeKind as BodyType, VariableId};
use crate::expr::Expr;
use crate::facts::Definitions;
use crate::module::{
    Comparison, Loop, LoopId, LoopKind, MaskedLoopCall, MaskedLoopItems, MaskedLoopPlan,
    MaskedLoopStage,
};
use crate::passes::{Asked, Callee, MaskedItems, MaskedLoops, Outer, Returns, Stage};
use crate::sema::{Sema, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, parameters};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Parameters that [`MaskedLoopPlan::exits`] has room for.
const MOST_PARAMETERS: usize = 63;

/// A function that may have such a loop.
struct Candidate {
    /// Its number.
    function: usize,
    node: NodeId,
}

/// What is found of such loops while bodies are made.
pub(super) struct Masked<'u, 't> {
    tree: &'t Tree,
    text: &'t str,
    sema: &'u Sema<'t>,
    /// Functions that may have one, by their spans.
    candidates: HashMap<Span, Candidate>,
    /// Bodies of loops over items that may have one, or call such a function, by these loops' statements.
    leaves: HashMap<Span, (LoopId, NodeId)>,
    functions: HashMap<usize, MaskedLoopPlan>,
    items: Vec<MaskedLoopItems>,
}

impl<'u, 't> Masked<'u, 't> {
    pub(super) fn new(unit: &Unit, (tree, text, sema): (&'t Tree, &'t str, &'u Sema<'t>)) -> Self {
        let mut this = Self {
            tree,
            text,
            sema,
            candidates: HashMap::new(),
            leaves: HashMap::new(),
            functions: HashMap::new(),
            items: Vec::new(),
        };
        this.candidates(unit);
        for &(id, body) in &unit.innermost {
            let loop_ = &unit.loops[id.index()];
            let calls = !this.candidates.is_empty();
            if is_plain(loop_) && (calls || may_have(tree, body) || this.guards_one(body)) {
                this.leaves.insert(loop_.span, (id, body));
            }
        }
        // Bodies know `double` only.
        let any = !(this.candidates.is_empty() && this.leaves.is_empty());
        if any && has_long_doubles(tree, text) {
            this.candidates.clear();
            this.leaves.clear();
        }
        this
    }

    /// Whether what a condition around the rest of a body holds may be such a loop, or have one.
    fn guards_one(&self, body: NodeId) -> bool {
        let tree = self.tree;
        let last = tree.children(body).last();
        let inside = last.and_then(|l| tree.child(l, Field::Consequence));
        inside.is_some_and(|i| may_suit(tree, i) || may_have(tree, i))
    }

    /// The functions of numbers that may have such a loop.
    fn candidates(&mut self, unit: &Unit) {
        let tree = self.tree;
        let mut names: HashMap<&str, usize> = HashMap::new();
        for function in &unit.functions {
            *names.entry(&function.name).or_default() += 1;
        }
        let own: HashMap<Span, usize> = { unit.functions.iter().enumerate() }
            .filter(|(_, f)| names.get(f.name.as_str()) == Some(&1))
            .map(|(at, f)| (f.span, at))
            .collect();
        // A template's span is another one; members have another place.
        let nodes = tree.root().into_iter().flat_map(|r| tree.children(r));
        let nodes = nodes.filter(|&n| tree.kind(n) == Kind::FunctionDefinition);
        for node in nodes {
            if let Some(&function) = own.get(&tree.span(node))
                && let name = &unit.functions[function].name
                && self.may_be_parted(node, name) == Some(true)
            {
                let candidate = Candidate { function, node };
                self.candidates.insert(tree.span(node), candidate);
            }
        }
    }

    /// Whether a function has numbers only, may have such a loop, and can become several functions.
    fn may_be_parted(&self, node: NodeId, name: &str) -> Option<bool> {
        let (tree, sema) = (self.tree, self.sema);
        let body = tree.child(node, Field::Body)?;
        if !may_have(tree, body) {
            return None;
        }
        let declared = declarators(tree, node, self.text).into_iter().next()?;
        let (given, _) = parameters(tree, node)?;
        let words = tree.children(node);
        let mut words = words.filter(|&n| tree.kind(n) == Kind::StorageClass);
        let plain = words.all(|w| {
            let word = tree.text(w, self.text);
            matches!(word, "inline" | "static" | "constexpr")
        });
        // Operators have no plain name.
        let named = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        let ty = sema.defined(sema.definition(declared.node?)?).ty;
        let number = match sema.kind(ty) {
            TypeKind::Function(result) => matches!(sema.kind(result), TypeKind::Scalar(_)),
            _ => false,
        };
        let value = declared.pointers == 0 && !declared.reference && number;
        Some(value && plain && named && given.len() <= MOST_PARAMETERS)
    }

    /// The functions whose bodies have to be looked at.
    pub(super) fn wanted(&self) -> HashSet<NodeId> {
        self.candidates.values().map(|c| c.node).collect()
    }

    fn is_volatile(&self, name: Span) -> bool {
        let tree = self.tree;
        let mut all = tree.within(name).filter(|&n| tree.span(n) == name);
        all.any(|n| {
            let id = self.sema.definition(n);
            id.is_some_and(|id| self.sema.defined(id).qualified.own.volatile)
        })
    }

    /// Looks at a function.
    pub(super) fn function(&mut self, program: &Program, body: &Body) {
        let Some(candidate) = self.candidates.get(&body.span) else {
            return;
        };
        let found = self.of_function(program, body, candidate.node);
        let function = candidate.function;
        self.functions.extend(found.map(|f| (function, f)));
    }

    fn of_function(&self, program: &Program, body: &Body, node: NodeId) -> Option<MaskedLoopPlan> {
        let BodyType::Scalar(result) = program.types.kind(body.result) else {
            return None;
        };
        let outer = (0..body.parameters).map(|index| Outer {
            id: VariableId::Local(index),
            depends: 1 << index,
            given: false,
            output: false,
            constant: false,
        });
        let search = MaskedLoops {
            program,
            body,
            definitions: &Definitions::of(body),
            text: self.text,
            is_volatile: &|name| self.is_volatile(name),
            contract: false,
            items: &[],
        };
        let found = search.of_function(outer.collect(), Returns::Number(result))?;
        let (_, list) = parameters(self.tree, node)?;
        let block = self.tree.child(node, Field::Body)?;
        let found = self.texts().of_function(block, found, Some(result))?;
        Some(MaskedLoopPlan {
            parameters: list,
            ..found
        })
    }

    fn texts(&self) -> Text<'t> {
        Text {
            tree: self.tree,
            text: self.text,
        }
    }

    /// Looks at the loops over items of a kernel; those functions that have a body of their own are known.
    pub(super) fn kernel(&mut self, program: &Program, body: &Body, definitions: &Definitions) {
        if self.leaves.is_empty() {
            return;
        }
        let mut found = Vec::new();
        body.each_statement(&body.root, &mut |id| {
            let StatementKind::Distributed(leaf) = &body.statement(id).kind else {
                return;
            };
            let Some(&(id, block)) = self.leaves.get(&body.statement(id).span) else {
                return;
            };
            let span = program.variable(body, leaf.variable).span;
            let own = (0..body.variables.len() as u32).map(VariableId::Local);
            let own: Vec<VariableId> = own
                .filter(|v| program.variable(body, *v).span == span)
                .collect();
            let callee = |id: BodyId| {
                let callee = program.bodies.get(id.0 as usize)?;
                let function = self.candidates.get(&callee.span)?.function;
                let exits = self.functions.get(&function)?.exits;
                Some(Callee { function, exits })
            };
            let search = MaskedLoops {
                program,
                body,
                definitions,
                text: self.text,
                is_volatile: &|name| self.is_volatile(name),
                contract: false,
                items: &own,
            };
            let may_cut = |call| self.statement_of(call, block).is_some();
            let asked = Asked {
                callee: &callee,
                may_cut: &may_cut,
            };
            let items = search.of_items(leaf, asked);
            found.extend(items.and_then(|items| self.of_items(id, block, items)));
        });
        self.items.extend(found);
    }

    /// The statement in the body of a loop over items, or in the condition around all of it, that makes a call before anything
    /// else: an expression, or the declaration of one variable.
    fn statement_of(&self, call: Span, block: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let node = self.call(call)?;
        let mut around = std::iter::successors(Some(node), |&n| tree.parent(n));
        let statement = around.find(|&n| {
            matches!(
                tree.kind(n),
                Kind::ExpressionStatement | Kind::Declaration | Kind::CompoundStatement
            )
        })?;
        let one = match tree.kind(statement) {
            Kind::ExpressionStatement => true,
            Kind::Declaration => declarators(tree, statement, self.text).len() == 1,
            _ => false,
        };
        let within = tree.is_within(statement, block);
        (one && within).then_some(statement)
    }

    fn call(&self, span: Span) -> Option<NodeId> {
        let tree = self.tree;
        let mut all = tree.within(span);
        all.find(|&n| tree.kind(n) == Kind::CallExpression && tree.span(n) == span)
    }

    /// How a body is cut, in its text; `None` if that cannot be cut there.
    fn of_items(&self, leaf: LoopId, block: NodeId, found: MaskedItems) -> Option<MaskedLoopItems> {
        let tree = self.tree;
        let texts = self.texts();
        let guarded = match found.guarded {
            Some(guard) => Some(self.guarded(block, guard)?),
            None => None,
        };
        let inside = guarded.map(|(_, inside)| inside);
        let own = tree.children(block).chain(
            inside
                .filter(|&i| tree.kind(i) == Kind::CompoundStatement)
                .into_iter()
                .flat_map(|i| tree.children(i)),
        );
        let own: Vec<NodeId> = own.chain(inside).collect();
        let mut stages = Vec::new();
        let mut loops = HashSet::new();
        let mut first = u32::MAX;
        for stage in found.stages {
            match stage {
                Stage::Loop(found) => {
                    first = first.min(found.span.end);
                    loops.insert(found.span);
                    let found = texts.of_loop(found, None)?;
                    stages.push(MaskedLoopStage::Loop(Box::new(found)));
                }
                Stage::Calls(calls) => {
                    let statement = self.statement_of(calls.first()?.span, block)?;
                    let start = tree.span(statement).start;
                    first = first.min(start);
                    let calls = calls.into_iter().map(|call| {
                        let list = tree.child(self.call(call.span)?, Field::Arguments)?;
                        let list = tree.span(list);
                        Some(MaskedLoopCall {
                            span: call.span,
                            function: call.function,
                            arguments: Span::new(list.start + 1, list.end - 1),
                        })
                    });
                    let calls: Option<Vec<MaskedLoopCall>> = calls.collect();
                    stages.push(MaskedLoopStage::Calls(start, calls?));
                }
            }
        }
        let is_guard = |n: NodeId| Some(tree.span(n)) == found.guarded || inside == Some(n);
        let parts = own
            .iter()
            .filter(|&&n| !is_guard(n) && !loops.contains(&tree.span(n)));
        let parts: Vec<NodeId> = parts.copied().collect();
        if !parts.iter().all(|&n| texts.can_be_parted(n)) {
            return None;
        }
        let mut behind = parts.iter().filter(|&&n| tree.span(n).start >= first);
        if !found.kept.is_empty() && behind.any(|&n| texts.wants_constants(n)) {
            return None;
        }
        Some(MaskedLoopItems {
            leaf,
            stages,
            guarded: guarded.map(|(span, i)| (span, tree.kind(i) == Kind::CompoundStatement)),
            kept: found.kept,
        })
    }

    /// What a statement that has nothing but a condition holds, without the braces, and its node.
    fn guarded(&self, block: NodeId, guard: Span) -> Option<(Span, NodeId)> {
        let tree = self.tree;
        let statement = tree.children(block).find(|&n| tree.span(n) == guard)?;
        let condition = tree.child(statement, Field::Condition)?;
        let inside = tree.child(statement, Field::Consequence)?;
        let plain = tree.kind(statement) == Kind::IfStatement
            && tree.child(statement, Field::Alternative).is_none()
            && tree.children(condition).count() == 1;
        let span = tree.span(inside);
        let span = match tree.kind(inside) {
            Kind::CompoundStatement => Span::new(span.start + 1, span.end - 1),
            _ => span,
        };
        plain.then_some((span, inside))
    }

    /// Notes in functions what was found of them; gives what was found of loops over items.
    pub(super) fn settle(self, unit: &mut Unit) -> Vec<MaskedLoopItems> {
        for (function, plan) in self.functions {
            unit.functions[function].masked_loop = Some(plan);
        }
        self.items
    }
}

/// Whether a loop over items counts up by one, over values that a wider type has room for, and holds nothing that
/// ties items to each other.
fn is_plain(this: &Loop) -> bool {
    use crate::expr::Scalar;
    let h = &this.header;
    let compares = matches!(h.comparison, Comparison::Less | Comparison::LessEqual);
    let counts = matches!(h.scalar, Some(Scalar::Int | Scalar::UInt)) && !h.is_auto();
    this.kind == LoopKind::Inner
        && this.block
        && this.children.is_empty()
        && this.plain_body
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

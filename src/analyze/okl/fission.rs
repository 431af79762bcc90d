//! Loops over items in which these wait for each other, as `passes/barrier_fission/` says that they may be split, in terms of
//! the text: where it is cut, and which declarations go elsewhere.

use super::collectives::cut_of;
use super::phases::{Local, Waits};
use super::unit::Unit;
use crate::module::{ConstructKind, Lifetime, LoopId, LoopKind, Split};
use crate::passes::{Fission, Reason};
use crate::sema::{DefinitionKind, Sema};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// The loops that can be split. Settles how long their variables live, where their calls are made, and of which barriers
/// jumps leave items out.
pub(super) fn settle(
    unit: &mut Unit,
    (tree, text, sema): (&Tree, &str, &Sema<'_>),
    found: Vec<Fission>,
) -> Vec<Split> {
    let found: HashMap<Span, Fission> = found.into_iter().map(|f| (f.leaf, f)).collect();
    let waits = std::mem::take(&mut unit.waits);
    let mut locals: HashMap<LoopId, Vec<&Local>> = HashMap::new();
    for local in &unit.locals {
        locals.entry(local.leaf).or_default().push(local);
    }
    let mut splits: HashMap<LoopId, Split> = HashMap::new();
    let mut settled = Settled::default();
    for waits in &waits {
        let leaf = waits.leaf;
        let said = found.get(&unit.loops[leaf.index()].span);
        let text = said.map(|fission| Text {
            unit,
            tree,
            text,
            sema,
            waits,
            fission,
            locals: locals.remove(&leaf).unwrap_or_default(),
        });
        if let Some((split, own)) = text.and_then(|t| t.split()) {
            splits.insert(leaf, split);
            settled.add(own);
        }
    }
    for (index, lifetime) in settled.uses {
        if let Some(ConstructKind::ItemVariableUse { lifetime: of, .. }) =
            unit.constructs.get_mut(index).map(|c| &mut c.kind)
        {
            *of = lifetime;
        }
        if let Lifetime::Iteration(leaf) = lifetime {
            unit.loops[leaf.index()].uses_item_variables = true;
        }
    }
    for construct in &mut unit.constructs {
        let span = construct.span;
        match &mut construct.kind {
            ConstructKind::ItemVariables { lifetime, .. }
            | ConstructKind::Pointers { lifetime, .. } => {
                if let Some(own) = settled.declarations.get(&span) {
                    *lifetime = *own;
                }
            }
            ConstructKind::Collective(call) => call.cut = settled.calls.get(&span).copied(),
            ConstructKind::Continue { ends, early } => {
                let cuts = splits.get(ends).map(|s| s.cuts.as_slice());
                let last = cuts.map(|cuts| cuts.last().is_some_and(|c| c.start > span.start));
                *early = last.unwrap_or(true);
                unit.loops[ends.index()].continues_early |= *early;
            }
            _ => {}
        }
    }
    let mut splits: Vec<Split> = splits.into_values().collect();
    splits.sort_by_key(|s| s.leaf.index());
    splits
}

/// What becomes of what stands in loops that are split.
#[derive(Default)]
struct Settled {
    declarations: HashMap<Span, Lifetime>,
    uses: Vec<(usize, Lifetime)>,
    /// Before which statements calls are made.
    calls: HashMap<Span, u32>,
}

impl Settled {
    fn add(&mut self, other: Self) {
        self.declarations.extend(other.declarations);
        self.uses.extend(other.uses);
        self.calls.extend(other.calls);
    }
}

/// A loop of which the pass says that it may be split.
struct Text<'s, 't> {
    unit: &'s Unit,
    tree: &'t Tree,
    text: &'t str,
    sema: &'s Sema<'t>,
    waits: &'s Waits,
    fission: &'s Fission,
    locals: Vec<&'s Local>,
}

/// The words in the outermost loop over items around a place, and where they stand.
type Names<'t> = HashMap<&'t str, Vec<NodeId>>;

impl<'t> Text<'_, 't> {
    fn split(&self) -> Option<(Split, Settled)> {
        let (tree, leaf) = (self.tree, self.waits.leaf);
        let mut settled = Settled::default();
        let cuts = self.cuts(&mut settled.calls)?;
        let loops = self.loops()?;
        if !self.stands_alone(leaf) || self.may_be_left(&loops) {
            return None;
        }
        let blocks = loops.iter().map(|(_, block)| *block);
        let blocks: Vec<NodeId> = std::iter::once(self.waits.body).chain(blocks).collect();
        let ends = blocks.iter().skip(1).map(|&b| tree.span(b));
        let ends = ends.flat_map(|b| [b.start + 1, b.end]);
        let begins = cuts.iter().map(|c| c.start + u32::from(!c.is_empty()));
        let mut phases: Vec<u32> = begins.chain(ends).collect();
        phases.sort_unstable();
        let phase = |n: NodeId| phases.partition_point(|p| *p <= tree.span(n).start);
        let names = self.names();
        if self.hides_headers(&loops) {
            return None;
        }
        let heads: Vec<Span> = loops.iter().map(|(l, b)| self.head(*l, *b)).collect();
        let (carried, stays_whole) = self.carried(&names, &heads, &phase)?;
        self.types_end(&blocks, &carried, &names, &phase)?;
        for local in &self.locals {
            if let Some(lifetime) = carried.get(&local.declaration) {
                let declaration = tree.span(local.declaration);
                settled.declarations.insert(declaration, *lifetime);
                settled
                    .uses
                    .extend(local.uses.iter().map(|u| (*u, *lifetime)));
            }
        }
        let loops = loops.into_iter().map(|(l, b)| (tree.span(l), tree.span(b)));
        let split = Split {
            leaf,
            cuts,
            loops: loops.collect(),
            stays_whole,
        };
        Some((split, settled))
    }

    /// Where the text is cut: at all places where items wait, and nowhere else.
    fn cuts(&self, calls: &mut HashMap<Span, u32>) -> Option<Vec<Span>> {
        let (tree, waits) = (self.tree, self.waits);
        let said: HashSet<Span> = self.fission.cuts.iter().copied().collect();
        let mut cuts: Vec<Span> = waits.barriers.iter().map(|&b| tree.span(b)).collect();
        let mut all = cuts.len();
        let mut known = cuts.iter().all(|c| said.contains(c));
        for &call in &waits.calls {
            let span = tree.span(call);
            let typed = self.unit.collectives.get(&call.index());
            known &= said.contains(&span) && typed.is_some_and(|(_, ty)| ty.is_some());
            let statement = cut_of(tree, call, waits.body)?;
            let start = tree.span(statement).start;
            calls.insert(span, start);
            cuts.push(Span::at(start));
            all += 1;
        }
        cuts.sort_unstable();
        cuts.dedup();
        (known && all == said.len()).then_some(cuts)
    }

    /// The ordinary loops that are cut, with their bodies.
    fn loops(&self) -> Option<Vec<(NodeId, NodeId)>> {
        let tree = self.tree;
        let said: HashSet<Span> = self.fission.loops.iter().copied().collect();
        if said.is_empty() {
            return Some(Vec::new());
        }
        let block = |n: NodeId| tree.kind(n) == Kind::CompoundStatement;
        let all = tree.descendants(self.waits.body);
        let all =
            all.filter(|&n| tree.kind(n) == Kind::ForStatement && said.contains(&tree.span(n)));
        let all = all.map(|n| {
            let body = tree.child(n, Field::Body).filter(|&b| block(b))?;
            tree.parent(n).filter(|&p| block(p)).map(|_| (n, body))
        });
        let all: Option<Vec<_>> = all.collect();
        all.filter(|all| all.len() == said.len())
    }

    /// The inner loops around the body hold nothing but each other.
    fn stands_alone(&self, id: LoopId) -> bool {
        let loops = &self.unit.loops;
        let mut child = &loops[id.index()];
        if child.kind != LoopKind::Inner {
            return false;
        }
        while let Some(parent) = child.parent {
            let parent = &loops[parent.index()];
            match parent.kind {
                LoopKind::Outer if !self.unit.is_in_inner(parent.parent) => return true,
                LoopKind::Outer | LoopKind::Inner if parent.span == child.span => {}
                LoopKind::Outer | LoopKind::Inner if parent.holds_only(self.text, child.span) => {}
                LoopKind::Outer | LoopKind::Inner => return false,
                // An ordinary loop around the inner ones repeats them as a whole.
                LoopKind::Sequential => return !self.unit.is_in_inner(parent.parent),
            }
            child = parent;
        }
        true
    }

    /// Whether what is not modelled may leave one of these loops.
    fn may_be_left(&self, loops: &[(NodeId, NodeId)]) -> bool {
        let tree = self.tree;
        let opaque = |block: NodeId| {
            self.fission
                .opaque
                .iter()
                .any(|o| tree.span(block).contains(*o))
        };
        let jumps = |n: NodeId| {
            matches!(
                tree.kind(n),
                Kind::ReturnStatement
                    | Kind::GotoStatement
                    | Kind::BreakStatement
                    | Kind::ContinueStatement
                    | Kind::LambdaExpression
            )
        };
        let mut loops = loops.iter().filter(|(_, block)| opaque(*block));
        loops.any(|(_, block)| tree.descendants(*block).any(jumps))
    }

    fn names(&self) -> Names<'t> {
        let tree = self.tree;
        let mut top = self.waits.body;
        let mut at = Some(self.waits.leaf);
        while let Some(id) = at {
            let this = &self.unit.loops[id.index()];
            if this.kind != LoopKind::Outer {
                let mut around = std::iter::successors(Some(top), |&n| tree.parent(n));
                top = around.find(|&n| tree.span(n) == this.span).unwrap_or(top);
            }
            at = this.parent;
        }
        let mut names = Names::new();
        for node in tree.descendants(top) {
            if matches!(tree.kind(node), Kind::Identifier | Kind::TypeIdentifier) {
                names
                    .entry(tree.text(node, self.text))
                    .or_default()
                    .push(node);
            }
        }
        names
    }

    /// How long variables live that outlive their phases, by their declarations; and whether something else may be pointed
    /// to over one.
    fn carried(
        &self,
        names: &Names<'t>,
        heads: &[Span],
        phase: &dyn Fn(NodeId) -> usize,
    ) -> Option<(HashMap<NodeId, Lifetime>, bool)> {
        let tree = self.tree;
        let leaf = self.waits.leaf;
        let said: HashMap<Span, Reason> = self
            .fission
            .carried
            .iter()
            .map(|c| (c.name, c.reason))
            .collect();
        let declared: HashSet<Span> = self.locals.iter().map(|l| l.name).collect();
        // What the program does not declare in its text cannot be declared elsewhere.
        if !said.keys().all(|name| declared.contains(name)) {
            return None;
        }
        let mut reasons: HashMap<NodeId, Reason> = HashMap::new();
        for local in &self.locals {
            let reason = match said.get(&local.name) {
                Some(reason) => *reason,
                // What is not modelled, and what is a number by then, the pass does not see.
                None if self.is_named_behind(local, names, phase) => Reason::Read,
                None => continue,
            };
            let known = reasons.entry(local.declaration).or_insert(reason);
            // All names of a declaration live as long.
            *known = match (*known, reason) {
                (Reason::Named, Reason::Named) => Reason::Named,
                (Reason::Pointed, Reason::Pointed) => Reason::Pointed,
                _ => Reason::Read,
            };
        }
        let mut by_declaration: HashMap<NodeId, Vec<&Local>> = HashMap::new();
        let mut by_name: HashMap<&str, HashSet<NodeId>> = HashMap::new();
        for local in self.locals.iter().copied() {
            let declaration = local.declaration;
            by_declaration.entry(declaration).or_default().push(local);
            by_name
                .entry(local.name.of(self.text))
                .or_default()
                .insert(declaration);
        }
        // Other declarations with the name of one of these variables that may stand beside it, and how many of them move.
        let twins = |l: &Local| {
            let all = by_name.get(l.name.of(self.text)).into_iter().flatten();
            let others = all.filter(|&&d| d != l.declaration);
            let moved = others.clone().filter(|d| reasons.contains_key(d)).count();
            (others.count(), moved)
        };
        let mut stays_whole = self.fission.keeps_counter;
        let mut lifetimes = HashMap::new();
        for (&declaration, &reason) in &reasons {
            let own = by_declaration
                .get(&declaration)
                .map_or(&[][..], Vec::as_slice);
            let free = |l: &Local| twins(l).1 == 0 && self.may_move(l, names, heads);
            let mut possible = own.iter().all(|l| l.assignable && free(l));
            if reason == Reason::Pointed {
                let words: Vec<&str> = own.iter().map(|l| l.name.of(self.text)).collect();
                possible &= !captures(tree, self.text, self.waits.body, &words);
            }
            match (possible, reason) {
                (false, Reason::Pointed) => stays_whole = true,
                (false, _) => return None,
                (true, Reason::Named) if own.iter().all(|l| twins(l).0 == 0) => {
                    lifetimes.insert(declaration, Lifetime::Phase(leaf));
                }
                (true, _) => {
                    lifetimes.insert(declaration, Lifetime::Iteration(leaf));
                }
            }
        }
        Some((lifetimes, stays_whole))
    }

    /// Whether a variable is named behind a cut, but for what calls of functions of the group are given.
    fn is_named_behind(
        &self,
        local: &Local,
        names: &Names<'t>,
        phase: &dyn Fn(NodeId) -> usize,
    ) -> bool {
        let declared = phase(local.declaration);
        let all = names.get(local.name.of(self.text)).into_iter().flatten();
        let mut own = all.filter(|n| self.sema.definition(**n) == local.definition);
        let given = |n: NodeId| self.waits.calls.iter().any(|&c| self.tree.is_within(n, c));
        own.any(|n| phase(*n) > declared && !given(*n))
    }

    /// Whether a variable can be declared where the loop begins: nothing else that is named there, or in the headers of
    /// loops that are cut, has its name; and nothing wants to know more of it than what it holds.
    fn may_move(&self, local: &Local, names: &Names<'t>, heads: &[Span]) -> bool {
        let (tree, sema) = (self.tree, self.sema);
        let body = tree.span(self.waits.body);
        let mut all = names.get(local.name.of(self.text)).into_iter().flatten();
        all.all(|&n| {
            let id = sema.definition(n);
            if id == local.definition {
                return !heads.iter().any(|h| h.contains(tree.span(n))) && !self.is_special(n);
            }
            id.is_some_and(|id| {
                let declared = sema.name_span(id);
                sema.defined(id).kind == DefinitionKind::Variable
                    && body.contains(declared)
                    && !heads.iter().any(|h| h.contains(declared))
            })
        })
    }

    /// Whether a variable is named where its value has to be known at compile time, or it is captured by its name.
    fn is_special(&self, name: NodeId) -> bool {
        let tree = self.tree;
        let around = std::iter::successors(tree.parent(name), |&n| tree.parent(n));
        let mut around = around.take_while(|&n| tree.kind(n) != Kind::CompoundStatement);
        let mut inside = name;
        around.any(|n| {
            let from = std::mem::replace(&mut inside, n);
            match tree.kind(n) {
                Kind::ArrayDeclarator => tree.field(from) == Field::Size,
                Kind::CaseStatement => tree.field(from) == Field::Value,
                Kind::LambdaCaptures
                | Kind::TemplateType
                | Kind::TemplateFunction
                | Kind::StaticAssert
                | Kind::EnumSpecifier => true,
                _ => false,
            }
        })
    }

    /// A loop without its body.
    fn head(&self, statement: NodeId, block: NodeId) -> Span {
        Span::new(self.tree.span(statement).start, self.tree.span(block).start)
    }

    /// Whether what such a loop declares has the name of what the headers of the loops over items name, which come to stand in
    /// it.
    fn hides_headers(&self, loops: &[(NodeId, NodeId)]) -> bool {
        let tree = self.tree;
        let mut variables = HashSet::new();
        let mut named = HashSet::new();
        let mut at = Some(self.waits.leaf);
        while let Some(id) = at {
            let this = &self.unit.loops[id.index()];
            if this.kind != LoopKind::Outer {
                variables.insert(this.header.variable.as_str());
                named.extend(this.header.names.iter().map(String::as_str));
            }
            at = this.parent;
        }
        let declared = |n: NodeId| declarators(tree, n, self.text).into_iter().map(|d| d.name);
        loops.iter().any(|(statement, block)| {
            let first = tree.child(*statement, Field::Initializer);
            let mut counters = first.into_iter().flat_map(declared);
            let own = tree.children(*block);
            let own = own.filter(|&n| tree.kind(n) == Kind::Declaration);
            counters.any(|c| variables.contains(c) || named.contains(c))
                || own.flat_map(declared).any(|name| variables.contains(name))
        })
    }

    /// `None` if a type is named where its declaration does not count any more: it does up to the next cut, and not where
    /// the body begins.
    fn types_end(
        &self,
        blocks: &[NodeId],
        carried: &HashMap<NodeId, Lifetime>,
        names: &Names<'t>,
        phase: &dyn Fn(NodeId) -> usize,
    ) -> Option<()> {
        let tree = self.tree;
        for node in blocks.iter().flat_map(|&b| tree.children(b)) {
            let declared = phase(node);
            for name in types_defined(tree, self.text, node) {
                let all = names.get(name).into_iter().flatten();
                let mut all = all.filter(|n| tree.is_within(**n, self.waits.body));
                let outlives = |n: &NodeId| {
                    phase(*n) > declared || carried.keys().any(|&c| tree.is_within(*n, c))
                };
                if all.any(outlives) {
                    return None;
                }
            }
        }
        Some(())
    }
}

/// Whether a lambda in a body names one of these variables: its captures are written as names.
fn captures(tree: &Tree, text: &str, body: NodeId, names: &[&str]) -> bool {
    let mut lambdas = tree.descendants(body);
    lambdas.any(|l| {
        tree.kind(l) == Kind::LambdaExpression
            && tree
                .descendants(l)
                .any(|n| tree.kind(n) == Kind::Identifier && names.contains(&tree.text(n, text)))
    })
}

/// The names of the types and enumerators that a statement declares.
fn types_defined<'t>(tree: &Tree, text: &'t str, statement: NodeId) -> Vec<&'t str> {
    let named = matches!(
        tree.kind(statement),
        Kind::TypeDefinition
            | Kind::AliasDeclaration
            | Kind::EnumSpecifier
            | Kind::StructSpecifier
            | Kind::ClassSpecifier
            | Kind::UnionSpecifier
    );
    let names = tree.descendants(statement).filter(|&n| {
        let own = matches!(tree.field(n), Field::Name | Field::Declarator);
        named && own && matches!(tree.kind(n), Kind::Identifier | Kind::TypeIdentifier)
    });
    names.map(|n| tree.text(n, text)).collect()
}

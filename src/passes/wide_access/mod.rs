//! Wide accesses: an item runs several neighbouring iterations of the innermost loop at once, and reads and writes their
//! elements of an array by one access.
//!
//! **Legality.** Nothing but loops, one in the other, stands around the innermost one, and nobody waits in it. Its body runs
//! straight on, perhaps under one condition; it writes variables of its own and, in every iteration, one element of an array
//! that moves by one with the loop. What it reads are such elements, and elements that all iterations have in common and nobody
//! writes. Reading them all before the first iteration and writing them behind the last one cannot be told from what the
//! program says: arrays are kept apart by `restrict`, or an iteration has read all before it writes. Groups and items run in no
//! order, so that no other iteration has to be asked. What indices and the condition are computed of is known before the
//! body's own variables are.
//!
//! **Gain.** A transaction of 16 bytes in the place of several; how many elements that are is the target's to choose
//! (`rewrite/okl/wide_access.rs`).
//!
//! - `alignment.rs`: of which elements it has to be asked whether they are aligned.
//! - `elements.rs`: which accesses are to one element, and whether it matters when they happen.

mod alignment;
mod elements;

use crate::body::{
    Atomicity, BinaryOperator, Body, Distributed, DistributedKind, ExpressionId, ExpressionKind,
    Memory, PlaceId, Program, Root, StatementId, StatementKind, TypeKind, VariableId,
};
use crate::expr::Scalar;
use crate::facts::{Affine, Aliases, Definitions, Sum};
use crate::module::{Asked, ElementAccess, Parameter, ParameterKind, Repeat};
use crate::source::Span;
use alignment::asked;
use elements::{Touch, elements, repeated};
use foldhash::{HashSet, HashSetExt};

/// A nest whose items may access elements of several iterations at once.
#[derive(Clone, Debug)]
pub(crate) struct WideAccess {
    /// The nest, by its outermost loop.
    pub(crate) nest: Span,
    /// The outer loop along x.
    pub(crate) outer: Span,
    /// The innermost loop.
    pub(crate) leaf: Span,
    /// Declarators at the beginning of the body, that indices and the condition may be computed of.
    pub(crate) first: Vec<Span>,
    /// The rest of the body is one condition, and what stands under it.
    pub(crate) guarded: bool,
    /// The names of variables that the rest declares: behind those, they mean nothing else.
    pub(crate) declared: Vec<String>,
    /// The elements.
    pub(crate) elements: Vec<ElementAccess>,
    /// Of which of them it has to be asked whether they are aligned.
    pub(crate) asked: Asked,
    /// Which of them an iteration of an outer loop reads that the one before has read.
    pub(crate) repeats: Vec<Repeat>,
    /// Indices, the condition and what they are computed of have a value in iterations that there are not, too.
    pub(crate) total: bool,
}

/// The nests of a kernel with these parameters that it is legal for.
pub(crate) fn wide_accesses(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    (parameters, aliases): (&[Parameter], &Aliases),
) -> Vec<WideAccess> {
    let affine = Affine::new(program, body, definitions);
    let nests = body.nests().into_iter();
    let found = nests.filter_map(|(root, _)| {
        let loops = loops(body, root)?;
        let this = Nest {
            counter: loops.last()?.1.variable,
            program,
            body,
            parameters,
            aliases,
            definitions,
            affine: &affine,
            loops,
            first: HashSet::new(),
            varying: HashSet::new(),
            declared: HashSet::new(),
            touched: Vec::new(),
            events: 0,
            total: true,
        };
        this.found()
    });
    found.collect()
}

/// The loops of a nest in which nothing but loops stands around the innermost one.
fn loops(body: &Body, root: StatementId) -> Option<Vec<(Span, &Distributed)>> {
    let mut all = Vec::new();
    let mut at = root;
    while let StatementKind::Distributed(this) = &body.statement(at).kind {
        if this.wait.before || this.wait.after {
            return None;
        }
        all.push((body.statement(at).span, &**this));
        match this.body.as_slice() {
            [only] => at = *only,
            _ => break,
        }
    }
    Some(all)
}

struct Nest<'a> {
    program: &'a Program,
    body: &'a Body,
    parameters: &'a [Parameter],
    aliases: &'a Aliases,
    definitions: &'a Definitions,
    affine: &'a Affine<'a>,
    /// From the outermost to the innermost.
    loops: Vec<(Span, &'a Distributed)>,
    /// The loop variable of the innermost one, as the program has it.
    counter: VariableId,
    /// What the body begins with.
    first: HashSet<VariableId>,
    /// Those of them that are not the same in all iterations.
    varying: HashSet<VariableId>,
    /// What the rest declares.
    declared: HashSet<VariableId>,
    touched: Vec<Touch>,
    events: u32,
    /// Nothing that is known before the rest is divided by what may be 0.
    total: bool,
}

impl<'a> Nest<'a> {
    fn found(mut self) -> Option<WideAccess> {
        let (leaf, innermost) = *self.loops.last()?;
        let (nest, _) = *self.loops.first()?;
        let along_x = |d: &Distributed, kind| d.kind == kind && d.axis == 0;
        let outer = self.loops.iter().rev();
        let (outer, _) = { outer }.find(|(_, d)| along_x(d, DistributedKind::Outer))?;
        let outer = *outer;
        let step = self.affine.sum(innermost.step)?.as_constant()?;
        if !along_x(innermost, DistributedKind::Inner) || step != 1 {
            return None;
        }
        self.varying.insert(innermost.variable);
        let list = self.counter(innermost);
        self.varying.insert(self.counter);
        let (first, rest) = self.first(list);
        let (rest, guarded) = match rest {
            [only] => match &self.body.statement(*only).kind {
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } => {
                    if !(otherwise.is_empty() && self.is_known_before(*condition)) {
                        return None;
                    }
                    (then.as_slice(), true)
                }
                _ => (rest, false),
            },
            _ => (rest, false),
        };
        for &statement in rest {
            self.statement(statement)?;
        }
        let name = |v: &VariableId| self.program.variable(self.body, *v).name.clone();
        let declared = self.declared.iter().map(name).collect();
        let elements = elements(&self.touched, (self.parameters, self.aliases), &|sum| {
            self.at_first(sum)
        })?;
        // Where indices are computed of variables that stand for themselves, these may be others in another iteration.
        let plain = elements
            .iter()
            .all(|(_, index)| index.variables().all(|v| self.is_fixed(v)));
        let others = self
            .loops
            .iter()
            .filter(|(at, _)| plain && *at != outer && *at != leaf);
        let others = others.filter_map(|(at, d)| Some((*at, d.variable, self.step(*at, d)?)));
        let others: Vec<(Span, VariableId, i64)> = others.collect();
        let repeats = others.iter().flat_map(|at| repeated(&elements, *at));
        let repeats = repeats.collect();
        let fixed = |v| self.is_fixed(v) && !self.is_loop_variable(v);
        let asked = asked(&elements, &fixed, &others);
        let elements = elements.into_iter().map(|(e, _)| e).collect();
        Some(WideAccess {
            nest,
            outer,
            leaf,
            first,
            guarded,
            declared,
            elements,
            asked,
            repeats,
            total: self.total,
        })
    }

    /// The step of an outer loop that is no half of a tile, if the loops inside begin in each of its iterations where they began in
    /// the first.
    fn step(&self, at: Span, outer: &Distributed) -> Option<i64> {
        let halves = self.loops.iter().filter(|(other, _)| *other == at).count();
        if outer.kind != DistributedKind::Outer || halves != 1 {
            return None;
        }
        let known = |v| v != outer.variable && self.is_fixed(v);
        let same = |id| self.body.is_computed_of(id, &known);
        let inside = self.loops.iter().skip_while(|(other, _)| *other != at);
        let mut inside = inside.skip(1).map(|(_, d)| *d);
        let same = inside.all(|d| same(d.first) && same(d.step));
        self.affine.sum(outer.step).filter(|_| same)?.as_constant()
    }

    /// Whether a variable is a loop's, or the same for the whole kernel.
    fn is_fixed(&self, id: VariableId) -> bool {
        let memory = self.program.variable(self.body, id).memory;
        matches!(memory, Memory::Host | Memory::Constant) || self.is_loop_variable(id)
    }

    /// What the program's loop variable is: where a tile counts in a wider type, the body begins with it.
    fn counter(&mut self, innermost: &'a Distributed) -> &'a [StatementId] {
        let place = |of: VariableId| self.program.variable(self.body, of).span;
        let list = innermost.body.as_slice();
        if let [declare, _, others @ ..] = list
            && let StatementKind::Declare { variable, .. } = self.body.statement(*declare).kind
            && place(variable) == place(innermost.variable)
            && self.definitions.is_steady(self.body, variable)
        {
            self.counter = variable;
            return others;
        }
        list
    }

    /// The declarations of integers at the beginning that have one value, and what stands behind them.
    fn first(&mut self, list: &'a [StatementId]) -> (Vec<Span>, &'a [StatementId]) {
        let mut first = Vec::new();
        let mut rest = list;
        while let [declare, begin, others @ ..] = rest
            && let StatementKind::Declare {
                variable,
                zeros: false,
            } = self.body.statement(*declare).kind
            && let StatementKind::Expression(begin) = self.body.statement(*begin).kind
            && let ExpressionKind::Assign { value, .. } = self.body.expression(begin).kind
            && self.definitions.only_value(variable) == Some(value)
            // What a statement of its own gives it is no part of the declaration.
            && { self.body.statement(*declare).span }.contains(self.body.expression(value).span)
            && self.is_index(variable)
            && self.is_known_before(value)
        {
            if self.varies(value) {
                self.varying.insert(variable);
            }
            self.first.insert(variable);
            first.push(self.body.statement(*declare).span);
            rest = others;
        }
        (first, rest)
    }

    fn is_index(&self, id: VariableId) -> bool {
        let variable = self.program.variable(self.body, id);
        let scalar = self.program.types.as_scalar(variable.ty);
        let integer = matches!(
            scalar,
            Some(Scalar::Int | Scalar::Long | Scalar::UInt | Scalar::ULong)
        );
        integer && variable.memory == Memory::Private
    }

    fn is_loop_variable(&self, id: VariableId) -> bool {
        id == self.counter || self.loops.iter().any(|(_, d)| d.variable == id)
    }

    /// Whether a variable has its value before the rest of the body, and keeps it.
    fn is_variable_known_before(&self, id: VariableId) -> bool {
        let memory = self.program.variable(self.body, id).memory;
        matches!(memory, Memory::Host | Memory::Constant)
            || self.is_loop_variable(id)
            || self.first.contains(&id)
    }

    /// Whether a value is one of numbers and variables that are known before the rest of the body, and computing it does
    /// nothing else.
    fn is_known_before(&mut self, id: ExpressionId) -> bool {
        let (mut numbers, mut total) = (true, true);
        self.body.each_value(id, &mut |e| {
            let this = self.body.expression(e);
            numbers &= self.program.types.as_scalar(this.ty).is_some();
            let float = { self.program.types.as_scalar(this.ty) }.is_some_and(Scalar::is_float);
            total &= match this.kind {
                ExpressionKind::Binary(
                    BinaryOperator::Divide | BinaryOperator::Remainder,
                    _,
                    by,
                ) => {
                    let by = self.affine.sum(by).and_then(|s| s.as_constant());
                    float || by.is_some_and(|by| by > 0)
                }
                _ => true,
            };
        });
        self.total &= total;
        let known = |v| self.is_variable_known_before(v);
        numbers && self.body.is_computed_of(id, &known)
    }

    /// Whether a value that is known before the rest may be another one in the next iteration.
    fn varies(&self, id: ExpressionId) -> bool {
        let mut varies = false;
        self.body.each_value(id, &mut |e| {
            if let Some(place) = self.body.place_of(e)
                && let Root::Variable(variable) = self.body.place(place).root
            {
                varies |= self.varying.contains(&variable);
            }
        });
        varies
    }

    fn statement(&mut self, id: StatementId) -> Option<()> {
        match self.body.statement(id).kind {
            StatementKind::Declare { variable, .. } => {
                let declared = self.program.variable(self.body, variable);
                let own = declared.memory == Memory::Private && self.is_value(variable);
                own.then(|| self.declared.insert(variable)).map(|_| ())
            }
            StatementKind::Expression(value) => self.value(value, false, true),
            _ => None,
        }
    }

    /// Whether a variable is no array and leads nowhere.
    fn is_value(&self, id: VariableId) -> bool {
        let ty = self.program.variable(self.body, id).ty;
        let kind = self.program.types.kind(ty);
        !matches!(kind, TypeKind::Array(..) | TypeKind::Pointer(_))
    }

    /// A value, in the order in which it is computed: whether it is used, and whether every iteration computes it.
    fn value(&mut self, id: ExpressionId, used: bool, certain: bool) -> Option<()> {
        let body = self.body;
        match &body.expression(id).kind {
            ExpressionKind::Literal(_) => Some(()),
            ExpressionKind::Load(place) => self.access(*place, (true, false), certain),
            ExpressionKind::Unary(_, a)
            | ExpressionKind::Convert(a)
            | ExpressionKind::Component(a, _)
            | ExpressionKind::FieldOf(a, _) => self.value(*a, true, certain),
            ExpressionKind::Binary(_, a, b) => {
                self.value(*a, true, certain)?;
                self.value(*b, true, certain)
            }
            ExpressionKind::And(a, b) | ExpressionKind::Or(a, b) => {
                self.value(*a, true, certain)?;
                self.value(*b, true, false)
            }
            ExpressionKind::Conditional(condition, a, b) => {
                self.value(*condition, true, certain)?;
                self.value(*a, used, false)?;
                self.value(*b, used, false)
            }
            ExpressionKind::Comma(a, b) => {
                self.value(*a, false, certain)?;
                self.value(*b, used, certain)
            }
            ExpressionKind::Assign { place, value } => {
                self.value(*value, true, certain)?;
                self.access(*place, (used, true), certain)
            }
            ExpressionKind::Update { place, value, .. } => {
                self.value(*value, true, certain)?;
                self.access(*place, (true, true), certain)
            }
            ExpressionKind::Call(_, list)
            | ExpressionKind::Builtin(_, list)
            | ExpressionKind::Construct(list) => {
                let mut list = list.iter();
                list.try_for_each(|a| self.value(*a, true, certain))
            }
            // Addresses lead anywhere, and groups do things together.
            ExpressionKind::Null
            | ExpressionKind::AddressOf(_)
            | ExpressionKind::Offset(..)
            | ExpressionKind::Difference(..)
            | ExpressionKind::Collective(..) => None,
        }
    }

    fn access(&mut self, id: PlaceId, (reads, writes): (bool, bool), certain: bool) -> Option<()> {
        let place = self.body.place(id);
        if place.atomicity != Atomicity::Plain {
            return None;
        }
        let pointer = match place.root {
            Root::Variable(variable) => {
                // An index within a record could do anything.
                let mut within = self.body.way(id);
                if !within.all(|index| self.is_known_before(index)) {
                    return None;
                }
                let own = self.declared.contains(&variable);
                let known = !writes && self.is_variable_known_before(variable);
                return (self.is_value(variable) && (own || known)).then_some(());
            }
            Root::Pointer(pointer) => pointer,
        };
        let (parameter, index) = self.element(pointer)?;
        if !certain || !place.path.is_empty() || !self.is_known_before(index) {
            return None;
        }
        let sum = self.affine.sum(index)?;
        // A variable that stands for itself may vary without growing.
        let other = |v: VariableId| v != self.counter && self.varying.contains(&v);
        if sum.variables().any(other) {
            return None;
        }
        let moves = match sum.slope(self.counter)?.as_constant()? {
            0 => false,
            1 => true,
            _ => return None,
        };
        self.events += 1;
        self.touched.push(Touch {
            parameter,
            index: sum,
            index_span: self.written(index),
            span: place.span,
            moves,
            reads,
            writes,
            event: self.events,
        });
        Some(())
    }

    /// Which parameter a pointer is so many elements behind.
    fn element(&self, pointer: ExpressionId) -> Option<(usize, ExpressionId)> {
        let ExpressionKind::Offset(base, index) = self.body.expression(pointer).kind else {
            return None;
        };
        let ExpressionKind::Load(place) = self.body.expression(base).kind else {
            return None;
        };
        let place = self.body.place(place);
        let Root::Variable(variable @ VariableId::Local(number)) = place.root else {
            return None;
        };
        let parameter = number as usize;
        let known = self.parameters.get(parameter)?;
        let array = known.kind == ParameterKind::Pointer(1)
            && !known.volatile
            && number < self.body.parameters
            && self.definitions.is_steady(self.body, variable);
        (array && place.path.is_empty()).then_some((parameter, index))
    }

    /// Where an index is written, which is converted to be one.
    fn written(&self, index: ExpressionId) -> Span {
        match self.body.expression(index).kind {
            ExpressionKind::Convert(inner) => self.written(inner),
            _ => self.body.expression(index).span,
        }
    }

    /// What a sum is in the first iteration of all loops, with 0 for what is not known.
    fn at_first(&self, sum: &Sum) -> i64 {
        // Loops begin with what those around them know.
        let mut known: Vec<(VariableId, i64)> = Vec::new();
        let value = |sum: &Sum, known: &[(VariableId, i64)]| {
            let of = |id| known.iter().find(|(k, _)| *k == id).map_or(0, |(_, v)| *v);
            sum.value(&of)
        };
        for (_, this) in &self.loops {
            let first = self.affine.sum(this.first).unwrap_or_default();
            let first = value(&first, &known);
            known.push((this.variable, first));
        }
        let innermost = known.last().map_or(0, |(_, first)| *first);
        known.push((self.counter, innermost));
        value(sum, &known)
    }
}

//! Footprints: where in an array the gathers of an element read.
//!
//! A kernel's function is gone through once, and each variable has what is known of it there as an [`Index`]: a number in terms of
//! the element's place and of the kernel's values. Where ways come together it is one or the other, as the condition says; what a loop
//! changes is unknown in it and after it, but for its counters, of which the condition says something. Functions that are
//! called are gone through where they are called.
//!
//! Whoever runs a kernel for some elements evaluates these numbers for all of them at once, and knows which rows to have there.
//!
//! **Legality.** A row too many costs time, one too few would be a wrong result. So a footprint is what an index may be in any
//! iteration and whichever way conditions go; of an array that goes where nobody follows it, or whose index is not known, all is read;
//! and of a kernel in which something is not modelled, all of every array.
//!
//! **Gain.** A device that has a part of the elements needs no more of a gathered array than the rows that these read: what is
//! copied between devices is the rows around a part's edge, and not the array.
//!
//! - `values.rs`: values.
//! - `loops.rs`: what loops say of their counters.
//! - `inductions.rs`: what each iteration adds the same to.
//! - `whole.rs`: floating-point indices that are integers.

mod inductions;
mod loops;
#[cfg(test)]
mod tests;
mod values;
mod whole;

use crate::body::{
    Body, BodyId, ExpressionId, ExpressionKind, PlaceId, Program, Root, StatementId, StatementKind,
    Step, VariableId,
};
use crate::expr::Scalar;
use crate::facts::Definitions;
use crate::module::{Index, Iterations, Unary, WholeIndex};
use crate::source::Span;
use foldhash::{HashMap, HashMapExt};
use std::rc::Rc;
use std::sync::Arc;
use values::unary;

/// Of a number that is made of more parts nothing is known.
const LARGEST: usize = 64;

/// Of an array with more gathers that differ all of it is read.
const MOST_READS: usize = 32;

/// Calls within one another that are gone through.
const DEEPEST: usize = 8;

/// Values of a kernel, with those of functions wherever they are called; with more, it reads everything.
const MOST_VALUES: usize = 20_000;

/// What a parameter is to a kernel's function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Formal {
    /// Its variable.
    pub(crate) variable: VariableId,
    /// It is a value: the same for all elements.
    pub(crate) value: bool,
    /// Of what is gathered: the variable that is the extent of its fastest dimension, behind which those of the others follow;
    /// and how many there are.
    pub(crate) array: Option<(u32, usize)>,
    /// The variable with the place of its own element.
    pub(crate) place: Option<VariableId>,
}

/// What is known of a kernel's gathers.
pub(crate) struct Footprints {
    /// What each index of each parameter's gathers may be, axis by axis, fastest first; none where that may be anything.
    pub(crate) indices: Vec<Vec<Vec<Index>>>,
    /// Gathers whose indices are computed as floating-point numbers and are these integers where all indices are inside, by where they
    /// are written, axis by axis.
    pub(crate) whole: Vec<WholeGather>,
    /// The loops whose iterations these count, by number.
    pub(crate) loops: Vec<CountedLoop>,
}

/// Where a gather is written, and its indices.
pub(crate) type WholeGather = (Span, Vec<WholeIndex>);

/// Where a loop is written, and its condition where it is known of how many iterations that holds.
pub(crate) type CountedLoop = (Span, Option<Condition>);

/// Where a loop's condition is written, and of how many iterations it holds.
type Condition = (Span, Iterations);

/// The footprints of a kernel.
pub(crate) fn footprints(
    program: &Program,
    kernel: BodyId,
    definitions: Definitions,
    formals: &[Formal],
) -> Footprints {
    let body = &program.bodies[kernel.0 as usize];
    let mut walk = Walk {
        program,
        body,
        definitions: Rc::new(definitions),
        known: vec![Value::Unknown; body.variables.len()],
        reads: formals.iter().map(none_yet).collect(),
        unordered: Vec::new(),
        conditions: Vec::new(),
        clamped: Vec::new(),
        gathers: HashMap::new(),
        counts: Vec::new(),
        result: Value::Unknown,
        depth: 0,
        seen: 0,
        lost: false,
    };
    walk.begin(formals);
    walk.list(&body.root);
    let lost = walk.lost;
    let (whole, loops) = walk.whole_gathers();
    let of_axis = |reads: Option<Vec<Index>>| reads.filter(|_| !lost).unwrap_or_default();
    let of_array = |axes: Reads| axes.into_iter().map(of_axis).collect();
    Footprints {
        indices: walk.reads.into_iter().map(of_array).collect(),
        whole,
        loops,
    }
}

/// Of each axis of an array, what its index may be; `None` may be anything.
type Reads = Vec<Option<Vec<Index>>>;

fn none_yet(formal: &Formal) -> Reads {
    let rank = formal.array.map_or(0, |(_, rank)| rank);
    vec![Some(Vec::new()); rank]
}

/// What is known of a number.
type Known = Option<Index>;

/// What is known of a value.
#[derive(Clone, Debug)]
enum Value {
    Unknown,
    /// A number, or the components of a vector.
    Numbers(Vec<Known>),
    /// The array that a parameter of the kernel is.
    Array(usize),
    /// How long its dimension is.
    Extent(usize, usize),
}

/// How many iterations of a loop were before.
struct Count {
    /// As it is counted: the same number is counted in the same memory.
    parts: Arc<[Index; 3]>,
    of: StatementId,
    /// Of how many its condition holds.
    iterations: Option<Condition>,
}

struct Walk<'p> {
    program: &'p Program,
    /// Of the function that is gone through.
    body: &'p Body,
    definitions: Rc<Definitions>,
    /// Of its variables, here.
    known: Vec<Value>,
    /// Of each parameter of the kernel.
    reads: Vec<Reads>,
    /// Variables that something in the expression at hand writes.
    unordered: Vec<VariableId>,
    /// What holds here, as far as it is known.
    conditions: Vec<Known>,
    /// The indices of the gather whose way is looked at: of which array, of which axis.
    clamped: Vec<(usize, usize, Known)>,
    /// The kernel's own gathers, with their indices, axis by axis; nothing where these are not always the same.
    gathers: HashMap<PlaceId, Option<Vec<Known>>>,
    /// The kernel's own loops with induction variables.
    counts: Vec<Count>,
    /// What the function gives back.
    result: Value,
    depth: usize,
    seen: usize,
    /// Something stands in it of which nobody knows what it does.
    lost: bool,
}

impl<'p> Walk<'p> {
    fn begin(&mut self, formals: &[Formal]) {
        let place = |of: &dyn Fn(usize) -> Index| {
            Value::Numbers((0..4).map(|axis| Some(of(axis))).collect())
        };
        self.set(VariableId::Local(0), place(&Index::Place));
        for (number, formal) in formals.iter().enumerate() {
            if formal.value {
                let ty = self.program.variable(self.body, formal.variable).ty;
                let scalar = self.scalar(ty);
                let value =
                    |component| scalar.map(|scalar| Index::Value(number, component, scalar));
                let numbers = (0..self.components(ty)).map(value).collect();
                self.set(formal.variable, Value::Numbers(numbers));
            }
            if let Some((extents, rank)) = formal.array {
                self.set(formal.variable, Value::Array(number));
                for axis in 0..rank {
                    let variable = VariableId::Local(extents + axis as u32);
                    self.set(variable, Value::Extent(number, axis));
                }
            }
            if let Some(variable) = formal.place {
                self.set(variable, place(&|axis| Index::PlaceOf(number, axis)));
            }
        }
    }

    fn set(&mut self, variable: VariableId, value: Value) {
        if let VariableId::Local(index) = variable
            && let Some(known) = self.known.get_mut(index as usize)
        {
            *known = value;
        }
    }

    fn get(&self, variable: VariableId) -> Value {
        match variable {
            VariableId::Local(index)
                if !self.definitions.escapes(variable) && !self.unordered.contains(&variable) =>
            {
                { self.known.get(index as usize).cloned() }.unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    fn list(&mut self, list: &[StatementId]) {
        for &id in list {
            self.statement(id);
        }
    }

    fn statement(&mut self, id: StatementId) {
        let body = self.body;
        match &body.statement(id).kind {
            StatementKind::Expression(value) => {
                self.whole(*value);
            }
            StatementKind::Declare { variable, .. } => self.set(*variable, Value::Unknown),
            StatementKind::Block(inside) => self.list(inside),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.whole_number(*condition);
                let before = self.known.clone();
                self.where_it(&condition, true, |walk| walk.list(then));
                let first = std::mem::replace(&mut self.known, before);
                self.where_it(&condition, false, |walk| walk.list(otherwise));
                self.join(&condition, first);
            }
            StatementKind::Loop {
                initial,
                condition,
                step,
                body,
                late,
            } => {
                self.list(initial);
                let before = self.known.clone();
                let written = self.written(id);
                self.forget_all(&written);
                // It is computed once more than it holds.
                if let Some(condition) = condition.filter(|_| !late) {
                    self.whole(condition);
                }
                let condition_first = condition.filter(|_| !late);
                let counters = self.counters(id, condition_first, &before);
                let inductions = self.inductions(id, condition_first, &before);
                for (variable, value) in inductions {
                    self.set(variable, value);
                }
                for (variable, value) in counters {
                    // Of integers that says as much, and it is shorter.
                    let ty = self.program.variable(self.body, variable).ty;
                    let float = self.scalar(ty).is_none_or(Scalar::is_float);
                    if !float || matches!(self.get(variable), Value::Unknown) {
                        self.set(variable, Value::Numbers(vec![value]));
                    }
                }
                self.list(body);
                // A `continue` may have left variables as they were.
                self.forget_all(&written);
                for value in [condition.filter(|_| *late), *step].into_iter().flatten() {
                    self.whole(value);
                }
                self.forget_all(&written);
            }
            StatementKind::Switch { value, cases } => {
                self.whole(*value);
                let written = self.written(id);
                for case in cases {
                    self.forget_all(&written);
                    self.list(&case.body);
                }
                self.forget_all(&written);
            }
            StatementKind::Return(value) => {
                let found = value.map_or(Value::Unknown, |v| self.whole(v));
                // Only one at the end is the result whatever comes before.
                let last = body.root.last() == Some(&id);
                let others = || {
                    let mut count = 0;
                    body.each_statement(&body.root, &mut |s| {
                        let returns = matches!(body.statement(s).kind, StatementKind::Return(_));
                        count += usize::from(returns);
                    });
                    count > 1
                };
                match last && !others() {
                    true => self.result = found,
                    false => self.loses(&found),
                }
            }
            StatementKind::Break | StatementKind::Continue => {}
            StatementKind::Barrier(_)
            | StatementKind::Distributed(_)
            | StatementKind::Opaque(_) => self.lost = true,
        }
    }

    /// Goes through all of an expression. Of the variables that something in it writes nothing is known meanwhile: which operand
    /// of `+` is computed first, compilers choose.
    fn whole(&mut self, id: ExpressionId) -> Value {
        let mut inside = Vec::new();
        self.writes_inside(id, true, &mut inside);
        self.forget_all(&inside);
        let outside = std::mem::replace(&mut self.unordered, inside);
        let value = self.value(id);
        let inside = std::mem::replace(&mut self.unordered, outside);
        self.forget_all(&inside);
        value
    }

    fn whole_number(&mut self, id: ExpressionId) -> Known {
        match self.whole(id) {
            Value::Numbers(all) if all.len() == 1 => all.into_iter().next().flatten(),
            other => {
                self.loses(&other);
                None
            }
        }
    }

    /// The variables that an expression writes, but for what is done last of all; temporary ones are written before they are read.
    fn writes_inside(&self, id: ExpressionId, last: bool, found: &mut Vec<VariableId>) {
        let body = self.body;
        let comma = matches!(body.expression(id).kind, ExpressionKind::Comma(..));
        if let Some(place) = body.written(id)
            && let Root::Variable(variable) = body.place(place).root
            && !last
            && !self.program.variable(body, variable).is_temporary()
        {
            found.push(variable);
        }
        body.each_operand(id, |inside| {
            self.writes_inside(inside, last && comma, found);
        });
    }

    /// The variables that a statement writes.
    fn written(&self, id: StatementId) -> Vec<VariableId> {
        let body = self.body;
        let mut all = Vec::new();
        for statement in body.all_of(id) {
            for value in body.values_of(statement) {
                body.each_value(value, &mut |e| {
                    if let Some(place) = body.written(e)
                        && let Root::Variable(variable) = body.place(place).root
                    {
                        all.push(variable);
                    }
                });
            }
        }
        all
    }

    /// Variables that may be anything.
    fn forget_all(&mut self, variables: &[VariableId]) {
        for &variable in variables {
            let before = self.get(variable);
            self.loses(&before);
            self.set(variable, Value::Unknown);
        }
    }

    /// Here it is as it is now, or, where a condition holds, as it is there.
    fn join(&mut self, condition: &Known, there: Vec<Value>) {
        let here = std::mem::take(&mut self.known);
        let both = there.into_iter().zip(here);
        self.known = both.map(|(a, b)| self.either(condition, a, b)).collect();
    }

    fn either(&mut self, condition: &Known, a: Value, b: Value) -> Value {
        match (a, b) {
            (Value::Numbers(a), Value::Numbers(b)) if a.len() == b.len() => {
                let both = a.into_iter().zip(b);
                Value::Numbers(both.map(|(a, b)| one_of(condition, a, b)).collect())
            }
            (Value::Array(a), Value::Array(b)) if a == b => Value::Array(a),
            (Value::Extent(a, i), Value::Extent(b, j)) if (a, i) == (b, j) => Value::Extent(a, i),
            (a, b) => {
                self.loses(&a);
                self.loses(&b);
                Value::Unknown
            }
        }
    }

    /// Nobody follows where a value goes: all of an array may be read.
    fn loses(&mut self, value: &Value) {
        if let Value::Array(number) = value {
            self.reads[*number].fill(None);
        }
    }

    /// What is done where a condition holds, or where it does not.
    fn where_it<R>(
        &mut self,
        condition: &Known,
        holds: bool,
        work: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let condition = match holds {
            true => condition.clone(),
            false => unary(Unary::Not, condition.clone()),
        };
        self.conditions.push(condition);
        let done = work(self);
        self.conditions.pop();
        done
    }

    /// An array is read where the index along an axis is that.
    fn reads(&mut self, array: usize, axis: usize, index: Known) {
        let Some(reads) = &mut self.reads[array][axis] else {
            return;
        };
        let index = index.map(|index| {
            let conditions = self.conditions.iter().rev().flatten();
            conditions.fold(index, |index, condition| {
                let parts = [condition.clone(), index.clone()];
                small(Index::When(Arc::new(parts))).unwrap_or(index)
            })
        });
        match index {
            Some(index) if reads.contains(&index) => {}
            Some(index) if reads.len() < MOST_READS => reads.push(index.clone()),
            _ => self.reads[array][axis] = None,
        }
    }

    /// Writes a variable, or a component of one.
    fn store(&mut self, root: Root, path: &[Step], value: Value) {
        let variable = match root {
            Root::Variable(variable) => variable,
            // No variable whose address is known is followed.
            Root::Pointer(pointer) => {
                let to = self.value(pointer);
                self.loses(&to);
                return self.loses(&value);
            }
        };
        let indices = path.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            _ => None,
        });
        let indices: Vec<ExpressionId> = indices.collect();
        for index in indices {
            self.number(index);
        }
        match (path, self.get(variable), value) {
            ([], _, value) => self.set(variable, value),
            ([Step::Component(at)], before, Value::Numbers(new)) => {
                let ty = self.program.variable(self.body, variable).ty;
                let mut all = match before {
                    Value::Numbers(all) => all,
                    _ => vec![None; self.components(ty)],
                };
                if let Some(part) = all.get_mut(*at as usize) {
                    *part = new.into_iter().next().flatten();
                }
                self.set(variable, Value::Numbers(all));
            }
            ([Step::Component(at)], Value::Numbers(mut all), _) => {
                if let Some(part) = all.get_mut(*at as usize) {
                    *part = None;
                }
                self.set(variable, Value::Numbers(all));
            }
            (_, _, value) => {
                self.loses(&value);
                self.set(variable, Value::Unknown);
            }
        }
    }
}

/// What is one number where a condition holds, and else another.
fn one_of(condition: &Known, a: Known, b: Known) -> Known {
    let (a, b) = (a?, b?);
    if a == b {
        return Some(a);
    }
    let parts = [a, b];
    small(match condition {
        Some(condition) => {
            let [a, b] = parts;
            Index::Either(Arc::new([condition.clone(), a, b]))
        }
        None => Index::OneOf(Arc::new(parts)),
    })
}

/// A number, if it has few enough parts.
fn small(index: Index) -> Known {
    (index.size() <= LARGEST).then_some(index)
}

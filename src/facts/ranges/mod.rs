//! What the indices of arrays may be, in intervals: from loops, from conditions, from variables that get one value only, and
//! from arithmetic on these. Of what is not known, all that its type holds.
//!
//! What a condition says of a variable holds wherever it is tested before, since only variables are looked at that keep their
//! value while they can be seen, or in an iteration of their loop.
//!
//! - `loops.rs`: variables of loops.
//! - `conditions.rs`: variables that are compared.
//! - `values.rs`: arithmetic.
//! - `interval.rs`: intervals.

mod conditions;
mod interval;
mod loops;
mod values;

pub(crate) use interval::Range;

use super::definitions::Definitions;
use crate::body::{
    Body, ExpressionId, ExpressionKind, Place, PlaceId, Program, Root, StatementId, StatementKind,
    Step, TypeKind, VariableId,
};
use crate::expr::Scalar;
use foldhash::{HashMap, HashMapExt};

/// The ranges of one body.
pub(crate) struct Ranges {
    /// Of indices, wherever they are computed; `None` may be anything.
    indices: HashMap<ExpressionId, Option<Range>>,
}

impl Ranges {
    pub(crate) fn of(program: &Program, body: &Body, definitions: &Definitions) -> Self {
        let mut walk = Walk::new(program, body, definitions);
        walk.known = constants(program);
        walk.list(&body.root);
        if body.gotos {
            walk.indices.values_mut().for_each(|range| *range = None);
        }
        Self {
            indices: walk.indices,
        }
    }

    /// Whether an access to an element of an array variable stays within all dimensions but the first. What is no
    /// element of all dimensions does not. `None` if nobody makes that access.
    pub(crate) fn stays_in_rows(
        &self,
        program: &Program,
        body: &Body,
        place: PlaceId,
    ) -> Option<bool> {
        let place = body.place(place);
        let made = place.path.iter().all(|step| match step {
            Step::Index(index) => self.indices.contains_key(index),
            _ => true,
        });
        made.then(|| self.stays(program, body, place))
    }

    /// What an index may be, if that is known.
    #[cfg(test)]
    pub(crate) fn index(&self, id: ExpressionId) -> Option<Range> {
        self.indices.get(&id).copied().flatten()
    }

    fn stays(&self, program: &Program, body: &Body, place: &Place) -> bool {
        let Root::Variable(variable) = place.root else {
            return false;
        };
        let mut ty = program.variable(body, variable).ty;
        let mut path = place.path.iter();
        let mut first = true;
        while let TypeKind::Array(of, count) = program.types.kind(ty) {
            let Some(Step::Index(index)) = path.next() else {
                return false;
            };
            let range = self.indices.get(index).copied().flatten();
            let inside = range.is_some_and(|r| r.is_index_of(count));
            if !first && !inside {
                return false;
            }
            (first, ty) = (false, of);
        }
        true
    }
}

impl Range {
    /// Whether all of it are indices of so many elements.
    fn is_index_of(self, count: u64) -> bool {
        self.least >= 0 && u64::try_from(self.most).is_ok_and(|most| most < count)
    }
}

struct Walk<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    /// Of variables, here.
    known: HashMap<VariableId, Range>,
    /// What was known of them before something said more, the latest last.
    before: Vec<(VariableId, Option<Range>)>,
    indices: HashMap<ExpressionId, Option<Range>>,
    /// Conditions of `?:` that are looked at within one another: each of them asks for what it compares with.
    depth: usize,
}

/// More conditions within one another than this say nothing.
const DEEPEST: usize = 3;

/// The values of the file's constants.
fn constants(program: &Program) -> HashMap<VariableId, Range> {
    let body = &program.initial;
    let definitions = Definitions::of(body);
    let mut walk = Walk::new(program, body, &definitions);
    for &statement in &body.root {
        let StatementKind::Expression(value) = body.statement(statement).kind else {
            continue;
        };
        if let ExpressionKind::Assign { place, value } = body.expression(value).kind
            && let Root::Variable(variable @ VariableId::Global(_)) = body.place(place).root
            && body.place(place).path.is_empty()
            && !program.changing.contains(&variable)
            && let Some(range) = walk.range(value)
        {
            walk.known.insert(variable, range);
        }
    }
    walk.known
}

impl<'b> Walk<'b> {
    fn new(program: &'b Program, body: &'b Body, definitions: &'b Definitions) -> Self {
        Self {
            program,
            body,
            definitions,
            known: HashMap::new(),
            before: Vec::new(),
            indices: HashMap::new(),
            depth: 0,
        }
    }

    fn list(&mut self, list: &'b [StatementId]) {
        for &id in list {
            self.statement(id);
        }
    }

    fn statement(&mut self, id: StatementId) {
        let body = self.body;
        match &body.statement(id).kind {
            StatementKind::Expression(value) => {
                self.value(*value);
                self.assigned(*value);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                self.value(*condition);
                for (list, truth) in [(then, true), (otherwise, false)] {
                    let mark = self.before.len();
                    self.assume(*condition, truth);
                    self.list(list);
                    self.restore(mark);
                }
            }
            StatementKind::Loop { .. } => self.counted(id),
            StatementKind::Distributed(this) => self.distributed(this),
            _ => {
                for value in body.values_of(id) {
                    self.value(value);
                }
                for list in body.lists_of(id) {
                    self.list(list);
                }
            }
        }
    }

    /// Notes the value of a variable that gets no other one.
    fn assigned(&mut self, value: ExpressionId) {
        let ExpressionKind::Assign { place, value } = self.body.expression(value).kind else {
            return;
        };
        let place = self.body.place(place);
        if let Root::Variable(variable) = place.root
            && place.path.is_empty()
            && self.definitions.is_assigned_once(self.body, variable)
        {
            match self.range(value) {
                Some(range) => self.known.insert(variable, range),
                None => self.known.remove(&variable),
            };
        }
    }

    fn scalar_of(&self, variable: VariableId) -> Option<Scalar> {
        let ty = self.program.variable(self.body, variable).ty;
        self.program.types.as_scalar(ty)
    }

    /// Something is known of a variable until that is undone.
    fn know(&mut self, variable: VariableId, range: Option<Range>) {
        let before = match range {
            Some(range) => self.known.insert(variable, range),
            None => self.known.remove(&variable),
        };
        self.before.push((variable, before));
    }

    fn restore(&mut self, mark: usize) {
        for (variable, range) in self.before.drain(mark..).rev() {
            match range {
                Some(range) => self.known.insert(variable, range),
                None => self.known.remove(&variable),
            };
        }
    }

    /// Goes through a value, and notes what the indices in it may be.
    fn value(&mut self, id: ExpressionId) {
        if let Some(place) = self.body.place_of(id) {
            let path = self.body.place(place).path.iter();
            for step in path {
                let Step::Index(index) = step else { continue };
                let range = self.range(*index);
                let all = self.indices.entry(*index).or_insert(range);
                *all = match (*all, range) {
                    (Some(a), Some(b)) => Some(a.both(b)),
                    _ => None,
                };
            }
        }
        let mark = self.before.len();
        match self.body.expression(id).kind {
            ExpressionKind::And(..) | ExpressionKind::Or(..) => self.chain(id),
            ExpressionKind::Conditional(condition, a, b) => {
                self.value(condition);
                for (part, truth) in [(a, true), (b, false)] {
                    self.assume(condition, truth);
                    self.value(part);
                    self.restore(mark);
                }
            }
            _ => {
                for part in self.body.operands(id) {
                    self.value(part);
                }
            }
        }
        self.restore(mark);
    }

    /// `a && b && c`: what is computed later is so where all before it holds.
    fn chain(&mut self, id: ExpressionId) {
        let kind = &self.body.expression(id).kind;
        let and = matches!(kind, ExpressionKind::And(..));
        let (mut parts, mut at) = (Vec::new(), id);
        while let (ExpressionKind::And(a, b), true) | (ExpressionKind::Or(a, b), false) =
            (&self.body.expression(at).kind, and)
        {
            parts.push(*b);
            at = *a;
        }
        self.value(at);
        self.assume(at, and);
        for part in parts.into_iter().rev() {
            self.value(part);
            self.assume(part, and);
        }
    }
}

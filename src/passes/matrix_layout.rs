//! Matrix layout: where the items of a group are lanes of vectors, a matrix that the group shares lies the other way, or both ways.
//! Lanes that count the last subscript read a row side by side; what they read across the rows has to be gathered, unless there
//! is a copy that lies the other way.
//!
//! **Legality.** All that its name is used for are elements, whose subscripts are computed of variables and numbers without
//! effects, since they are written twice; the last one stays in its row. Elements are read, or written by assignments that are
//! statements. Whoever asks sees to it that the text has no other use of the name.
//!
//! **Gain.** Fewer accesses of lanes are out of line; a second copy costs what writing it costs.

use crate::body::{
    Atomicity, Body, DistributedKind, ExpressionId, ExpressionKind, Memory, PlaceId, Program, Root,
    StatementId, StatementKind, Step, TypeKind, VariableId,
};
use crate::facts::{Affine, Definitions, Ranges};
use crate::module::MatrixLayout;
use crate::source::Span;
use foldhash::{HashMap, HashMapExt};

/// The most memory of a group, in bytes, that goes into second copies.
const MOST_COPIES: u64 = 64 << 10;

/// How many rounds a loop is taken to have.
const ROUNDS: u64 = 8;

/// By how much fewer accesses out of line are worth another layout.
const WORTH: u64 = 4;

/// A matrix that is to lie in another way.
#[derive(Clone, Debug)]
pub(crate) struct Matrix {
    /// Where its name is declared.
    pub(crate) declared: Span,
    pub(crate) layout: MatrixLayout,
    /// Its elements' accesses, by where they begin in the text: whether lanes that lie side by side count the first
    /// subscript.
    pub(crate) across: HashMap<u32, bool>,
}

/// The matrices of a kernel that are worth it. `vector` says of a loop over items whether it can be a vector.
pub(crate) fn matrices(
    program: &Program,
    body: &Body,
    (definitions, ranges): (&Definitions, &Ranges),
    vector: &dyn Fn(Span) -> bool,
) -> Vec<Matrix> {
    let mut this = Matrices {
        program,
        body,
        ranges,
        affine: Affine::new(program, body, definitions),
        vector,
        around: Vec::new(),
        declared: Vec::new(),
        found: HashMap::new(),
    };
    let mut all = Vec::new();
    for (id, _) in body.nests() {
        this.statement(id);
        let mut copied = 0;
        let found = std::mem::take(&mut this.found);
        for variable in std::mem::take(&mut this.declared) {
            all.extend({ found.get(&variable) }.and_then(|of| of.settled(&mut copied)));
        }
    }
    all
}

/// What stands around a statement.
struct Around {
    span: Span,
    /// The loop over items whose lanes these are, and what counts them.
    lanes: Option<(Span, VariableId)>,
}

struct Matrices<'b> {
    program: &'b Program,
    body: &'b Body,
    ranges: &'b Ranges,
    affine: Affine<'b>,
    vector: &'b dyn Fn(Span) -> bool,
    around: Vec<Around>,
    /// In source order.
    declared: Vec<VariableId>,
    found: HashMap<VariableId, Accesses>,
}

/// All accesses to one matrix.
#[derive(Default)]
struct Accesses {
    declared: Span,
    bytes: u64,
    /// So many loops stand around the declaration.
    depth: usize,
    /// Something else is done with it.
    otherwise: bool,
    across: HashMap<u32, bool>,
    /// How often lanes count the first subscript, and the last, and how often elements are written; roughly.
    first: u64,
    last: u64,
    writes: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

impl Accesses {
    /// The layout in which the fewest accesses of lanes are out of line. A second copy is written wherever the first
    /// one is.
    fn settled(&self, copied: &mut u64) -> Option<Matrix> {
        let worth = |costs: u64, than: u64| costs < than && costs.saturating_mul(WORTH) <= than;
        let fits = copied.saturating_add(self.bytes) <= MOST_COPIES;
        let layout = if self.otherwise {
            return None;
        } else if fits && worth(self.writes, self.first.min(self.last)) {
            *copied += self.bytes;
            MatrixLayout::Both
        } else if worth(self.last, self.first) {
            MatrixLayout::Turned
        } else {
            return None;
        };
        Some(Matrix {
            declared: self.declared,
            layout,
            across: self.across.clone(),
        })
    }
}

impl<'b> Matrices<'b> {
    fn list(&mut self, list: &'b [StatementId]) {
        for &id in list {
            self.statement(id);
        }
    }

    fn statement(&mut self, id: StatementId) {
        let body = self.body;
        let depth = self.around.len();
        let statement = body.statement(id);
        match &statement.kind {
            StatementKind::Declare { variable, .. } => self.declare(*variable),
            StatementKind::Opaque(_) => self.unknown(id),
            StatementKind::Expression(value) => {
                self.value(*value, true);
                return;
            }
            StatementKind::Distributed(this) => {
                // Headers of these loops are written several times.
                for value in body.values_of(id) {
                    body.each_value(value, &mut |e| self.used_otherwise(e));
                }
                let lanes = (this.kind == DistributedKind::Inner)
                    .then(|| (statement.span, self.counter(this.variable, &this.body)));
                self.around.push(Around {
                    span: statement.span,
                    lanes,
                });
                self.list(&this.body);
                self.around.truncate(depth);
                return;
            }
            StatementKind::Loop { .. } => {
                let lanes = self.around.last().and_then(|a| a.lanes);
                self.around.push(Around {
                    span: statement.span,
                    lanes,
                });
            }
            _ => {}
        }
        for value in body.values_of(id) {
            self.value(value, false);
        }
        for list in body.lists_of(id) {
            self.list(list);
        }
        self.around.truncate(depth);
    }

    /// What counts the lanes: where a tile counts in a wider type, the body begins with the program's variable.
    fn counter(&self, variable: VariableId, list: &[StatementId]) -> VariableId {
        let place = |of: VariableId| self.program.variable(self.body, of).span;
        match list.first().map(|first| &self.body.statement(*first).kind) {
            Some(StatementKind::Declare { variable: own, .. })
                if place(*own) == place(variable) =>
            {
                *own
            }
            _ => variable,
        }
    }

    fn declare(&mut self, id: VariableId) {
        let variable = self.program.variable(self.body, id);
        if variable.memory != Memory::Shared {
            return;
        }
        let types = &self.program.types;
        let TypeKind::Array(rows, _) = types.kind(variable.ty) else {
            return;
        };
        if let TypeKind::Array(element, _) = types.kind(rows)
            && types.as_scalar(element).is_some()
        {
            self.declared.push(id);
            let accesses = Accesses {
                declared: variable.span,
                bytes: types.size(variable.ty),
                depth: self.around.len(),
                ..Accesses::default()
            };
            self.found.insert(id, accesses);
        }
    }

    /// What is not modelled may do anything with the matrices that it names.
    fn unknown(&mut self, id: StatementId) {
        let named = self.body.mentions.get(&id);
        for (variable, accesses) in &mut self.found {
            accesses.otherwise |= named.is_none_or(|named| named.contains(variable));
        }
    }

    fn used_otherwise(&mut self, id: ExpressionId) {
        if let Some(place) = self.body.place_of(id)
            && let Root::Variable(variable) = self.body.place(place).root
            && let Some(accesses) = self.found.get_mut(&variable)
        {
            accesses.otherwise = true;
        }
    }

    /// A value, which may be a statement as a whole.
    fn value(&mut self, id: ExpressionId, statement: bool) {
        if let Some(place) = self.body.place_of(id) {
            let writes = match self.body.expression(id).kind {
                ExpressionKind::Load(_) => Some(false),
                ExpressionKind::Assign { .. } | ExpressionKind::Update { .. } if statement => {
                    Some(true)
                }
                _ => None,
            };
            self.access(place, writes);
        }
        for inside in self.body.operands(id) {
            self.value(inside, false);
        }
    }

    fn access(&mut self, id: PlaceId, writes: Option<bool>) {
        let place = self.body.place(id);
        let Root::Variable(variable) = place.root else {
            return;
        };
        let Some(depth) = self.found.get(&variable).map(|a| a.depth) else {
            return;
        };
        let element = match (place.path.as_slice(), writes) {
            ([Step::Index(first), Step::Index(last)], Some(writes))
                if place.atomicity == Atomicity::Plain =>
            {
                Some((*first, *last, writes))
            }
            _ => None,
        };
        let element = element.filter(|(first, last, _)| {
            // Behind the end of a row there is another row only where rows lie one behind the other.
            self.body.is_computed_of(*first, &|_| true)
                && self.body.is_computed_of(*last, &|_| true)
                && self.ranges.stays_in_rows(self.program, self.body, id) == Some(true)
        });
        let lanes = self.around.last().and_then(|a| a.lanes);
        let vector = lanes.is_some_and(|(span, _)| (self.vector)(span));
        let side = element.zip(lanes);
        let side =
            side.and_then(|((first, last, _), (_, counter))| self.side(first, last, counter));
        let mut times = 1u64;
        let mut loops = self.around.iter().skip(depth).map(|a| a.span);
        let mut outside = loops.next();
        while let Some(span) = outside {
            times = times.saturating_mul(ROUNDS);
            // The two halves of a tile are one loop.
            outside = loops.find(|next| *next != span);
        }
        let Some(accesses) = self.found.get_mut(&variable) else {
            return;
        };
        let Some((_, _, writes)) = element else {
            accesses.otherwise = true;
            return;
        };
        match side.filter(|_| vector) {
            Some(Side::First) => accesses.first = accesses.first.saturating_add(times),
            Some(Side::Last) => accesses.last = accesses.last.saturating_add(times),
            None => {}
        }
        if writes {
            accesses.writes = accesses.writes.saturating_add(times);
        }
        // What is in the text once, and in the body several times, is left alone.
        let before = { &mut accesses.across }.insert(place.span.start, side == Some(Side::First));
        accesses.otherwise |= before.is_some();
    }

    /// Which subscript alone lanes count.
    fn side(&self, first: ExpressionId, last: ExpressionId, counter: VariableId) -> Option<Side> {
        let moves = |index| {
            let slope = self.affine.sum(index)?.slope(counter)?;
            Some(slope.as_constant() != Some(0))
        };
        match (moves(first)?, moves(last)?) {
            (true, false) => Some(Side::First),
            (false, true) => Some(Side::Last),
            _ => None,
        }
    }
}

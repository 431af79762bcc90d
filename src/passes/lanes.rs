//! Lanes: where items are lanes of vectors, arrays of their own dissolve into variables once the loops that count their subscripts
//! are unrolled.
//!
//! **Legality.** This says when an array is nothing but its elements, and which loops have to be unrolled: each subscript is a
//! number or computed of the counters of these loops; no address is taken, and everything that may be about the array is modelled.
//!
//! **Gain.** To GCC, arrays that a loop under `omp simd` declares are arrays over the lanes, and it gives up: such a loop is asked
//! to be a vector in another way, which is right only if nothing is left of the arrays.

use super::leaves::Inside;
use crate::body::{
    Body, DistributedKind, ExpressionId, ExpressionKind, Memory, PlaceId, Program, Root,
    StatementId, StatementKind, Step, TypeKind, VariableId,
};
use crate::source::Span;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// The innermost loops over items of a kernel that declare arrays, all of which dissolve once the loops are unrolled.
pub(crate) fn dissolving(program: &Program, body: &Body) -> Vec<Inside> {
    let mut found = Vec::new();
    body.each_statement(&body.root, &mut |id| {
        let StatementKind::Distributed(this) = &body.statement(id).kind else {
            return;
        };
        if this.kind == DistributedKind::Inner
            && let Some(loops) = Arrays::of(program, body, &this.body)
        {
            let leaf = body.statement(id).span;
            found.push(Inside { leaf, loops });
        }
    });
    found
}

struct Arrays<'b> {
    body: &'b Body,
    arrays: HashSet<VariableId>,
    /// What counts the rounds of loops.
    counters: HashMap<VariableId, Span>,
    needed: Vec<Span>,
}

impl<'b> Arrays<'b> {
    /// The loops to unroll, if there are arrays and all of them dissolve.
    fn of(program: &Program, body: &'b Body, list: &[StatementId]) -> Option<Vec<Span>> {
        let mut this = Self {
            body,
            arrays: HashSet::new(),
            counters: HashMap::new(),
            needed: Vec::new(),
        };
        let mut innermost = true;
        body.each_statement(list, &mut |id| {
            let statement = body.statement(id);
            match &statement.kind {
                StatementKind::Distributed(_) => innermost = false,
                StatementKind::Declare { variable, .. } => {
                    let declared = program.variable(body, *variable);
                    let array = matches!(program.types.kind(declared.ty), TypeKind::Array(..));
                    if array && declared.memory == Memory::Private {
                        this.arrays.insert(*variable);
                    }
                }
                StatementKind::Loop { initial, .. } => {
                    let counters = initial
                        .iter()
                        .filter_map(|s| match body.statement(*s).kind {
                            StatementKind::Declare { variable, .. } => Some(variable),
                            _ => None,
                        });
                    this.counters.extend(counters.map(|v| (v, statement.span)));
                }
                _ => {}
            }
        });
        if !innermost || this.arrays.is_empty() {
            return None;
        }
        let mut dissolve = true;
        body.each_statement(list, &mut |id| {
            if matches!(body.statement(id).kind, StatementKind::Opaque(_)) {
                let named = body.mentions.get(&id);
                dissolve &= named.is_some_and(|n| !n.iter().any(|v| this.arrays.contains(v)));
            }
            for value in body.values_of(id) {
                body.each_value(value, &mut |e| dissolve &= this.is_element(e));
            }
        });
        this.needed.sort_by_key(|s| (s.start, s.end));
        this.needed.dedup();
        dissolve.then_some(this.needed)
    }

    /// Whether a value, if it is about an array, reads or writes an element that is known once loops are unrolled.
    fn is_element(&mut self, value: ExpressionId) -> bool {
        let Some(place) = self.body.place_of(value) else {
            return true;
        };
        let array = match self.body.place(place).root {
            Root::Variable(variable) => self.arrays.contains(&variable),
            Root::Pointer(_) => false,
        };
        let address = matches!(
            self.body.expression(value).kind,
            ExpressionKind::AddressOf(_)
        );
        !array || !address && self.is_counted(place)
    }

    fn is_counted(&mut self, place: PlaceId) -> bool {
        let path = &self.body.place(place).path;
        let mut counted = matches!(path.first(), Some(Step::Index(_)));
        for step in path {
            let Step::Index(index) = step else {
                continue;
            };
            let known = |v: VariableId| self.counters.contains_key(&v);
            counted &= self.body.is_computed_of(*index, &known);
            self.body.each_value(*index, &mut |e| {
                if let Some(place) = self.body.place_of(e)
                    && let Root::Variable(variable) = self.body.place(place).root
                {
                    self.needed.extend(self.counters.get(&variable));
                }
            });
        }
        counted
    }
}

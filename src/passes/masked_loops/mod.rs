//! Masked loops: loops that items leave at different times, where a block of items goes on together until the last of them
//! has left.
//!
//! **Legality.** What an item evaluates after it has left is thrown away, so nothing in the loop may read or write memory, fail,
//! or be undefined for values that the item would not have come to: variables, and operators that are defined for whatever
//! values those have. Signed integers that must not overflow are computed without a sign.
//!
//! **Gain.** Compilers make vectors of such a block, and of the loop as it is they do not. Loops that end alike for all items
//! they make vectors of by themselves; those stay as they are.
//!
//! - `mod.rs`: functions with such a loop, and what lives across it.
//! - `items.rs`: bodies of loops over items that have one, or call such a function.
//! - `statements.rs`: the loop's statements, of which lanes are left out by masks.
//! - `values.rs`: expressions, as the target has them.
//! - `depends.rs`: whether items leave at different times at all.

mod depends;
mod items;
mod statements;
mod values;

pub(crate) use items::{Asked, Callee, MaskedItems, Stage};

use crate::body::{
    Arithmetic, Body, Program, Root, StatementId, StatementKind, Type, TypeKind, VariableId,
};
use crate::expr::Scalar;
use crate::facts::Definitions;
use crate::module::{LaneVariable, Masked};
use crate::source::Span;
use depends::Depends;

/// What such a loop may return.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    /// It may not return.
    Never,
    /// Nothing.
    Nothing,
    /// A number.
    Number(Scalar),
}

/// A variable that is declared before a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outer {
    pub(crate) id: VariableId,
    /// What it depends on: see [`MaskedLoop::exits`].
    pub(crate) depends: u64,
    /// It is the caller's, who has it behind the loop, too.
    pub(crate) given: bool,
    /// What it points to is a variable that the caller reads in the end.
    pub(crate) output: bool,
    /// Nobody writes it.
    pub(crate) constant: bool,
}

/// A loop that items leave at different times.
#[derive(Clone, Debug)]
pub(crate) struct MaskedLoop {
    /// Its statement.
    pub(crate) span: Span,
    pub(crate) condition: Option<String>,
    pub(crate) runs_once: bool,
    pub(crate) statements: Vec<Masked>,
    pub(crate) update: Vec<Masked>,
    pub(crate) variables: Vec<(VariableId, LaneVariable)>,
    pub(crate) mixes: bool,
    pub(crate) continues: bool,
    pub(crate) returns: bool,
    /// Which parameters its end depends on, a bit each, and [`crate::module::BY_ITEM`].
    pub(crate) exits: u64,
}

/// Where such loops are looked for.
pub(crate) struct MaskedLoops<'s> {
    pub(crate) program: &'s Program,
    pub(crate) body: &'s Body,
    pub(crate) definitions: &'s Definitions,
    /// The text that all of it is written in.
    pub(crate) text: &'s str,
    /// Whether a variable, by where its name is declared, may change or be seen by others at any time.
    pub(crate) is_volatile: &'s dyn Fn(Span) -> bool,
    /// Sums of a product of floating point are written as one operation.
    pub(crate) contract: bool,
    /// The variable of the loop over items, and what each of them finds at another place than the others.
    pub(crate) items: &'s [VariableId],
}

impl MaskedLoops<'_> {
    /// The first such loop among the statements of a function; `outer` are its parameters.
    pub(crate) fn of_function(
        &self,
        mut outer: Vec<Outer>,
        returns: Returns,
    ) -> Option<MaskedLoop> {
        let body = self.body;
        for (index, &id) in body.root.iter().enumerate() {
            if let Some(mut found) = self.read(id, &outer, returns) {
                let before = body.root.get(..index).unwrap_or_default();
                let rest = body.root.get(index + 1..).unwrap_or_default();
                self.outlives(&mut found, [before, rest], &outer)?;
                return self.are_parted(before, rest, &outer).then_some(found);
            }
            if !self.is_before(id, true) {
                return None;
            }
            self.declare(id, &mut outer);
        }
        None
    }

    /// A statement that may stand before such a loop: nothing leaves the body in it, unless `returns`.
    fn is_before(&self, id: StatementId, returns: bool) -> bool {
        let body = self.body;
        let known = matches!(
            body.statement(id).kind,
            StatementKind::Expression(_)
                | StatementKind::Declare { .. }
                | StatementKind::If { .. }
                | StatementKind::Loop { .. }
                | StatementKind::Block(_)
        );
        let mut plain = known;
        body.each_statement(&[id], &mut |inside| {
            plain &= match body.statement(inside).kind {
                StatementKind::Return(_) => returns,
                StatementKind::Opaque(_)
                | StatementKind::Barrier(_)
                | StatementKind::Distributed(_) => false,
                _ => true,
            };
        });
        plain
    }

    /// Adds what a statement declares, and notes what it gives to variables.
    fn declare(&self, id: StatementId, outer: &mut Vec<Outer>) {
        let body = self.body;
        let depends = self.depends(outer).of_statement(id);
        body.each_statement(&[id], &mut |inside| {
            for value in body.values_of(inside) {
                body.each_value(value, &mut |e| {
                    let Some(place) = body.written(e) else {
                        return;
                    };
                    let written = match body.place(place).root {
                        Root::Variable(id) => Some(id),
                        Root::Pointer(_) => self.variable_at(place, outer),
                    };
                    for known in outer.iter_mut().filter(|o| Some(o.id) == written) {
                        known.depends |= depends;
                    }
                });
            }
        });
        if let StatementKind::Declare { variable, .. } = body.statement(id).kind {
            outer.push(Outer {
                id: variable,
                depends: 0,
                given: false,
                output: false,
                constant: false,
            });
        }
    }

    fn depends<'o>(&'o self, outer: &'o [Outer]) -> Depends<'o> {
        Depends {
            body: self.body,
            items: self.items,
            known: outer.iter().map(|o| (o.id, o.depends)).collect(),
        }
    }

    /// The variable that a place is as a whole: one of the body's, or what an output points to.
    fn variable_at(&self, place: crate::body::PlaceId, outer: &[Outer]) -> Option<VariableId> {
        let body = self.body;
        let of = body.place(place);
        match of.root {
            Root::Variable(_) => body.whole(place),
            Root::Pointer(pointer) if of.path.is_empty() => {
                let id = body.read_whole(pointer)?;
                let mut all = outer.iter();
                all.any(|o| o.id == id && o.output).then_some(id)
            }
            Root::Pointer(_) => None,
        }
    }

    /// The type of what lanes have of a variable; its components' and their number for a vector.
    fn shape(&self, of: &Outer) -> Option<(Scalar, u8)> {
        let types = &self.program.types;
        let variable = self.program.variable(self.body, of.id);
        let kind = match types.kind(variable.ty) {
            TypeKind::Pointer(to) if of.output => types.kind(to),
            _ if of.output => return None,
            kind => kind,
        };
        match kind {
            TypeKind::Scalar(ty) => Some((ty, 1)),
            TypeKind::Vector(vector) => Some((vector.scalar, vector.width)),
            _ => None,
        }
    }

    /// The number that lanes have of a variable, if they may have it.
    fn lane(&self, of: &Outer) -> Option<Scalar> {
        let name = self.program.variable(self.body, of.id).span;
        let (ty, width) = self.shape(of)?;
        (width == 1 && is_lane(ty) && !(self.is_volatile)(name)).then_some(ty)
    }

    fn name(&self, id: VariableId) -> &str {
        &self.program.variable(self.body, id).name
    }

    fn scalar(&self, ty: Type) -> Option<Scalar> {
        match self.program.types.kind(ty) {
            TypeKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    /// Integers wrap by themselves.
    fn wraps(&self) -> bool {
        self.body.arithmetic == Arithmetic::Total
    }

    /// Notes which variables are named behind the loop; `None` if one of them cannot be kept.
    fn outlives(
        &self,
        found: &mut MaskedLoop,
        [before, rest]: [&[StatementId]; 2],
        outer: &[Outer],
    ) -> Option<()> {
        for known in outer {
            let id = known.id;
            // What the caller reads, and only the end gives to it, the end finds with the caller.
            let used = || found.variables.iter().any(|(v, _)| *v == id);
            let needed = match known.output {
                true => used() || self.names(before, id),
                false => self.names(rest, id),
            };
            if !needed {
                continue;
            }
            if let Some((_, lane)) = found.variables.iter_mut().find(|(v, _)| *v == id) {
                lane.outlives = true;
                continue;
            }
            // Vectors go by as they are; a number has to be one that lanes have.
            let vector = || self.shape(known).filter(|(_, width)| *width > 1);
            let shape = self.lane(known).map(|ty| (ty, 1));
            match shape.or_else(|| vector().filter(|_| !known.given)) {
                Some((ty, components)) => {
                    let lane = LaneVariable {
                        name: self.name(id).to_string(),
                        ty,
                        components,
                        used: false,
                        changes: false,
                        outlives: true,
                    };
                    found.variables.push((id, lane));
                }
                None if known.given && !known.output => {}
                None => return None,
            }
        }
        Some(())
    }

    /// Whether a variable is named in any of the statements.
    fn names(&self, statements: &[StatementId], id: VariableId) -> bool {
        let body = self.body;
        let mut named = false;
        body.each_statement(statements, &mut |inside| {
            named |= body.mentions.get(&inside).is_some_and(|m| m.contains(&id));
            for value in body.values_of(inside) {
                body.each_value(value, &mut |e| {
                    let place = body.place_of(e).map(|p| body.place(p).root);
                    named |= place == Some(Root::Variable(id));
                });
            }
        });
        named
    }

    /// Whether the stretches before and behind the loop can be parted: what is given to both is not changed in the first.
    fn are_parted(&self, before: &[StatementId], rest: &[StatementId], outer: &[Outer]) -> bool {
        let mut given = outer
            .iter()
            .filter(|o| o.given && !o.constant && self.lane(o).is_none());
        given.all(|o| !self.names(before, o.id) || !self.names(rest, o.id))
    }
}

/// The types that lanes have: smaller numbers would be converted at every step.
pub(crate) fn is_lane(ty: Scalar) -> bool {
    ty == Scalar::Bool || ty.size() >= 4
}

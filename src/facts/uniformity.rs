//! What is the same for all items of a group that compute it at the same time.
//!
//! Items differ by the variables of inner loops, by what is theirs, and by what was computed from that or under a
//! condition that differs. Memory of the group or the launch has one value for all who read one element of it, unless
//! somebody races.

use super::definitions::Definitions;
use super::jumps::{Jumps, Left};
use crate::body::{
    Atomicity, Body, DistributedKind, ExpressionId, ExpressionKind, Memory, PlaceId, Root,
    StatementId, StatementKind, VariableId,
};

/// Which variables of a body differ by item.
pub(crate) struct Uniformity<'b> {
    body: &'b Body,
    varying: Vec<bool>,
    /// What is looked at is in a loop of an item.
    in_loop: bool,
}

impl<'b> Uniformity<'b> {
    pub(crate) fn new(body: &'b Body, definitions: &Definitions) -> Self {
        let mut this = Self {
            body,
            varying: vec![false; body.variables.len()],
            in_loop: false,
        };
        for (index, variable) in body.variables.iter().enumerate() {
            let id = VariableId::Local(index as u32);
            let parameter = index < body.parameters as usize;
            let theirs = match variable.memory {
                Memory::Exclusive => true,
                // Of a function, each item has its own.
                Memory::Private => (parameter && !body.kernel) || definitions.escapes(id),
                Memory::Host | Memory::Shared | Memory::Group | Memory::Constant => false,
            };
            this.varying[index] = theirs;
        }
        loop {
            let before = this.varying.clone();
            this.list(&body.root, false);
            if this.varying == before {
                return this;
            }
        }
    }

    /// Whether a value differs by item.
    pub(crate) fn varies(&self, id: ExpressionId) -> bool {
        let kind = &self.body.expression(id).kind;
        match kind {
            ExpressionKind::Collective(function, _) => return !function.is_uniform(),
            ExpressionKind::AddressOf(place) if self.is_own(*place) => return true,
            // Its value is what is written, whatever to.
            ExpressionKind::Assign { value, .. } => return self.varies(*value),
            ExpressionKind::Update { place, .. }
                if self.body.place(*place).atomicity == Atomicity::Atomic =>
            {
                // Each item finds what others left.
                return true;
            }
            _ => {}
        }
        let place = self.body.place_of(id);
        place.is_some_and(|p| self.holds_varying(p))
            || self.body.operands(id).any(|e| self.varies(e))
    }

    /// Whether what is in a place differs by item, wherever in its variable that is.
    fn holds_varying(&self, id: PlaceId) -> bool {
        let place = self.body.place(id);
        let variable = match place.root {
            Root::Variable(VariableId::Local(index)) => self.varying[index as usize],
            Root::Variable(VariableId::Global(_)) | Root::Pointer(_) => false,
        };
        variable || place.atomicity == Atomicity::Atomic
    }

    /// Whether each item has a place of its own there.
    fn is_own(&self, id: PlaceId) -> bool {
        match self.body.place(id).root {
            Root::Variable(VariableId::Local(index)) => self.is_items(index),
            Root::Variable(VariableId::Global(_)) => false,
            Root::Pointer(pointer) => self.varies(pointer),
        }
    }

    /// Marks what a list writes. `parted`: not all items run it that come back to what is around.
    fn list(&mut self, list: &[StatementId], mut parted: bool) {
        for &id in list {
            self.statement(id, parted);
            // Who goes on with the next iteration comes back.
            parted |= self.in_loop && self.left_by(&[id]).iteration.is_some();
        }
    }

    fn statement(&mut self, id: StatementId, parted: bool) {
        let body = self.body;
        for value in body.values_of(id) {
            self.value(value, parted);
        }
        let around = self.in_loop;
        let inside = match &body.statement(id).kind {
            StatementKind::If { condition, .. } => self.varies(*condition),
            StatementKind::Switch { value, .. } => self.varies(*value),
            StatementKind::Loop {
                condition,
                body: list,
                ..
            } => {
                let left = self.left_by(list);
                let jumped = left.loops.or(left.all).is_some();
                if jumped || condition.is_some_and(|c| self.varies(c)) {
                    self.left(id);
                }
                self.in_loop = true;
                false
            }
            StatementKind::Distributed(this) => {
                if let (DistributedKind::Inner, VariableId::Local(index)) =
                    (this.kind, this.variable)
                {
                    self.varying[index as usize] = true;
                }
                self.in_loop = false;
                false
            }
            _ => false,
        };
        for list in body.lists_of(id) {
            self.list(list, parted || inside);
        }
        self.in_loop = around;
    }

    /// Marks what a loop writes and does not declare: items leave it at different times, and find there what it was then.
    fn left(&mut self, id: StatementId) {
        let body = self.body;
        let (mut declared, mut written) = (Vec::new(), Vec::new());
        let mut note = |id: StatementId| {
            if let StatementKind::Declare { variable, .. } = body.statement(id).kind {
                declared.push(variable);
            }
            for value in body.values_of(id) {
                body.each_value(value, &mut |e| {
                    let place = body.written(e).map(|p| body.place(p).root);
                    if let Some(Root::Variable(variable)) = place {
                        written.push(variable);
                    }
                });
            }
        };
        body.each_statement(&[id], &mut note);
        for variable in written {
            if let VariableId::Local(index) = variable
                && !declared.contains(&variable)
                && self.is_items(index)
            {
                self.varying[index as usize] = true;
            }
        }
    }

    /// Whether each item has its own variable.
    fn is_items(&self, index: u32) -> bool {
        let memory = self.body.variables[index as usize].memory;
        matches!(memory, Memory::Private | Memory::Exclusive)
    }

    /// By what items have left a list that all of them run.
    fn left_by(&self, list: &[StatementId]) -> Left {
        let jumps = Jumps {
            body: self.body,
            varying: |id| self.varies(id).then_some(id),
        };
        jumps.of_list(list, None)
    }

    /// Marks what a value writes.
    fn value(&mut self, id: ExpressionId, parted: bool) {
        let body = self.body;
        let kind = &body.expression(id).kind;
        if let ExpressionKind::Assign { place, value } | ExpressionKind::Update { place, value, .. } =
            kind
            && let Root::Variable(VariableId::Local(index)) = body.place(*place).root
        {
            // What all items of a group have one of has one value, too.
            let own = self.is_items(index);
            let mut way = body.way(*place);
            if own && (parted || self.varies(*value) || way.any(|e| self.varies(e))) {
                self.varying[index as usize] = true;
            }
        }
        let skips = body.decides(id).is_some_and(|first| self.varies(first));
        for operand in body.operands(id) {
            self.value(operand, parted || skips);
        }
    }
}

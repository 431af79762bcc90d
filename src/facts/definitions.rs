//! Where variables get their values.

use crate::body::{
    Body, ExpressionId, ExpressionKind, Root, StatementId, StatementKind, VariableId,
};

/// What is known of the variables of a body, by number.
pub(crate) struct Definitions {
    known: Vec<Known>,
}

/// How a variable gets its values.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// How often it is written, but as a counter.
    writes: u32,
    /// Its first value, written by what follows its declaration.
    first: Option<ExpressionId>,
    /// It is the variable of a loop: written where that begins and by its step only.
    counter: bool,
    /// Somebody has its address.
    escapes: bool,
    /// Its declaration makes it zeros.
    zeros: bool,
}

/// The variables that can be named somewhere, innermost last.
#[derive(Default)]
struct Visible {
    names: Vec<u32>,
    /// Of so many of them it is noted that anything may have been done with them.
    touched: usize,
}

impl Visible {
    fn end(&mut self, before: usize) {
        self.names.truncate(before);
        self.touched = self.touched.min(before);
    }
}

impl Definitions {
    pub(crate) fn of(body: &Body) -> Self {
        let mut this = Self {
            known: vec![Known::default(); body.variables.len()],
        };
        let mut visible = Visible::default();
        visible.names.extend(0..body.parameters);
        this.list(body, &body.root, &mut visible);
        this
    }

    /// What is not modelled may do anything with the variables that it names.
    fn anything(&mut self, named: impl Iterator<Item = VariableId>) {
        for id in named {
            if let VariableId::Local(index) = id
                && let Some(known) = self.known.get_mut(index as usize)
            {
                known.writes = known.writes.wrapping_add(2);
                known.escapes = true;
            }
        }
    }

    fn list(&mut self, body: &Body, list: &[StatementId], visible: &mut Visible) {
        let outside = visible.names.len();
        for (at, &id) in list.iter().enumerate() {
            let before = visible.names.len();
            match &body.statement(id).kind {
                StatementKind::Declare { variable, zeros } => {
                    if let VariableId::Local(index) = variable {
                        self.known[*index as usize].zeros |= *zeros;
                        visible.names.push(*index);
                    }
                    let next = list.get(at + 1).map(|next| &body.statement(*next).kind);
                    if let Some(StatementKind::Expression(value)) = next
                        && let Some((found, value)) = body.assigned(*value)
                        && found == *variable
                        && let VariableId::Local(index) = found
                    {
                        self.known[index as usize].first = Some(value);
                    }
                }
                StatementKind::Loop { initial, step, .. } => {
                    self.counters(body, initial, *step);
                    let declared = initial.iter().filter_map(|s| declared(body, *s));
                    visible.names.extend(declared);
                }
                StatementKind::Distributed(this) => {
                    if let VariableId::Local(index) = this.variable {
                        self.known[index as usize].counter = true;
                        visible.names.push(index);
                    }
                }
                StatementKind::Opaque(_) => match body.mentions.get(&id) {
                    Some(named) => self.anything(named.iter().copied()),
                    None => {
                        let new = visible.names.iter().skip(visible.touched);
                        self.anything(new.map(|index| VariableId::Local(*index)));
                        visible.touched = visible.names.len();
                    }
                },
                _ => {}
            }
            for value in body.values_of(id) {
                body.each_value(value, &mut |e| self.value(body, e));
            }
            for inside in body.lists_of(id) {
                self.list(body, inside, visible);
            }
            // What a loop declares ends with it.
            if !matches!(body.statement(id).kind, StatementKind::Declare { .. }) {
                visible.end(before);
            }
        }
        visible.end(outside);
    }

    /// The variables that a loop declares and steps: those writes do not count.
    fn counters(&mut self, body: &Body, initial: &[StatementId], step: Option<ExpressionId>) {
        for index in initial.iter().filter_map(|s| declared(body, *s)) {
            // One without a first value has that of the last step only from the second iteration on.
            let begins = initial.iter().any(|s| match body.statement(*s).kind {
                StatementKind::Expression(value) => body
                    .assigned(value)
                    .is_some_and(|(variable, _)| variable == VariableId::Local(index)),
                _ => false,
            });
            if !begins {
                continue;
            }
            let stepped = step.is_some_and(|step| match &body.expression(step).kind {
                ExpressionKind::Update { place, .. } | ExpressionKind::Assign { place, .. } => {
                    body.whole(*place) == Some(VariableId::Local(index))
                }
                _ => false,
            });
            if stepped {
                let known = &mut self.known[index as usize];
                known.counter = true;
                // The step's.
                known.writes = known.writes.wrapping_sub(1);
            }
        }
    }

    fn value(&mut self, body: &Body, id: ExpressionId) {
        let (place, writes) = match &body.expression(id).kind {
            ExpressionKind::Assign { place, .. } | ExpressionKind::Update { place, .. } => {
                (*place, true)
            }
            ExpressionKind::AddressOf(place) => (*place, false),
            _ => return,
        };
        if let Root::Variable(VariableId::Local(index)) = body.place(place).root {
            let known = &mut self.known[index as usize];
            match writes {
                true => known.writes = known.writes.wrapping_add(1),
                false => known.escapes = true,
            }
        }
    }

    fn get(&self, id: VariableId) -> Option<&Known> {
        match id {
            VariableId::Local(index) => self.known.get(index as usize),
            VariableId::Global(_) => None,
        }
    }

    /// Whether somebody has its address.
    pub(crate) fn escapes(&self, id: VariableId) -> bool {
        self.get(id).is_some_and(|k| k.escapes)
    }

    /// Whether a variable begins with a value: a parameter, or one that its declaration gives one to.
    pub(crate) fn begins_whole(&self, body: &Body, id: VariableId) -> bool {
        let parameter = matches!(id, VariableId::Local(index) if index < body.parameters);
        parameter || self.get(id).is_some_and(|k| k.zeros || k.first.is_some())
    }

    /// The one value that a variable ever has: what its declaration gives it.
    pub(crate) fn only_value(&self, id: VariableId) -> Option<ExpressionId> {
        let known = self.get(id)?;
        known
            .first
            .filter(|_| known.writes == 1 && !known.escapes && !known.counter)
    }

    /// Whether one assignment gives a variable all values that it ever has, and nothing else is seen of it.
    pub(crate) fn is_assigned_once(&self, body: &Body, id: VariableId) -> bool {
        let parameter = matches!(id, VariableId::Local(index) if index < body.parameters);
        let once = |k: &Known| k.writes == 1 && !k.escapes && !k.counter && !k.zeros;
        !parameter && self.get(id).is_some_and(once)
    }

    /// Whether a variable has one value wherever it can be seen, or one in each iteration of its loop.
    pub(crate) fn is_steady(&self, body: &Body, id: VariableId) -> bool {
        let Some(known) = self.get(id) else {
            return false;
        };
        let parameter = matches!(id, VariableId::Local(index) if index < body.parameters);
        // A counter is written once where it begins; that of a distributed loop by nobody.
        let written = match (parameter, known.counter) {
            (true, _) => known.writes == 0,
            (false, true) => known.writes <= 1,
            (false, false) => known.writes == 1 && known.first.is_some(),
        };
        written && !known.escapes
    }
}

/// The variable that a statement declares.
fn declared(body: &Body, id: StatementId) -> Option<u32> {
    match body.statement(id).kind {
        StatementKind::Declare {
            variable: VariableId::Local(index),
            ..
        } => Some(index),
        _ => None,
    }
}

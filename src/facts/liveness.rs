//! Of which variables somebody may still read what they hold.
//!
//! A variable is live in front of a statement if what it holds there may be read before it is given another value as a
//! whole. One that somebody has the address of, or that stands in what is not modelled, is live wherever it is declared.

use crate::body::{
    Body, ExpressionId, ExpressionKind, Root, StatementId, StatementKind, VariableId,
};
use foldhash::{HashMap, HashMapExt};

/// What is live in front of some statements of a list.
pub(crate) struct Liveness {
    live: HashMap<StatementId, Vec<bool>>,
    numbers: HashMap<VariableId, usize>,
}

impl Liveness {
    /// Of the variables that are asked about, in front of the statements that are. Behind the list nothing is read. Of a
    /// loop it is what is live in front of it or of one of its iterations.
    pub(crate) fn of(
        body: &Body,
        list: &[StatementId],
        variables: &[VariableId],
        asked: &dyn Fn(StatementId) -> bool,
    ) -> Self {
        let numbers = variables.iter().enumerate().map(|(at, v)| (*v, at));
        let mut walk = Backwards {
            body,
            asked,
            found: Self {
                live: HashMap::new(),
                numbers: numbers.collect(),
            },
            now: vec![false; variables.len()],
            escaped: vec![false; variables.len()],
            exits: Vec::new(),
        };
        walk.list(list);
        let Backwards {
            mut found, escaped, ..
        } = walk;
        for live in found.live.values_mut() {
            join(live, &escaped);
        }
        found
    }

    /// Whether a variable is live in front of a statement; both are among those that were asked about.
    pub(crate) fn is_live(&self, variable: VariableId, before: StatementId) -> bool {
        let at = self.numbers.get(&variable);
        let live = self.live.get(&before);
        live.zip(at)
            .is_none_or(|(live, at)| live.get(*at).copied().unwrap_or(true))
    }
}

struct Backwards<'b> {
    body: &'b Body,
    asked: &'b dyn Fn(StatementId) -> bool,
    found: Liveness,
    /// What is live where the walk is.
    now: Vec<bool>,
    escaped: Vec<bool>,
    /// What is live where jumps lead, by the loops and switches around.
    exits: Vec<Vec<bool>>,
}

fn join(one: &mut [bool], other: &[bool]) {
    for (one, other) in one.iter_mut().zip(other) {
        *one |= other;
    }
}

impl Backwards<'_> {
    fn list(&mut self, list: &[StatementId]) {
        for &id in list.iter().rev() {
            self.statement(id);
            if (self.asked)(id) {
                let now = self.now.clone();
                let known = self.found.live.entry(id).or_insert_with(|| now.clone());
                join(known, &now);
            }
        }
    }

    fn set(&mut self, variable: VariableId, live: bool) {
        if let Some(at) = self.found.numbers.get(&variable) {
            self.now[*at] = live;
        }
    }

    fn statement(&mut self, id: StatementId) {
        let body = self.body;
        match &body.statement(id).kind {
            StatementKind::Expression(value) => {
                if let Some((variable, _)) = body.assigned(*value) {
                    self.set(variable, false);
                }
                self.reads(*value);
            }
            StatementKind::Declare { variable, .. } => self.set(*variable, false),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let behind = self.now.clone();
                self.list(then);
                let then = std::mem::replace(&mut self.now, behind);
                self.list(otherwise);
                join(&mut self.now, &then);
                self.reads(*condition);
            }
            StatementKind::Switch { value, cases } => {
                let behind = self.now.clone();
                let mut exits = behind.clone();
                if let Some(around) = self.exits.last() {
                    join(&mut exits, around);
                }
                self.exits.push(exits);
                // Each runs on into the next, and any may be the first.
                let mut entered = behind;
                for case in cases.iter().rev() {
                    self.list(&case.body);
                    join(&mut entered, &self.now);
                }
                self.exits.pop();
                self.now = entered;
                self.reads(*value);
            }
            StatementKind::Loop {
                initial,
                condition,
                step,
                body: list,
                ..
            } => {
                // What any iteration reads, whatever it writes before, but for what begins in it.
                let mut reads = self.now.clone();
                for value in condition.iter().chain(step) {
                    self.read_by(*value, &mut reads);
                }
                let mut declared = Vec::new();
                body.each_statement(list, &mut |id| {
                    match &body.statement(id).kind {
                        StatementKind::Declare { variable, .. } => declared.push(*variable),
                        StatementKind::Opaque(_) => self.mentioned(id, &mut reads),
                        _ => {}
                    }
                    for value in body.values_of(id) {
                        self.read_by(value, &mut reads);
                    }
                });
                for variable in declared {
                    if let Some(at) = self.found.numbers.get(&variable) {
                        reads[*at] = false;
                    }
                }
                self.now.clone_from(&reads);
                self.exits.push(reads.clone());
                self.list(list);
                self.exits.pop();
                join(&mut self.now, &reads);
                if (self.asked)(id) {
                    self.found.live.insert(id, reads);
                }
                self.list(initial);
            }
            StatementKind::Break | StatementKind::Continue => {
                if let Some(exit) = self.exits.last() {
                    join(&mut self.now, exit);
                }
            }
            StatementKind::Opaque(_) => {
                let mut now = std::mem::take(&mut self.now);
                self.mentioned(id, &mut now);
                self.now = now;
            }
            StatementKind::Block(list) => self.list(list),
            StatementKind::Distributed(this) => {
                let behind = self.now.clone();
                self.list(&this.body);
                join(&mut self.now, &behind);
                for value in body.values_of(id) {
                    self.reads(value);
                }
            }
            StatementKind::Return(_) | StatementKind::Barrier(_) => {
                for value in body.values_of(id) {
                    self.reads(value);
                }
            }
        }
    }

    fn reads(&mut self, value: ExpressionId) {
        let mut now = std::mem::take(&mut self.now);
        self.read_by(value, &mut now);
        self.now = now;
    }

    /// Notes what a value reads, and of what it takes the address.
    fn read_by(&mut self, value: ExpressionId, live: &mut [bool]) {
        let body = self.body;
        body.each_value(value, &mut |e| {
            let (place, escapes) = match body.expression(e).kind {
                ExpressionKind::Load(place) | ExpressionKind::Update { place, .. } => {
                    (place, false)
                }
                ExpressionKind::AddressOf(place) => (place, true),
                _ => return,
            };
            if let Root::Variable(variable) = body.place(place).root
                && let Some(at) = self.found.numbers.get(&variable)
            {
                live[*at] = true;
                self.escaped[*at] |= escapes;
            }
        });
    }

    fn mentioned(&mut self, id: StatementId, live: &mut [bool]) {
        match self.body.mentions.get(&id) {
            Some(named) => {
                for at in named.iter().filter_map(|v| self.found.numbers.get(v)) {
                    live[*at] = true;
                    self.escaped[*at] = true;
                }
            }
            None => {
                live.fill(true);
                self.escaped.fill(true);
            }
        }
    }
}

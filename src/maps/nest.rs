//! What the statements of a kernel are, if it is one nest of loops around one list of statements.

use crate::body::{
    Body, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory, StatementId,
    StatementKind, Variable, VariableId,
};
use crate::facts::Definitions;

pub(super) struct Nest<'b> {
    /// Over groups and items, outermost first.
    pub(super) loops: Vec<&'b Distributed>,
    /// An iteration does something only where these hold, or do not hold.
    pub(super) guards: Vec<(ExpressionId, bool)>,
    /// What is declared on the way, of parameters and loop variables alone.
    pub(super) before: Vec<StatementId>,
    /// What an iteration does.
    pub(super) rest: Vec<StatementId>,
}

impl<'b> Nest<'b> {
    pub(super) fn of(body: &'b Body, definitions: &Definitions) -> Option<Self> {
        let mut this = Self {
            loops: Vec::new(),
            guards: Vec::new(),
            before: Vec::new(),
            rest: Vec::new(),
        };
        let mut left: &[StatementId] = &body.root;
        loop {
            let Some((&first, others)) = left.split_first() else {
                // Iterations that do nothing have no elements.
                return None;
            };
            match &body.statement(first).kind {
                _ if this.is_pure(body, first) => {
                    this.before.push(first);
                    left = others;
                }
                StatementKind::Block(inside) if others.is_empty() => left = inside,
                StatementKind::Distributed(found) if others.is_empty() => {
                    this.loops.push(found);
                    left = &found.body;
                }
                StatementKind::If {
                    condition,
                    then,
                    otherwise,
                } if otherwise.is_empty() && this.is_in_items() => {
                    if !is_pure_value(body, *condition)
                        || !this.depends(body, definitions, *condition)
                    {
                        break;
                    }
                    let ends = match then.as_slice() {
                        [only] => matches!(
                            body.statement(*only).kind,
                            StatementKind::Continue | StatementKind::Return(None)
                        ),
                        _ => false,
                    };
                    match (ends, others.is_empty()) {
                        (true, _) => {
                            this.guards.push((*condition, false));
                            left = others;
                        }
                        (false, true) => {
                            this.guards.push((*condition, true));
                            left = then;
                        }
                        (false, false) => return None,
                    }
                }
                _ => break,
            }
        }
        this.rest = left.to_vec();
        this.is_in_items().then_some(this)
    }

    fn is_in_items(&self) -> bool {
        let last = self.loops.last();
        last.is_some_and(|l| l.kind == DistributedKind::Inner)
    }

    /// Whether a statement declares a variable, or gives it a value, of what is known without any array.
    fn is_pure(&self, body: &Body, id: StatementId) -> bool {
        match body.statement(id).kind {
            StatementKind::Declare { variable, .. } => is_own(body, variable),
            StatementKind::Expression(value) => body
                .assigned(value)
                .is_some_and(|(to, value)| is_own(body, to) && is_pure_value(body, value)),
            _ => false,
        }
    }

    /// Whether a value depends on which iteration it is computed in.
    pub(super) fn depends(
        &self,
        body: &Body,
        definitions: &Definitions,
        value: ExpressionId,
    ) -> bool {
        let mut found = false;
        body.each_value(value, &mut |id| {
            let Some(variable) = body.read_whole(id) else {
                return;
            };
            found |= self.counts(variable)
                || definitions
                    .only_value(variable)
                    .is_some_and(|value| self.depends(body, definitions, value));
        });
        found
    }

    pub(super) fn counts(&self, variable: VariableId) -> bool {
        self.loops.iter().any(|l| l.variable == variable)
    }
}

/// Whether nobody but who declares a variable has it, or who is inside of that.
fn is_own(body: &Body, variable: VariableId) -> bool {
    let VariableId::Local(index) = variable else {
        return false;
    };
    let found = body.variables.get(index as usize);
    let own = |v: &Variable| matches!(v.memory, Memory::Host | Memory::Group | Memory::Private);
    index >= body.parameters && found.is_some_and(own)
}

/// Whether nothing but variables is read, or the pointers that these are moved.
fn is_pure_value(body: &Body, value: ExpressionId) -> bool {
    let mut pure = true;
    body.each_value(value, &mut |id| {
        pure &= match &body.expression(id).kind {
            ExpressionKind::Load(place) => body.whole(*place).is_some(),
            ExpressionKind::AddressOf(_)
            | ExpressionKind::Literal(_)
            | ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Offset(..)
            | ExpressionKind::And(..)
            | ExpressionKind::Or(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Convert(_)
            | ExpressionKind::Builtin(..) => true,
            _ => false,
        };
    });
    pure
}

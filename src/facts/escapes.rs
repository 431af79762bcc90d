//! Which variables something may point to: whose address is kept, by a variable, by memory, or by a function.

use crate::body::{
    Body, BodyId, ExpressionId, ExpressionKind, Memory, Program, Root, StatementId, Step, Type,
    TypeKind, Types, VariableId,
};
use crate::expr::Scalar;
use foldhash::{HashSet, HashSetExt};

/// What a list of statements does with addresses.
pub(crate) struct Kept {
    /// The variables of which something may keep the address.
    pub(crate) variables: HashSet<VariableId>,
    /// Something that may be an address is written where others than the item's own variables lie.
    pub(crate) stored: bool,
}

impl Kept {
    pub(crate) fn by(program: &Program, body: &Body, list: &[StatementId]) -> Self {
        let mut this = Addresses {
            program,
            body,
            found: Self {
                variables: HashSet::new(),
                stored: false,
            },
        };
        body.each_statement(list, &mut |id| {
            let mentioned = body.mentions.get(&id).into_iter().flatten();
            let addressed = mentioned.filter(|v| body.addressed.contains(*v));
            this.found.variables.extend(addressed);
            for value in body.values_of(id) {
                this.value(value, true);
            }
        });
        this.found
    }
}

struct Addresses<'b> {
    program: &'b Program,
    body: &'b Body,
    found: Kept,
}

impl Addresses<'_> {
    /// `keeps`: whoever gets the value may keep it.
    fn value(&mut self, id: ExpressionId, keeps: bool) {
        let body = self.body;
        let kind = &body.expression(id).kind;
        if let Some(place) = body.place_of(id) {
            let place = body.place(place);
            if let Root::Pointer(pointer) = place.root {
                // A part of what it points to has an address, too.
                self.value(
                    pointer,
                    keeps && matches!(kind, ExpressionKind::AddressOf(_)),
                );
            }
            for step in &place.path {
                if let Step::Index(index) = step {
                    self.value(*index, true);
                }
            }
            match (kind, place.root) {
                (ExpressionKind::AddressOf(_), Root::Variable(variable)) if keeps => {
                    self.found.variables.insert(variable);
                }
                (ExpressionKind::Assign { .. } | ExpressionKind::Update { .. }, root) => {
                    let own = match root {
                        Root::Variable(v) => {
                            let memory = self.program.variable(body, v).memory;
                            memory == Memory::Private
                        }
                        Root::Pointer(_) => false,
                    };
                    self.found.stored |= !own && holds_pointer(self.program, place.ty);
                }
                _ => {}
            }
        }
        match kind {
            ExpressionKind::Load(_) | ExpressionKind::AddressOf(_) => {}
            ExpressionKind::Assign { value, .. } | ExpressionKind::Update { value, .. } => {
                self.value(*value, true);
            }
            ExpressionKind::Call(function, arguments) => {
                let keeps = self.may_keep(*function);
                arguments.iter().for_each(|a| self.value(*a, keeps));
            }
            ExpressionKind::Builtin(..)
            | ExpressionKind::Difference(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Unary(..) => {
                body.operands(id).for_each(|e| self.value(e, false));
            }
            // To a number, it is one.
            ExpressionKind::Convert(inside) => {
                let held = may_hold(self.program, body.expression(id).ty);
                self.value(*inside, keeps && held);
            }
            _ => body.operands(id).for_each(|e| self.value(e, keeps)),
        }
    }

    /// Whether a function's result, or what it is given, can hold an address.
    fn may_keep(&self, function: BodyId) -> bool {
        let Some(callee) = self.program.bodies.get(function.0 as usize) else {
            return true;
        };
        let parameters = callee.variables.iter().take(callee.parameters as usize);
        let out = { parameters }.any(|p| match self.program.types.kind(p.ty) {
            TypeKind::Pointer(to) => holds_pointer(self.program, to) || to == Types::VOID,
            _ => false,
        });
        out || may_hold(self.program, callee.result)
    }
}

/// Whether a value of a type may be an address, or have one in it: as a number, too.
pub(crate) fn may_hold(program: &Program, ty: Type) -> bool {
    let wide = |s: Scalar| matches!(s, Scalar::Long | Scalar::ULong);
    holds(program, ty, &wide)
}

/// Whether there is a pointer in a value of a type.
fn holds_pointer(program: &Program, ty: Type) -> bool {
    holds(program, ty, &|_| false)
}

fn holds(program: &Program, ty: Type, number: &dyn Fn(Scalar) -> bool) -> bool {
    match program.types.kind(ty) {
        TypeKind::Void | TypeKind::Vector(_) => false,
        TypeKind::Scalar(scalar) => number(scalar),
        TypeKind::Pointer(_) => true,
        TypeKind::Array(of, _) => holds(program, of, number),
        TypeKind::Record(id) => {
            let fields = &program.types.record(id).fields;
            fields.iter().any(|f| holds(program, f.ty, number))
        }
    }
}

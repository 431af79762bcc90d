#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Argument, Kind, Settings, run};
use crate::body::{
    BinaryOperator, Body, BodyId, Distributed, DistributedKind, Expression, ExpressionId,
    ExpressionKind, Memory, Place, PlaceId, Program, Root, Statement, StatementId, StatementKind,
    Step, Type, TypeKind, Variable, VariableId, Wait,
};
use crate::expr::{Scalar, Value};
use crate::source::Span;

/// Makes a kernel by hand; every node is at a place of its own.
#[derive(Default)]
struct Maker {
    program: Program,
    body: Body,
    at: u32,
}

impl Maker {
    fn span(&mut self) -> Span {
        self.at += 1;
        Span::new(self.at, self.at + 1)
    }

    fn scalar(&mut self, scalar: Scalar) -> Type {
        self.program.types.scalar(scalar)
    }

    fn variable(&mut self, name: &str, ty: Type, memory: Memory) -> VariableId {
        let span = self.span();
        self.body.variables.push(Variable {
            name: name.to_string(),
            ty,
            memory,
            span,
        });
        VariableId::Local(self.body.variables.len() as u32 - 1)
    }

    fn expression(&mut self, kind: ExpressionKind, ty: Type) -> ExpressionId {
        let span = self.span();
        self.body.expressions.push(Expression { kind, ty, span });
        ExpressionId(self.body.expressions.len() as u32 - 1)
    }

    fn place(&mut self, root: Root, path: Vec<Step>, ty: Type) -> PlaceId {
        let span = self.span();
        self.body.places.push(Place {
            root,
            path,
            ty,
            atomicity: crate::body::Atomicity::Plain,
            span,
        });
        PlaceId(self.body.places.len() as u32 - 1)
    }

    fn statement(&mut self, kind: StatementKind) -> StatementId {
        let span = self.span();
        self.body.statements.push(Statement { kind, span });
        StatementId(self.body.statements.len() as u32 - 1)
    }

    fn number(&mut self, scalar: Scalar, value: i64) -> ExpressionId {
        let ty = self.scalar(scalar);
        self.expression(ExpressionKind::Literal(Value::Int(scalar, value)), ty)
    }

    fn read(&mut self, variable: VariableId) -> ExpressionId {
        let ty = self.program.variable(&self.body, variable).ty;
        let place = self.place(Root::Variable(variable), Vec::new(), ty);
        self.expression(ExpressionKind::Load(place), ty)
    }

    /// `pointer[index]`
    fn element(&mut self, pointer: VariableId, index: ExpressionId) -> PlaceId {
        let ty = self.program.variable(&self.body, pointer).ty;
        let of = self.program.types.element(ty).unwrap();
        if let TypeKind::Array(..) = self.program.types.kind(ty) {
            return self.place(Root::Variable(pointer), vec![Step::Index(index)], of);
        }
        let base = self.read(pointer);
        let moved = self.expression(ExpressionKind::Offset(base, index), ty);
        self.place(Root::Pointer(moved), Vec::new(), of)
    }

    fn load(&mut self, place: PlaceId) -> ExpressionId {
        let ty = self.body.place(place).ty;
        self.expression(ExpressionKind::Load(place), ty)
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        a: ExpressionId,
        b: ExpressionId,
    ) -> ExpressionId {
        let ty = self.body.expression(a).ty;
        self.expression(ExpressionKind::Binary(operator, a, b), ty)
    }

    fn assign(&mut self, place: PlaceId, value: ExpressionId) -> StatementId {
        let ty = self.body.place(place).ty;
        let value = self.expression(ExpressionKind::Assign { place, value }, ty);
        self.statement(StatementKind::Expression(value))
    }

    fn over(
        &mut self,
        kind: DistributedKind,
        variable: VariableId,
        count: i64,
        after: bool,
        body: Vec<StatementId>,
    ) -> StatementId {
        let [first, step] = [Scalar::Int, Scalar::Long].map(|s| (s, i64::from(s == Scalar::Long)));
        let first = self.number(first.0, first.1);
        let step = self.number(step.0, step.1);
        let count = self.number(Scalar::Long, count);
        self.statement(StatementKind::Distributed(Box::new(Distributed {
            kind,
            axis: 0,
            variable,
            first,
            count,
            step,
            guard: None,
            wait: Wait {
                before: false,
                after,
            },
            body,
        })))
    }
}

/// Groups of 4 items: `s[t] = t` for all, then `a[4 * g + t] = s[(t + shift) % 4]`.
fn shifted(wait: bool, shift: i64) -> Program {
    let mut m = Maker::default();
    let int = m.scalar(Scalar::Int);
    let pointer = m.program.types.pointer(int);
    let four = m.program.types.of(TypeKind::Array(int, 4));
    let a = m.variable("a", pointer, Memory::Host);
    m.body.parameters = 1;
    let g = m.variable("g", int, Memory::Group);
    let t = m.variable("t", int, Memory::Private);
    let u = m.variable("u", int, Memory::Private);
    let s = m.variable("s", four, Memory::Shared);
    let index = m.read(t);
    let value = m.read(t);
    let place = m.element(s, index);
    let write = m.assign(place, value);
    let first = m.over(DistributedKind::Inner, t, 4, wait, vec![write]);
    let (u1, u2, g1) = (m.read(u), m.read(u), m.read(g));
    let (by, all, all2) = (
        m.number(Scalar::Int, shift),
        m.number(Scalar::Int, 4),
        m.number(Scalar::Int, 4),
    );
    let moved = m.binary(BinaryOperator::Add, u1, by);
    let moved = m.binary(BinaryOperator::Remainder, moved, all);
    let from = m.element(s, moved);
    let value = m.load(from);
    let start = m.binary(BinaryOperator::Multiply, g1, all2);
    let at = m.binary(BinaryOperator::Add, start, u2);
    let to = m.element(a, at);
    let write = m.assign(to, value);
    let second = m.over(DistributedKind::Inner, u, 4, false, vec![write]);
    let outer = m.over(DistributedKind::Outer, g, 3, false, vec![first, second]);
    m.body.root = vec![outer];
    m.body.kernel = true;
    m.program.bodies.push(m.body);
    m.program
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_ne_bytes()).collect()
}

fn outcome(program: &Program, count: usize) -> (Vec<u8>, Vec<Kind>) {
    let mut arguments = [Argument::Buffer {
        bytes: vec![0; 4 * count],
        filled: true,
    }];
    let (found, _) = run(program, BodyId(0), &mut arguments, &Settings::default()).unwrap();
    let Argument::Buffer { bytes, .. } = &arguments[0] else {
        unreachable!()
    };
    let kinds = found.into_sorted().iter().map(|f| f.kind).collect();
    (bytes.clone(), kinds)
}

#[test]
fn phases_end_at_waits() {
    let expected = ints(&[1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0]);
    assert_eq!(outcome(&shifted(true, 1), 12), (expected.clone(), vec![]));
    assert_eq!(
        outcome(&shifted(false, 1), 12),
        (expected, vec![Kind::Race])
    );
    // An item reads what it wrote itself.
    let own = ints(&[0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
    assert_eq!(outcome(&shifted(false, 0), 12), (own, vec![]));
}

#[test]
fn bounds_are_those_of_the_argument() {
    let (_, kinds) = outcome(&shifted(true, 1), 11);
    assert_eq!(kinds, vec![Kind::WriteOutOfBounds]);
    let (_, kinds) = outcome(&shifted(true, -1), 12);
    assert_eq!(kinds, vec![Kind::Subscript]);
}

//! What an iteration does, in Brook+.

use super::needed::needed;
use super::nest::Nest;
use super::{MapParameter, Passed, accessed, parameter};
use crate::body::{
    Atomicity, BinaryOperator, Body, Builtin, ExpressionId, ExpressionKind, Memory, PlaceId,
    Program, StatementId, StatementKind, Type, UnaryOperator, VariableId,
};
use crate::expr::{Scalar, Value};
use crate::facts::Definitions;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// More text than this is no small kernel.
const MOST: usize = 16 * 1024;

/// The parameters in order, what stands in the kernel's braces, and whether arrays are read after others were written.
pub(super) fn translated(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    nest: &Nest<'_>,
) -> Option<(Vec<MapParameter>, String, bool)> {
    let mut this = Translator {
        program,
        body,
        definitions,
        nest,
        values: BTreeMap::new(),
        arrays: BTreeMap::new(),
        needed: needed(body, nest),
        declared: HashMap::new(),
        filled: HashSet::new(),
        late: false,
        out: String::new(),
    };
    this.list(&nest.before, true)?;
    this.list(&nest.rest, false)?;
    this.finish()
}

/// What is done with an array.
struct Array {
    scalar: Scalar,
    /// Its element is read before it is written, or not always written.
    read: bool,
    written: bool,
}

struct Translator<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    nest: &'b Nest<'b>,
    /// Parameters that are numbers.
    values: BTreeMap<usize, Scalar>,
    arrays: BTreeMap<usize, Array>,
    /// Variables that are more than indices.
    needed: BTreeSet<VariableId>,
    declared: HashMap<VariableId, Scalar>,
    /// Arrays whose elements have been written, on every way to here.
    filled: HashSet<usize>,
    /// An array has been read after another one was written.
    late: bool,
    out: String,
}

impl Translator<'_> {
    fn finish(self) -> Option<(Vec<MapParameter>, String, bool)> {
        let parameter = |argument: usize, scalar: Scalar, what: Passed| MapParameter {
            argument,
            scalar,
            what,
        };
        let values = self.values.iter();
        let mut parameters: Vec<MapParameter> = values
            .map(|(&n, &s)| parameter(n, s, Passed::Value))
            .collect();
        let (mut begin, mut end) = (String::new(), String::new());
        for (&n, array) in &self.arrays {
            let ty = array.scalar.c_name();
            // What is not written on every way is what it was.
            let read = array.read || !self.filled.contains(&n);
            let _ = match read {
                true => writeln!(begin, "  {ty} brook_c{n} = brook_i{n};"),
                false => writeln!(begin, "  {ty} brook_c{n};"),
            };
            if read {
                parameters.push(parameter(n, array.scalar, Passed::Input));
            }
        }
        for (&n, array) in self.arrays.iter().filter(|(_, a)| a.written) {
            parameters.push(parameter(n, array.scalar, Passed::Output));
            let _ = writeln!(end, "  brook_o{n} = brook_c{n};");
        }
        let any = !end.is_empty() && self.out.len() <= MOST;
        any.then(|| (parameters, begin + &self.out + &end, self.late))
    }

    fn scalar(&self, ty: Type) -> Option<Scalar> {
        let scalar = self.program.types.as_scalar(ty)?;
        matches!(
            scalar,
            Scalar::Float | Scalar::Double | Scalar::Int | Scalar::UInt
        )
        .then_some(scalar)
    }

    fn list(&mut self, list: &[StatementId], before: bool) -> Option<()> {
        list.iter().try_for_each(|&id| self.statement(id, before))
    }

    fn statement(&mut self, id: StatementId, before: bool) -> Option<()> {
        if self.out.len() > MOST {
            return None;
        }
        match &self.body.statement(id).kind {
            StatementKind::Declare { variable, zeros } => {
                if before && !self.needed.contains(variable) {
                    return Some(());
                }
                let declared = self.program.variable(self.body, *variable);
                let own = before || declared.memory == Memory::Private;
                let scalar = self.scalar(declared.ty).filter(|_| own)?;
                let VariableId::Local(number) = variable else {
                    return None;
                };
                self.declared.insert(*variable, scalar);
                let zero = match zeros {
                    true => " = 0",
                    false => "",
                };
                let ty = scalar.c_name();
                writeln!(self.out, "  {ty} brook_v{number}{zero};").ok()
            }
            StatementKind::Expression(value) => {
                let assigned = self.body.assigned(*value);
                if before && !assigned.is_some_and(|(to, _)| self.needed.contains(&to)) {
                    return Some(());
                }
                let text = self.effect(*value)?;
                writeln!(self.out, "  {text};").ok()
            }
            StatementKind::Block(inside) => {
                self.out.push_str("  {\n");
                self.list(inside, before)?;
                self.out.push_str("  }\n");
                Some(())
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(*condition)?;
                writeln!(self.out, "  if ({condition}) {{").ok()?;
                let filled = self.filled.clone();
                self.list(then, false)?;
                let one = std::mem::replace(&mut self.filled, filled);
                self.out.push_str("  } else {\n");
                self.list(otherwise, false)?;
                self.out.push_str("  }\n");
                self.filled.retain(|array| one.contains(array));
                Some(())
            }
            _ => None,
        }
    }

    /// A value that is computed for what it writes.
    fn effect(&mut self, id: ExpressionId) -> Option<String> {
        match self.body.expression(id).kind {
            ExpressionKind::Assign { place, value } => {
                let value = self.value(value)?;
                let place = self.written(place)?;
                Some(format!("{place} = {value}"))
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                ..
            } => {
                let held = self.scalar(self.body.place(place).ty)?;
                let computed = self.scalar(computed)?;
                let right = self.value(value)?;
                let left = self.read(place)?;
                let left = converted(&left, held, computed);
                let result = self.computed(operator, (&left, &right), (value, computed))?;
                let result = converted(&result, computed, held);
                let place = self.written(place)?;
                Some(format!("{place} = {result}"))
            }
            _ => None,
        }
    }

    fn written(&mut self, place: PlaceId) -> Option<String> {
        match self.body.whole(place) {
            Some(variable) => {
                // Of what is declared: nobody else's, and no parameter.
                self.declared.get(&variable)?;
                let VariableId::Local(number) = variable else {
                    return None;
                };
                Some(format!("brook_v{number}"))
            }
            None => {
                let (array, scalar) = self.array(place)?;
                self.filled.insert(array);
                let known = self.arrays.entry(array).or_insert(Array {
                    scalar,
                    read: false,
                    written: false,
                });
                known.written = true;
                (known.scalar == scalar).then(|| format!("brook_c{array}"))
            }
        }
    }

    fn read(&mut self, place: PlaceId) -> Option<String> {
        let Some(variable) = self.body.whole(place) else {
            let (array, scalar) = self.array(place)?;
            let filled = self.filled.contains(&array);
            let mut written = self.arrays.iter().filter(|(_, a)| a.written);
            self.late |= written.any(|(other, _)| *other != array);
            let known = self.arrays.entry(array).or_insert(Array {
                scalar,
                read: false,
                written: false,
            });
            known.read |= !filled;
            return (known.scalar == scalar).then(|| format!("brook_c{array}"));
        };
        let VariableId::Local(number) = variable else {
            return None;
        };
        if self.declared.contains_key(&variable) {
            return Some(format!("brook_v{number}"));
        }
        if self.nest.counts(variable) {
            return None;
        }
        let parameter = parameter(self.body, self.definitions, variable)?;
        let scalar = self.scalar(self.program.variable(self.body, variable).ty)?;
        self.values.insert(parameter, scalar);
        Some(format!("brook_p{number}"))
    }

    /// The parameter that an access is to, and what an element is.
    fn array(&self, place: PlaceId) -> Option<(usize, Scalar)> {
        let (parameter, moved) = accessed(self.body, self.definitions, place)?;
        let place = self.body.place(place);
        let ty = self.body.variables.get(parameter)?.ty;
        let element = self.program.types.element(ty)?;
        let plain = place.path.is_empty()
            && place.atomicity == Atomicity::Plain
            && place.ty == element
            && !moved.is_empty();
        Some((parameter, self.scalar(element).filter(|_| plain)?))
    }

    /// A number.
    fn value(&mut self, id: ExpressionId) -> Option<String> {
        let expression = self.body.expression(id);
        let scalar = self.scalar(expression.ty)?;
        match &expression.kind {
            ExpressionKind::Literal(value) => literal(*value, scalar),
            ExpressionKind::Load(place) => self.read(*place),
            ExpressionKind::Unary(UnaryOperator::Negate, a) => {
                Some(format!("(-{})", self.value(*a)?))
            }
            ExpressionKind::Unary(UnaryOperator::Complement, a) => {
                Some(format!("(~{})", self.value(*a)?))
            }
            ExpressionKind::Binary(operator, a, b) if !operator.compares() => {
                let (left, right) = (self.value(*a)?, self.value(*b)?);
                self.computed(*operator, (&left, &right), (*b, scalar))
            }
            ExpressionKind::Convert(a) => {
                let from = self.program.types.as_scalar(self.body.expression(*a).ty)?;
                if from == Scalar::Bool {
                    let condition = self.condition(*a)?;
                    let [one, zero] = [1, 0].map(|n| literal(number(scalar, n), scalar));
                    return Some(format!("({condition} ? {} : {})", one?, zero?));
                }
                let known = match &self.body.expression(*a).kind {
                    ExpressionKind::Literal(value) => small(*value, scalar),
                    _ => None,
                };
                if let Some(value) = known {
                    return literal(value, scalar);
                }
                // What no integer has, each compiler makes something else of; g++ keeps -0.
                if from.is_float() && !scalar.is_float() {
                    return None;
                }
                let value = self.value(*a)?;
                Some(converted(&value, from, scalar))
            }
            ExpressionKind::Conditional(condition, a, b) => {
                let condition = self.condition(*condition)?;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                Some(format!("({condition} ? {a} : {b})"))
            }
            ExpressionKind::Builtin(Builtin::Real(name), arguments) if scalar.is_float() => {
                let name = match *name {
                    "sqrt" => "sqrt",
                    "floor" => "floor",
                    "fabs" => "abs",
                    _ => return None,
                };
                let [argument] = arguments.as_slice() else {
                    return None;
                };
                Some(format!("{name}({})", self.value(*argument)?))
            }
            _ => None,
        }
    }

    /// `left OP right`, whose operands and result are of one type; `right` is the right operand.
    fn computed(
        &self,
        operator: BinaryOperator,
        (left, right): (&str, &str),
        (second, scalar): (ExpressionId, Scalar),
    ) -> Option<String> {
        let float = scalar.is_float();
        let suits = match operator {
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply => true,
            BinaryOperator::Divide if float => true,
            // What C leaves open.
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                !float && self.known(second).is_some_and(|n| n > 0)
            }
            BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                !float && self.known(second).is_some_and(|n| (0..32).contains(&n))
            }
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Xor => !float,
            _ => false,
        };
        suits.then(|| format!("({left} {} {right})", operator.text()))
    }

    /// The integer that is written there.
    fn known(&self, id: ExpressionId) -> Option<i64> {
        match &self.body.expression(id).kind {
            ExpressionKind::Literal(value) => value.as_i64(),
            ExpressionKind::Convert(a) => self.known(*a),
            _ => None,
        }
    }

    /// What decides.
    fn condition(&mut self, id: ExpressionId) -> Option<String> {
        let expression = self.body.expression(id);
        match &expression.kind {
            ExpressionKind::And(a, b) => {
                let (a, b) = (self.condition(*a)?, self.condition(*b)?);
                Some(format!("({a} && {b})"))
            }
            ExpressionKind::Or(a, b) => {
                let (a, b) = (self.condition(*a)?, self.condition(*b)?);
                Some(format!("({a} || {b})"))
            }
            ExpressionKind::Unary(UnaryOperator::Not, a) => {
                Some(format!("(!{})", self.condition(*a)?))
            }
            ExpressionKind::Binary(operator, a, b) if operator.compares() => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                Some(format!("({a} {} {b})", operator.text()))
            }
            ExpressionKind::Convert(a) => {
                let from = self.program.types.as_scalar(self.body.expression(*a).ty)?;
                if from == Scalar::Bool {
                    return self.condition(*a);
                }
                let (value, zero) = (self.value(*a)?, literal(number(from, 0), from)?);
                Some(format!("({value} != {zero})"))
            }
            _ => None,
        }
    }
}

fn converted(value: &str, from: Scalar, to: Scalar) -> String {
    match from == to {
        true => value.to_string(),
        false => format!("({})({value})", to.c_name()),
    }
}

fn number(scalar: Scalar, value: i32) -> Value {
    match scalar.is_float() {
        true => Value::Float(scalar, value.into()),
        false => Value::Int(scalar, value.into()),
    }
}

/// A number that is another type's as it is.
fn small(value: Value, scalar: Scalar) -> Option<Value> {
    let whole = value.as_i64().filter(|n| (0..1 << 24).contains(n));
    match (whole, value) {
        (Some(n), _) => Some(number(scalar, i32::try_from(n).ok()?)),
        (None, Value::Float(Scalar::Float, n)) if scalar == Scalar::Double => {
            Some(Value::Float(scalar, n))
        }
        (None, Value::Float(Scalar::Double, n)) if scalar == Scalar::Float => {
            Some(Value::Float(scalar, f64::from(n as f32)))
        }
        _ => None,
    }
}

fn literal(value: Value, scalar: Scalar) -> Option<String> {
    match value {
        Value::Int(_, n) if scalar == Scalar::Int => {
            let n = i32::try_from(n).ok().filter(|n| *n != i32::MIN)?;
            Some(in_parentheses(n < 0, n.to_string()))
        }
        Value::Int(_, n) if scalar == Scalar::UInt => {
            let n = i32::try_from(n).ok().filter(|n| *n >= 0)?;
            Some(format!("(unsigned int)({n})"))
        }
        Value::Float(_, n) if n.is_finite() && scalar == Scalar::Float => Some(in_parentheses(
            n.is_sign_negative(),
            format!("{:?}f", n as f32),
        )),
        Value::Float(_, n) if n.is_finite() && scalar == Scalar::Double => {
            Some(in_parentheses(n.is_sign_negative(), format!("{n:?}")))
        }
        _ => None,
    }
}

fn in_parentheses(wanted: bool, text: String) -> String {
    match wanted {
        true => format!("({text})"),
        false => text,
    }
}

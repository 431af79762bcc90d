use super::functions::{self, less};
use super::{BinaryOperator, Expr, Scalar, UnaryOperator, Value};
use std::fmt;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvaluateError {
    /// A variable has no value.
    Unknown(Box<str>),
    /// An element that its array does not have.
    OutOfRange(Box<str>),
    /// `/` or `%` by the integer zero.
    DivisionByZero,
    /// The evaluator knows no function of this name.
    NotAFunction(Box<str>),
    /// The function takes another number of arguments.
    WrongArguments {
        /// The function's name.
        function: Box<str>,
        /// How many arguments there were.
        count: usize,
    },
    /// An operator for integers has a floating-point operand.
    NotAnInteger(&'static str),
    /// A function of the program failed.
    Failed(Box<str>),
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "'{name}' has no known value"),
            Self::OutOfRange(name) => write!(f, "'{name}' lies outside of the array"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::NotAFunction(name) => write!(f, "'{name}' is no known function"),
            Self::WrongArguments { function, count } => {
                write!(f, "'{function}' does not take {count} arguments")
            }
            Self::NotAnInteger(operator) => {
                write!(f, "the operands of '{operator}' must be integers")
            }
            Self::Failed(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for EvaluateError {}

/// Where the values of names come from, and of the functions that a program defines itself.
pub trait Scope {
    /// The value of a variable, a member path or an element of an array.
    fn value(&self, name: &str) -> Option<Value>;

    /// The element of an array of this name, if there is such an array and it has the element. Whoever
    /// answers spares [`Scope::value`] the text of the indices.
    fn element(&self, _name: &str, _indices: &[i64]) -> Option<Option<Value>> {
        None
    }

    /// Calls a function of the program; `None` if there is none of that name.
    fn call(&self, _name: &str, _arguments: &[Value]) -> Option<Result<Value, EvaluateError>> {
        None
    }

    /// The type that a function of the program has.
    fn result(&self, _name: &str) -> Option<Scalar> {
        None
    }
}

/// A scope of names alone.
struct Names<'a>(&'a dyn Fn(&str) -> Option<Value>);

impl Scope for Names<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        (self.0)(name)
    }
}

/// The value of an expression over the names that `lookup` knows: see [`evaluate_in`].
///
/// # Errors
/// As [`evaluate_in`].
pub fn evaluate(
    expr: &Expr,
    lookup: &dyn Fn(&str) -> Option<Value>,
) -> Result<Value, EvaluateError> {
    evaluate_in(expr, &Names(lookup))
}

/// The value of an expression, as a C compiler for a 64-bit machine computes it: usual arithmetic
/// conversions, wrapping integers, shift counts modulo the width.
///
/// # Errors
/// Unknown names and functions, division by zero, `%`, shifts and bit operators on floating-point
/// numbers; none of these in an operand of `&&`, `||` or `?:` that is not evaluated.
pub fn evaluate_in(expr: &Expr, scope: &dyn Scope) -> Result<Value, EvaluateError> {
    match expr {
        Expr::Literal(value) => Ok(*value),
        Expr::Name(name) => scope.value(name).ok_or_else(|| unknown(name.clone())),
        Expr::Unary(operator, a) => unary(*operator, evaluate_in(a, scope)?),
        Expr::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), a, b) => {
            let stop = *operator == BinaryOperator::Or;
            let first = evaluate_in(a, scope)?.is_true();
            let result = if first == stop {
                stop
            } else {
                evaluate_in(b, scope)?.is_true()
            };
            Ok(Value::int(result.into()))
        }
        Expr::Binary(operator, a, b) => {
            binary(*operator, evaluate_in(a, scope)?, evaluate_in(b, scope)?)
        }
        Expr::Conditional(condition, yes, no) => {
            let (taken, other) = if evaluate_in(condition, scope)?.is_true() {
                (yes, no)
            } else {
                (no, yes)
            };
            let value = evaluate_in(taken, scope)?;
            // Both branches decide the type.
            Ok(match type_of(other, scope) {
                Some(scalar) => value.convert(value.scalar().common(scalar)),
                None => value,
            })
        }
        Expr::Cast(scalar, a) => Ok(evaluate_in(a, scope)?.convert(*scalar)),
        Expr::Call(name, arguments) => {
            let values: Result<Vec<Value>, _> =
                arguments.iter().map(|a| evaluate_in(a, scope)).collect();
            let values = values?;
            match scope.call(name, &values) {
                Some(result) => result,
                None => functions::call(name, &values),
            }
        }
        Expr::SizeOf(scalar) => Ok(Value::Int(Scalar::ULong, scalar.size() as i64)),
        Expr::Element(base, indices) => {
            let mut places = Vec::with_capacity(indices.len());
            for (index, _) in indices {
                match evaluate_in(index, scope)? {
                    Value::Int(_, n) => places.push(n),
                    Value::Float(..) => return Err(EvaluateError::NotAnInteger("[]")),
                }
            }
            let plain = indices.iter().all(|(_, after)| after.is_empty());
            let found = plain.then(|| scope.element(base, &places)).flatten();
            if let Some(Some(value)) = found {
                return Ok(value);
            }
            let mut name = base.to_string();
            for (n, (_, after)) in places.iter().zip(indices) {
                name.push_str(&format!("[{n}]{after}"));
            }
            let value = match found {
                Some(_) => None,
                None => scope.value(&name),
            };
            value.ok_or_else(|| unknown(name.into()))
        }
    }
}

/// Why a name has no value.
fn unknown(name: Box<str>) -> EvaluateError {
    match name.ends_with(']') {
        true => EvaluateError::OutOfRange(name),
        false => EvaluateError::Unknown(name),
    }
}

/// The type of an expression over names alone: see [`type_of`].
pub(super) fn scalar_of(expr: &Expr, lookup: &dyn Fn(&str) -> Option<Value>) -> Option<Scalar> {
    type_of(expr, &Names(lookup))
}

/// The type of an expression, without its value; `None` where a name or function is unknown. Only
/// the type of what the scope says matters.
pub fn type_of(expr: &Expr, scope: &dyn Scope) -> Option<Scalar> {
    match expr {
        Expr::Literal(value) => Some(value.scalar()),
        Expr::Name(name) => scope.value(name).map(Value::scalar),
        Expr::Unary(UnaryOperator::Not, _) => Some(Scalar::Int),
        Expr::Unary(_, a) => Some(type_of(a, scope)?.promoted()),
        Expr::Binary(operator, ..) if operator.is_boolean() => Some(Scalar::Int),
        Expr::Binary(BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, a, _) => {
            Some(type_of(a, scope)?.promoted())
        }
        Expr::Binary(_, a, b) | Expr::Conditional(_, a, b) => {
            Some(type_of(a, scope)?.common(type_of(b, scope)?))
        }
        Expr::Cast(scalar, _) => Some(*scalar),
        Expr::Call(name, arguments) => {
            if let Some(scalar) = scope.result(name) {
                return Some(scalar);
            }
            let (function, single) = functions::find(name)?;
            let scalars: Option<Vec<Scalar>> =
                arguments.iter().map(|a| type_of(a, scope)).collect();
            function.result(single, &scalars?)
        }
        Expr::SizeOf(_) => Some(Scalar::ULong),
        Expr::Element(base, indices) => {
            let mut name = base.to_string();
            for (_, after) in indices {
                name.push_str(&format!("[0]{after}"));
            }
            scope.value(&name).map(Value::scalar)
        }
    }
}

fn unary(operator: UnaryOperator, a: Value) -> Result<Value, EvaluateError> {
    let to = a.scalar().promoted();
    Ok(match (operator, a.convert(to)) {
        (UnaryOperator::Not, a) => Value::int((!a.is_true()).into()),
        (UnaryOperator::Plus, a) => a,
        (UnaryOperator::Minus, Value::Int(_, bits)) => long(bits.wrapping_neg()).convert(to),
        (UnaryOperator::Minus, Value::Float(_, x)) => Value::Float(to, -x),
        (UnaryOperator::Complement, Value::Int(_, bits)) => long(!bits).convert(to),
        (UnaryOperator::Complement, Value::Float(..)) => {
            return Err(EvaluateError::NotAnInteger(operator.c_text()));
        }
    })
}

/// Bits that are yet to be converted to the type of the result.
const fn long(bits: i64) -> Value {
    Value::Int(Scalar::Long, bits)
}

fn binary(operator: BinaryOperator, a: Value, b: Value) -> Result<Value, EvaluateError> {
    if let BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight = operator {
        return shift(operator, a, b);
    }
    let to = a.scalar().common(b.scalar());
    let (a, b) = (a.convert(to), b.convert(to));
    if operator.is_comparison() {
        return Ok(Value::int(compare(operator, a, b).into()));
    }
    match (a, b) {
        (Value::Int(_, a), Value::Int(_, b)) => Ok(long(integers(operator, to, a, b)?).convert(to)),
        _ => floats(operator, a.as_f64(), b.as_f64())
            .map(|x| Value::Float(Scalar::Double, x).convert(to)),
    }
}

fn compare(operator: BinaryOperator, a: Value, b: Value) -> bool {
    let equal = match (a, b) {
        (Value::Int(_, a), Value::Int(_, b)) => a == b,
        (a, b) => a.as_f64() == b.as_f64(),
    };
    match operator {
        BinaryOperator::Less => less(a, b),
        BinaryOperator::Greater => less(b, a),
        BinaryOperator::LessEqual => less(a, b) || equal,
        BinaryOperator::GreaterEqual => less(b, a) || equal,
        BinaryOperator::NotEqual => !equal,
        _ => equal,
    }
}

fn shift(operator: BinaryOperator, a: Value, b: Value) -> Result<Value, EvaluateError> {
    let to = a.scalar().promoted();
    let (Value::Int(_, bits), Value::Int(_, count)) = (a.convert(to), b) else {
        return Err(EvaluateError::NotAnInteger(operator.c_text()));
    };
    let count = (count & i64::from(to.bits() - 1)) as u32;
    let shifted = match operator {
        BinaryOperator::ShiftLeft => bits << count,
        _ if to == Scalar::ULong => (bits as u64 >> count) as i64,
        _ => bits >> count,
    };
    Ok(long(shifted).convert(to))
}

fn integers(
    operator: BinaryOperator,
    scalar: Scalar,
    a: i64,
    b: i64,
) -> Result<i64, EvaluateError> {
    let divides = matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
    if divides && b == 0 {
        return Err(EvaluateError::DivisionByZero);
    }
    let wide = scalar == Scalar::ULong;
    Ok(match operator {
        BinaryOperator::Multiply => a.wrapping_mul(b),
        BinaryOperator::Divide if wide => (a as u64 / b as u64) as i64,
        BinaryOperator::Divide => a.wrapping_div(b),
        BinaryOperator::Remainder if wide => (a as u64 % b as u64) as i64,
        BinaryOperator::Remainder => a.wrapping_rem(b),
        BinaryOperator::Add => a.wrapping_add(b),
        BinaryOperator::Subtract => a.wrapping_sub(b),
        BinaryOperator::BitAnd => a & b,
        BinaryOperator::BitXor => a ^ b,
        BinaryOperator::BitOr => a | b,
        _ => return Err(EvaluateError::NotAnInteger(operator.c_text())),
    })
}

fn floats(operator: BinaryOperator, a: f64, b: f64) -> Result<f64, EvaluateError> {
    match operator {
        BinaryOperator::Multiply => Ok(a * b),
        BinaryOperator::Divide => Ok(a / b),
        BinaryOperator::Add => Ok(a + b),
        BinaryOperator::Subtract => Ok(a - b),
        _ => Err(EvaluateError::NotAnInteger(operator.c_text())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::parse;

    fn value(text: &str) -> Result<Value, EvaluateError> {
        evaluate(&parse(text).unwrap(), &|name| match name {
            "n" => Some(Value::int(7)),
            "u" => Some(Value::Int(Scalar::UInt, 3)),
            "l" => Some(Value::Int(Scalar::Long, 1 << 40)),
            "x" => Some(Value::Float(Scalar::Float, 0.5)),
            "args.n" => Some(Value::int(9)),
            _ => None,
        })
    }

    fn is(text: &str, scalar: Scalar, bits: i64) {
        assert_eq!(value(text), Ok(Value::Int(scalar, bits)), "{text}");
    }

    fn is_float(text: &str, scalar: Scalar, x: f64) {
        assert_eq!(value(text), Ok(Value::Float(scalar, x)), "{text}");
    }

    #[test]
    fn integers_as_in_c() {
        is("1+2*3", Scalar::Int, 7);
        is("-7/2", Scalar::Int, -3);
        is("-7%3", Scalar::Int, -1);
        is("2147483647+1", Scalar::Int, i32::MIN.into());
        is("0u-1", Scalar::UInt, 0xffff_ffff);
        is("-1 < 0u", Scalar::Int, 0);
        is("-1L < 0u", Scalar::Int, 1);
        is("-1L < 0uL", Scalar::Int, 0);
        is("n*l", Scalar::Long, 7 << 40);
        is("1<<33", Scalar::Int, 2);
        is("1L<<33", Scalar::Long, 1 << 33);
        is("-8>>1", Scalar::Int, -4);
        is("0xffffffffffffffff>>60", Scalar::ULong, 15);
        is("-1uL/2", Scalar::ULong, i64::MAX);
        is("~0u", Scalar::UInt, 0xffff_ffff);
        is("'a'+1", Scalar::Int, 98);
        is("true+true", Scalar::Int, 2);
        is("(unsigned char)300", Scalar::UChar, 44);
        is("(int)3.9f", Scalar::Int, 3);
        is("(int)-1e30", Scalar::Int, i32::MIN.into());
        is("sizeof(double)", Scalar::ULong, 8);
        is("(-2147483647-1)/-1", Scalar::Int, i32::MIN.into());
        is("(-2147483647-1)%-1", Scalar::Int, 0);
        is("args.n - n", Scalar::Int, 2);
        is("5 & 3 | 8 ^ 1", Scalar::Int, 9);
    }

    #[test]
    fn floats_as_in_c() {
        is_float("1/2.0", Scalar::Double, 0.5);
        is_float("x*3", Scalar::Float, 1.5);
        is_float("0.1f+0.2f", Scalar::Float, f64::from(0.1f32 + 0.2f32));
        is_float("(float)0.1", Scalar::Float, f64::from(0.1f32));
        is_float("1.0/0", Scalar::Double, f64::INFINITY);
        is("0.5 < 1", Scalar::Int, 1);
        is("!0.5", Scalar::Int, 0);
    }

    #[test]
    fn lazy_operators() {
        is("0 && 1/0", Scalar::Int, 0);
        is("1 || nothing", Scalar::Int, 1);
        is("n ? 2 : 1/0", Scalar::Int, 2);
        is("1 ? -1 : 0u", Scalar::UInt, 0xffff_ffff);
        is_float("1 ? 1 : 2.0", Scalar::Double, 1.0);
    }

    #[test]
    fn known_functions() {
        is("min(3, 4)", Scalar::Int, 3);
        is("max(-1, 0u)", Scalar::UInt, 0xffff_ffff);
        is("abs(-5)", Scalar::Int, 5);
        is_float("abs(-0.5f)", Scalar::Float, 0.5);
        is_float("std::fabs(-2)", Scalar::Double, 2.0);
        is_float("sqrtf(4)", Scalar::Float, 2.0);
        is_float("pow(2, 10)", Scalar::Double, 1024.0);
        is_float("floor(-0.5f)", Scalar::Float, -1.0);
        is_float("ceil(0.2)", Scalar::Double, 1.0);
        is_float("fmaxf(1, 2)", Scalar::Float, 2.0);
        is_float("round(2.5)", Scalar::Double, 3.0);
        is_float("exp(0)", Scalar::Double, 1.0);
        is_float("log(1)", Scalar::Double, 0.0);
        is_float("fma(2, 3, 0.5)", Scalar::Double, 6.5);
        is_float("atan2(0, 1.0f)", Scalar::Double, 0.0);
        is_float("fdimf(3, 1)", Scalar::Float, 2.0);
        is_float("copysign(2, -1)", Scalar::Double, -2.0);
        for (a, b, rest) in [
            ("5", "3", -1.0),
            ("7", "2", -1.0),
            ("5", "2", 1.0),
            ("1", "2", 1.0),
            ("3", "2", -1.0),
            ("-5", "3", 1.0),
            ("0.5", "1", 0.5),
        ] {
            is_float(&format!("remainder({a}, {b})"), Scalar::Double, rest);
        }
        is("labs(-3)", Scalar::Long, 3);
        assert!(value("minf(1, 2)").is_err());
    }

    #[test]
    fn what_has_no_value() {
        let error = |text| value(text).unwrap_err().to_string();
        assert_eq!(error("m + 1"), "'m' has no known value");
        assert_eq!(error("1 / 0"), "division by zero");
        assert_eq!(error("1 % 0"), "division by zero");
        assert_eq!(error("f(1)"), "'f' is no known function");
        assert_eq!(error("min(1)"), "'min' does not take 1 arguments");
        assert_eq!(error("1.0 % 2"), "the operands of '%' must be integers");
        assert_eq!(error("1 << 1.0"), "the operands of '<<' must be integers");
        assert_eq!(error("~1.0"), "the operands of '~' must be integers");
    }
}

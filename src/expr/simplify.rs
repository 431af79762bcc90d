use super::evaluate::scalar_of;
use super::polynomial::Polynomial;
use super::{BinaryOperator, Expr, Scalar, UnaryOperator, Value, evaluate};

/// The integer an expression without names is, if it is one.
pub fn constant(expr: &Expr) -> Option<i64> {
    evaluate(expr, &|_| None).ok()?.as_i64()
}

/// A shorter expression of the same value.
///
/// Constants are folded where C defines the result, `x + 0`, `x * 1`, `x / 1` and the like vanish,
/// and sums and products of integers are brought to a normal form where that makes them shorter:
/// `(eo + 12) - eo` is 12, `(b + 1) * B - b * B` is `B`. What does not get shorter keeps its shape.
///
/// Names count as integers that do not overflow; the type may become narrower (`(l + 1) - l` is an
/// `int`, whatever `l` is). What contains floating-point literals, casts or functions is not
/// rearranged.
pub fn simplify(expr: &Expr) -> Expr {
    let inner = match expr {
        Expr::Literal(_) | Expr::Name(_) | Expr::SizeOf(_) => return expr.clone(),
        Expr::Unary(operator, a) => Expr::Unary(*operator, Box::new(simplify(a))),
        Expr::Binary(operator, a, b) => Expr::binary(*operator, simplify(a), simplify(b)),
        Expr::Conditional(a, b, c) => {
            let [a, b, c] = [a, b, c].map(|e| Box::new(simplify(e)));
            Expr::Conditional(a, b, c)
        }
        Expr::Cast(scalar, a) => Expr::Cast(*scalar, Box::new(simplify(a))),
        Expr::Call(..) | Expr::Element(..) => expr.map_parts(&mut simplify),
    };
    let inner = match fold(&inner) {
        Some(value) => return Expr::Literal(value),
        None => identity(inner),
    };
    match Polynomial::shorter(&inner) {
        // What came out may itself be constant or trivial now, never longer.
        Some(short) => fold(&short).map_or_else(|| identity(short), Expr::Literal),
        None => inner,
    }
}

/// The value of an operator whose operands are constants, if C defines it and it can be written
/// down.
fn fold(expr: &Expr) -> Option<Value> {
    let is_constant = |e: &Expr| match e {
        Expr::Literal(_) | Expr::SizeOf(_) => true,
        Expr::Cast(_, a) => matches!(**a, Expr::Literal(_)),
        _ => false,
    };
    match expr {
        Expr::Unary(_, a) if is_constant(a) => {}
        Expr::Binary(BinaryOperator::And | BinaryOperator::Or, a, _) if is_constant(a) => {}
        Expr::Binary(_, a, b) if is_constant(a) && is_constant(b) => {}
        Expr::Conditional(a, b, c) if is_constant(a) && is_constant(b) && is_constant(c) => {}
        // Narrow types have no literals: a cast is how they are written.
        Expr::Cast(to, a) if *to >= Scalar::Int && is_constant(a) => {}
        Expr::Call(name, arguments)
            if matches!(name.trim_start_matches("std::"), "min" | "max")
                && arguments.iter().all(is_constant) => {}
        _ => return None,
    }
    let value = evaluate(expr, &|_| None).ok()?;
    let defined = match value {
        Value::Int(..) => !overflows(expr, value),
        Value::Float(_, x) => x.is_finite(),
    };
    defined.then_some(value)
}

/// Whether C leaves the result open: signed overflow, a shift by too much or of a negative number, a
/// float beyond the integer it is cast to.
fn overflows(expr: &Expr, result: Value) -> bool {
    let value = |e: &Expr| evaluate(e, &|_| None).ok();
    let wide = |e: &Expr| value(e).and_then(|v| exact(v.convert(result.scalar())));
    let exactly = match expr {
        Expr::Cast(_, a) => match value(a) {
            Some(Value::Float(_, x)) => return x.trunc() != result.as_f64(),
            _ => return false,
        },
        Expr::Unary(UnaryOperator::Minus, a) => wide(a).map(|a| -a),
        Expr::Binary(BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, a, b) => {
            let count = value(b).and_then(exact);
            let fits = count.is_some_and(|c| (0..i128::from(result.scalar().bits())).contains(&c));
            let negative = wide(a).is_some_and(|a| a < 0);
            let lost = |a: i128, c: i128| exact(result) != Some(a << c);
            let left = matches!(expr, Expr::Binary(BinaryOperator::ShiftLeft, ..));
            return !fits
                || negative
                || (left
                    && !result.scalar().is_unsigned()
                    && wide(a).zip(count).is_none_or(|(a, c)| lost(a, c)));
        }
        Expr::Binary(operator, a, b) => {
            let (Some(a), Some(b)) = (wide(a), wide(b)) else {
                return false;
            };
            match operator {
                BinaryOperator::Add => Some(a + b),
                BinaryOperator::Subtract => Some(a - b),
                BinaryOperator::Multiply => a.checked_mul(b),
                BinaryOperator::Divide if b != 0 => Some(a / b),
                _ => return false,
            }
        }
        _ => return false,
    };
    !result.scalar().is_unsigned() && exactly != exact(result)
}

/// The integer it is.
fn exact(value: Value) -> Option<i128> {
    match value {
        Value::Int(Scalar::ULong, bits) => Some((bits as u64).into()),
        Value::Int(_, bits) => Some(bits.into()),
        Value::Float(..) => None,
    }
}

/// Drops an operator that does nothing.
fn identity(expr: Expr) -> Expr {
    let is = |e: &Expr, n: i32| *e == Expr::int(n);
    match expr {
        Expr::Unary(UnaryOperator::Minus, a) => match *a {
            Expr::Unary(UnaryOperator::Minus, inner) => *inner,
            a => Expr::Unary(UnaryOperator::Minus, Box::new(a)),
        },
        Expr::Unary(UnaryOperator::Plus, a) => *a,
        Expr::Binary(BinaryOperator::Subtract, a, b) if is(&b, 0) => *a,
        Expr::Binary(BinaryOperator::Multiply | BinaryOperator::Divide, a, b) if is(&b, 1) => *a,
        Expr::Binary(BinaryOperator::Multiply, a, b) if is(&a, 1) => *b,
        // Not for floating-point numbers: -0.0 + 0 is +0.0.
        Expr::Binary(BinaryOperator::Add, a, b) if is(&b, 0) && !is_floating(&a) => *a,
        Expr::Binary(BinaryOperator::Add, a, b) if is(&a, 0) && !is_floating(&b) => *b,
        // Equal branches leave nothing to decide.
        Expr::Conditional(_, b, c) if b == c => *b,
        Expr::Conditional(a, b, c) => match evaluate(&a, &|_| None) {
            Ok(value) if same_type(&b, &c) => {
                if value.is_true() {
                    *b
                } else {
                    *c
                }
            }
            _ => Expr::Conditional(a, b, c),
        },
        other => other,
    }
}

fn same_type(a: &Expr, b: &Expr) -> bool {
    let scalar = |e: &Expr| scalar_of(e, &|_| None);
    scalar(a).is_some_and(|s| Some(s) == scalar(b) && s >= Scalar::Int)
}

/// Whether it has, or may have, a floating-point value; names count as integers.
pub(super) fn is_floating(expr: &Expr) -> bool {
    match expr {
        Expr::Literal(value) => value.scalar().is_float(),
        Expr::Name(_) | Expr::SizeOf(_) | Expr::Element(..) => false,
        Expr::Unary(UnaryOperator::Not, _) => false,
        Expr::Unary(_, a) => is_floating(a),
        Expr::Binary(operator, ..) if operator.is_boolean() => false,
        Expr::Binary(_, a, b) | Expr::Conditional(_, a, b) => is_floating(a) || is_floating(b),
        Expr::Cast(scalar, _) => scalar.is_float(),
        Expr::Call(name, arguments) => {
            let integer = matches!(name.trim_start_matches("std::"), "min" | "max" | "abs");
            !integer || arguments.iter().any(is_floating)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::parse;

    fn check(text: &str, simple: &str) {
        assert_eq!(
            simplify(&parse(text).unwrap()).to_string(),
            simple,
            "{text}"
        );
    }

    #[test]
    fn constants() {
        check("1 + 2 * 3", "7");
        check("(256 + 255) / 256", "1");
        check("1.5 * 2", "3.0");
        check("1.0f / 3", "0.33333334f");
        check("sizeof(float) * 4", "16uL");
        check("sizeof(float)", "sizeof(float)");
        check("(float)3", "3.0f");
        check("(unsigned char)300", "(unsigned char)300");
        check("(unsigned char)300 + 1", "45");
        check("0 && n", "0");
        check("1 || n", "1");
        check("1 && n", "1 && n");
        check("3 < 4 ? 5 : 6", "5");
        check("1 ? a : b", "1 ? a : b");
        check("c ? a : a", "a");
        check("min(3, 4) + n", "3 + n");
        check("!0", "1");
        check("-(3)", "-3");
        check("10 - 20u", "4294967286u");
    }

    #[test]
    fn undefined_results_stay() {
        for text in [
            "2147483647 + 1",
            "-2147483647 - 2",
            "65536 * 65536",
            "1 << 32",
            "1 << -1",
            "1 << 31",
            "1 / 0",
            "1 % 0",
            "1.0 / 0",
            "(int)10000000000.0",
            "9223372036854775807L + 1",
            "sqrt(4.0)",
        ] {
            check(text, text);
        }
        check("1u << 31", "2147483648u");
    }

    #[test]
    fn identities() {
        check("x + 0", "x");
        check("0 + x", "x");
        check("x - 0", "x");
        check("x * 1", "x");
        check("1 * x", "x");
        check("x / 1", "x");
        check("-(-x)", "x");
        check("0 * x", "0");
        check("x * 1.0", "x * 1.0");
        check("(float)x + 0", "(float)x + 0");
        check("(float)x - 0", "(float)x");
        check("f(x) + f(x)", "f(x) + f(x)");
        check("x + 0u", "x + 0u");
    }

    #[test]
    fn linear_forms_cancel() {
        check("(eo + 12) - eo", "12");
        check("(i + B) - i", "B");
        check("2*n - n", "n");
        check("n + n + n", "3 * n");
        check("n + 1 + 2", "n + 3");
        check("n + 1 - 2", "n - 1");
        check("n * 4 * 4", "16 * n");
        check("n - n", "0");
        check("n - 2*n", "-n");
        check("a - (a - b)", "b");
        check("2 * (n + 1) - 2 * n", "2");
        check("a[0]".replace("[0]", " - b + b").as_str(), "a");
        check("(n + 1L) - n", "1L");
        check("(l + 16u) - l", "16u");
        check("b + 1 - a - b", "1 - a");
        check("-a + b + a + 0", "b");
        check("(int)(x * 2.0) + 1 - (int)(x * 2.0)", "1");
        check("min(a, b) + 3 - min(a, b)", "3");
        check("((eo + 12) - eo + 3) / 4", "3");
    }

    #[test]
    fn products_cancel() {
        check("(b + 1) * B - b * B", "B");
        check("B * (b + 1) - b * B", "B");
        check("(o + 4) * s - o * s", "4 * s");
        check("a * b - b * a", "0");
        check("2 * a * b - a * b - b * a", "0");
    }

    #[test]
    fn what_does_not_shrink_keeps_its_shape() {
        for text in [
            "(n + 255) / 256",
            "(n - 1 + B) / B",
            "b + a",
            "2 * (n + 1)",
            "(a + b) * (a - b)",
            "a * (b + c)",
            "255 + n",
            "x * 2.0 - x * 2.0",
            "(float)a - (float)a",
            "f(1 + f(1 + f(1 + g)))",
            "n - -1",
        ] {
            let expr = parse(text).unwrap();
            assert_eq!(simplify(&expr).to_string(), expr.to_string());
        }
        check("4 * (n + m + 1 + 2)", "4 * (n + m + 3)");
    }

    #[test]
    fn large_sums_are_quick() {
        let sum: String = (0..400).map(|i| format!("a{i} + ")).collect();
        let expr = parse(&(sum.clone() + "1")).unwrap();
        assert_eq!(simplify(&expr), expr);
        let product: String = (0..400).map(|i| format!("(a{i} + b) * ")).collect();
        let expr = parse(&(product + "1 * 1")).unwrap();
        assert!(simplify(&expr).to_string().len() < 6000);
    }
}

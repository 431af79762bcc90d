use super::{Expr, Scalar, UnaryOperator, Value};
use std::fmt;

/// How tightly a conditional binds; binary operators have 2 to 11.
const CONDITIONAL: u8 = 1;
const PREFIX: u8 = 12;
const PRIMARY: u8 = 13;

/// C text with as few parentheses as the tree allows. Read again it gives the same value.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Literal(value) => write!(f, "{value}"),
            Self::Name(name) => f.write_str(name),
            Self::Unary(operator, a) => {
                f.write_str(operator.c_text())?;
                // `- -a` must not become `--a`.
                let pastes = match operator {
                    UnaryOperator::Minus => a.is_negated(),
                    UnaryOperator::Plus => matches!(**a, Self::Unary(UnaryOperator::Plus, _)),
                    _ => false,
                };
                within(f, a, if pastes { PRIMARY } else { PREFIX })
            }
            Self::Binary(operator, a, b) => {
                let binds = operator.precedence();
                within(f, a, binds)?;
                write!(f, " {} ", operator.c_text())?;
                within(f, b, binds + 1)
            }
            Self::Conditional(a, b, c) => {
                within(f, a, CONDITIONAL + 1)?;
                write!(f, " ? {b} : {c}")
            }
            Self::Cast(scalar, a) => {
                write!(f, "({})", scalar.c_name())?;
                within(f, a, PREFIX)
            }
            Self::Call(name, arguments) => {
                write!(f, "{name}(")?;
                for (index, argument) in arguments.iter().enumerate() {
                    f.write_str(if index > 0 { ", " } else { "" })?;
                    write!(f, "{argument}")?;
                }
                f.write_str(")")
            }
            Self::SizeOf(scalar) => write!(f, "sizeof({})", scalar.c_name()),
            Self::Element(base, indices) => {
                f.write_str(base)?;
                indices
                    .iter()
                    .try_for_each(|(index, after)| write!(f, "[{index}]{after}"))
            }
        }
    }
}

fn within(f: &mut fmt::Formatter<'_>, expr: &Expr, least: u8) -> fmt::Result {
    if expr.binds() < least {
        write!(f, "({expr})")
    } else {
        write!(f, "{expr}")
    }
}

impl Expr {
    /// How tightly its text holds together.
    fn binds(&self) -> u8 {
        match self {
            Self::Literal(_) if self.is_negated() => PREFIX,
            // Written as a cast.
            Self::Literal(Value::Int(Scalar::UChar | Scalar::Short | Scalar::UShort, _)) => PREFIX,
            Self::Unary(..) | Self::Cast(..) => PREFIX,
            Self::Binary(operator, ..) => operator.precedence(),
            Self::Conditional(..) => CONDITIONAL,
            _ => PRIMARY,
        }
    }

    /// Whether its text begins with `-`.
    fn is_negated(&self) -> bool {
        match self {
            Self::Unary(UnaryOperator::Minus, _) => true,
            Self::Literal(Value::Int(Scalar::Int, bits)) => {
                *bits < 0 && *bits != i64::from(i32::MIN)
            }
            Self::Literal(Value::Int(Scalar::Long, bits)) => *bits < 0 && *bits != i64::MIN,
            Self::Literal(Value::Float(_, x)) => x.is_sign_negative() && x.is_finite(),
            _ => false,
        }
    }
}

/// A literal of the value's type, as C and OpenCL C read it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Int(Scalar::Bool, bits) => f.write_str(if bits != 0 { "true" } else { "false" }),
            Self::Int(Scalar::Char, bits) => character(f, bits as i8),
            Self::Int(scalar @ (Scalar::UChar | Scalar::Short | Scalar::UShort), bits) => {
                write!(f, "({}){bits}", scalar.c_name())
            }
            // C has no negative literals: the smallest number would be the negation of one too large.
            Self::Int(Scalar::Int, bits) if bits == i64::from(i32::MIN) => {
                f.write_str("(-2147483647 - 1)")
            }
            Self::Int(Scalar::Long, i64::MIN) => f.write_str("(-9223372036854775807L - 1)"),
            Self::Int(Scalar::UInt, bits) => write!(f, "{bits}u"),
            Self::Int(Scalar::Long, bits) => write!(f, "{bits}L"),
            Self::Int(Scalar::ULong, bits) => write!(f, "{}uL", bits as u64),
            Self::Int(_, bits) => write!(f, "{bits}"),
            Self::Float(scalar, x) => {
                let suffix = if scalar == Scalar::Float { "f" } else { "" };
                if x.is_nan() {
                    write!(f, "(0.0{suffix} / 0.0{suffix})")
                } else if x.is_infinite() {
                    let sign = if x < 0.0 { "-" } else { "" };
                    write!(f, "({sign}1.0{suffix} / 0.0{suffix})")
                } else if scalar == Scalar::Float {
                    write!(f, "{:?}f", x as f32)
                } else {
                    write!(f, "{x:?}")
                }
            }
        }
    }
}

fn character(f: &mut fmt::Formatter<'_>, unit: i8) -> fmt::Result {
    match unit as u8 {
        b'\n' => f.write_str("'\\n'"),
        b'\t' => f.write_str("'\\t'"),
        byte @ (b'\'' | b'\\') => write!(f, "'\\{}'", byte as char),
        byte if byte == b' ' || byte.is_ascii_graphic() => write!(f, "'{}'", byte as char),
        byte => write!(f, "'\\x{byte:02x}'"),
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::{BinaryOperator, Expr, Scalar, UnaryOperator, Value, evaluate, parse};

    #[test]
    fn literals_keep_their_type() {
        for (text, printed) in [
            ("1", "1"),
            ("1u", "1u"),
            ("1l", "1L"),
            ("1ull", "1uL"),
            ("0xFFFFFFFF", "4294967295u"),
            ("1.", "1.0"),
            ("1e30", "1e30"),
            (".5f", "0.5f"),
            ("0.1f", "0.1f"),
            ("'\\n'", "'\\n'"),
            ("'\\377'", "'\\xff'"),
            ("u8'a'", "(unsigned char)97"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), printed);
        }
        for value in [
            Value::int(i32::MIN),
            Value::int(-3),
            Value::Int(Scalar::Long, i64::MIN),
            Value::Int(Scalar::Long, -1),
            Value::Int(Scalar::ULong, -1),
            Value::Int(Scalar::UShort, 65535),
            Value::Int(Scalar::Char, -128),
            Value::Int(Scalar::Bool, 1),
            Value::Float(Scalar::Double, f64::MIN_POSITIVE),
            Value::Float(Scalar::Double, f64::NEG_INFINITY),
            Value::Float(Scalar::Float, f64::from(f32::MAX)),
        ] {
            let read = evaluate(&parse(&value.to_string()).unwrap(), &|_| None);
            assert_eq!(read, Ok(value), "{value}");
        }
    }

    #[test]
    fn parentheses_where_needed() {
        let minus = |a| Expr::Unary(UnaryOperator::Minus, Box::new(a));
        assert_eq!(minus(minus(Expr::name("a"))).to_string(), "-(-a)");
        assert_eq!(minus(Expr::int(-3)).to_string(), "-(-3)");
        let sum = Expr::binary(BinaryOperator::Add, Expr::name("a"), Expr::int(-3));
        assert_eq!(sum.to_string(), "a + -3");
        let text = "(a + b) * (c - (d - e)) / (f ? g : h)";
        assert_eq!(parse(text).unwrap().to_string(), text);
        assert_eq!(parse("(int)(a+b)").unwrap().to_string(), "(int)(a + b)");
        assert_eq!(parse("(int)-a").unwrap().to_string(), "(int)-a");
        assert_eq!(parse("f((a), (b+1))").unwrap().to_string(), "f(a, b + 1)");
    }
}

use serde::{Deserialize, Serialize};

/// A scalar type of C. `long` has 64 bits, `char` is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scalar {
    /// `bool`.
    Bool,
    /// 8 bits, signed.
    Char,
    /// 8 bits, unsigned.
    UChar,
    /// 16 bits, signed.
    Short,
    /// 16 bits, unsigned.
    UShort,
    /// 32 bits, signed.
    Int,
    /// 32 bits, unsigned.
    UInt,
    /// 64 bits, signed.
    Long,
    /// 64 bits, unsigned.
    ULong,
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
}

impl Scalar {
    /// Size in bytes.
    pub const fn size(self) -> usize {
        match self {
            Self::Bool | Self::Char | Self::UChar => 1,
            Self::Short | Self::UShort => 2,
            Self::Int | Self::UInt | Self::Float => 4,
            Self::Long | Self::ULong | Self::Double => 8,
        }
    }

    /// Whether it is `float` or `double`.
    pub const fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    /// Whether it is an unsigned integer (`bool` is).
    pub const fn is_unsigned(self) -> bool {
        matches!(
            self,
            Self::Bool | Self::UChar | Self::UShort | Self::UInt | Self::ULong
        )
    }

    /// How C and C++ on a 64-bit Unix spell it.
    pub const fn c_name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Char => "char",
            Self::UChar => "unsigned char",
            Self::Short => "short",
            Self::UShort => "unsigned short",
            Self::Int => "int",
            Self::UInt => "unsigned int",
            Self::Long => "long",
            Self::ULong => "unsigned long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    /// The type that the words of a C declaration name, in any order: `unsigned long int`, `size_t`,
    /// `uint32_t`, `uchar`, … `const` and `volatile` are ignored. `None` for anything else.
    pub fn from_words<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let (mut unsigned, mut signed, mut long, mut short) = (false, false, 0, false);
        let mut base = None;
        for word in words {
            match word {
                "const" | "volatile" | "constexpr" | "static" | "register" => {}
                "unsigned" => unsigned = true,
                "signed" => signed = true,
                "long" => long += 1,
                "short" => short = true,
                _ if base.is_none() => base = Some(word),
                // `long int`, `short int` name one type; two other names do not.
                "int" => {}
                _ => return None,
            }
        }
        let plain = match base {
            None | Some("int") if short => Self::Short,
            None | Some("int") if long > 0 => Self::Long,
            None if !(unsigned || signed) => return None,
            None | Some("int" | "int32_t") => Self::Int,
            Some("bool" | "_Bool") => Self::Bool,
            Some("char" | "int8_t") => Self::Char,
            Some("short" | "int16_t") => Self::Short,
            Some("int64_t" | "ptrdiff_t" | "ssize_t" | "intptr_t") => Self::Long,
            Some("uchar" | "uint8_t") => Self::UChar,
            Some("ushort" | "uint16_t") => Self::UShort,
            Some("uint" | "uint32_t") => Self::UInt,
            Some("ulong" | "size_t" | "uint64_t" | "uintptr_t") => Self::ULong,
            // `long double` is as long as a compiler likes.
            Some("float" | "double") if long > 0 || short => return None,
            Some("float") => Self::Float,
            Some("double") => Self::Double,
            Some(_) => return None,
        };
        if !unsigned {
            return Some(plain);
        }
        match plain {
            Self::Char => Some(Self::UChar),
            Self::Short => Some(Self::UShort),
            Self::Int => Some(Self::UInt),
            Self::Long => Some(Self::ULong),
            _ => None,
        }
    }
}

/// A value of a scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// An integer: its type, and its bits sign- or zero-extended from that type to 64.
    Int(Scalar, i64),
    /// A floating-point number; for `float` already rounded to it.
    Float(Scalar, #[serde(with = "float")] f64),
}

/// Numbers as they are; JSON has none for what is not finite, which gets words.
mod float {
    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};
    use std::fmt;

    pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        match value.is_finite() {
            true => serializer.serialize_f64(*value),
            false => serializer.collect_str(value),
        }
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<f64, D::Error> {
        struct Number;
        impl Visitor<'_> for Number {
            type Value = f64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or one of inf, -inf and NaN")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<f64, E> {
                Ok(value)
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_u64<E: Error>(self, value: u64) -> Result<f64, E> {
                Ok(value as f64)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
                let value = text.parse().ok().filter(|v: &f64| !v.is_finite());
                value.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_any(Number)
    }
}

impl Value {
    /// An `int`.
    pub const fn int(value: i32) -> Self {
        Self::Int(Scalar::Int, value as i64)
    }

    /// Its type.
    pub const fn scalar(self) -> Scalar {
        match self {
            Self::Int(scalar, _) | Self::Float(scalar, _) => scalar,
        }
    }

    /// The integer it is, if it is one that fits.
    pub fn as_i64(self) -> Option<i64> {
        match self {
            Self::Int(Scalar::ULong, bits) => (bits >= 0).then_some(bits),
            Self::Int(_, bits) => Some(bits),
            Self::Float(..) => None,
        }
    }
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum UnaryOperator {
    Plus,
    Minus,
    Not,
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

/// A C expression over scalars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// A number or character literal, `true`, `false`.
    Literal(Value),
    /// A variable; also a member path such as `args.n`, or a qualified name.
    Name(Box<str>),
    /// `-a`
    Unary(UnaryOperator, Box<Expr>),
    /// `a + b`
    Binary(BinaryOperator, Box<Expr>, Box<Expr>),
    /// `a ? b : c`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T) a`, `T(a)`, `static_cast<T>(a)` for a scalar type.
    Cast(Scalar, Box<Expr>),
    /// `f(a, b)` for a function of scalars; `min`, `max`, `sqrt`, … are known to the evaluator.
    Call(Box<str>, Vec<Expr>),
    /// `sizeof(T)` for a scalar type.
    SizeOf(Scalar),
    /// `a[i]`, `p.list[i].n`: the name before the first bracket, then each index with what follows
    /// its bracket. With constant indices it is a [`Expr::Name`].
    Element(Box<str>, Vec<(Expr, Box<str>)>),
}

impl Expr {
    /// An `int` literal.
    pub const fn int(value: i32) -> Self {
        Self::Literal(Value::int(value))
    }

    /// A name.
    pub fn name(name: impl Into<Box<str>>) -> Self {
        Self::Name(name.into())
    }

    /// `a OP b`.
    pub fn binary(operator: BinaryOperator, a: Self, b: Self) -> Self {
        Self::Binary(operator, Box::new(a), Box::new(b))
    }

    /// Calls `visit` with every name in it.
    pub fn for_each_name<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Self::Literal(_) | Self::SizeOf(_) => {}
            Self::Name(name) => visit(name),
            Self::Unary(_, a) | Self::Cast(_, a) => a.for_each_name(visit),
            Self::Binary(_, a, b) => {
                a.for_each_name(visit);
                b.for_each_name(visit);
            }
            Self::Conditional(a, b, c) => {
                a.for_each_name(visit);
                b.for_each_name(visit);
                c.for_each_name(visit);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|a| a.for_each_name(visit)),
            Self::Element(base, indices) => {
                visit(base);
                indices.iter().for_each(|(i, _)| i.for_each_name(visit));
            }
        }
    }

    /// Calls `visit` with the name of every function it calls.
    pub fn for_each_call<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        if let Self::Call(name, _) = self {
            visit(name);
        }
        self.for_each_part(&mut |part| part.for_each_call(visit));
    }

    /// Calls `visit` with every direct operand.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        match self {
            Self::Literal(_) | Self::SizeOf(_) | Self::Name(_) => {}
            Self::Unary(_, a) | Self::Cast(_, a) => visit(a),
            Self::Binary(_, a, b) => [a, b].into_iter().for_each(|e| visit(e)),
            Self::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|e| visit(e)),
            Self::Call(_, arguments) => arguments.iter().for_each(visit),
            Self::Element(_, indices) => indices.iter().for_each(|(i, _)| visit(i)),
        }
    }

    /// The same expression with `change` applied to each direct operand.
    #[must_use]
    pub fn map_parts(&self, change: &mut dyn FnMut(&Self) -> Self) -> Self {
        match self {
            Self::Literal(_) | Self::SizeOf(_) | Self::Name(_) => self.clone(),
            Self::Unary(o, a) => Self::Unary(*o, Box::new(change(a))),
            Self::Cast(t, a) => Self::Cast(*t, Box::new(change(a))),
            Self::Binary(o, a, b) => Self::binary(*o, change(a), change(b)),
            Self::Conditional(a, b, c) => {
                let [a, b, c] = [a, b, c].map(|e| Box::new(change(e)));
                Self::Conditional(a, b, c)
            }
            Self::Call(f, arguments) => {
                Self::Call(f.clone(), arguments.iter().map(change).collect())
            }
            Self::Element(base, indices) => {
                let indices = indices.iter().map(|(i, after)| (change(i), after.clone()));
                Self::element(base.clone(), indices.collect())
            }
        }
    }

    /// `base[i]…`: a plain name if all indices are constant.
    pub fn element(base: Box<str>, indices: Vec<(Self, Box<str>)>) -> Self {
        let mut name = base.to_string();
        for (index, after) in &indices {
            match super::constant(index) {
                Some(n) => name.push_str(&format!("[{n}]{after}")),
                None => return Self::Element(base, indices),
            }
        }
        Self::Name(name.into())
    }

    /// Whether `name` occurs in it.
    pub fn mentions(&self, name: &str) -> bool {
        let mut found = false;
        self.for_each_name(&mut |n| found |= root_name(n) == name);
        found
    }
}

/// The variable that a member path begins with: `args` of `args.n`, `p` of `p->list[2]`.
pub fn root_name(path: &str) -> &str {
    path.split(['.', '[', '-']).next().unwrap_or(path)
}

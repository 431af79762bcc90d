//! Numbers and characters as C spells them.

use super::{Scalar, Value};
use std::borrow::Cow;

/// The value of a preprocessing number (digit separators and suffixes included).
pub(crate) fn number(spelling: &str) -> Result<Value, String> {
    let plain = spelling
        .bytes()
        .all(|b| b != b'\'' && b.is_ascii() && !b.is_ascii_uppercase());
    let text: Cow<'_, str> = match plain {
        true => spelling.into(),
        false => spelling.replace('\'', "").to_lowercase().into(),
    };
    let bad = || format!("'{spelling}' is not a number");
    if let Some(rest) = text.strip_prefix("0x") {
        return if rest.contains(['.', 'p']) {
            hex_float(rest).ok_or_else(bad)
        } else {
            integer(rest, 16, spelling)
        };
    }
    if let Some(rest) = text.strip_prefix("0b") {
        return integer(rest, 2, spelling);
    }
    if text.contains(['.', 'e']) {
        return decimal_float(&text).ok_or_else(bad);
    }
    // `08` is wrong, `0` and `07` are octal.
    match text.strip_prefix('0') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => integer(rest, 8, spelling),
        _ => integer(&text, 10, spelling),
    }
}

fn integer(text: &str, base: u32, spelling: &str) -> Result<Value, String> {
    let end = text.find(|c: char| !c.is_digit(base)).unwrap_or(text.len());
    let (digits, suffix) = text.split_at(end);
    let (unsigned, long) = match suffix {
        "" => (false, false),
        "u" => (true, false),
        "l" | "ll" | "z" => (false, true),
        "ul" | "ull" | "lu" | "llu" | "uz" | "zu" => (true, true),
        _ => return Err(format!("'{spelling}' is not a number")),
    };
    if digits.is_empty() {
        return Err(format!("'{spelling}' is not a number"));
    }
    let value = u64::from_str_radix(digits, base)
        .map_err(|_| format!("'{spelling}' does not fit 64 bits"))?;
    // C11 6.4.4.1: the first type that holds it; decimal literals without `u` stay signed as long as
    // they can.
    let may_be_unsigned = unsigned || base != 10;
    let scalar = if !long && !unsigned && value <= i32::MAX as u64 {
        Scalar::Int
    } else if !long && may_be_unsigned && value <= u64::from(u32::MAX) {
        Scalar::UInt
    } else if !unsigned && value <= i64::MAX as u64 {
        Scalar::Long
    } else {
        Scalar::ULong
    };
    Ok(Value::Int(scalar, value as i64))
}

/// Takes the suffix `f` or `l` off.
fn float_suffix(text: &str) -> (&str, Scalar) {
    match text.strip_suffix('f') {
        Some(rest) => (rest, Scalar::Float),
        None => (text.strip_suffix('l').unwrap_or(text), Scalar::Double),
    }
}

fn decimal_float(text: &str) -> Option<Value> {
    let (digits, scalar) = float_suffix(text);
    if digits.contains(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-'))) {
        return None;
    }
    // Parsed as the type it has: rounding twice would differ from what a compiler does.
    let value = match scalar {
        Scalar::Float => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    Some(Value::Float(scalar, value))
}

/// What follows `0x`, in lower case: `1.8p-3f`.
fn hex_float(text: &str) -> Option<Value> {
    let (mantissa, rest) = text.split_once('p')?;
    let (exponent, scalar) = float_suffix(rest);
    let exponent: i64 = exponent.parse::<i32>().ok()?.into();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    // Digits beyond 60 bits only matter for rounding: one sticky bit stands for them.
    let (mut bits, mut dropped) = (0u64, 0i64);
    for c in whole.chars().chain(fraction.chars()) {
        let digit = u64::from(c.to_digit(16)?);
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
        } else {
            bits |= u64::from(digit != 0);
            dropped += 4;
        }
    }
    let scale = exponent - 4 * fraction.len() as i64 + dropped;
    let value = match scalar {
        Scalar::Float => f64::from((scaled(bits as f32 as f64, scale)) as f32),
        _ => scaled(bits as f64, scale),
    };
    Some(Value::Float(scalar, value))
}

/// `value * 2^exponent`, in steps that do not overflow on their own.
fn scaled(mut value: f64, exponent: i64) -> f64 {
    let mut left = exponent.clamp(-4000, 4000) as i32;
    while left != 0 && value != 0.0 && value.is_finite() {
        let step = left.clamp(-512, 512);
        value *= 2f64.powi(step);
        left -= step;
    }
    value
}

/// The value of a character literal with its prefix and quotes.
pub(super) fn character(spelling: &str) -> Result<Value, String> {
    let (prefix, rest) = spelling.split_once('\'').unwrap_or(("", ""));
    let body = rest.strip_suffix('\'').unwrap_or(rest);
    let units = units_of(body, matches!(prefix, "L" | "u" | "U"));
    match (units.as_slice(), prefix) {
        ([], _) => Err("empty character literal".to_string()),
        ([unit], "") => Ok(Value::Int(Scalar::Char, i64::from(*unit as i8))),
        ([unit], "u8") => Ok(Value::Int(Scalar::UChar, i64::from(*unit as u8))),
        ([unit], "u") => Ok(Value::Int(Scalar::UShort, i64::from(*unit as u16))),
        ([unit], "U") => Ok(Value::Int(Scalar::UInt, i64::from(*unit))),
        ([unit], _) => Ok(Value::Int(Scalar::Int, i64::from(*unit as i32))),
        // Implementation-defined; as gcc and clang have it.
        (many, _) => {
            let value = many.iter().fold(0u32, |v, u| v << 8 | (u & 0xff));
            Ok(Value::Int(Scalar::Int, i64::from(value as i32)))
        }
    }
}

/// The bytes of a string literal with its quotes, without the zero at its end; `None` for those of wide characters.
pub(crate) fn string(spelling: &str) -> Option<Vec<u8>> {
    let (prefix, rest) = spelling.split_once('"')?;
    let body = rest.strip_suffix('"')?;
    match prefix {
        "" | "u8" => {
            let units = units_of(body, false).into_iter();
            Some(units.map(|unit| unit as u8).collect())
        }
        // `R"x(…)x"`
        "R" | "u8R" => {
            let (mark, inside) = body.split_once('(')?;
            let inside = inside.strip_suffix(mark)?.strip_suffix(')')?;
            Some(inside.as_bytes().to_vec())
        }
        _ => None,
    }
}

/// Code units of what stands between quotes: bytes, or whole characters.
fn units_of(body: &str, wide: bool) -> Vec<u32> {
    let mut units: Vec<u32> = Vec::new();
    let mut chars = body.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            push_char(&mut units, c, wide);
            continue;
        }
        let Some(escape) = chars.next() else { break };
        let mut digits = |base: u32, most: usize, start: u32| {
            let mut value = start;
            for _ in 0..most {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(base)) else {
                    break;
                };
                value = value.wrapping_mul(base).wrapping_add(digit);
                chars.next();
            }
            value
        };
        match escape {
            'n' => units.push(10),
            't' => units.push(9),
            'r' => units.push(13),
            'a' => units.push(7),
            'b' => units.push(8),
            'f' => units.push(12),
            'v' => units.push(11),
            'e' => units.push(27),
            '0'..='7' => units.push(digits(8, 2, escape as u32 - '0' as u32)),
            'x' => units.push(digits(16, 64, 0)),
            'u' | 'U' => {
                let code = digits(16, if escape == 'u' { 4 } else { 8 }, 0);
                push_char(&mut units, char::from_u32(code).unwrap_or('\u{fffd}'), wide);
            }
            other => push_char(&mut units, other, wide),
        }
    }
    units
}

fn push_char(units: &mut Vec<u32>, c: char, wide: bool) {
    if wide {
        units.push(c as u32);
    } else {
        let mut buffer = [0; 4];
        units.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_the_type_c_gives_them() {
        for (text, scalar, value) in [
            ("0", Scalar::Int, 0),
            ("1'000", Scalar::Int, 1000),
            ("2147483647", Scalar::Int, i64::from(i32::MAX)),
            ("2147483648", Scalar::Long, 1 << 31),
            ("0x80000000", Scalar::UInt, 1 << 31),
            ("0x100000000", Scalar::Long, 1 << 32),
            ("0xFFFFFFFFFFFFFFFF", Scalar::ULong, -1),
            ("18446744073709551615", Scalar::ULong, -1),
            ("017", Scalar::Int, 15),
            ("0b101", Scalar::Int, 5),
            ("1u", Scalar::UInt, 1),
            ("4294967296u", Scalar::ULong, 1 << 32),
            ("1L", Scalar::Long, 1),
            ("1LLU", Scalar::ULong, 1),
            ("1uz", Scalar::ULong, 1),
            ("0xful", Scalar::ULong, 15),
        ] {
            assert_eq!(number(text), Ok(Value::Int(scalar, value)), "{text}");
        }
        for text in [
            "08",
            "1x",
            "0x",
            "0b2",
            "1uu",
            "18446744073709551616",
            "1_a",
        ] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn floats() {
        for (text, scalar, value) in [
            ("1.", Scalar::Double, 1.0),
            (".5", Scalar::Double, 0.5),
            ("1e3", Scalar::Double, 1000.0),
            ("1.E-1", Scalar::Double, 0.1),
            ("0.1f", Scalar::Float, f64::from(0.1f32)),
            ("1.5L", Scalar::Double, 1.5),
            ("09.5", Scalar::Double, 9.5),
            ("0x1.8p1", Scalar::Double, 3.0),
            ("0x.8p0f", Scalar::Float, 0.5),
            ("0x1p-1074", Scalar::Double, 5e-324),
            ("0x1.fffffffffffffp1023", Scalar::Double, f64::MAX),
        ] {
            assert_eq!(number(text), Ok(Value::Float(scalar, value)), "{text}");
        }
        for text in ["1.0q", "0x1.8", "1e", "1..2", "0x.p1", "1ef"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn characters() {
        for (text, scalar, value) in [
            ("'a'", Scalar::Char, 97),
            (r"'\n'", Scalar::Char, 10),
            (r"'\0'", Scalar::Char, 0),
            (r"'\377'", Scalar::Char, -1),
            (r"'\x41'", Scalar::Char, 65),
            (r"'\''", Scalar::Char, 39),
            ("L'\u{e9}'", Scalar::Int, 0xe9),
            (r"u'\u00e9'", Scalar::UShort, 0xe9),
            ("'ab'", Scalar::Int, 0x6162),
        ] {
            assert_eq!(character(text), Ok(Value::Int(scalar, value)), "{text}");
        }
        assert!(character("''").is_err());
    }
}

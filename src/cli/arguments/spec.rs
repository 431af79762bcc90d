//! `NAME=VALUE`: what `--arg` says.

use std::path::PathBuf;

/// What an argument is given as.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) enum Given {
    /// A value: a number, or the components of a vector.
    Value(Vec<Number>),
    /// An array of that shape, slowest dimension first.
    Filled(Vec<u32>, Fill),
    /// The content of a file.
    File(PathBuf),
}

/// What an array holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) enum Fill {
    Zeros,
    /// Nothing: zeros, where somebody looks.
    Empty,
    /// 0, 1, 2, …
    Iota,
    /// The same everywhere.
    Constant(Number),
    /// Evenly spread from the lower bound up to, but without, the upper one.
    Random {
        seed: u64,
        bounds: Option<(Number, Number)>,
    },
}

/// A number as written: integers keep all their bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::cli) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub(in crate::cli) fn as_f64(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Its integer, as C converts it.
    pub(in crate::cli) fn as_i128(self) -> i128 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value as i128,
        }
    }
}

const FORMS: &str = "a number, (X, Y), zeros(SHAPE), empty(SHAPE), iota(SHAPE), constant(SHAPE, VALUE), \
                     random(SHAPE, seed=N, min=A, max=B) or @FILE.npy, where a SHAPE is 1000 or 20x50";

/// The name and what is given for it.
pub(in crate::cli) fn parse(text: &str) -> Result<(String, Given), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or_else(|| format!("--arg '{text}': NAME=VALUE is expected"))?;
    let fail = |what: &str| format!("--arg '{text}': {what}");
    let (name, value) = (name.trim().to_string(), value.trim());
    let given = match value.strip_prefix('@') {
        Some("") => return Err(fail("a file's name is expected")),
        Some(path) => Given::File(PathBuf::from(path)),
        None => value_of(value).map_err(|what| fail(&what))?,
    };
    Ok((name, given))
}

fn value_of(text: &str) -> Result<Given, String> {
    if let Some(value) = number(text) {
        return Ok(Given::Value(vec![value]));
    }
    let unknown = || format!("'{text}' is none of {FORMS}");
    let (function, rest) = text.split_once('(').ok_or_else(unknown)?;
    let inside = rest.strip_suffix(')').ok_or_else(unknown)?;
    let parts: Vec<&str> = inside.split(',').map(str::trim).collect();
    if function.trim().is_empty() {
        let components: Option<Vec<Number>> = parts.iter().map(|p| number(p)).collect();
        return components
            .filter(|c| (1..=4).contains(&c.len()))
            .map(Given::Value)
            .ok_or_else(unknown);
    }
    let shape = shape(parts[0])?;
    let mut named = Vec::new();
    let mut plain = Vec::new();
    for part in &parts[1..] {
        let (name, value) = part.split_once('=').unwrap_or(("", part));
        let value = number(value.trim()).ok_or_else(|| format!("'{value}' is no number"))?;
        match name.trim() {
            "" => plain.push(value),
            name => named.push((name, value)),
        }
    }
    let mut take = |name: &str| {
        let at = named.iter().position(|(n, _)| *n == name)?;
        Some(named.remove(at).1)
    };
    let fill = match function.trim() {
        "zeros" => Fill::Zeros,
        "empty" => Fill::Empty,
        "iota" => Fill::Iota,
        "constant" => {
            let value = take("value").or_else(|| plain.pop());
            Fill::Constant(value.ok_or("constant(SHAPE, VALUE) has a value")?)
        }
        "random" => {
            let seed = take("seed").map_or(0, |n| n.as_i128() as u64);
            let bounds = match (take("min"), take("max")) {
                (None, None) => None,
                (low, Some(high)) => Some((low.unwrap_or(Number::Int(0)), high)),
                (Some(_), None) => return Err("min=A needs a max=B".to_string()),
            };
            Fill::Random { seed, bounds }
        }
        _ => return Err(unknown()),
    };
    if let Some((name, _)) = named.first() {
        return Err(format!("{function}() has no '{name}'"));
    }
    match plain.is_empty() {
        true => Ok(Given::Filled(shape, fill)),
        false => Err(format!("{function}() is given too much")),
    }
}

/// `1000`, `20x50`; one to four dimensions.
fn shape(text: &str) -> Result<Vec<u32>, String> {
    let extents: Option<Vec<u32>> = text.split('x').map(|e| e.trim().parse().ok()).collect();
    extents
        .filter(|e| (1..=4).contains(&e.len()))
        .ok_or_else(|| format!("'{text}' is no shape; 1000 and 20x50 are"))
}

/// `12`, `-0x1F`, `2.5`, `1e-3f`, `true`.
fn number(text: &str) -> Option<Number> {
    match text {
        "true" => return Some(Number::Int(1)),
        "false" => return Some(Number::Int(0)),
        _ => {}
    }
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text),
    };
    let hexadecimal = digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"));
    if let Some(digits) = hexadecimal {
        let value = i128::from(u64::from_str_radix(digits, 16).ok()?);
        return Some(Number::Int(sign * value));
    }
    if let Ok(value) = text.parse::<i128>() {
        // What no type of 64 bits holds is a mistake.
        let range = i128::from(i64::MIN)..=i128::from(u64::MAX);
        return range.contains(&value).then_some(Number::Int(value));
    }
    let decimal = text.strip_suffix(['f', 'F']).unwrap_or(text);
    let first = digits.chars().next()?;
    let named = matches!(digits, "nan" | "inf");
    (named || first.is_ascii_digit() || first == '.')
        .then_some(if named { text } else { decimal })
        .and_then(|text| text.parse().ok())
        .map(Number::Float)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_read() {
        let of = |text: &str| parse(text).map(|(_, given)| given);
        let value = |n| Ok(Given::Value(vec![n]));
        assert_eq!(of("n=1000"), value(Number::Int(1000)));
        assert_eq!(of("n = -0x10 "), value(Number::Int(-16)));
        assert_eq!(
            of("n=18446744073709551615"),
            value(Number::Int(u64::MAX.into()))
        );
        assert_eq!(of("f=2.5f"), value(Number::Float(2.5)));
        assert_eq!(of("f=-1e-3"), value(Number::Float(-1e-3)));
        assert_eq!(of("f=-inf"), value(Number::Float(f64::NEG_INFINITY)));
        assert_eq!(
            of("v=(1, 2.0)"),
            Ok(Given::Value(vec![Number::Int(1), Number::Float(2.0)]))
        );
        assert_eq!(
            of("x=zeros(20x50)"),
            Ok(Given::Filled(vec![20, 50], Fill::Zeros))
        );
        assert_eq!(of("x=empty(5)"), Ok(Given::Filled(vec![5], Fill::Empty)));
        assert_eq!(of("x=iota(7)"), Ok(Given::Filled(vec![7], Fill::Iota)));
        let five = Fill::Constant(Number::Int(5));
        assert_eq!(of("x=constant(7, 5)"), Ok(Given::Filled(vec![7], five)));
        assert_eq!(
            of("x=constant(7,value=5)"),
            Ok(Given::Filled(vec![7], five))
        );
        let random = |seed, bounds| Ok(Given::Filled(vec![1000], Fill::Random { seed, bounds }));
        assert_eq!(of("x=random(1000,seed=1)"), random(1, None));
        let bounds = Some((Number::Int(0), Number::Int(9)));
        assert_eq!(of("x=random(1000, max=9)"), random(0, bounds));
        assert_eq!(of("x=@a b.npy"), Ok(Given::File("a b.npy".into())));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, what) in [
            ("n", "NAME=VALUE"),
            ("n=x", "none of"),
            ("n=1e999999x", "none of"),
            ("n=18446744073709551616", "none of"),
            ("x=zeros(1x2x3x4x5)", "no shape"),
            ("x=zeros(-1)", "no shape"),
            ("x=zeros(5, 6)", "too much"),
            ("x=zeros(5, seed=6)", "no 'seed'"),
            ("x=random(5, min=6)", "needs a max"),
            ("x=constant(5)", "has a value"),
            ("x=ones(5)", "none of"),
            ("x=@", "file's name"),
            ("v=(1,2,3,4,5)", "none of"),
        ] {
            assert!(
                parse(text).is_err_and(|e| e.contains(what)),
                "{text}: {:?}",
                parse(text)
            );
        }
    }
}

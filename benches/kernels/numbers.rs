//! Expressions of `work.toml` over sizes.

use brook::expr::{self, Scalar, Value};
use std::collections::BTreeMap;

/// What expressions may name.
#[derive(Clone, Debug, Default)]
pub struct Numbers(BTreeMap<String, Value>);

impl Numbers {
    /// Adds a whole number.
    pub fn set(&mut self, name: &str, value: usize) {
        let value = Value::Int(Scalar::Long, value as i64);
        self.0.insert(name.to_string(), value);
    }

    /// Adds expressions that may name each other, in whatever order.
    pub fn add(&mut self, expressions: &BTreeMap<String, Text>) -> Result<(), String> {
        let mut rest: Vec<_> = expressions.iter().collect();
        while !rest.is_empty() {
            let before = rest.len();
            let mut reason = String::new();
            rest.retain(|(name, text)| match self.value(text) {
                Ok(value) => {
                    self.0.insert((*name).clone(), value);
                    false
                }
                Err(error) => {
                    reason = error;
                    true
                }
            });
            if rest.len() == before {
                return Err(reason);
            }
        }
        Ok(())
    }

    /// The value of an expression.
    pub fn value(&self, text: &Text) -> Result<Value, String> {
        let text = match text {
            Text::Whole(n) => return Ok(Value::Int(Scalar::Long, *n)),
            Text::Number(x) => return Ok(Value::Float(Scalar::Double, *x)),
            Text::Words(text) => text,
        };
        let wrong = |e: &dyn std::fmt::Display| format!("'{text}': {e}");
        let tree = expr::parse(text).map_err(|e| wrong(&e))?;
        let value = expr::evaluate(&tree, &|name| self.0.get(name).copied());
        value.map_err(|e| wrong(&e))
    }

    /// The value of an expression as a size.
    pub fn size(&self, text: &Text) -> Result<usize, String> {
        let value = self.value(text)?;
        let size = value.as_i64().and_then(|n| usize::try_from(n).ok());
        size.ok_or_else(|| format!("{text:?} is no size: {value:?}"))
    }

    /// The value of an expression as a number of any kind.
    pub fn number(&self, text: &Text) -> Result<f64, String> {
        self.value(text).map(Value::as_f64)
    }
}

/// An expression, or a number.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(untagged)]
pub enum Text {
    /// A whole number.
    Whole(i64),
    /// Any number.
    Number(f64),
    /// An expression in C.
    Words(String),
}

impl Default for Text {
    fn default() -> Self {
        Self::Whole(0)
    }
}

use super::VectorType;
use crate::expr::{self, Expr, Scalar, Value};
use crate::lex::{lex, one_layout};
use crate::source::Span;
use serde::{Deserialize, Serialize};

/// A kernel that is a template: what is known of it before anybody says what it is a kernel for.
///
/// Template arguments are compared in one spelling ([`TemplateParameter::canonical`]): `uint` and `unsigned` are one
/// type, `2 * 3` and `6` one number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KernelTemplate {
    /// Its name.
    pub name: String,
    /// The template's parameters.
    pub parameters: Vec<TemplateParameter>,
    /// The kernel's parameters.
    pub arguments: Vec<TemplatedParameter>,
    /// The kernels that were made of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instances: Vec<TemplateInstance>,
}

/// A parameter of a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateParameter {
    /// Its name.
    pub name: String,
    /// The type's words, where it is a value and no type.
    #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// What it is where nothing else is said; may speak of parameters before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

/// A parameter of a kernel that is a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplatedParameter {
    /// Its name.
    pub name: String,
    /// Its type without qualifiers, as it stands in the template; of what it points at, if it is a pointer.
    #[serde(rename = "type")]
    pub type_name: String,
    /// Whether it is a pointer.
    pub pointer: bool,
    /// Whether the value, or what it points at, is `const`.
    #[serde(rename = "const")]
    pub constant: bool,
    /// What an argument's type says about the template's parameters.
    pub tells: Tells,
}

/// What the type of a kernel's argument says about a template's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tells {
    /// Nothing: no parameter of the template is in its type.
    Nothing,
    /// The parameter of that number is the type of the value, or of what the pointer points at.
    Type(usize),
    /// Nothing, although its type is made with one: `Complex<T>`, `T **`.
    Hidden,
}

/// A kernel that was made of a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateInstance {
    /// The name of the kernel.
    pub name: String,
    /// An argument for each parameter of the template, in the one spelling.
    pub arguments: Vec<String>,
}

impl KernelTemplate {
    /// An argument for each parameter, in the one spelling: given ones, and defaults, which may speak of earlier
    /// parameters. Otherwise the number of a parameter that has neither.
    pub fn complete(&self, given: &[Option<String>]) -> Result<Vec<String>, usize> {
        let mut all: Vec<String> = Vec::with_capacity(self.parameters.len());
        for (index, parameter) in self.parameters.iter().enumerate() {
            let own = given.get(index).and_then(Option::as_deref);
            let text = match (own, &parameter.default) {
                (Some(own), _) => own.to_string(),
                (None, Some(default)) => self.substitute(default, &all),
                (None, None) => return Err(index),
            };
            all.push(parameter.canonical(&text));
        }
        Ok(all)
    }

    /// A text with arguments in place of the first parameters.
    fn substitute(&self, text: &str, arguments: &[String]) -> String {
        replaced(text, &|word| {
            let index = self.parameters.iter().position(|p| p.name == word)?;
            let (parameter, argument) = (self.parameters.get(index)?, arguments.get(index)?);
            Some(in_place(argument, parameter.type_name.is_none()))
        })
    }

    /// `f<T, N>`
    pub fn describe(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(|p| p.name.as_str()).collect();
        format!("{}<{}>", self.name, names.join(", "))
    }

    /// The number of the parameter of that name.
    pub fn parameter(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|p| p.name == name)
    }
}

impl TemplateParameter {
    /// An argument in the spelling that all which mean the same have, as far as that is known: numbers are literals of
    /// the parameter's type.
    pub fn canonical(&self, argument: &str) -> String {
        match &self.type_name {
            None => canonical_type(argument),
            Some(words) => self
                .value(argument, words)
                .unwrap_or_else(|| one_layout(argument)),
        }
    }

    fn value(&self, argument: &str, words: &str) -> Option<String> {
        let scalar = Scalar::from_words(words.split_ascii_whitespace())?;
        let expr: Expr = expr::parse(argument).ok()?;
        let value = expr::evaluate(&expr, &|_| None).ok()?;
        let converted = value.convert(scalar);
        let Value::Int(_, bits) = converted else {
            return None;
        };
        // What the type does not hold is left for somebody else to reject.
        let same = scalar == Scalar::Bool || value.as_i64() == Some(bits);
        same.then(|| match scalar {
            Scalar::Bool => (bits != 0).to_string(),
            Scalar::UInt => format!("{bits}u"),
            Scalar::Long => format!("{bits}l"),
            Scalar::ULong => format!("{}ul", bits as u64),
            _ => bits.to_string(),
        })
    }
}

fn canonical_type(argument: &str) -> String {
    let tokens = lex(argument);
    let all: Vec<&str> = tokens.iter().map(|t| t.text(argument)).collect();
    if let [name] = all.as_slice()
        && let Some(vector) = VectorType::from_name(name)
    {
        return vector.to_string();
    }
    // A type that is const is another one.
    let qualified = all.iter().any(|w| matches!(*w, "const" | "volatile"));
    match Scalar::from_words(all) {
        Some(scalar) if !qualified => scalar.c_name().to_string(),
        _ => one_layout(argument),
    }
}

/// An argument as it stands for its parameter.
pub(crate) fn in_place(argument: &str, is_type: bool) -> String {
    let plain = argument
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match is_type || plain {
        true => argument.to_string(),
        false => format!("({argument})"),
    }
}

/// A text with other words in place of some names; members and what belongs to another scope stay.
pub(crate) fn replaced(text: &str, known: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut done, mut before) = (0, "");
    for token in lex(text) {
        let word = token.text(text);
        if token.is_identifier()
            && !matches!(before, "." | "->" | "::")
            && let Some(argument) = known(word)
        {
            out.push_str(Span::new(done, token.span.start).of(text));
            out.push_str(&argument);
            done = token.span.end;
        }
        before = word;
    }
    out.push_str(text.get(done as usize..).unwrap_or(""));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(type_name: Option<&str>, default: Option<&str>, name: &str) -> TemplateParameter {
        TemplateParameter {
            name: name.into(),
            type_name: type_name.map(Into::into),
            default: default.map(Into::into),
        }
    }

    #[test]
    fn what_means_the_same_is_spelled_alike() {
        let ty = of(None, None, "T");
        for (given, expected) in [
            ("unsigned", "unsigned int"),
            ("uint", "unsigned int"),
            (" long   unsigned int ", "unsigned long"),
            ("size_t", "unsigned long"),
            ("float4", "float4"),
            ("const float", "const float"),
            ("Pair< float,int >", "Pair<float, int>"),
            ("Pair", "Pair"),
        ] {
            assert_eq!(ty.canonical(given), expected);
        }
        for (words, given, expected) in [
            ("int", "2*3", "6"),
            ("int", "-1", "-1"),
            ("int", "M", "M"),
            ("unsigned", "4", "4u"),
            (
                "unsigned long",
                "18446744073709551615ul",
                "18446744073709551615ul",
            ),
            ("long", "1 << 3", "8l"),
            ("bool", "1", "true"),
            ("bool", "false", "false"),
            ("bool", "3 > 4", "false"),
            ("char", "300", "300"),
            ("unsigned char", "200", "200"),
            ("Color", "Red", "Red"),
        ] {
            assert_eq!(of(Some(words), None, "N").canonical(given), expected);
        }
    }

    #[test]
    fn defaults_know_what_stands_before() {
        let template = KernelTemplate {
            name: "f".into(),
            parameters: vec![
                of(None, None, "T"),
                of(None, Some("T"), "U"),
                of(Some("int"), Some("-2"), "N"),
                of(Some("int"), Some("N * N + a.N"), "M"),
            ],
            arguments: Vec::new(),
            instances: Vec::new(),
        };
        let some = |text: &str| Some(text.to_string());
        assert_eq!(template.complete(&[]), Err(0));
        assert_eq!(
            template.complete(&[some("uint")]).unwrap(),
            ["unsigned int", "unsigned int", "-2", "(-2) * (-2) + a.N"].map(|t| match t {
                "(-2) * (-2) + a.N" => "(-2)*(-2)+a.N",
                other => other,
            })
        );
        assert_eq!(
            template
                .complete(&[some("float"), None, some("3"), some("1 + 1")])
                .unwrap(),
            ["float", "float", "3", "2"]
        );
        assert_eq!(template.describe(), "f<T, U, N, M>");
    }
}

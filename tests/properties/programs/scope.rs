//! What expressions can name.

use super::expression::{Expr, Level};
use super::text::Text;
use super::value::{Range, Type};
use super::writer::Writer;

/// Something that holds one number: a local, a parameter, or an element that the item has for itself.
#[derive(Clone, Debug)]
pub struct Variable {
    pub text: Text,
    pub ty: Type,
    /// What it holds, whatever happens.
    pub range: Range,
    pub mutable: bool,
    /// An element of a buffer.
    pub memory: bool,
}

impl Variable {
    pub fn constant(text: Text, ty: Type, range: Range) -> Self {
        Self {
            text,
            ty,
            range,
            mutable: false,
            memory: false,
        }
    }
}

/// Something whose elements any item can read now.
#[derive(Clone, Debug)]
pub struct Array {
    pub name: Text,
    pub ty: Type,
    pub range: Range,
    pub form: Form,
    /// Memory of the kernel's arguments that it only reads.
    pub input: bool,
}

/// How elements are written.
#[derive(Clone, Debug)]
pub enum Form {
    /// `a[i]`
    Line(usize),
    /// `a[i][j]`
    Rows(Vec<usize>),
    /// `a[i][j]`, or all through the first row; `a[i * columns + j]` in plain C++.
    Shared(Vec<usize>),
    /// `a(i, j)` of `@dim`, the first index being the fastest; `a[i + rows * j]`.
    Dim(Vec<usize>),
}

impl Array {
    pub fn line(name: Text, ty: Type, length: usize) -> Self {
        Self {
            name,
            ty,
            range: ty.range(),
            form: Form::Line(length),
            input: false,
        }
    }

    /// Elements in one line.
    pub fn length(&self) -> usize {
        match &self.form {
            Form::Line(length) => *length,
            Form::Rows(sizes) | Form::Shared(sizes) | Form::Dim(sizes) => sizes.iter().product(),
        }
    }

    /// A random element.
    pub fn place(&self, writer: &mut Writer<'_>) -> Text {
        match &self.form {
            Form::Line(length) => {
                let index = writer.index(*length);
                Text::form("{}[{}]", &[&self.name, &index.text])
            }
            Form::Rows(sizes) => {
                let mut text = self.name.clone();
                for size in sizes {
                    let index = writer.index(*size);
                    text = Text::form("{}[{}]", &[&text, &index.text]);
                }
                text
            }
            Form::Shared(sizes) => {
                if sizes.len() > 1 && writer.random.chance(25) {
                    let index = writer.index(self.length());
                    return self.flat(&index.text);
                }
                let indices: Vec<Expr> = sizes.iter().map(|size| writer.index(*size)).collect();
                let texts: Vec<Text> = indices.into_iter().map(|e| e.text).collect();
                self.at(&texts)
            }
            Form::Dim(sizes) => {
                let indices: Vec<Expr> = sizes.iter().map(|size| writer.index(*size)).collect();
                let texts: Vec<Text> = indices.into_iter().map(|e| e.text).collect();
                self.at(&texts)
            }
        }
    }

    /// The element at an index for each dimension.
    pub fn at(&self, indices: &[Text]) -> Text {
        let okl: Vec<&str> = indices.iter().map(|i| i.okl.as_str()).collect();
        let (okl, sizes, slowest_first) = match &self.form {
            Form::Dim(sizes) => (format!("({})", okl.join(", ")), sizes.clone(), false),
            Form::Shared(sizes) | Form::Rows(sizes) => {
                (format!("[{}]", okl.join("][")), sizes.clone(), true)
            }
            Form::Line(length) => (format!("[{}]", okl.join("][")), vec![*length], true),
        };
        let mut pairs: Vec<(&Text, usize)> = indices.iter().zip(sizes).collect();
        if !slowest_first {
            pairs.reverse();
        }
        let mut plain = String::new();
        for (index, size) in pairs {
            plain = match plain.is_empty() {
                true => format!("({})", index.plain),
                false => format!("({plain} * {size} + ({}))", index.plain),
            };
        }
        Text::new(
            format!("{}{okl}", self.name.okl),
            format!("{}[{plain}]", self.name.plain),
        )
    }

    /// The element at a place in the order of memory, through the first row.
    pub fn flat(&self, index: &Text) -> Text {
        let first = match &self.form {
            Form::Shared(sizes) => "[0]".repeat(sizes.len() - 1),
            _ => String::new(),
        };
        Text::form(
            "{}[{}]",
            &[
                &Text::new(format!("{}{first}", self.name.okl), self.name.plain.clone()),
                index,
            ],
        )
    }

    /// The same by way of any row, which its number names.
    pub fn through(&self, row: &str, index: &Text) -> Text {
        let Form::Shared(sizes) = &self.form else {
            return self.flat(index);
        };
        let [before @ .., columns] = sizes.as_slice() else {
            return self.flat(index);
        };
        let mut below: usize = before.iter().product();
        let mut first = String::new();
        for size in before {
            let above = below;
            below /= size;
            first.push_str(&format!("[({row}) % {above} / {below}]"));
        }
        let okl = format!(
            "{}{first}[{} - ({row}) * {columns}]",
            self.name.okl, index.okl
        );
        Text::new(okl, format!("{}[{}]", self.name.plain, index.plain))
    }
}

/// A function of the file.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub result: Type,
    pub parameters: Vec<Parameter>,
}

#[derive(Clone, Debug)]
pub enum Parameter {
    Value(Type),
    /// To so many elements or more.
    Pointer(Type, usize),
}

impl Writer<'_> {
    pub fn a_variable(&mut self, of: impl Fn(&Variable) -> bool) -> Option<Variable> {
        let all: Vec<&Variable> = self.variables.iter().filter(|v| of(v)).collect();
        match all.is_empty() {
            true => None,
            false => Some(self.random.pick(&all).clone()),
        }
    }

    pub fn an_array(&mut self, of: impl Fn(&Array) -> bool) -> Option<Array> {
        let all: Vec<&Array> = self.arrays.iter().filter(|a| of(a)).collect();
        match all.is_empty() {
            true => None,
            false => Some(self.random.pick(&all).clone()),
        }
    }

    /// A call of a function with a floating result, or with another.
    pub fn called(&mut self, depth: u32, floating: bool) -> Option<Expr> {
        let fit: Vec<Function> = self
            .functions
            .iter()
            .filter(|f| f.result.is_float() == floating)
            .cloned()
            .collect();
        if fit.is_empty() {
            return None;
        }
        let at = self.random.within(0, fit.len() as i64 - 1) as usize;
        let function = &fit[at];
        let mut text = Text::same(format!("{}(", function.name));
        for (number, parameter) in function.parameters.iter().enumerate() {
            if number > 0 {
                text.push(&Text::same(", "));
            }
            let argument = match parameter {
                Parameter::Value(ty) => {
                    let e = match ty.is_float() {
                        true => self.floating(depth.min(1)),
                        false => self.integer(depth.min(1)),
                    };
                    let e = self.fitted(e, *ty, ty.range());
                    self.operand(&e, Level::Conditional)
                }
                Parameter::Pointer(ty, length) => {
                    let fits = |a: &Array| {
                        a.ty == *ty
                            && a.range == ty.range()
                            && matches!(a.form, Form::Line(n) if n >= *length)
                    };
                    self.an_array(fits)?.name
                }
            };
            text.push(&argument);
        }
        text.push(&Text::same(")"));
        Some(Expr::primary(
            text,
            function.result,
            function.result.range(),
        ))
    }
}

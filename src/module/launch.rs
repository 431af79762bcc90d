use crate::expr::{Expr, Scalar, Value};
use serde::{Deserialize, Serialize};

/// One statement of the host's part of a kernel. The runtime evaluates the tree; for ahead-of-time
/// use it is rendered as C++.
///
/// Expressions have no effects: what the source does in the middle of one stands before it, in
/// statements of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Statement {
    /// A new variable, visible to the end of the block it stands in.
    Declare {
        /// Its name.
        name: String,
        /// Its type.
        scalar: Scalar,
        /// Its value; without one, zero.
        value: Option<Expr>,
    },
    /// `name = value`.
    Assign {
        /// A variable of the host's part.
        name: String,
        /// Its new value, converted to the variable's type.
        value: Expr,
    },
    /// A new array, visible to the end of the block it stands in; functions have some.
    Array {
        /// Its name.
        name: String,
        /// Type of its elements.
        scalar: Scalar,
        /// Its sizes, slowest first.
        extents: Vec<u64>,
        /// Its first elements, the last index fastest, each of the array's type; all others are zero.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        values: Vec<Expr>,
    },
    /// `name[index]… = value`
    Store {
        /// An array.
        name: String,
        /// As many indices as it has extents.
        indices: Vec<Expr>,
        /// The element's new value, converted to its type.
        value: Expr,
    },
    /// `{ … }`
    Block(Vec<Statement>),
    /// `if (condition) … else …`
    If {
        /// Nonzero takes the first branch.
        condition: Expr,
        /// First branch.
        then: Vec<Statement>,
        /// Second branch.
        otherwise: Vec<Statement>,
    },
    /// `for (initial; condition; step) …`; `while` and `do` have neither of the outer two.
    Loop {
        /// Before the first iteration.
        initial: Vec<Statement>,
        /// Before each evaluation of the condition.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        prepare: Vec<Statement>,
        /// Nonzero goes on.
        condition: Expr,
        /// After each iteration.
        step: Vec<Statement>,
        /// Each iteration.
        body: Vec<Statement>,
        /// `do … while (condition)`: the first iteration is not asked for.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        late: bool,
    },
    /// `switch (value) …`
    Switch {
        /// What is compared with the labels.
        value: Expr,
        /// In source order; each runs on into the next.
        cases: Vec<Case>,
    },
    /// `break` out of the innermost [`Statement::Loop`] or [`Statement::Switch`].
    Break,
    /// `continue` of the innermost [`Statement::Loop`].
    Continue,
    /// A launch of a device kernel.
    Launch(Box<Launch>),
    /// The end of the kernel.
    Return,
    /// The end of a function, and its value.
    Give(Expr),
}

/// A label of a `switch`, and what follows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Case {
    /// The value; `None` is `default`.
    pub label: Option<i64>,
    /// Up to the next label.
    pub body: Vec<Statement>,
}

/// A launch: nothing happens if any of the six extents is zero.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Name of the device kernel in the generated source.
    pub kernel: String,
    /// Groups along x, y, z.
    pub groups: [Expr; 3],
    /// Items of a group along x, y, z.
    pub items: [Expr; 3],
    /// Names of parameters and host variables, in the order of the device kernel's parameters.
    pub arguments: Vec<String>,
    /// Each buffer is followed by how many bytes into it the parameter points, an `unsigned long`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub offsets: bool,
    /// Bytes of group memory to reserve, besides what the kernel declares.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared: u64,
    /// Axes along which the groups may be more than a launch takes: the kernel's last parameters, of
    /// type `unsigned int`, are the number of the first group along each. With each axis, the most
    /// groups that every device of the backend takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<(usize, u64)>,
    /// The most items of a group that the kernel's memory is for; 0 is no limit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub most_items: u64,
}

/// The parameter that says how many bytes into its buffer a pointer points.
pub(crate) fn offset_name(pointer: &str) -> String {
    format!("brook_offset_{pointer}")
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Statement {
    /// Hands over the lists of statements that it is made of.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a [Self])) {
        match self {
            Self::Block(inner) => visit(inner),
            Self::If {
                then, otherwise, ..
            } => [then, otherwise].into_iter().for_each(|list| visit(list)),
            Self::Loop {
                initial,
                prepare,
                step,
                body,
                ..
            } => {
                let all = [initial, prepare, step, body];
                all.into_iter().for_each(|list| visit(list));
            }
            Self::Switch { cases, .. } => cases.iter().for_each(|case| visit(&case.body)),
            _ => {}
        }
    }

    /// Hands over the names that some statements compute with, make or change, with those of statements within; not those that a launch
    /// hands on.
    pub fn for_each_name<'a>(list: &'a [Self], visit: &mut dyn FnMut(&'a str)) {
        for statement in list {
            match statement {
                Self::Declare { name, value, .. } => {
                    visit(name);
                    value.iter().for_each(|value| value.for_each_name(visit));
                }
                Self::Assign { name, value } => {
                    visit(name);
                    value.for_each_name(visit);
                }
                Self::Array { name, values, .. } => {
                    visit(name);
                    values.iter().for_each(|value| value.for_each_name(visit));
                }
                Self::Store {
                    name,
                    indices,
                    value,
                } => {
                    visit(name);
                    let all = indices.iter().chain([value]);
                    all.for_each(|expr| expr.for_each_name(visit));
                }
                Self::If {
                    condition: value, ..
                }
                | Self::Loop {
                    condition: value, ..
                }
                | Self::Switch { value, .. }
                | Self::Give(value) => value.for_each_name(visit),
                Self::Launch(launch) => {
                    let extents = launch.groups.iter().chain(&launch.items);
                    extents.for_each(|extent| extent.for_each_name(visit));
                }
                Self::Block(_) | Self::Break | Self::Continue | Self::Return => {}
            }
            statement.for_each_part(&mut |part| Self::for_each_name(part, visit));
        }
    }

    /// Hands over what decides in a list of statements, those before what they decide.
    pub fn for_each_condition<'a>(list: &'a [Self], visit: &mut dyn FnMut(&'a Expr)) {
        for statement in list {
            if let Self::If { condition, .. } = statement {
                visit(condition);
            }
            statement.for_each_part(&mut |part| Self::for_each_condition(part, visit));
        }
    }

    /// Hands over every launch in the statement.
    pub fn for_each_launch(&mut self, visit: &mut dyn FnMut(&mut Launch)) {
        let mut all = |list: &mut Vec<Self>| {
            list.iter_mut().for_each(|s| s.for_each_launch(visit));
        };
        match self {
            Self::Launch(launch) => visit(launch),
            Self::Block(list) => all(list),
            Self::If {
                then, otherwise, ..
            } => {
                all(then);
                all(otherwise);
            }
            Self::Loop {
                initial,
                prepare,
                step,
                body,
                ..
            } => {
                for list in [initial, prepare, step, body] {
                    all(list);
                }
            }
            Self::Switch { cases, .. } => {
                for case in cases {
                    all(&mut case.body);
                }
            }
            Self::Declare { .. }
            | Self::Assign { .. }
            | Self::Array { .. }
            | Self::Store { .. }
            | Self::Break
            | Self::Continue
            | Self::Return
            | Self::Give(_) => {}
        }
    }
}

/// A function of the program that the host evaluates: of scalars, and without effects but on its own
/// variables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HostFunction {
    /// Its name, unique among the functions of the program that the host calls.
    pub name: String,
    /// Names and types of its parameters.
    pub parameters: Vec<(String, Scalar)>,
    /// The type of its value.
    pub result: Scalar,
    /// Ends with [`Statement::Give`] wherever it ends.
    pub body: Vec<Statement>,
}

/// An array of constants at file scope that the host reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub scalar: Scalar,
    /// Its sizes, slowest first.
    pub extents: Vec<u64>,
    /// Its elements, the last index fastest.
    pub values: Vec<Value>,
}

impl Table {
    /// The element that `[2][1]` is, if it exists.
    pub fn element(&self, brackets: &str) -> Option<Value> {
        self.values.get(place(&self.extents, brackets)?).copied()
    }
}

/// Where the element `[2][1]` of an array lies, the last index fastest, if it exists.
pub fn place(extents: &[u64], brackets: &str) -> Option<usize> {
    let indices = brackets.split('[').skip(1);
    let indices = indices.map(|index| index.strip_suffix(']')?.parse().ok());
    place_of(extents, indices)
}

/// The same for indices; `None` is one that cannot be read.
pub fn place_of(extents: &[u64], indices: impl IntoIterator<Item = Option<i64>>) -> Option<usize> {
    let mut at = 0u64;
    let mut extents = extents.iter();
    for index in indices {
        let index = u64::try_from(index?).ok()?;
        let extent = *extents.next()?;
        at = (index < extent).then_some(at * extent + index)?;
    }
    let all = extents.next().is_none();
    usize::try_from(at).ok().filter(|_| all)
}

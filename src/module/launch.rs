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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

impl Statement {
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
        let mut at = 0u64;
        let mut extents = self.extents.iter();
        for index in brackets.split('[').skip(1) {
            let index: u64 = index.strip_suffix(']')?.parse().ok()?;
            let extent = *extents.next()?;
            at = (index < extent).then_some(at * extent + index)?;
        }
        let all = extents.next().is_none();
        let at = usize::try_from(at).ok().filter(|_| all)?;
        self.values.get(at).copied()
    }
}

use crate::expr::{Expr, Scalar};
use serde::{Deserialize, Serialize};

/// One statement of the host's part of a kernel. The runtime evaluates the tree; for ahead-of-time
/// use it is rendered as C++.
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
    /// `for (initial; condition; step) …`; `while` has neither of the outer two.
    Loop {
        /// Before the first iteration.
        initial: Vec<Statement>,
        /// Nonzero goes on.
        condition: Expr,
        /// After each iteration.
        step: Vec<Statement>,
        /// Each iteration.
        body: Vec<Statement>,
    },
    /// `break` out of the innermost [`Statement::Loop`].
    Break,
    /// `continue` of the innermost [`Statement::Loop`].
    Continue,
    /// A launch of a device kernel.
    Launch(Launch),
    /// The end of the kernel.
    Return,
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
                step,
                body,
                ..
            } => {
                all(initial);
                all(step);
                all(body);
            }
            _ => {}
        }
    }
}

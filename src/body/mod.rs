//! The typed tree of what kernels and functions do: every name bound, every expression with its type and with the
//! conversions that the language makes, every access with the memory that it is to.
//!
//! Nothing here makes trees (`analyze/lower` does) or runs them (`interpret` does).
//!
//! - [`Program`], [`Body`], [`Variable`] (`mod.rs`): what there is.
//! - [`Types`], [`Type`], [`Record`] (`types.rs`): types with their places in memory.
//! - [`Expression`], [`Place`] (`expressions.rs`): values, and memory that they are read from and written to.
//! - `visit.rs`: walks over them.
//! - `print.rs`: bodies as text, for tests.
//! - `verify.rs`: whether a tree keeps what its types promise: of every tree that is made, where debug assertions are on.
//! - [`Statement`], [`Distributed`] (`statements.rs`): control flow, barriers, and loops whose iterations are groups or items.
//!
//! What is not modelled is `Opaque`, with its place in the text and what it is called. Whoever decides about a body leaves
//! alone what that stands in; whoever runs one says that it cannot.

mod expressions;
#[cfg(test)]
mod print;
mod statements;
mod types;
#[cfg(any(test, debug_assertions))]
mod verify;
mod visit;

pub(crate) use expressions::{
    Atomicity, BinaryOperator, Builtin, Expression, ExpressionId, ExpressionKind, Place, PlaceId,
    Root, Step, UnaryOperator,
};
pub(crate) use statements::{
    Case, Distributed, DistributedKind, Statement, StatementId, StatementKind, Wait,
};
pub(crate) use types::{Field, Record, RecordId, Type, TypeKind, Types};

use crate::source::Span;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// Names a [`Body`] of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(pub u32);

/// Names a [`Variable`] of a body, or a global one of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableId {
    /// Index into [`Body::variables`].
    Local(u32),
    /// Index into [`Program::globals`].
    Global(u32),
}

/// The bodies of one program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All types of all bodies.
    pub types: Types,
    /// Kernels and functions.
    pub bodies: Vec<Body>,
    /// Variables of the file.
    pub globals: Vec<Variable>,
    /// Those of them that somebody may change.
    pub changing: HashSet<VariableId>,
    /// Statements that give them their values, as the body of a function without parameters.
    pub initial: Body,
}

/// What a kernel or function does.
#[derive(Clone, Debug, Default)]
pub struct Body {
    /// Its name.
    pub name: String,
    /// All of it in the text.
    pub span: Span,
    /// It is a kernel.
    pub kernel: bool,
    /// Its groups are elements of streams, and have no items.
    pub elements: bool,
    /// What integers do whose type cannot hold a result.
    pub arithmetic: Arithmetic,
    /// The variables that arguments become, in order: the first of [`Self::variables`]. A method's first one is `this`, a pointer.
    pub parameters: u32,
    /// What it gives back; [`TypeKind::Void`] for nothing. A reference is a pointer.
    pub result: Type,
    /// All variables of it.
    pub variables: Vec<Variable>,
    /// All expressions of it.
    pub expressions: Vec<Expression>,
    /// All memory that they are about.
    pub places: Vec<Place>,
    /// All statements of it.
    pub statements: Vec<Statement>,
    /// The statements it is made of, in order.
    pub root: Vec<StatementId>,
    /// Some of what is not modelled jumps, perhaps to where conditions lead that do not hold.
    pub gotos: bool,
    /// The variables that a statement which is not modelled names, where that is known.
    pub mentions: HashMap<StatementId, Vec<VariableId>>,
    /// Those of them whose addresses it may take, and keep.
    pub addressed: HashSet<VariableId>,
}

/// What becomes of results that an integer type cannot hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// C leaves it undefined.
    #[default]
    Partial,
    /// Sums, differences and products wrap; conversions of floating-point numbers saturate, to 8 and 16 bits by way of 32,
    /// which wraps, and what is no number is 0.
    Total,
}

/// Whose a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// The host's part of a kernel has it, or it is a parameter of a kernel: the same for all groups.
    Host,
    /// All items of a group have one: `@shared`.
    Shared,
    /// Each item has its own, for as long as the group lives: `@exclusive`.
    Exclusive,
    /// Declared in an outer loop, outside of all inner ones: what the group does itself is done to one, and items only
    /// read it.
    Group,
    /// Whoever runs the declaration has its own: items, functions.
    Private,
    /// The file's.
    Constant,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type; that of a reference is a pointer.
    pub ty: Type,
    /// Whose it is.
    pub memory: Memory,
    /// Where its name is declared.
    pub span: Span,
}

impl Variable {
    /// The name of a variable that no program declares: no name of a language begins so.
    pub(crate) const TEMPORARY: char = '%';

    /// Whether it is one that lowering has made, for a value that is needed again.
    pub(crate) fn is_temporary(&self) -> bool {
        self.name.starts_with(Self::TEMPORARY)
    }
}

impl Body {
    /// Adds an expression.
    pub fn add_expression(&mut self, kind: ExpressionKind, ty: Type, span: Span) -> ExpressionId {
        self.expressions.push(Expression { kind, ty, span });
        ExpressionId(self.expressions.len() as u32 - 1)
    }

    /// Adds a place.
    pub fn add_place(&mut self, place: Place) -> PlaceId {
        self.places.push(place);
        PlaceId(self.places.len() as u32 - 1)
    }

    /// Adds a statement, which stands nowhere yet.
    pub fn add_statement(&mut self, kind: StatementKind, span: Span) -> StatementId {
        self.statements.push(Statement { kind, span });
        StatementId(self.statements.len() as u32 - 1)
    }

    /// Adds a variable.
    pub fn add_variable(&mut self, name: &str, ty: Type, memory: Memory, span: Span) -> VariableId {
        self.variables.push(Variable {
            name: name.to_string(),
            ty,
            memory,
            span,
        });
        VariableId::Local(self.variables.len() as u32 - 1)
    }

    /// Leaves nothing of what it does.
    pub(crate) fn forget(&mut self) {
        self.expressions = Vec::new();
        self.places = Vec::new();
        self.statements = Vec::new();
        self.root = Vec::new();
        self.mentions = HashMap::new();
        self.addressed = HashSet::new();
    }

    /// The expression of that number.
    pub fn expression(&self, id: ExpressionId) -> &Expression {
        &self.expressions[id.0 as usize]
    }

    /// All places, in the order in which they were made.
    pub(crate) fn place_ids(&self) -> impl Iterator<Item = PlaceId> + use<> {
        (0..self.places.len() as u32).map(PlaceId)
    }

    /// The place of that number.
    pub fn place(&self, id: PlaceId) -> &Place {
        &self.places[id.0 as usize]
    }

    /// The statement of that number.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0 as usize]
    }

    /// What it contains that is not modelled: where, and what it is called.
    pub fn opaque(&self) -> Option<(Span, &str)> {
        let statements = self.statements.iter().filter_map(|s| match &s.kind {
            StatementKind::Opaque(what) => Some((s.span, what.as_str())),
            _ => None,
        });
        statements.min_by_key(|(span, _)| span.start)
    }
}

impl Program {
    /// The variable that a number names in a body.
    pub fn variable<'a>(&'a self, body: &'a Body, id: VariableId) -> &'a Variable {
        match id {
            VariableId::Local(index) => &body.variables[index as usize],
            VariableId::Global(index) => &self.globals[index as usize],
        }
    }

    /// A type as text.
    pub(crate) fn type_name(&self, ty: Type) -> String {
        match self.types.kind(ty) {
            TypeKind::Void => "void".to_string(),
            TypeKind::Scalar(scalar) => scalar.c_name().to_string(),
            TypeKind::Vector(vector) => format!("{}{}", vector.base_name(), vector.width),
            TypeKind::Record(record) => self.types.record(record).name.clone(),
            TypeKind::Pointer(to) => format!("{}*", self.type_name(to)),
            TypeKind::Array(of, count) => format!("{}[{count}]", self.type_name(of)),
        }
    }

    /// Where debug assertions are on, a body that is not what it promises ends the run: so every test checks every tree that
    /// anybody makes.
    pub(crate) fn assert_valid(&self, body: &Body) {
        #[cfg(debug_assertions)]
        if let Err(broken) = self.verify_body(body) {
            let verify::Broken { body, span, what } = broken;
            debug_assert!(false, "'{body}' is no valid tree at {span:?}: {what}");
        }
        #[cfg(not(debug_assertions))]
        let _ = body;
    }

    /// The kernel of that name.
    pub fn kernel(&self, name: &str) -> Option<BodyId> {
        let at = self.bodies.iter().position(|b| b.kernel && b.name == name);
        at.map(|index| BodyId(index as u32))
    }
}

//! From syntax to bodies: what kernels and functions do, as the typed trees of `body`.
//!
//! Names are `sema`'s; the language's conversions are made here, once, so that nobody behind has to know them. A statement in
//! which something is not modelled is `Opaque` as a whole.
//!
//! - `program.rs`: which functions and variables of the file there are.
//! - `types.rs`: types with their places in memory; `constants.rs`: sizes of arrays, enumerators, labels.
//! - `statements.rs`, `declarations.rs`, `initialisers.rs`: control flow, variables and what they begin with; `loops.rs`: loops whose iterations are groups or items.
//! - `templates.rs`: which function a call means; `closures.rs`: lambdas.
//! - `library.rs`: functions and names that the program does not declare.
//! - `strings.rs`: strings, which are arrays of the file.
//! - `values.rs`, `operators.rs`, `calls.rs`: expressions; `places.rs`: memory that they name; `convert.rs`: conversions.
//! - `expr.rs`: expressions of attributes, which are text.

mod calls;
mod closures;
mod constants;
mod convert;
mod declarations;
mod expr;
mod initialisers;
mod library;
mod loops;
mod operators;
mod places;
mod program;
mod statements;
mod strings;
mod templates;
#[cfg(test)]
mod tests;
mod types;
mod values;

pub(super) use program::{Facts, Wanted, lower, lower_some};

use crate::body::{
    Body, ExpressionId, ExpressionKind, Memory, Place, PlaceId, RecordId, Root, StatementId,
    StatementKind, Type, TypeKind, Types, VariableId,
};
use crate::expr::{Scalar, Value};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::NodeId;
use foldhash::{HashMap, HashMapExt};
use program::Unit;

/// What is not modelled: where, and what it is called.
#[derive(Clone, Debug)]
struct Opaque {
    span: Span,
    what: String,
}

type Lowered<T> = Result<T, Opaque>;

/// Where in a kernel a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// Around all outer loops.
    Host,
    /// In an outer loop, around all inner ones.
    Group,
    /// In an inner loop, or in a function.
    Item,
}

/// A body that is being made.
struct Lower<'u, 't> {
    unit: &'u mut Unit<'t>,
    body: Body,
    /// Variables by what declares them, and whether they are references.
    variables: HashMap<DefinitionId, (VariableId, bool)>,
    /// Those that are visible, innermost last: attributes name them in text.
    visible: Vec<(&'t str, VariableId)>,
    level: Level,
    /// A method's `this`.
    this: Option<VariableId>,
    /// Its result is a reference: a pointer.
    gives_reference: bool,
    /// Where the memory of the atomic access stands that is being made; nowhere is all memory.
    atomic: Option<Vec<Span>>,
    /// What temporary variables are declared before the statement that is being made.
    before: Vec<StatementId>,
    /// Variables that hold the extents of those with `@dim`, as they were where these were declared.
    extents: HashMap<DefinitionId, Vec<VariableId>>,
    /// What the names of arguments mean in the text of a user's function.
    given: Vec<ExpressionId>,
    /// The lambdas of this body, by their nodes.
    closures: HashMap<NodeId, RecordId>,
    /// In a lambda: the pointer to its own value, and which fields of that captured variables are; whether they are
    /// references.
    closure: Option<VariableId>,
    captured: HashMap<DefinitionId, (u32, bool)>,
    /// The result is that of the first `return`.
    deduces_result: bool,
}

impl<'u, 't> Lower<'u, 't> {
    /// Goes on with what gives variables of the file their values.
    fn of_file(unit: &'u mut Unit<'t>) -> Self {
        let body = std::mem::take(&mut unit.program.initial);
        Self::new(unit, body, Level::Item)
    }

    fn new(unit: &'u mut Unit<'t>, body: Body, level: Level) -> Self {
        Self {
            unit,
            body,
            variables: HashMap::new(),
            visible: Vec::new(),
            level,
            this: None,
            gives_reference: false,
            atomic: None,
            before: Vec::new(),
            extents: HashMap::new(),
            given: Vec::new(),
            closures: HashMap::new(),
            closure: None,
            captured: HashMap::new(),
            deduces_result: false,
        }
    }
}

impl<'t> Lower<'_, 't> {
    fn span(&self, node: NodeId) -> Span {
        self.unit.tree.span(node)
    }

    fn text(&self, node: NodeId) -> &'t str {
        self.unit.tree.text(node, self.unit.text)
    }

    fn opaque<T>(&self, node: NodeId, what: impl Into<String>) -> Lowered<T> {
        Err(Opaque {
            span: self.span(node),
            what: what.into(),
        })
    }

    /// The same of what has no name of its own: its words say which one.
    fn unnamed<T>(&self, node: NodeId, what: &str) -> Lowered<T> {
        self.opaque(
            node,
            format!("{what}: '{}'", crate::lex::shown(self.text(node))),
        )
    }

    /// A variable whose type is not modelled: what it is declared as.
    fn variable_unknown<T>(&self, declaration: NodeId, declarator: NodeId) -> Lowered<T> {
        let declared = self.unit.declared_words(declaration, declarator);
        self.opaque(declarator, format!("a variable of this type: '{declared}'"))
    }

    fn push(&mut self, kind: ExpressionKind, ty: Type, span: Span) -> ExpressionId {
        self.body.add_expression(kind, ty, span)
    }

    fn push_place(&mut self, place: Place) -> PlaceId {
        self.body.add_place(place)
    }

    fn push_statement(&mut self, kind: StatementKind, span: Span) -> StatementId {
        self.body.add_statement(kind, span)
    }

    fn ty(&self, id: ExpressionId) -> Type {
        self.body.expression(id).ty
    }

    fn kind(&self, ty: Type) -> TypeKind {
        self.unit.program.types.kind(ty)
    }

    fn scalar_type(&mut self, scalar: Scalar) -> Type {
        self.unit.program.types.scalar(scalar)
    }

    fn scalar_of(&self, id: ExpressionId) -> Option<Scalar> {
        self.unit.program.types.as_scalar(self.ty(id))
    }

    fn literal(&mut self, value: Value, span: Span) -> ExpressionId {
        let ty = self.scalar_type(value.scalar());
        self.push(ExpressionKind::Literal(value), ty, span)
    }

    fn long(&mut self, value: i64, span: Span) -> ExpressionId {
        self.literal(Value::Int(Scalar::Long, value), span)
    }

    /// A new variable of this body.
    fn variable(&mut self, name: &str, ty: Type, memory: Memory, span: Span) -> VariableId {
        self.body.add_variable(name, ty, memory, span)
    }

    /// Whose a variable is that is declared here without an attribute.
    fn memory_here(&self) -> Memory {
        match self.level {
            Level::Host => Memory::Host,
            Level::Group => Memory::Group,
            Level::Item => Memory::Private,
        }
    }

    fn variable_type(&self, id: VariableId) -> Type {
        self.unit.program.variable(&self.body, id).ty
    }

    /// All of a variable.
    fn whole(&mut self, id: VariableId, span: Span) -> Place {
        Place {
            root: Root::Variable(id),
            path: Vec::new(),
            ty: self.variable_type(id),
            atomicity: self.atomicity(span),
            span,
        }
    }

    /// What a pointer points to.
    fn pointed(&mut self, pointer: ExpressionId, span: Span) -> Lowered<Place> {
        let ty = self.unit.program.types.element(self.ty(pointer));
        let Some(ty) = ty.filter(|ty| *ty != Types::VOID) else {
            let what = "what no pointer points to".to_string();
            return Err(Opaque { span, what });
        };
        Ok(Place {
            root: Root::Pointer(pointer),
            path: Vec::new(),
            ty,
            atomicity: self.atomicity(span),
            span,
        })
    }
}

//! `sizeof` on the host: of types, variables, elements and expressions.

use super::unit::Unit;
use crate::analyze::Context;
use crate::expr::{Expr, Scalar, Scope, Value, type_of};
use crate::module::Layout;
use crate::syntax::{Kind, NodeId, declarators, specifiers, type_words};

/// The type of a variable that the host's part of a kernel sees.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Shape {
    /// What lies there itself.
    Value(Layout),
    /// A pointer to it, or its address.
    Pointer(Box<Shape>),
    /// An array of so many.
    Array(Box<Shape>, usize),
}

impl Shape {
    fn size(&self, unit: &Unit) -> usize {
        match self {
            Self::Value(layout) => unit.layouts.size(layout).0,
            Self::Pointer(_) => unit.layouts.size(&Layout::Pointer).0,
            Self::Array(element, count) => element.size(unit) * count,
        }
    }

    /// What `*` and `[]` make of it.
    fn target(self) -> Option<Self> {
        match self {
            Self::Pointer(to) => Some(*to),
            Self::Array(element, _) => Some(*element),
            Self::Value(Layout::Array(element, _)) => Some(Self::Value(*element)),
            Self::Value(_) => None,
        }
    }

    fn member(self, unit: &Unit, name: &str) -> Option<Self> {
        match self {
            Self::Value(Layout::Record(index)) => {
                let fields = &unit.layouts.records.get(index)?.fields;
                let field = fields.iter().find(|f| f.name == name)?;
                Some(Self::Value(field.layout.clone()))
            }
            Self::Value(Layout::Vector(vector)) => Some(Self::Value(Layout::Scalar(vector.scalar))),
            _ => None,
        }
    }

    fn scalar(&self, unit: &Unit) -> Option<Scalar> {
        match self {
            Self::Value(layout) => unit.layouts.locate(layout, "").map(|(_, scalar)| scalar),
            _ => None,
        }
    }
}

/// Remembers the types of what a declaration or a parameter declares. A name that means variables of
/// two types in one kernel has none.
fn declare(context: &Context<'_>, unit: &mut Unit, declaration: NodeId) {
    let text = context.text;
    let words = &*type_words(context.tree, declaration, text);
    let automatic = specifiers(context.tree, declaration, text).automatic;
    for name in declarators(context.tree, declaration, text) {
        if name.function || name.name.is_empty() {
            continue;
        }
        let parameter = context.tree.kind(declaration) == Kind::ParameterDeclaration;
        let around = unit.look(context, context.tree.span(declaration));
        let shape = shape(context, unit, (words, automatic), &name, parameter);
        unit.look_back(around);
        let known = unit
            .host
            .shapes
            .entry(name.name.to_string())
            .or_insert(shape.clone());
        if *known != shape {
            *known = None;
        }
    }
}

/// Remembers the types of a function's parameters and of all its variables, if it asks for sizes.
pub(super) fn declare_all(context: &Context<'_>, unit: &mut Unit, function: NodeId) {
    let tree = context.tree;
    let measures = |n| tree.kind(n) == Kind::SizeofExpression;
    if !tree.descendants(function).any(measures) {
        return;
    }
    let declares = |n: &NodeId| {
        matches!(
            tree.kind(*n),
            Kind::ParameterDeclaration | Kind::Declaration
        )
    };
    for node in tree.descendants(function).filter(declares) {
        declare(context, unit, node);
    }
}

fn shape(
    context: &Context<'_>,
    unit: &Unit,
    (words, automatic): (&str, bool),
    name: &crate::syntax::Declarator,
    parameter: bool,
) -> Option<Shape> {
    let (scalar, behind) = unit.named_type(words);
    let layout = match behind {
        0 => unit.layout_of(words),
        _ => scalar.map(Layout::Scalar),
    };
    let mut shape = match layout {
        Some(layout) => Shape::Value(layout),
        // `auto` is what its value is.
        None => {
            let value = name.value.filter(|_| automatic)?;
            let value = crate::expr::parse(context.tree.text(value, context.text)).ok()?;
            Shape::Value(Layout::Scalar(type_of(&value, &Shapes(unit))?))
        }
    };
    for _ in 0..behind + name.pointers {
        shape = Shape::Pointer(Box::new(shape));
    }
    for (index, size) in name.sizes.iter().enumerate().rev() {
        shape = match size {
            _ if parameter && index == 0 => Shape::Pointer(Box::new(shape)),
            Some(size) => {
                let count = unit.constant(context.tree.text(*size, context.text))?;
                Shape::Array(Box::new(shape), usize::try_from(count).ok()?)
            }
            None => return None,
        };
    }
    Some(shape)
}

/// The size of what an expression or the name of a type stands for.
pub(super) fn size_of(unit: &Unit, operand: &Expr) -> Option<Expr> {
    let size = match operand {
        Expr::Name(words) if words.ends_with('*') => unit.layouts.size(&Layout::Pointer).0,
        operand => match shape_of(unit, operand) {
            Some(shape) => shape.size(unit),
            None => match operand {
                Expr::Name(words) => unit.layouts.size(&unit.layout_of(words)?).0,
                _ => return None,
            },
        },
    };
    let size = i64::try_from(size).ok().filter(|n| *n > 0)?;
    Some(Expr::Literal(Value::Int(Scalar::ULong, size)))
}

fn shape_of(unit: &Unit, expr: &Expr) -> Option<Shape> {
    let scalar = |scalar| Shape::Value(Layout::Scalar(scalar));
    match expr {
        Expr::Name(path) => along(unit, path),
        Expr::Element(base, indices) => indices
            .iter()
            .try_fold(along(unit, base)?, |at, (_, after)| {
                follow(unit, at.target()?, after)
            }),
        Expr::Call(name, parts) => match (&**name, parts.as_slice()) {
            ("*_", [part]) => shape_of(unit, part)?.target(),
            ("&_", [part]) => Some(Shape::Pointer(Box::new(shape_of(unit, part)?))),
            (",", [.., last]) => shape_of(unit, last),
            ("++_" | "--_" | "_++" | "_--", [part]) => shape_of(unit, part),
            (operator, [target, _]) if operator.ends_with('=') => shape_of(unit, target),
            _ => type_of(expr, &Shapes(unit)).map(scalar),
        },
        // Comparisons and `!` give a bool, where the evaluator has C's int.
        Expr::Binary(operator, ..) if operator.is_boolean() => Some(scalar(Scalar::Bool)),
        Expr::Unary(crate::expr::UnaryOperator::Not, _) => Some(scalar(Scalar::Bool)),
        other => type_of(other, &Shapes(unit)).map(scalar),
    }
}

/// The variable at the beginning of a path, and where the path leads.
fn along(unit: &Unit, path: &str) -> Option<Shape> {
    let root = crate::expr::root_name(path);
    let known = unit.host.shapes.get(root).cloned().flatten();
    let root_shape = known.or_else(|| {
        if let Some(table) = unit.table(root) {
            let element = Shape::Value(Layout::Scalar(table.scalar));
            let extents = table.extents.iter().rev();
            return Some(extents.fold(element, |element, &count| {
                Shape::Array(Box::new(element), usize::try_from(count).unwrap_or(0))
            }));
        }
        let value = unit.values.get(root)?;
        Some(Shape::Value(Layout::Scalar(value.scalar())))
    })?;
    follow(unit, root_shape, path.get(root.len()..)?)
}

fn follow(unit: &Unit, mut at: Shape, mut path: &str) -> Option<Shape> {
    while !path.is_empty() {
        if let Some(rest) = path.strip_prefix('[') {
            at = at.target()?;
            path = rest.split_once(']')?.1;
            continue;
        }
        let rest = match path.strip_prefix("->") {
            Some(rest) => {
                at = at.target()?;
                rest
            }
            None => path.strip_prefix('.')?,
        };
        let name = crate::expr::root_name(rest);
        at = at.member(unit, name)?;
        path = rest.get(name.len()..)?;
    }
    Some(at)
}

/// Types of names, as values of no meaning.
struct Shapes<'u>(&'u Unit);

impl Scope for Shapes<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let scalar = along(self.0, name)?.scalar(self.0)?;
        Some(Value::int(0).convert(scalar))
    }

    fn result(&self, name: &str) -> Option<Scalar> {
        let known = self.0.host.known.get(name)?;
        known.as_ref().ok().map(|f| f.result)
    }
}

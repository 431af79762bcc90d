//! Initialisers that name fields or elements, `{.x = 1, [2] = 3}`: C++17 has them in order only. Each list
//! that names something is recorded with its values in the order of the type.

use super::unit::Unit;
use crate::analyze::Context;
use crate::module::ConstructKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, function_name, is_record, specifiers};
use foldhash::{HashMap, HashMapExt};

/// What a list initialises.
#[derive(Clone)]
struct Aggregate {
    /// Name of the structure, or of what its elements are.
    name: String,
    /// Number of dimensions of an array.
    rank: usize,
    /// A field with a value of its own.
    has_value: bool,
}

/// Classes by name, found when they are first asked for.
pub(super) type Classes = HashMap<String, NodeId>;

/// Records a list whose parts have been recorded.
pub(super) fn list(context: &Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    if tree.child_of_kind(node, Kind::InitializerPair).is_none() {
        return;
    }
    if unit.classes.is_none() {
        unit.classes = Some(classes(context));
    }
    let classes = unit.classes.as_ref();
    let values = classes.and_then(|classes| {
        let aggregate = aggregate(context, classes, node)?;
        ordered(context, unit, classes, node, &aggregate)
    });
    if let Some(values) = values {
        unit.push(tree.span(node), ConstructKind::Ordered(values));
    }
}

/// Records the type of `(struct P){1, 2}`, which C++ writes `P{1, 2}`.
pub(super) fn literal(context: &Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    let start = tree.span(node).start;
    let Some(value) = tree.child(node, Field::Value) else {
        return;
    };
    let head = Span::new(start, tree.span(value).start);
    let ty = tree.child(node, Field::Type);
    if let Some(name) = ty.and_then(|t| type_name(tree, t, context.text)) {
        unit.push(head, ConstructKind::LiteralType(name.to_string()));
    }
}

/// The same for a list and all lists in it.
pub(super) fn lists(context: &Context<'_>, unit: &mut Unit, value: NodeId) {
    for part in context.tree.children(value) {
        lists(context, unit, part);
    }
    match context.tree.kind(value) {
        Kind::InitializerList => list(context, unit, value),
        Kind::CompoundLiteral => literal(context, unit, value),
        _ => {}
    }
}

fn classes(context: &Context<'_>) -> Classes {
    let tree = context.tree;
    let mut found = HashMap::new();
    let Some(root) = tree.root() else {
        return found;
    };
    for node in tree.descendants(root) {
        let kind = tree.kind(node);
        if !matches!(kind, Kind::StructSpecifier | Kind::ClassSpecifier)
            || tree.child(node, Field::Body).is_none()
        {
            continue;
        }
        if let Some(name) = tree.child(node, Field::Name) {
            found.insert(tree.text(name, context.text).to_string(), node);
        }
        let around = tree.parent(node);
        if let Some(typedef) = around.filter(|&a| tree.kind(a) == Kind::TypeDefinition) {
            for name in declarators(tree, typedef, context.text) {
                found.insert(name.name.to_string(), node);
            }
        }
    }
    // Other names of classes.
    for node in tree.descendants(root) {
        if tree.kind(node) != Kind::TypeDefinition {
            continue;
        }
        let class = found.get(plain_name(tree, node, context.text)).copied();
        for name in declarators(tree, node, context.text) {
            if let Some(class) = class
                && name.pointers == 0
                && name.sizes.is_empty()
            {
                found.entry(name.name.to_string()).or_insert(class);
            }
        }
    }
    found
}

/// The name of the type that a declaration, a function or a descriptor of a type begins with, if it has one.
fn type_name<'t>(tree: &Tree, node: NodeId, text: &'t str) -> Option<&'t str> {
    let ty = tree.child(node, Field::Type)?;
    let descriptor = tree.kind(node) == Kind::TypeDescriptor;
    if descriptor && tree.child(node, Field::Declarator).is_some() {
        return None;
    }
    let name = match tree.kind(ty) {
        Kind::EnumSpecifier => tree.child(ty, Field::Name)?,
        kind if is_record(kind) => tree.child(ty, Field::Name)?,
        Kind::SizedType => return None,
        _ => ty,
    };
    Some(tree.text(name, text))
}

/// The same without its scopes.
fn plain_name<'t>(tree: &Tree, node: NodeId, text: &'t str) -> &'t str {
    let name = type_name(tree, node, text).unwrap_or("");
    name.rsplit("::").next().unwrap_or(name)
}

/// What the list at a node initialises.
fn aggregate(context: &Context<'_>, classes: &Classes, node: NodeId) -> Option<Aggregate> {
    let (tree, text) = (context.tree, context.text);
    let parent = tree.parent(node)?;
    let named = |of: NodeId, rank| {
        Some(Aggregate {
            name: plain_name(tree, of, text).to_string(),
            rank,
            has_value: false,
        })
    };
    match tree.kind(parent) {
        Kind::InitializerList => {
            let around = aggregate(context, classes, parent)?;
            let index = tree.children(parent).position(|c| c == node)?;
            part(context, classes, &around, None, index)
        }
        Kind::InitializerPair => {
            let list = tree.parent(parent)?;
            let around = aggregate(context, classes, list)?;
            part(context, classes, &around, field_of(tree, parent, text), 0)
        }
        Kind::InitDeclarator => {
            let declaration = tree.parent(parent)?;
            let declared = declarators(tree, declaration, text);
            let own = declared.iter().find(|d| d.value == Some(node))?;
            named(declaration, own.sizes.len())
        }
        Kind::CompoundLiteral => named(tree.child(parent, Field::Type)?, 0),
        Kind::ReturnStatement => {
            let mut around = std::iter::successors(Some(parent), |&n| tree.parent(n));
            let function = around.find(|&n| {
                matches!(
                    tree.kind(n),
                    Kind::FunctionDefinition | Kind::LambdaExpression
                )
            })?;
            function_name(tree, function, text)?;
            named(function, 0)
        }
        _ => None,
    }
}

/// The field that a pair names.
fn field_of<'t>(tree: &Tree, pair: NodeId, text: &'t str) -> Option<&'t str> {
    let mut designators = tree
        .children(pair)
        .filter(|&c| tree.field(c) == Field::Designator);
    let first = designators.next()?;
    // `.a.b = 1` names a part of a part.
    if designators.next().is_some() {
        return None;
    }
    let name = tree.text(first, text).strip_prefix('.')?;
    Some(name.trim())
}

/// A part of what a list initialises: the field of a name, or the one at an index.
fn part(
    context: &Context<'_>,
    classes: &Classes,
    around: &Aggregate,
    name: Option<&str>,
    index: usize,
) -> Option<Aggregate> {
    if around.rank > 0 {
        return Some(Aggregate {
            name: around.name.clone(),
            rank: around.rank - 1,
            has_value: false,
        });
    }
    let fields = fields(context, *classes.get(&around.name)?)?;
    let field = match name {
        Some(name) => fields.iter().find(|f| f.0 == name)?,
        None => fields.get(index)?,
    };
    Some(field.1.clone())
}

/// Names and types of a class's fields in order; none where the list does not say it all.
fn fields(context: &Context<'_>, class: NodeId) -> Option<Vec<(String, Aggregate)>> {
    let (tree, text) = (context.tree, context.text);
    if tree.child_of_kind(class, Kind::BaseClause).is_some() {
        return None;
    }
    let mut fields = Vec::new();
    for member in tree.children(tree.child(class, Field::Body)?) {
        if tree.kind(member) != Kind::FieldDeclaration {
            continue;
        }
        if specifiers(tree, member, text).is_static {
            continue;
        }
        for declared in declarators(tree, member, text) {
            if declared.function && declared.pointers == 0 {
                continue;
            }
            let of = Aggregate {
                name: plain_name(tree, member, text).to_string(),
                rank: declared.sizes.len(),
                has_value: tree.child(member, Field::DefaultValue).is_some(),
            };
            fields.push((declared.name.to_string(), of));
        }
    }
    Some(fields)
}

/// The values of a list by their places; the last one is given.
fn ordered(
    context: &Context<'_>,
    unit: &Unit,
    classes: &Classes,
    node: NodeId,
    aggregate: &Aggregate,
) -> Option<Vec<Option<Span>>> {
    let (tree, text) = (context.tree, context.text);
    let fields = match aggregate.rank {
        0 => fields(context, *classes.get(&aggregate.name)?)?,
        _ => Vec::new(),
    };
    let mut values: Vec<Option<Span>> = Vec::new();
    let mut next = 0;
    for child in tree.children(node) {
        let mut value = child;
        if tree.kind(child) == Kind::InitializerPair {
            value = tree.child(child, Field::Value)?;
            next = match aggregate.rank {
                0 => {
                    let name = field_of(tree, child, text)?;
                    fields.iter().position(|f| f.0 == name)?
                }
                _ => {
                    let designator = tree.child(child, Field::Designator)?;
                    let index = tree.text(designator, text).strip_prefix('[')?;
                    let index = unit.constant(index.strip_suffix(']')?)?;
                    usize::try_from(index).ok().filter(|n| *n < 4096)?
                }
            };
        }
        if values.len() <= next {
            values.resize(next + 1, None);
        }
        *values.get_mut(next)? = Some(tree.span(value));
        next += 1;
    }
    // What is left out and has a value of its own cannot be written as `{}`.
    let loses = |(value, field): (&Option<Span>, &(String, Aggregate))| {
        value.is_none() && field.1.has_value
    };
    (!values.iter().zip(&fields).any(loses)).then_some(values)
}

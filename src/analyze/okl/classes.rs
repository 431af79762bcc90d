//! What stands in classes: functions, fields, constants.

use super::dimensions::dimensions;
use super::file_scope::{function, restrict, template};
use super::initialisers::FieldType;
use super::pointers::{Declared, declared_pointers};
use super::types::type_word;
use super::unit::Unit;
use super::{records, walk};
use crate::analyze::Context;
use crate::expr::{self, Expr};
use crate::grammar::Target;
use crate::module::{ConstructKind, Function, Lifetime, Origin, Space};
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Field, Kind, NodeId, Tree, attributes_of, declarators, function_name, is_record,
    specifiers, type_span,
};

/// What a class declares, under its name.
pub(super) fn class(context: &mut Context<'_>, unit: &mut Unit, node: NodeId, body: NodeId) {
    let tree = context.tree;
    let name = tree.child(node, Field::Name);
    if let Some(name) = name {
        unit.values.enter(tree.text(name, context.text));
    }
    members(context, unit, node, body);
    if name.is_some() {
        unit.values.leave();
    }
}

fn members(context: &mut Context<'_>, unit: &mut Unit, node: NodeId, body: NodeId) {
    let tree = context.tree;
    let is_function = |&m: &NodeId| {
        let kind = tree.kind(m);
        kind == Kind::FunctionDefinition || kind == Kind::TemplateDeclaration
    };
    if let Some(name) = tree.child(node, Field::Name)
        && let Some(facts) = unit.types.get_mut(tree.text(name, context.text))
    {
        facts.methods = tree.children(body).any(|m| is_function(&m));
    }
    for member in tree.children(body) {
        match tree.kind(member) {
            // What the compiler writes itself needs no marker.
            Kind::FunctionDefinition
                if tree.child_of_kind(member, Kind::DefaultMethod).is_some() => {}
            Kind::FunctionDefinition => function(context, unit, member, None),
            Kind::FriendDeclaration => {
                if let Some(friend) = tree.child_of_kind(member, Kind::FunctionDefinition) {
                    function(context, unit, friend, None);
                } else if let Some(friend) = tree.child_of_kind(member, Kind::Declaration) {
                    prototype(context, unit, friend, tree.span(friend));
                }
            }
            Kind::TemplateDeclaration => template(context, unit, member),
            Kind::EnumSpecifier => {
                records::enumeration(context, unit, member);
            }
            Kind::Declaration | Kind::FieldDeclaration
                if prototype(context, unit, member, tree.span(member)) => {}
            Kind::FieldDeclaration => {
                if let Some(own) = tree.child_of_kind(member, Kind::EnumSpecifier) {
                    records::enumeration(context, unit, own);
                }
                if let Some(own) = tree.children(member).find(|&c| is_record(tree.kind(c)))
                    && let Some(body) = tree.child(own, Field::Body)
                {
                    class(context, unit, own, body);
                }
                static_constant(context, unit, member);
                let leading = attributes_of(tree, member, context.text);
                let names = declarators(tree, member, context.text);
                let mut pointers = Declared::new();
                for (index, name) in names.iter().enumerate() {
                    let all: Vec<AttributeUse> =
                        leading.iter().chain(&name.attributes).cloned().collect();
                    for attribute in &all {
                        context.check_attribute(attribute, Target::Field);
                        if attribute.name == "restrict" {
                            restrict(context, unit, attribute, tree.span(member), name);
                        } else {
                            unit.push(attribute.span, ConstructKind::Attribute);
                        }
                    }
                    let words = type_span(tree, member);
                    let only = only_name(tree, member);
                    let expanded = unit.expanded(words.of(context.text), only);
                    if let Some(text) = &expanded {
                        unit.push(words, ConstructKind::InC(text.clone()));
                    }
                    if (name.pointers > 0 || expanded.is_some()) && !name.function {
                        let global = all.iter().any(|a| a.name.starts_with("global"));
                        let space = global.then_some(Origin::Space(Space::Global));
                        let pointer = unit.pointer(name.span, space.into_iter().collect());
                        pointers.push((index, pointer));
                        let more = usize::from(expanded.is_some());
                        let levels = name.pointers + more + name.sizes.len();
                        let field = (pointer, levels);
                        unit.pointer_fields.insert(context, name, field);
                    }
                    if let Some(dimensions) = dimensions(context, &all, None) {
                        unit.fields.insert(context, name, dimensions);
                    }
                }
                declared_pointers(context, unit, member, (&names, &pointers), Lifetime::Block);
            }
            _ => {}
        }
    }
}

/// `static constexpr int width = 4;` in a class.
fn static_constant(context: &Context<'_>, unit: &mut Unit, member: NodeId) {
    let tree = context.tree;
    let said = specifiers(tree, member, context.text);
    if !said.is_static || !said.constant || unit.is_uncertain(tree.span(member)) {
        return;
    }
    let Some(scalar) = unit.scalar_of(context.sema, member) else {
        return;
    };
    let names = declarators(tree, member, context.text);
    let ([name], Some(value)) = (names.as_slice(), tree.child(member, Field::DefaultValue)) else {
        return;
    };
    if name.pointers > 0 || !name.sizes.is_empty() || name.function {
        return;
    }
    let parsed = expr::parse(tree.text(value, context.text)).ok();
    let cast = parsed.map(|e| Expr::Cast(scalar, Box::new(unit.resolve(&e))));
    let value = cast.and_then(|e| expr::evaluate(&e, &|_| None).ok());
    if let Some(value) = value {
        unit.values.insert(name.name.to_string(), value);
    }
}

/// A function that is only declared here, in a class or as a template. False if the declaration is of
/// something else.
pub(super) fn prototype(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    whole: Span,
) -> bool {
    let tree = context.tree;
    // `int (*f)(int)` is a pointer.
    let name = function_name(tree, node, context.text).filter(|(name, _)| !name.starts_with('('));
    let converts = tree
        .child(node, Field::Declarator)
        .is_some_and(|d| tree.kind(d) == Kind::OperatorCast);
    let name = match name {
        Some((name, _)) => name,
        None if converts => "",
        None => return false,
    };
    // What the compiler writes itself needs no marker.
    if tree.child_of_kind(node, Kind::DefaultMethod).is_some() {
        return true;
    }
    let first = tree
        .children(node)
        .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
    let function = Function {
        name: name.to_string(),
        marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
        span: whole,
        internal: false,
        pointers: Vec::new(),
        result: None,
        constructs: (0, 0),
        masked_loop: None,
    };
    walk::function(context, unit, node, function);
    true
}

/// Whether a declaration is one of a single name.
pub(super) fn only_name(tree: &Tree, declaration: NodeId) -> bool {
    let names = tree
        .children(declaration)
        .filter(|&c| tree.field(c) == Field::Declarator);
    names.count() == 1
}

/// The fields of a structure, as far as lists of initialisers need them.
pub(super) fn fields_of(
    context: &Context<'_>,
    unit: &Unit,
    record: NodeId,
) -> Option<Vec<FieldType>> {
    let tree = context.tree;
    let mut fields = Vec::new();
    for member in tree.children(tree.child(record, Field::Body)?) {
        if tree.kind(member) != Kind::FieldDeclaration {
            continue;
        }
        let words = type_span(tree, member).of(context.text);
        let word = type_word(words).to_string();
        let expanded = unit.expanded(words, only_name(tree, member)).is_some();
        for name in declarators(tree, member, context.text) {
            if name.function {
                continue;
            }
            let pointer = unit
                .pointer_fields
                .declared(context, &name)
                .map(|(id, _)| *id);
            fields.push(FieldType {
                word: word.clone(),
                rank: name.sizes.len(),
                pointer: pointer.filter(|_| name.pointers > 0 || expanded),
                name: name.name.to_string(),
            });
        }
    }
    Some(fields)
}

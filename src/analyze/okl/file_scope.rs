//! What stands at file or namespace scope.

use super::classes::prototype;
use super::symbols::Symbol;
use super::types::{alias, namespace_alias, record, typedef};
use super::unit::Unit;
use super::{designators, expressions, fold, initialisers, kernel, pointed, records, walk};
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, Scalar};
use crate::grammar::Target;
use crate::module::{ConstructKind, Function, Origin, Space};
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Kind, NodeId, attributes_of, declarators, function_name,
    is_record, specifiers, type_words,
};

/// Everything at file or namespace scope.
pub(super) fn declarations(context: &mut Context<'_>, unit: &mut Unit, parent: NodeId) {
    let tree = context.tree;
    for node in tree.children(parent) {
        match tree.kind(node) {
            Kind::FunctionDefinition => function(context, unit, node, None),
            Kind::TemplateDeclaration => template(context, unit, node),
            Kind::Declaration => declaration(context, unit, node),
            Kind::TypeDefinition => typedef(context, unit, node),
            Kind::AliasDeclaration => alias(context, unit, node),
            Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier => {
                record(context, unit, node);
            }
            Kind::NamespaceDefinition | Kind::LinkageSpecification => {
                let name = tree.child(node, Field::Name);
                if let Some(name) = name {
                    unit.values.enter(tree.text(name, context.text));
                }
                if let Some(body) = tree.child(node, Field::Body) {
                    if tree.kind(body) == Kind::FunctionDefinition {
                        function(context, unit, body, None);
                    } else {
                        declarations(context, unit, body);
                    }
                }
                if name.is_some() {
                    unit.values.leave();
                }
            }
            Kind::NamespaceAlias => namespace_alias(context, unit, node),
            Kind::EnumSpecifier => {
                records::enumeration(context, unit, node);
            }
            Kind::AttributedStatement => misplaced(context, unit, node),
            _ => {}
        }
    }
}

/// An attributed statement where no statement can be, such as a loop outside of any function.
fn misplaced(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    for attribute in attributes_of(context.tree, node, context.text) {
        if context.check_attribute(&attribute, Target::Loop) {
            context.error(&codes::LOOP_OUTSIDE_KERNEL, attribute.span, &[]);
        }
        unit.push(attribute.span, ConstructKind::Attribute);
    }
}

pub(super) fn template(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    for child in tree.children(node) {
        match tree.kind(child) {
            Kind::FunctionDefinition => function(context, unit, child, Some(node)),
            Kind::StructSpecifier | Kind::ClassSpecifier => record(context, unit, child),
            Kind::TemplateDeclaration => template(context, unit, child),
            Kind::AliasDeclaration => alias(context, unit, child),
            Kind::Declaration | Kind::FieldDeclaration => {
                prototype(context, unit, child, tree.span(node));
            }
            _ => {}
        }
    }
}

pub(super) fn function(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    template: Option<NodeId>,
) {
    let tree = context.tree;
    let attributes = attributes_of(tree, node, context.text);
    let mut is_kernel = false;
    for attribute in &attributes {
        unit.push(attribute.span, ConstructKind::Attribute);
        if context.check_attribute(attribute, Target::Function) {
            is_kernel |= attribute.name == "kernel";
            // The promise is about what it returns; compilers take none there.
            let behind = tree.child(node, Field::Declarator).map(|d| tree.kind(d));
            if attribute.name == "restrict" && behind != Some(Kind::PointerDeclarator) {
                let words = &*type_words(tree, node, context.text);
                if let (Some(_), 0) = unit.named_type(words) {
                    context.error(&codes::RESTRICT_POINTER, attribute.span, &[]);
                }
            }
        }
    }
    // Operators and members that are defined apart have no plain name; they run on the device, too.
    let here = Span::at(tree.span(node).start);
    let (name, name_span) = function_name(tree, node, context.text).unwrap_or(("", here));
    if is_kernel {
        if template.is_some() {
            context.error(&codes::TEMPLATED_KERNEL, name_span, &[&name]);
            return;
        }
        kernel::kernel(context, unit, node, name);
        return;
    }
    let first = tree
        .children(node)
        .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
    if template.is_none() {
        let known = unit.host.nodes.entry(name.to_string());
        known.or_default().push(node);
    }
    let function = Function {
        name: name.to_string(),
        marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
        span: template.map_or(tree.span(node), |t| tree.span(t)),
        internal: specifiers(tree, node, context.text).is_static,
        pointers: Vec::new(),
        result: None,
        constructs: (0, 0),
        masked_loop: None,
    };
    walk::function(context, unit, node, function);
}

/// A variable or a prototype at file scope.
fn declaration(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    let text = context.text;
    let attributes = attributes_of(tree, node, text);
    let names = declarators(tree, node, text);
    let is_function = names.iter().any(|d| d.function);
    if is_function && attributes.iter().any(|a| a.name == "kernel") {
        // A prototype says nothing that the definition does not.
        unit.push(tree.span(node), ConstructKind::Attribute);
        return;
    }
    let target = if is_function {
        Target::Function
    } else {
        Target::Variable
    };
    let behind = names.iter().flat_map(|name| &name.attributes);
    for attribute in attributes.iter().chain(behind) {
        unit.push(attribute.span, ConstructKind::Attribute);
        if context.check_attribute(attribute, target)
            && matches!(attribute.name.as_str(), "shared" | "exclusive")
        {
            context.error(&codes::MEMORY_PLACE, attribute.span, &[&attribute.name]);
        }
    }
    if is_function {
        let first = tree
            .children(node)
            .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
        let function = Function {
            name: names.first().map_or(String::new(), |d| d.name.to_string()),
            marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
            span: tree.span(node),
            internal: specifiers(tree, node, text).is_static,
            pointers: Vec::new(),
            result: None,
            constructs: (0, 0),
            masked_loop: None,
        };
        walk::function(context, unit, node, function);
        return;
    }
    if let Some(specifier) = tree.children(node).find(|&c| is_record(tree.kind(c))) {
        record(context, unit, specifier);
    }
    records::specifier(context, unit, node);
    let said = specifiers(tree, node, text);
    // `const` may be a typedef's.
    let first = names.first().and_then(|n| n.node);
    let first = first.and_then(|n| context.sema.qualified(context.sema.definition(n)?));
    let constant = said.constant || first.is_some_and(|q| q.own.constant);
    let scalar = unit.scalar_of(context.sema, node);
    for name in &names {
        let plain = name.pointers == 0 && name.sizes.is_empty();
        if constant
            && plain
            && let Some(value) = name.value
            && let Some(scalar) = scalar
        {
            let cast = expr::parse_statement(tree.text(value, text), &|_| None)
                .ok()
                .map(|e| Expr::Cast(scalar, Box::new(unit.resolve(&e))));
            let element = |name: &str| expressions::element(&unit.host.arrays, name);
            let value = cast.and_then(|e| expr::evaluate(&e, &element).ok());
            if let Some(value) = value
                && !unit.is_uncertain(name.span)
            {
                unit.values.insert(name.name.to_string(), value);
            }
        }
        if constant
            && name.pointers == 0
            && !name.sizes.is_empty()
            && let (Some(value), Some(scalar)) = (name.value, scalar)
        {
            let size = |s: &Option<NodeId>| s.map(|s| tree.text(s, text));
            let sizes: Vec<Option<&str>> = name.sizes.iter().map(size).collect();
            let value = (tree, text, value);
            let table = expressions::table(unit, name.name, scalar, &sizes, value);
            unit.host.arrays.extend(table);
        }
        let array = !name.sizes.is_empty()
            || name.pointers == 0 && unit.is_array(&type_words(tree, node, text));
        let symbol = Symbol {
            constant,
            rank: name.sizes.len(),
            pointer: ((array || name.pointers > 0) && constant)
                .then_some(Origin::Space(Space::Constant)),
            ..Symbol::default()
        };
        unit.scopes.declare(name.name, symbol);
    }
    let integer = scalar.is_some_and(|s| !s.is_float());
    let arrays = names.iter().any(|d| !d.sizes.is_empty() || d.pointers > 0);
    let values: Option<Vec<(String, i64)>> = names
        .iter()
        .map(|n| Some((n.name.to_string(), unit.values.get(n.name)?.as_i64()?)))
        .collect();
    let here = constant && !said.external && !names.iter().any(|n| unit.external.contains(n.name));
    if here && integer && !arrays {
        let scalar = scalar.unwrap_or(Scalar::Int);
        match values {
            Some(values) => pointed::constants(context, unit, node, scalar, values),
            None => pointed::not_computed(context, unit, node, scalar, &names),
        }
    }
    for name in names.iter().filter(|n| here && n.pointers > 0) {
        unit.push(
            Span::at(name.name_span.start),
            ConstructKind::ConstantPointer,
        );
    }
    // What is declared in one place and defined in another has a place of its own.
    let external = said.external;
    if external {
        unit.external
            .extend(names.iter().map(|n| n.name.to_string()));
    }
    let placed = names.iter().any(|n| unit.external.contains(n.name));
    // A member of a class that is defined apart has no name of its own, and no place of its own.
    let apart = names.iter().any(|d| d.span.of(text).contains("::"));
    if constant && (!integer || arrays || placed) && !apart {
        unit.constants.push(tree.span(node));
        for name in &names {
            let Some(value) = name.value else { continue };
            fold::initializer(context, unit, value);
            if let Some(id) = name.node.and_then(|n| context.sema.definition(n)) {
                let ty = context.sema.defined(id).ty;
                initialisers::of_constant(context, unit, value, ty);
            }
        }
    }
    for value in names.iter().filter_map(|name| name.value) {
        designators::lists(context, unit, value);
    }
}

/// Records where the target's keyword for `@restrict` goes.
pub(super) fn restrict(
    context: &mut Context<'_>,
    unit: &mut Unit,
    attribute: &AttributeUse,
    declaration: Span,
    name: &Declarator,
) {
    let level = attribute.arguments.trim().parse::<usize>().ok();
    let from = attribute
        .span
        .end
        .max(declaration.start)
        .min(name.name_span.start);
    let between = Span::new(from, name.name_span.start).of(context.text);
    let mut stars = between.match_indices('*').map(|(i, _)| from + i as u32 + 1);
    let at = match level {
        Some(level) if level > 0 => stars.nth(level - 1),
        _ => stars.next_back(),
    };
    if at.is_none() {
        let (scalar, pointers) = unit.named_type(between.trim());
        if scalar.is_some() && pointers == 0 && name.sizes.is_empty() {
            context.error(&codes::RESTRICT_POINTER, attribute.span, &[]);
        }
        if !name.sizes.is_empty() {
            // `T a[]` has no place for the keyword; the promise is lost, nothing else.
            unit.push(attribute.span, ConstructKind::Attribute);
            return;
        }
    }
    unit.push(
        attribute.span,
        ConstructKind::Restrict {
            at: at.unwrap_or(name.name_span.start),
        },
    );
}

//! Names of types: typedefs, aliases, structures.

use super::classes::{class, fields_of};
use super::dimensions::dimensions;
use super::file_scope::restrict;
use super::pointers::{Declared, declared_pointers};
use super::records;
use super::symbols::{Elements, TypeFacts};
use super::unit::Unit;
use crate::analyze::Context;
use crate::grammar::Target;
use crate::module::{ConstructKind, Lifetime, PointerId, VectorType};
use crate::sema::{Definition, Sema, TypeKind};
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, NodeId, attributes_of, declarators, is_record, specifiers,
    type_words, type_words_without,
};

/// The name among the words of a type.
pub(super) fn type_word(words: &str) -> &str {
    let mut all = words.split_ascii_whitespace();
    all.rfind(|w| !matches!(*w, "const" | "volatile"))
        .unwrap_or("")
}

/// What is known of the name at a node.
fn defined<'s>(sema: &'s Sema<'_>, name: Option<NodeId>) -> Option<&'s Definition> {
    Some(sema.defined(sema.definition(name?)?))
}

/// Whether variables of the type that a name means cannot be assigned to.
fn is_unassignable(sema: &Sema<'_>, name: Option<NodeId>) -> bool {
    defined(sema, name).is_some_and(|d| {
        let kind = sema.kind(d.ty);
        matches!(kind, TypeKind::Reference(_) | TypeKind::Array(_))
            || d.qualified.own.constant
            || !sema.is_assignable(d.ty)
    })
}

pub(super) fn typedef(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    if let Some(specifier) = tree.children(node).find(|&c| is_record(tree.kind(c))) {
        record(context, unit, specifier);
    }
    let leading = attributes_of(tree, node, context.text);
    let names = declarators(tree, node, context.text);
    let mut declared = Declared::new();
    for (index, name) in names.iter().enumerate() {
        let pointer = named_type(context, unit, node, (name, &leading));
        declared.extend(pointer.map(|pointer| (index, pointer)));
    }
    declared_pointers(context, unit, node, (&names, &declared), Lifetime::Block);
    records::typedef(context, unit, node);
}

/// A name for a type, which a typedef or `using` declares; the pointer that it is, if it is one. `node` has the words of the type.
fn named_type(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    (name, leading): (&Declarator, &[AttributeUse]),
) -> Option<PointerId> {
    let tree = context.tree;
    let words = &*type_words(tree, node, context.text);
    let around = unit.look(context, tree.span(node));
    let (scalar, pointers) = unit.named_type(words);
    unit.look_back(around);
    let pointers = pointers + name.pointers;
    // What the type says holds for a type that is made of it, too.
    let inherited = unit.facts_of(context, node, words).cloned();
    let mut facts = TypeFacts {
        definition: name.node.and_then(|n| context.sema.definition(n)),
        // A reference is no number of its own.
        scalar: scalar.filter(|_| !name.reference),
        pointers,
        ..inherited.unwrap_or_default()
    };
    facts.array |= !name.sizes.is_empty();
    facts.extents += name.sizes.len();
    let vector = VectorType::from_name(type_word(words)).is_some();
    let numbers = (vector || scalar.is_some()) && pointers == 0;
    if !name.sizes.is_empty() {
        let size = |s: &Option<NodeId>| s.map_or("", |s| tree.text(s, context.text));
        let mut sizes: String = name
            .sizes
            .iter()
            .map(|s| format!("[{}]", size(s)))
            .collect();
        let of = facts.elements.take();
        sizes.extend(of.as_ref().map(|of| of.sizes.as_str()));
        let own = || type_words_without(tree, node, context.text, &["const"]);
        let said = specifiers(tree, node, context.text).constant;
        facts.elements = numbers.then(|| Elements {
            constant: said || of.as_ref().is_some_and(|of| of.constant),
            words: of.map_or_else(own, |of| of.words),
            sizes,
        });
    }
    facts.elements.take_if(|_| pointers > 0);
    // Arrays of pointers are no pointers.
    let of = facts
        .expanded
        .take_if(|_| name.pointers > 0 || !name.sizes.is_empty());
    facts.unassignable &= name.pointers == 0;
    facts.unassignable |= is_unassignable(context.sema, name.node);
    let all: Vec<AttributeUse> = leading.iter().chain(&name.attributes).cloned().collect();
    for attribute in &all {
        if !context.check_attribute(attribute, Target::Type) {
            unit.push(attribute.span, ConstructKind::Attribute);
            continue;
        }
        match attribute.name.as_str() {
            "shared" => facts.shared = true,
            "exclusive" => facts.exclusive = true,
            "restrict" => {
                restrict(context, unit, attribute, tree.span(node), name);
                continue;
            }
            _ => {}
        }
        unit.push(attribute.span, ConstructKind::Attribute);
    }
    let mut declared = None;
    // A function is in no memory.
    if name.pointers > 0 && !name.function {
        let pointer = unit.pointer(name.span, Vec::new());
        declared = Some(pointer);
        unit.typedef_pointers.push(pointer);
        facts.pointer = Some(pointer);
        let number = vector || scalar.is_some();
        let words = match pointers == name.pointers {
            true => Some(words).filter(|_| number).map(str::to_string),
            // Of a pointer that has a name itself.
            false => of,
        };
        let narrow = all.iter().any(|a| a.name == "restrict")
            || defined(context.sema, name.node).is_some_and(|d| d.qualified.own.restrict);
        let restrict = if narrow { "restrict " } else { "" };
        let words = words.filter(|_| name.sizes.is_empty());
        facts.expanded = words.map(|words| {
            let stars = "*".repeat(name.pointers);
            format!("{} {stars}{restrict}", words.trim_end())
        });
    }
    facts.dimensions = dimensions(context, &all, facts.dimensions.as_ref());
    if unit.is_uncertain(name.span) {
        facts.scalar = None;
    }
    let fields = tree
        .children(node)
        .find(|&c| is_record(tree.kind(c)))
        .and_then(|r| fields_of(context, unit, r))
        .or_else(|| unit.record_fields.get(type_word(words)).cloned());
    if let Some(fields) = fields.filter(|_| name.pointers == 0 && name.sizes.is_empty()) {
        unit.record_fields.insert(name.name.to_string(), fields);
    }
    unit.name_type(name.name, facts);
    declared
}

/// `namespace name = other;`
pub(super) fn namespace_alias(context: &Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    let mut parts = tree.children(node).map(|n| tree.text(n, context.text));
    if let (Some(name), Some(of)) = (parts.next(), parts.next()) {
        unit.values.alias(name, of);
    }
}

/// `using name = type;`
pub(super) fn alias(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    let (Some(name), Some(ty)) = (tree.child(node, Field::Name), tree.child(node, Field::Type))
    else {
        return;
    };
    let (words, type_text) = (tree.text(name, context.text), tree.text(ty, context.text));
    unit.values.alias(words, type_text);
    // As a typedef would declare it.
    let mut without = declarators(tree, ty, context.text);
    let mut named = without
        .pop()
        .unwrap_or_else(|| Declarator::unnamed(Span::at(tree.span(ty).end)));
    named.name = words;
    named.name_span = tree.span(name);
    named.node = Some(name);
    let around = unit.look(context, tree.span(node));
    let (_, pointers) = unit.named_type(&type_words(tree, ty, context.text));
    let pointers = pointers + named.pointers;
    let layout = unit.layout_of(type_text).filter(|_| pointers == 0);
    unit.look_back(around);
    if let Some(layout) = layout {
        unit.layout_names.insert(words.to_string(), layout);
    }
    let span = tree.span(ty);
    if let Some(pointer) = named_type(context, unit, ty, (&named, &[])) {
        let at = span.start;
        unit.push(span, ConstructKind::Pointer { at, pointer });
    }
}

/// A struct, class or union: its methods run on the device, its fields may have dimensions.
pub(super) fn record(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    if let Some(name) = tree.child(node, Field::Name) {
        let definition = context.sema.definition(name);
        let known = unit.types.entry(tree.text(name, context.text).to_string());
        let facts = known.or_default();
        // Another one of the name has nothing to do with it.
        if facts.definition != definition {
            *facts = TypeFacts {
                definition,
                ..TypeFacts::default()
            };
        }
    }
    let Some(body) = tree.child(node, Field::Body) else {
        return;
    };
    class(context, unit, node, body);
    if let Some(name) = tree.child(node, Field::Name)
        && let Some(fields) = fields_of(context, unit, node)
    {
        let name = tree.text(name, context.text).to_string();
        unit.record_fields.insert(name, fields);
    }
    records::record(context, unit, node);
}

use super::enumerators::each_enumerator;
use super::symbols::TypeFacts;
use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::packing::{Packing, packing};
use crate::expr::{Scalar, Value};
use crate::module::{Enumeration, Layout, Record, RecordField, VectorType};
use crate::sema::TypeKind;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, declarators, has_scoped_enumerators, is_record,
};

/// Words that change nothing about how a value lies in memory.
const QUALIFIERS: [&str; 5] = ["const", "volatile", "struct", "union", "enum"];

/// Learns the layout of a struct or union; `None` where it is not a plain C type, or holds something
/// of unknown size.
pub(super) fn record(context: &Context<'_>, unit: &mut Unit, node: NodeId) -> Option<Layout> {
    let tree = context.tree;
    let node_of_name = tree.child(node, Field::Name);
    let name = node_of_name.map_or("", |n| tree.text(n, context.text));
    let Some(body) = tree.child(node, Field::Body) else {
        return unit.layout_named(context, node_of_name?);
    };
    let packing = packing(tree, context.text, node)?;
    let mut found = Record {
        name: name.to_string(),
        union: tree.kind(node) == Kind::UnionSpecifier,
        fields: Vec::new(),
        size: 0,
        align: 1,
    };
    for member in tree.children(body) {
        if tree.kind(member) == Kind::FieldDeclaration {
            fields(context, unit, (member, packing), &mut found)?;
        }
    }
    found.align = packing.whole(found.align as u64) as usize;
    found.size = found.size.next_multiple_of(found.align).max(1);
    let layout = Layout::Record(unit.layouts.records.len());
    unit.layouts.records.push(found);
    if !name.is_empty() {
        unit.layout_names.insert(name.to_string(), layout.clone());
    }
    if let Some(definition) = node_of_name.and_then(|n| context.sema.definition(n)) {
        unit.layouts_of.insert(definition, layout.clone());
    }
    Some(layout)
}

/// Adds the fields of one declaration.
fn fields(
    context: &Context<'_>,
    unit: &mut Unit,
    (member, packing): (NodeId, Packing),
    found: &mut Record,
) -> Option<()> {
    let tree = context.tree;
    let is_static = tree
        .child_of_kind(member, Kind::StorageClass)
        .is_some_and(|s| tree.text(s, context.text) == "static");
    let names = declarators(tree, member, context.text);
    // A method's declaration takes no room.
    if is_static || names.iter().all(|n| n.function) && !names.is_empty() {
        return Some(());
    }
    let bits = |n: NodeId| tree.text(n, context.text).starts_with(':');
    if names.is_empty() || tree.children(member).any(bits) {
        return None;
    }
    let own = tree
        .children(member)
        .find(|&c| is_record(tree.kind(c)) && tree.child(c, Field::Body).is_some());
    let base = match own {
        Some(own) => record(context, unit, own),
        None => unit.layout_at(context, member),
    };
    for name in &names {
        let layout = declared(context, unit, base.clone(), name)?;
        let (size, align) = unit.layouts.size(&layout);
        let align = packing.field(align as u64) as usize;
        let offset = match found.union {
            true => 0,
            false => found.size.next_multiple_of(align),
        };
        found.size = found.size.max(offset + size);
        found.align = found.align.max(align);
        found.fields.push(RecordField {
            name: name.name.to_string(),
            layout,
            offset,
        });
    }
    Some(())
}

/// The layout of a declared name, from that of the type's words.
fn declared(
    context: &Context<'_>,
    unit: &Unit,
    base: Option<Layout>,
    name: &Declarator,
) -> Option<Layout> {
    let mut layout = match name.pointers > 0 || name.reference {
        true => Layout::Pointer,
        false => base?,
    };
    for size in name.sizes.iter().rev() {
        let text = context.tree.text((*size)?, context.text);
        let count = unit.constant(text).and_then(|n| usize::try_from(n).ok())?;
        layout = Layout::Array(Box::new(layout), count);
    }
    Some(layout)
}

/// What a typedef or a declaration defines on the way: the layout of the type in it.
pub(super) fn specifier(context: &Context<'_>, unit: &mut Unit, node: NodeId) -> Option<Layout> {
    let tree = context.tree;
    for child in tree.children(node) {
        match tree.kind(child) {
            Kind::EnumSpecifier => return enumeration(context, unit, child),
            kind if is_record(kind) => {
                let name = tree.child(child, Field::Name);
                let known = name.and_then(|n| unit.layout_named(context, n));
                return known.or_else(|| record(context, unit, child));
            }
            _ => {}
        }
    }
    unit.layout_at(context, node)
}

/// The names that a typedef gives to a layout.
pub(super) fn typedef(context: &Context<'_>, unit: &mut Unit, node: NodeId) {
    let layout = specifier(context, unit, node);
    // A record may have no other name.
    let kind = context.sema.kind(context.sema.described(node));
    if let TypeKind::Record(id) | TypeKind::Enumeration(id) = kind
        && let Some(layout) = &layout
    {
        unit.layouts_of.insert(id, layout.clone());
    }
    for name in declarators(context.tree, node, context.text) {
        let Some(layout) = declared(context, unit, layout.clone(), &name) else {
            continue;
        };
        match &layout {
            Layout::Record(index) => {
                if let Some(record) = unit.layouts.records.get_mut(*index)
                    && record.name.is_empty()
                {
                    record.name = name.name.to_string();
                }
            }
            Layout::Enumeration(index) => {
                if let Some(found) = unit.layouts.enumerations.get_mut(*index)
                    && found.name.is_empty()
                {
                    found.name = name.name.to_string();
                }
            }
            _ => {}
        }
        unit.layout_names.insert(name.name.to_string(), layout);
    }
}

/// The type of an enumeration with these values that says none: the first of `int`, `unsigned int` and `long` that holds them.
fn holding(values: impl IntoIterator<Item = i64>) -> Scalar {
    let (mut least, mut most) = (0, 0);
    for value in values {
        (least, most) = (value.min(least), value.max(most));
    }
    match (i32::try_from(least), u32::try_from(most)) {
        (Ok(_), Ok(most)) if i32::try_from(most).is_ok() => Scalar::Int,
        (Ok(0), Ok(_)) => Scalar::UInt,
        _ => Scalar::Long,
    }
}

/// Learns an enumeration: its enumerators are constants.
pub(super) fn enumeration(context: &Context<'_>, unit: &mut Unit, node: NodeId) -> Option<Layout> {
    let tree = context.tree;
    let named = tree.child(node, Field::Name);
    let definition = named.and_then(|n| context.sema.definition(n));
    let name = named.map_or("", |n| tree.text(n, context.text)).to_string();
    let Some(body) = tree.child(node, Field::Body) else {
        return unit.layout_named(context, named?);
    };
    let base = tree.child(node, Field::Base);
    let scoped = has_scoped_enumerators(tree, node, context.text);
    let fixed = base.and_then(|b| context.sema.described_scalar(b));
    let fixed = fixed.or(scoped.then_some(Scalar::Int));
    let learn = |unit: &mut Unit, label: &str, value: i64, scalar: Scalar| {
        let constant = Value::Int(Scalar::Long, value).convert(scalar);
        if !scoped {
            unit.values.insert(label.to_string(), constant);
        }
        if !name.is_empty() {
            unit.values.insert(format!("{name}::{label}"), constant);
        }
    };
    let mut enumerators = Vec::new();
    each_enumerator(context, unit, body, |unit, label, value| {
        let Some(value) = value else { return };
        // An enumerator has its own type until the brace closes.
        learn(
            unit,
            label,
            value,
            fixed.unwrap_or_else(|| holding([value])),
        );
        enumerators.push((label.to_string(), value));
    });
    let scalar = fixed.unwrap_or_else(|| holding(enumerators.iter().map(|(_, value)| *value)));
    for (label, value) in &enumerators {
        learn(unit, label, *value, scalar);
    }
    let layout = Layout::Enumeration(unit.layouts.enumerations.len());
    unit.layouts.enumerations.push(Enumeration {
        name: name.clone(),
        scalar,
        enumerators,
    });
    if !name.is_empty() {
        let facts = TypeFacts {
            definition,
            scalar: Some(scalar),
            ..TypeFacts::default()
        };
        unit.types.insert(name.clone(), facts);
        unit.layout_names.insert(name, layout.clone());
    }
    if let Some(definition) = definition {
        unit.layouts_of.insert(definition, layout.clone());
    }
    Some(layout)
}

impl Unit {
    /// How the record or enumeration lies in memory that a specifier names.
    fn layout_named(&self, context: &Context<'_>, name: NodeId) -> Option<Layout> {
        let words = context.tree.text(name, context.text);
        self.layout_defined(context.sema.definition(name), words)
    }

    /// How a value of the type that these words name lies in memory.
    pub(super) fn layout_of(&self, words: &str) -> Option<Layout> {
        match self.named_type(words) {
            (Some(scalar), 0) => {
                let name = words.split_ascii_whitespace().last().unwrap_or("");
                if let Some(meaning) = self.several.meaning(name) {
                    return meaning.layout;
                }
                let known = self.layout_names.get(name).cloned();
                return Some(known.unwrap_or(Layout::Scalar(scalar)));
            }
            (_, n) if n > 0 => return Some(Layout::Pointer),
            _ => {}
        }
        let mut names = words
            .split_ascii_whitespace()
            .filter(|w| !QUALIFIERS.contains(w));
        let name = names.next()?;
        if names.next().is_some() {
            return None;
        }
        if let Some(meaning) = self.several.meaning(name) {
            return meaning.layout;
        }
        self.layout_names
            .get(name)
            .cloned()
            .or_else(|| VectorType::from_name(name).map(Layout::Vector))
    }
}

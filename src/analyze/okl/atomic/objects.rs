//! Memory that is a whole structure or vector: its bits are exchanged as those of a number, which has to be as large
//! and lie at a multiple of its size. Structures of smaller alignment get a larger one, as far as nothing else moves.

use super::places::Reader;
use crate::analyze::Context;
use crate::analyze::okl::types::type_word;
use crate::analyze::okl::unit::Unit;
use crate::diagnostics::codes;
use crate::lex::one_layout;
use crate::module::{AtomicObject, ConstructKind, Layout, Layouts};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, declarators, function_name, is_record, parameters};
use foldhash::{HashSet, HashSetExt};

/// What memory is.
pub(super) enum Object {
    /// A number, as far as is known.
    Number,
    /// A structure or a vector.
    Whole {
        object: AtomicObject,
        /// The record whose alignment has to become its size.
        raised: Option<usize>,
    },
    /// One that is not changed at once, and why.
    Impossible(String),
}

impl Reader<'_, '_> {
    /// What the memory is.
    pub(super) fn object(&self, memory: NodeId) -> Object {
        if let Some(vector) = self.context.sema.vector(memory) {
            return match vector.size() {
                size @ ..=8 => Object::Whole {
                    object: AtomicObject {
                        name: vector.to_string(),
                        size,
                    },
                    raised: None,
                },
                size => Object::Impossible(too_large(size)),
            };
        }
        match self.context.sema.record(memory) {
            Some(record) => self.record(record),
            None => Object::Number,
        }
    }

    fn record(&self, record: DefinitionId) -> Object {
        let unknown = || Object::Impossible("its size is not known".to_string());
        let words = self.context.sema.name(record);
        let Some(layout) = self.unit.layout_defined(Some(record), words) else {
            return unknown();
        };
        let Layout::Record(index) = layout else {
            return unknown();
        };
        let (size, align) = self.unit.layouts.size(&layout);
        if !matches!(size, 1 | 2 | 4 | 8) {
            return Object::Impossible(too_large(size));
        }
        if self.is_copied_by_functions(index) {
            return Object::Impossible("it has a way of its own to be copied".to_string());
        }
        Object::Whole {
            object: AtomicObject {
                name: self.name_in_c(type_word(words)),
                size,
            },
            raised: (align < size).then_some(index),
        }
    }

    /// Whether a structure, or one in it, has a way of its own to be copied.
    fn is_copied_by_functions(&self, index: usize) -> bool {
        let Some(record) = self.unit.layouts.records.get(index) else {
            return false;
        };
        let inner = record.fields.iter().filter_map(|f| match &f.layout {
            Layout::Record(inner) => Some(*inner),
            Layout::Array(of, _) => match **of {
                Layout::Record(inner) => Some(inner),
                _ => None,
            },
            _ => None,
        });
        self.copies_itself(&record.name)
            || inner.into_iter().any(|i| self.is_copied_by_functions(i))
    }

    /// Whether a structure has a destructor, an assignment or a constructor from its like.
    fn copies_itself(&self, name: &str) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        let body = all
            .find(|&n| is_record(tree.kind(n)) && is_named(self.context, n, name))
            .and_then(|n| tree.child(n, Field::Body));
        let members = body.into_iter().flat_map(|b| tree.children(b));
        let mut functions = members.filter_map(|m| Some((m, function_name(tree, m, text)?.0)));
        functions.any(|(member, function)| {
            let refers = |p: &NodeId| {
                let declared = declarators(tree, *p, text);
                declared.iter().any(|d| d.reference) && names_type(tree, *p, text, &[name])
            };
            let copies =
                || parameters(tree, member).is_some_and(|(list, _)| list.iter().any(refers));
            function.starts_with('~')
                || one_layout(function) == "operator ="
                || function == name && copies()
        })
    }

    /// The name of a type, behind the word that C wants there.
    fn name_in_c(&self, name: &str) -> String {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut tag = "";
        for node in tree.root().into_iter().flat_map(|r| tree.descendants(r)) {
            match tree.kind(node) {
                Kind::TypeDefinition => {
                    let names = declarators(tree, node, text);
                    if names.iter().any(|d| d.name_span.of(text) == name) {
                        return name.to_string();
                    }
                }
                Kind::StructSpecifier if is_named(self.context, node, name) => tag = "struct ",
                Kind::UnionSpecifier if is_named(self.context, node, name) => tag = "union ",
                _ => {}
            }
        }
        format!("{tag}{name}")
    }

    /// The type of memory that is a number.
    pub(super) fn number(&self, memory: NodeId) -> Option<AtomicObject> {
        let scalar = self.context.sema.scalar(memory)?;
        Some(AtomicObject {
            name: scalar.c_name().to_string(),
            size: scalar.size(),
        })
    }
}

fn too_large(size: usize) -> String {
    format!("it has {size} bytes, not 1, 2, 4 or 8")
}

fn is_named(context: &Context<'_>, specifier: NodeId, name: &str) -> bool {
    let found = context.tree.child(specifier, Field::Name);
    found.is_some_and(|n| context.tree.text(n, context.text) == name)
}

/// Raises the alignment of the structures that atomics need it of; where something would move by that, the first
/// atomic is an error.
pub(in crate::analyze::okl) fn settle(context: &mut Context<'_>, unit: &mut Unit) {
    let mut done = HashSet::new();
    let mut layouts = unit.layouts.clone();
    for (index, memory) in std::mem::take(&mut unit.raised) {
        if !done.insert(index) {
            continue;
        }
        match raise(context, unit, &mut layouts, index) {
            Ok((at, size)) => unit.push(Span::at(at), ConstructKind::Aligned(size)),
            Err(reason) => {
                let text = memory.of(context.text);
                context.error(&codes::ATOMIC_COMPOSED, memory, &[&text, &reason]);
            }
        }
    }
}

/// Where the alignment of a record goes, and how large it is.
fn raise(
    context: &Context<'_>,
    unit: &Unit,
    layouts: &mut Layouts,
    index: usize,
) -> Result<(u32, usize), String> {
    let (tree, text) = (context.tree, context.text);
    let unknown = || "its declaration is not seen".to_string();
    let names: Vec<&str> = unit
        .layout_names
        .iter()
        .filter(|(_, layout)| **layout == Layout::Record(index))
        .map(|(name, _)| name.as_str())
        .collect();
    let record = layouts.records.get_mut(index).ok_or_else(unknown)?;
    let (size, align) = (record.size, record.align);
    record.align = size;
    if let Some(moved) = moved(layouts) {
        return Err(format!(
            "its alignment of {align} cannot become {size} without moving it in '{moved}'"
        ));
    }
    let mut found = None;
    for node in tree.root().into_iter().flat_map(|r| tree.descendants(r)) {
        match tree.kind(node) {
            kind if is_record(kind) && tree.child(node, Field::Body).is_some() => {
                if named(context, node, &names) {
                    let word = tree.text(node, text).find(|c: char| !c.is_alphabetic());
                    found = word.map(|end| tree.span(node).start + end as u32);
                } else if names_type(tree, node, text, &names) && !is_laid_out(context, unit, node)
                {
                    return Err(format!(
                        "its alignment of {align} may not be enough, and something of unknown size holds it"
                    ));
                }
            }
            Kind::TemplateType if names_type(tree, node, text, &names) => {
                return Err(format!(
                    "its alignment of {align} may not be enough, and something of unknown size holds it"
                ));
            }
            Kind::CastExpression | Kind::TemplateFunction
                if makes_pointer(tree, node, text, &names) =>
            {
                return Err(format!(
                    "its alignment of {align} may not be enough where a cast makes a pointer to it"
                ));
            }
            _ => {}
        }
    }
    Ok((found.ok_or_else(unknown)?, size))
}

/// Whether a cast makes a pointer to one of the types.
fn makes_pointer(tree: &Tree, node: NodeId, text: &str, names: &[&str]) -> bool {
    let ty = match tree.kind(node) {
        Kind::CastExpression => tree.child(node, Field::Type),
        _ => tree.child(node, Field::Arguments),
    };
    let points = |n| tree.kind(n) == Kind::PointerDeclarator;
    ty.is_some_and(|t| tree.descendants(t).any(points) && names_type(tree, t, text, names))
}

/// Whether one of these types is named there.
fn names_type(tree: &Tree, node: NodeId, text: &str, names: &[&str]) -> bool {
    let mut all = tree.descendants(node);
    all.any(|n| tree.kind(n) == Kind::TypeIdentifier && names.contains(&tree.text(n, text)))
}

/// Whether a record has one of the names, or is what a typedef gives them to.
fn named(context: &Context<'_>, record: NodeId, names: &[&str]) -> bool {
    let (tree, text) = (context.tree, context.text);
    if let Some(name) = tree.child(record, Field::Name) {
        return names.contains(&tree.text(name, text));
    }
    let typedef = tree.parent(record);
    typedef.is_some_and(|t| {
        tree.kind(t) == Kind::TypeDefinition
            && declarators(tree, t, text)
                .iter()
                .any(|d| names.contains(&d.name_span.of(text)))
    })
}

/// Whether a record's layout is known, so that [`moved`] looks at it.
fn is_laid_out(context: &Context<'_>, unit: &Unit, record: NodeId) -> bool {
    let mut known = unit.layout_names.iter();
    known.any(|(name, layout)| {
        matches!(layout, Layout::Record(_)) && named(context, record, &[name.as_str()])
    })
}

/// Takes over raised alignments into the records around; the first one that something would move in.
fn moved(layouts: &mut Layouts) -> Option<String> {
    for index in 0..layouts.records.len() {
        let record = layouts.records.get(index)?;
        let (mut end, mut align) = (0usize, record.align);
        for field in &record.fields {
            let (size, needed) = layouts.size(&field.layout);
            let offset = match record.union {
                true => 0,
                false => end.next_multiple_of(needed),
            };
            if offset != field.offset {
                return Some(record.name.clone());
            }
            end = end.max(offset + size);
            align = align.max(needed);
        }
        if end.next_multiple_of(align).max(1) != record.size {
            return Some(record.name.clone());
        }
        layouts.records.get_mut(index)?.align = align;
    }
    None
}

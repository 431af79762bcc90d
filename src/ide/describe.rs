//! Declarations in words.

use super::names::Reading;
use crate::sema::{DefinitionId, DefinitionKind, Sema, Type, TypeKind};
use crate::source::{Location, Provenance, Span};
use crate::syntax::{AttributeUse, Field, Kind, NodeId, attributes_of};

/// Characters of a declaration that are shown.
const LONGEST: usize = 300;
/// Types within types that are spelled out.
const DEEPEST: usize = 20;

/// Where a piece of the parsed text is written, up to what follows it, if that is in one file.
pub(super) fn location(provenance: &Provenance, span: Span) -> Option<Location> {
    let start = provenance.origin(Span::at(span.start))?.location;
    let last = Span::at(span.end.max(span.start + 1) - 1);
    let last = provenance.origin(last)?.location;
    if start.file != last.file || last.span.start < start.span.start {
        return None;
    }
    let mut end = (last.span.start + 1).max(last.span.end);
    // Of an attribute only the beginning is known, and where what follows it is.
    let next = provenance.origin(Span::at(span.end)).map(|o| o.location);
    let file = provenance.files.get(start.file)?;
    if let Some(next) = next.filter(|n| n.file == start.file && n.span.start > end)
        && let Some(between) = file.text.get(end as usize..next.span.start as usize)
        && !between.contains('\n')
    {
        end += between.trim_end().len() as u32;
    }
    Some(Location {
        file: start.file,
        span: Span::new(start.span.start, end.max(start.span.start)),
    })
}

/// A declaration as the user wrote it, without a function's body, in one line.
pub(super) fn written(reading: &Reading<'_>, declaration: NodeId) -> Option<String> {
    let tree = reading.tree;
    let mut span = tree.span(declaration);
    let body = tree
        .child(declaration, Field::Body)
        .filter(|_| tree.kind(declaration) != Kind::EnumSpecifier);
    if let Some(body) = body {
        span = Span::new(span.start, tree.span(body).start.max(span.start + 1));
    }
    let at = location(reading.provenance, Span::new(span.start, span.end))?;
    let file = reading.provenance.files.get(at.file)?;
    let mut end = at.span.end as usize;
    if body.is_some() {
        // The brace is the first byte behind it, or what stands before that.
        end = end.saturating_sub(1);
    }
    let text = file.text.get(at.span.start as usize..end)?;
    let text = text.trim_end().trim_end_matches(['{', ';']).trim_end();
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() > LONGEST {
        line = line.chars().take(LONGEST).collect::<String>() + " …";
    }
    Some(line)
}

/// The type of a name whose declaration does not say it.
pub(super) fn deduced(
    reading: &Reading<'_>,
    id: DefinitionId,
    declaration: Option<NodeId>,
) -> Option<String> {
    let (tree, sema) = (reading.tree, reading.sema);
    let definition = sema.defined(id);
    let declaration = declaration?;
    let first = tree.child(declaration, Field::Type)?;
    let says = match tree.kind(first) {
        Kind::PlaceholderType => false,
        // `real` is `float`: worth saying.
        Kind::TypeIdentifier => false,
        _ => true,
    };
    let is_value = matches!(
        definition.kind,
        DefinitionKind::Variable | DefinitionKind::Field
    );
    if says || !is_value {
        return None;
    }
    let name = type_name(sema, sema.type_of_definition(id), DEEPEST)?;
    (name != tree.text(first, reading.text)).then_some(name)
}

/// A type as C writes it, but for what `const` and its like say; `None` where some of it is not known.
fn type_name(sema: &Sema<'_>, ty: Type, deeper: usize) -> Option<String> {
    let deeper = deeper.checked_sub(1)?;
    Some(match sema.kind(ty) {
        TypeKind::Unknown => return None,
        TypeKind::Void => "void".to_string(),
        TypeKind::Scalar(scalar) => scalar.c_name().to_string(),
        TypeKind::Vector(vector) => vector.to_string(),
        TypeKind::Record(id) | TypeKind::Enumeration(id) => {
            let name = sema.name(id);
            if name.is_empty() {
                return None;
            }
            name.to_string()
        }
        TypeKind::Pointer(of) => format!("{} *", type_name(sema, of, deeper)?).replace("* *", "**"),
        TypeKind::Reference(of) => format!("{} &", type_name(sema, of, deeper)?),
        TypeKind::Array(of) => format!("{} []", type_name(sema, of, deeper)?),
        TypeKind::Function(of) => format!("{} ()", type_name(sema, of, deeper)?),
    })
}

/// Whose memory a variable is in, by where it is declared.
pub(super) fn memory(
    reading: &Reading<'_>,
    name: NodeId,
    id: DefinitionId,
) -> Option<&'static str> {
    let (tree, text) = (reading.tree, reading.text);
    let mut function = None;
    // From the inside: whether it is in a loop over items, or over groups.
    let (mut inner, mut outer) = (false, false);
    let around = std::iter::successors(Some(name), |n| tree.parent(*n));
    for node in around {
        match tree.kind(node) {
            Kind::ForStatement | Kind::AttributedStatement => {
                for attribute in attributes_of(tree, node, text) {
                    match attribute.name.as_str() {
                        "inner" => inner = true,
                        "outer" => outer = true,
                        "tile" => {
                            let has = |word: &str| attribute.arguments.contains(word);
                            inner |= has("@inner") || has("okl_inner");
                            outer |= has("@outer") || has("okl_outer");
                        }
                        _ => {}
                    }
                }
            }
            Kind::FunctionDefinition => {
                function = Some(node);
                break;
            }
            _ => {}
        }
    }
    let pointer = matches!(
        reading.sema.kind(reading.sema.defined(id).ty),
        TypeKind::Pointer(_) | TypeKind::Array(_)
    );
    let parameter = tree.kind(reading.declaration(name)) == Kind::ParameterDeclaration;
    let Some(function) = function else {
        let constant = reading.sema.defined(id).qualified.own.constant;
        return constant.then_some("constant: the same for all kernels of the file");
    };
    let attributes = attributes_of(tree, function, text);
    let is_kernel = |a: &&AttributeUse| matches!(a.name.as_str(), "kernel" | "reduce");
    let kernel = attributes.iter().find(is_kernel)?;
    let stream = parameter.then(|| {
        // It stands behind the declarator.
        let declaration = tree.text(reading.declaration(name), text);
        declaration.contains("[[brook_stream")
    });
    Some(match (kernel.dialect, stream) {
        (crate::grammar::Dialect::Brook, Some(true)) => "a stream: each element has its own",
        (crate::grammar::Dialect::Brook, Some(false)) => "the same for all elements",
        (crate::grammar::Dialect::Brook, None) => "private: one for each element",
        (_, Some(_)) if pointer => "global: the device's memory, that of all groups",
        (_, Some(_)) => "an argument: the same for all items",
        (_, None) if inner => "private: one for each item",
        (_, None) if outer => "a group's: computed by each of its items, the same for all",
        (_, None) => "the host's: computed before the launch",
    })
}

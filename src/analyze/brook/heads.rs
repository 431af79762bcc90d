//! Heads of kernels: their forms and parameters, and the structs that these are made of.

use super::check::{Facts, Record, Ty};
use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::work::own_work;
use crate::expr;
use crate::module::{
    Base, ConstructKind, Element, Fixed, GatherOffsets, Kernel, KernelForm, Parameter,
    ParameterKind, Struct, StructField, Type,
};
use crate::source::Span;
use crate::syntax::{
    Declarator, Field, NodeId, attributes_of, declarators, function_name, parameters, type_span,
};

/// The head of one kernel. Returns its number and body if it is a definition.
pub(super) fn head(
    context: &mut Context<'_>,
    unit: &mut Unit,
    facts: &Facts,
    node: NodeId,
) -> Option<(usize, NodeId)> {
    let tree = context.tree;
    let text = context.text;
    let attributes = attributes_of(tree, node, text);
    let definition = tree.child(node, Field::Body);
    let Some(body) = definition else {
        unit.push(tree.span(node), ConstructKind::Attribute);
        return None;
    };
    let (name, _) = function_name(tree, node, text)?;
    let (nodes, list) = parameters(tree, node)?;
    let index = unit.kernels.len();
    let mut list_of_parameters = Vec::new();
    for node in nodes {
        list_of_parameters.extend(parameter(
            context,
            unit,
            facts,
            node,
            list_of_parameters.len(),
        ));
    }
    let returns = type_span(tree, node);
    let found = facts.named(returns.of(text));
    let (result, result_struct) = match found {
        Some(Ty::Number(ty)) => (ty, None),
        // Not void, and nothing that operators take.
        Some(Ty::Record(record)) => (Type::scalar(Base::Int), Some(record)),
        None => (Type::scalar(Base::Void), None),
    };
    let group_size = facts.groups.get(name).map(|n| *n as u32);
    let reduces = attributes.iter().any(|a| a.name == "reduce");
    let form = form(&list_of_parameters, result, reduces, group_size);
    let streams = list_of_parameters.iter().any(|p| {
        matches!(
            p.kind,
            ParameterKind::StreamIn | ParameterKind::StreamOut { .. }
        )
    });
    if matches!(form, KernelForm::Reduce { .. }) && !streams {
        // The element may be written like a value (specification, section 4.1.2).
        for parameter in &mut list_of_parameters {
            if parameter.kind == ParameterKind::Value {
                parameter.kind = ParameterKind::StreamIn;
            }
        }
    }
    unit.numbers.entry(name.to_string()).or_insert(index);
    unit.kernels.push(Kernel {
        locals: Vec::new(),
        calls: Vec::new(),
        gathers: 0,
        gather_offsets: GatherOffsets::default(),
        counted_loops: Vec::new(),
        placed: false,
        vector_functions: false,
        masked_loop: None,
        name: name.to_string(),
        span: tree.span(node),
        head: Span::new(returns.start, list.end),
        body: tree.span(body),
        parameters: list_of_parameters,
        result,
        result_struct,
        shared: Vec::new(),
        waits: false,
        collectives: false,
        form,
        host: Vec::new(),
        work: own_work(tree, body),
    });
    Some((index, body))
}

fn form(
    parameters: &[Parameter],
    result: Type,
    reduces: bool,
    group_size: Option<u32>,
) -> KernelForm {
    let any = |wanted: fn(&ParameterKind) -> bool| parameters.iter().any(|p| wanted(&p.kind));
    if reduces && any(|k| *k == ParameterKind::Reduce) {
        return KernelForm::Reduce { operator: None };
    }
    let writes = any(|k| {
        matches!(
            k,
            ParameterKind::StreamOut { .. } | ParameterKind::Scatter(_)
        )
    });
    match result.base {
        Base::Void if any(|k| *k == ParameterKind::Vout) => KernelForm::Vout,
        Base::Void if writes => KernelForm::Map { group_size },
        _ => KernelForm::SubKernel,
    }
}

fn parameter(
    context: &Context<'_>,
    unit: &mut Unit,
    facts: &Facts,
    node: NodeId,
    index: usize,
) -> Option<Parameter> {
    let tree = context.tree;
    let text = context.text;
    let words = type_span(tree, node);
    let name = declarators(tree, node, text).into_iter().next()?;
    let mut attributes = attributes_of(tree, node, text);
    attributes.extend(name.attributes.iter().cloned());
    let has = |which: &str| attributes.iter().any(|a| a.name == which);
    let found = facts.named(words.of(text))?;
    let (ty, mut structure) = match found {
        Ty::Number(ty) if ty.base == Base::Void => return None,
        Ty::Number(ty) => (ty, None),
        Ty::Record(record) => (Type::scalar(Base::Int), Some(record)),
    };
    let mut type_name = match structure {
        Some(record) => unit.structs[record].name.clone(),
        None => ty.to_string(),
    };
    let stored = facts.stored(words.of(text));
    if let Some(fixed) = stored {
        type_name = fixed.to_string();
    }
    let kind = match (has("out"), has("reduce"), has("stream"), name.sizes.len()) {
        (_, true, ..) => ParameterKind::Reduce,
        (_, _, true, _) if has("vout") => ParameterKind::Vout,
        (true, _, true, _) => ParameterKind::StreamOut { reads: true },
        (true, _, false, 0) => ParameterKind::Out,
        (true, _, false, n) => ParameterKind::Scatter(n),
        (false, _, true, _) => ParameterKind::StreamIn,
        (false, _, false, 0) => ParameterKind::Value,
        (false, _, false, n) => ParameterKind::Gather(n),
    };
    let mut element_sizes = Vec::new();
    if has("stream") && !name.sizes.is_empty() {
        element_sizes = extents(context, &name);
        let sizes: String = element_sizes.iter().map(|n| format!("[{n}]")).collect();
        let field = element(found, stored);
        structure = Some(array_element(unit, &type_name, field, &element_sizes));
        type_name += &sizes;
    } else if let Some(fixed) = stored {
        structure = Some(made(unit, Struct::of_fixed(fixed)));
    }
    let kernel = unit.kernels.len();
    let parameter = index;
    unit.push(
        tree.span(node),
        ConstructKind::Parameter { kernel, parameter },
    );
    Some(Parameter {
        extents: match element_sizes.is_empty() {
            true => extents(context, &name),
            false => Vec::new(),
        },
        name: name.name.to_string(),
        span: tree.span(node),
        name_span: name.name_span,
        kind,
        type_name,
        scalar: (structure.is_none() && !ty.is_vector())
            .then(|| ty.base.scalar())
            .flatten(),
        ty,
        structure,
        element_sizes,
        ..Parameter::default()
    })
}

/// A struct of the program.
pub(super) fn structure(record: &Record) -> Struct {
    let fields = record.fields.iter().map(|field| StructField {
        name: field.name.clone(),
        ty: element(field.ty, field.fixed),
        sizes: field.sizes.clone(),
    });
    Struct {
        name: record.names.last().cloned().unwrap_or_default(),
        tag: record
            .names
            .first()
            .and_then(|n| n.strip_prefix("struct "))
            .map(str::to_string),
        // Kernels use no others.
        fields: fields.filter(|_| record.sound).collect(),
        // What everybody knows is not declared.
        alias: match &record.alias {
            Some((_, words)) => {
                let own = record.names.iter().any(|n| Fixed::from_name(n).is_none());
                (own || record.fixed.is_none()).then(|| words.clone())
            }
            None => None,
        },
        fixed: None,
    }
}

fn element(ty: Ty, stored: Option<Fixed>) -> Element {
    match (ty, stored) {
        (_, Some(fixed)) => Element::Fixed(fixed),
        (Ty::Number(ty), None) => Element::Number(ty),
        (Ty::Record(record), None) => Element::Struct(record),
    }
}

/// The struct that holds one element of a stream whose elements are arrays.
fn array_element(unit: &mut Unit, type_name: &str, ty: Element, sizes: &[u64]) -> usize {
    let sizes_in_name: String = sizes.iter().map(|n| format!("_{n}")).collect();
    let element = Struct {
        name: format!("brook_element_{type_name}{sizes_in_name}"),
        tag: None,
        fields: vec![StructField {
            name: "all".to_string(),
            ty,
            sizes: sizes.to_vec(),
        }],
        alias: None,
        fixed: None,
    };
    made(unit, element)
}

/// The place of a struct that the program does not declare.
fn made(unit: &mut Unit, made: Struct) -> usize {
    if let Some(known) = unit.structs.iter().position(|s| *s == made) {
        return known;
    }
    unit.structs.push(made);
    unit.structs.len() - 1
}

/// The sizes of a parameter with square brackets, if it has all of them.
fn extents(context: &Context<'_>, name: &Declarator) -> Vec<u64> {
    let value = |size: NodeId| {
        let value = expr::parse(context.tree.text(size, context.text)).ok()?;
        u64::try_from(expr::constant(&value)?).ok()
    };
    let sizes: Option<Vec<u64>> = name.sizes.iter().map(|s| s.and_then(value)).collect();
    sizes.unwrap_or_default()
}

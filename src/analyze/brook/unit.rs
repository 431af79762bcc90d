use super::body::Body;
use super::{host, items};
use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::expr;
use crate::module::{
    Base, Construct, Declared, Kernel, KernelForm, Layouts, Module, Parameter, ParameterKind, Type,
    What,
};
use crate::normalize::Dialect;
use crate::normalize::attributes::Target;
use crate::preprocess::{Preprocessed, directives};
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Grammar, Kind, NodeId, attributes_of, declarators,
    function_name, parameters, parse, type_span,
};

/// Turns a preprocessed Brook+ source into a [`Module`]; violations go to the sink.
pub fn analyze(read: Preprocessed, sink: &mut Sink) -> Module {
    let Preprocessed {
        text,
        provenance,
        kept_directives,
        kept_includes,
        ..
    } = read;
    // Host code goes to the C++ compiler as it is written, but kernels are found by brackets.
    let unbalanced = items::unbalanced(&text);
    if let Some(span) = unbalanced {
        let bracket = span.of(&text);
        sink.push(Diagnostic::at(
            &codes::UNBALANCED,
            &provenance,
            span,
            &[&bracket],
        ));
    }
    let balanced = unbalanced.is_none();
    let spans = if balanced {
        items::kernels(&text)
    } else {
        Vec::new()
    };
    let tree = match spans.is_empty() {
        true => crate::syntax::Tree::default(),
        false => parse(
            &text,
            Grammar::C,
            &kept_directives,
            Some(&spans),
            &provenance,
            sink,
        ),
    };
    let host = host::program(&provenance, sink);
    let mut unit = Unit {
        kernels: Vec::new(),
        constructs: Vec::new(),
        items: spans,
    };
    let mut context = Context {
        tree: &tree,
        text: &text,
        provenance: &provenance,
        extensions: &[],
        sink,
    };
    if balanced && unit.items.is_empty() && !host.has_main {
        context
            .sink
            .push(Diagnostic::new(&codes::BROOK_NO_KERNEL, None, &[]));
    }
    if let Some(root) = tree.root() {
        let functions: Vec<NodeId> = tree
            .children(root)
            .filter(|&n| matches!(tree.kind(n), Kind::FunctionDefinition | Kind::Declaration))
            .collect();
        // Heads first: a kernel may call another that is defined further down if it was declared.
        let mut bodies = Vec::new();
        for node in functions {
            bodies.extend(head(&mut context, &mut unit, node));
        }
        for (index, body) in bodies {
            Body::new(&mut context, &mut unit, index).analyze(body);
        }
        super::call::check_recursion(&mut context, &unit);
    }
    Module {
        pointers: Vec::new(),
        calls: Vec::new(),
        dialect: Dialect::Brook,
        kernels: unit.kernels,
        functions: Vec::new(),
        loops: Vec::new(),
        constructs: unit.constructs,
        constants: unit.items,
        layouts: Layouts::default(),
        host_functions: Vec::new(),
        tables: Vec::new(),
        sites: Vec::new(),
        instances: Vec::new(),
        declared: Declared::default(),
        directives: directives(kept_directives, kept_includes),
        host: Some(host),
        text,
        provenance,
    }
}

/// What has been found so far.
pub(super) struct Unit {
    pub(super) kernels: Vec<Kernel>,
    pub(super) constructs: Vec<Construct>,
    /// Spans of all kernels, prototypes included.
    items: Vec<Span>,
}

impl Unit {
    pub(super) fn push(&mut self, span: Span, what: What) {
        self.constructs.push(Construct { span, what });
    }
}

/// The head of one kernel. Returns its number and body if it is a definition.
fn head(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) -> Option<(usize, NodeId)> {
    let tree = context.tree;
    let text = context.text;
    let attributes = attributes_of(tree, node, text);
    let definition = tree.child(node, Field::Body);
    let Some(body) = definition else {
        unit.push(tree.span(node), What::Attribute);
        return None;
    };
    let (name, name_span) = function_name(tree, node, text)?;
    let (nodes, list) = parameters(tree, node)?;
    let mut group_size = None;
    let mut reduce = false;
    for attribute in &attributes {
        context.check_attribute(attribute, Target::Function);
        reduce |= attribute.name == "reduce";
        if attribute.name == "attribute" {
            group_size = group(context, attribute);
        }
    }
    if unit.kernels.iter().any(|k| k.name == name) {
        context.error(&codes::BROOK_NAME_TWICE, name_span, &[&name]);
    }
    let index = unit.kernels.len();
    let mut list_of_parameters = Vec::new();
    for node in nodes {
        list_of_parameters.extend(parameter(context, unit, node, &list_of_parameters));
    }
    let returns = type_span(tree, node);
    let result = Type::from_words(returns.of(text));
    if result.is_none() {
        context.error(&codes::BROOK_TYPE, returns, &[&returns.of(text)]);
    }
    let result = result.unwrap_or(Type::scalar(Base::Void));
    let form = form(
        context,
        name_span,
        &list_of_parameters,
        result,
        reduce,
        group_size,
    );
    unit.kernels.push(Kernel {
        locals: Vec::new(),
        name: name.to_string(),
        span: tree.span(node),
        head: Span::new(returns.start, list.end),
        body: tree.span(body),
        parameters: list_of_parameters,
        result,
        form,
        host: Vec::new(),
    });
    Some((index, body))
}

fn form(
    context: &mut Context<'_>,
    name: Span,
    parameters: &[Parameter],
    result: Type,
    reduce: bool,
    group_size: Option<u32>,
) -> KernelForm {
    let count =
        |wanted: fn(&ParameterKind) -> bool| parameters.iter().filter(|p| wanted(&p.kind)).count();
    let reductions = count(|k| *k == ParameterKind::Reduce);
    let inputs = count(|k| *k == ParameterKind::StreamIn);
    let outputs = count(|k| matches!(k, ParameterKind::StreamOut { .. }));
    let scatters = count(|k| matches!(k, ParameterKind::Scatter(_)));
    if reduce && reductions == 0 {
        context.error(&codes::BROOK_REDUCE_PARAMETERS, name, &[]);
    }
    if reductions > 0 {
        if reductions != 1 || inputs != 1 || outputs + scatters > 0 {
            context.error(&codes::BROOK_REDUCE_PARAMETERS, name, &[]);
        }
        return KernelForm::Reduce { operator: None };
    }
    if scatters > 1 {
        context.error(&codes::BROOK_ONE_SCATTER, name, &[]);
    }
    if scatters > 0 && outputs > 0 {
        context.error(&codes::BROOK_SCATTER_AND_STREAM, name, &[]);
    }
    if group_size.is_some() {
        context.error(&codes::BROOK_GROUPS_LATER, name, &[]);
    }
    match result.base {
        Base::Void if outputs + scatters > 0 => KernelForm::Map { group_size },
        _ => KernelForm::SubKernel,
    }
}

/// `GroupSize(64, 1, 1)`
fn group(context: &mut Context<'_>, attribute: &AttributeUse) -> Option<u32> {
    let text = attribute.arguments.trim();
    let inside = text.strip_prefix("GroupSize").map(str::trim);
    let inside = inside
        .and_then(|t| t.strip_prefix('('))
        .and_then(|t| t.strip_suffix(')'));
    let Some(inside) = inside else {
        context.error(&codes::BROOK_ATTRIBUTE, attribute.span, &[]);
        return None;
    };
    inside.split(',').next().and_then(|n| n.trim().parse().ok())
}

fn parameter(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    before: &[Parameter],
) -> Option<Parameter> {
    let tree = context.tree;
    let text = context.text;
    let words = type_span(tree, node);
    let type_name = words.of(text).to_string();
    let name = declarators(tree, node, text).into_iter().next();
    let Some(name) = name.filter(|n| !n.name.is_empty()) else {
        if type_name != "void" {
            context.error(&codes::PARAMETER_UNNAMED, tree.span(node), &[]);
        }
        return None;
    };
    let mut attributes = attributes_of(tree, node, text);
    attributes.extend(name.attributes.iter().cloned());
    for attribute in &attributes {
        context.check_attribute(attribute, Target::Parameter);
        match attribute.name.as_str() {
            "vout" => context.error(&codes::BROOK_VOUT, attribute.span, &[]),
            "iter" => context.error(&codes::BROOK_ITERATOR, attribute.span, &[]),
            _ => {}
        }
    }
    let has = |which: &str| attributes.iter().any(|a| a.name == which);
    if name.pointers > 0 {
        context.error(&codes::BROOK_POINTER, name.span, &[]);
        return None;
    }
    if tree
        .children(node)
        .any(|c| tree.kind(c) == Kind::TypeQualifier)
    {
        context.error(&codes::BROOK_CONST_PARAMETER, words, &[]);
    }
    let Some(ty) = Type::from_words(&type_name).filter(|t| t.base != Base::Void) else {
        context.error(&codes::BROOK_TYPE, words, &[&type_name]);
        return None;
    };
    if ty.base == Base::Double && ty.width > 2 {
        context.error(&codes::BROOK_DOUBLE_WIDTH, words, &[]);
    }
    if before.iter().any(|p| p.name == name.name) {
        context.error(&codes::BROOK_NAME_TWICE, name.name_span, &[&name.name]);
    }
    let rank = name.sizes.len();
    let stream = has("stream");
    if stream && rank > 0 {
        context.error(&codes::BROOK_ARRAY_ELEMENTS, name.span, &[]);
        return None;
    }
    let extents = extents(context, &name, has("out"));
    let kind = match (has("out"), has("reduce"), stream, rank) {
        (_, true, ..) => ParameterKind::Reduce,
        (true, _, true, _) => ParameterKind::StreamOut { reads: true },
        (true, _, false, 0) => ParameterKind::Out,
        (true, _, false, n) => ParameterKind::Scatter(n),
        (false, _, true, _) => ParameterKind::StreamIn,
        (false, _, false, 0) => ParameterKind::Value,
        (false, _, false, n) => ParameterKind::Gather(n),
    };
    if rank > 4 {
        context.error(&codes::BROOK_RANK, name.span, &[&rank]);
    }
    let index = before.len();
    unit.push(
        tree.span(node),
        What::Parameter {
            kernel: unit.kernels.len(),
            parameter: index,
        },
    );
    Some(Parameter {
        name: name.name,
        span: tree.span(node),
        name_span: name.name_span,
        kind,
        type_name: ty.to_string(),
        scalar: (!ty.is_vector()).then(|| ty.base.scalar()).flatten(),
        ty,
        constant: false,
        layout: None,
        extents,
    })
}

/// The sizes of a parameter with square brackets: all of them or none, positive constants.
fn extents(context: &mut Context<'_>, name: &Declarator, output: bool) -> Vec<u64> {
    let given = name.sizes.iter().flatten().count();
    if given > 0 && output {
        context.error(&codes::BROOK_SCATTER_SIZES, name.span, &[]);
        return Vec::new();
    }
    if given > 0 && given < name.sizes.len() {
        context.error(&codes::BROOK_PARTIAL_SIZES, name.span, &[]);
        return Vec::new();
    }
    let mut extents = Vec::new();
    for &size in name.sizes.iter().flatten() {
        let span = context.tree.span(size);
        let value = expr::parse(span.of(context.text)).ok();
        match value
            .as_ref()
            .and_then(expr::constant)
            .and_then(|n| u64::try_from(n).ok())
        {
            Some(n) if n > 0 => extents.push(n),
            Some(_) => context.error(&codes::BROOK_ARRAY_SIZE, span, &[]),
            None => context.error(&codes::BROOK_ARRAY_CONSTANT, span, &[]),
        }
    }
    extents
}

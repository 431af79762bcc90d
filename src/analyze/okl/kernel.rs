use super::host::Host;
use super::symbols::Symbol;
use super::unit::Unit;
use super::{extents, host, locals, sizes, walk};
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::parse;
use crate::module::{
    Base, ConstructKind, GatherOffsets, Kernel, KernelForm, Nest, Parameter, ParameterKind, Type,
    Work,
};
use crate::sema::is_restrict;
use crate::source::Span;
use crate::syntax::{
    Field, Kind, NodeId, attributes_of, declarators, function_name, parameters, type_words,
    type_words_without,
};
use foldhash::HashSet;

/// Analyses one `@kernel` function.
pub(super) fn kernel(context: &mut Context<'_>, unit: &mut Unit, node: NodeId, name: &str) {
    let tree = context.tree;
    let returns = tree
        .child(node, Field::Type)
        .map_or("", |t| tree.text(t, context.text));
    if returns != "void" {
        let span = tree
            .child(node, Field::Type)
            .map_or(tree.span(node), |t| tree.span(t));
        context.error(&codes::KERNEL_RETURN, span, &[]);
    }
    let Some((nodes, list)) = parameters(tree, node) else {
        return;
    };
    let Some(body) = tree.child(node, Field::Body) else {
        return;
    };
    let mut parameters: Vec<Parameter> = nodes
        .into_iter()
        .filter_map(|p| parameter(context, unit, p))
        .collect();
    if let Some(first) = unit.kernels.iter().find(|k| k.name == name) {
        let note = ("the first one is here", first.head);
        context.error_with(&codes::KERNEL_TWICE, list, &[&name], note);
    }

    for p in &parameters {
        match (&p.kind, &p.layout) {
            (ParameterKind::Pointer(_), _) => {
                unit.host.pointers.insert(p.name.clone());
            }
            (_, Some(layout)) => {
                unit.host.structs.insert(p.name.clone(), layout.clone());
            }
            _ => {}
        }
    }
    // A constant's name that the kernel declares anew means something else there.
    let mut own: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
    host::host_names(context, body, &[], &mut own);
    let in_nests = nests(context, body);
    let enumerators = in_nests.iter().flat_map(|&nest| {
        let inside = tree.within(nest);
        let named = inside.filter(|&n| tree.kind(n) == Kind::Enumerator);
        named.filter_map(|n| tree.child(n, Field::Name))
    });
    own.extend(enumerators.map(|n| tree.text(n, context.text).to_string()));
    sizes::declare_all(context, unit, node);
    let outside = unit.values.clone();
    let outer_types = unit.outer_types();
    let locals = locals::locals(context, unit, body, &mut own);
    unit.host.locals = locals.iter().map(|l| l.span).collect();
    let own: HashSet<String> = own.into_iter().collect();
    let mut outside_nests: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
    host::host_names(context, body, &in_nests, &mut outside_nests);
    let outside_nests: HashSet<String> = outside_nests.into_iter().collect();
    // What a nest declares hides a constant within its own scope only.
    let constant = |name: &&String| unit.values.get(name).is_some() || unit.table(name).is_some();
    let within = own.difference(&outside_nests).filter(constant);
    unit.scoped = within.cloned().collect();
    let hidden = unit
        .values
        .hide(own.intersection(&outside_nests).cloned().collect());

    let errors = context.sink.errors();
    let mut walk = walk::Walk::new(context, unit, true);
    walk.unit.enter();
    for name in walk.unit.scoped.clone() {
        let constant = Symbol {
            constant: true,
            ..Symbol::default()
        };
        walk.unit.scopes.declare(&name, constant);
    }
    let pointers = walk.parameters(node);
    dimensions(walk.unit, &mut parameters);
    walk.visit(body);
    walk.unit.leave();
    let found = walk.finish();
    // Scopes are over: what asks from here on names no constant by them.
    unit.scoped.clear();
    unit.values.hide(own);

    for (position, pointer) in pointers {
        if let Some(parameter) = parameters.get_mut(position) {
            parameter.pointer = Some(pointer);
        }
    }
    if found.roots.is_empty() && !context.sink.has_errors() {
        let name = function_name(context.tree, node, context.text);
        let at = name.map_or(list, |(_, at)| at);
        context.error(&codes::KERNEL_WITHOUT_LOOP, at, &[]);
    }
    let spans: Vec<Span> = found
        .roots
        .iter()
        .map(|r| unit.loops[r.0 as usize].span)
        .collect();
    let mut names: Vec<String> = parameters
        .iter()
        .filter(|p| p.kind == ParameterKind::Value)
        .map(|p| p.name.clone())
        .collect();
    host::host_names(context, body, &spans, &mut names);
    let tables = unit.host.arrays.iter().map(|t| &t.name);
    names.extend(tables.filter(|t| unit.table(t).is_some()).cloned());
    let known: HashSet<String> = names.into_iter().collect();
    let mut nests: Vec<Nest> = Vec::new();
    // Loops that could not be read would be missed here, for the same reason.
    let sound = context.sink.errors() == errors;
    for &root in found.roots.iter().filter(|_| sound) {
        nests.extend(extents::nest(context, unit, &found, root, &known));
    }
    let complete = sound && nests.len() == found.roots.len();
    let host = match complete {
        true => Host::kernel(context, unit, name, &parameters, &mut nests).statements(body),
        false => Vec::new(),
    };
    unit.values.hide(hidden);
    if !locals.is_empty() {
        unit.values = outside;
        unit.restore_types(outer_types);
    }
    unit.host.pointers.clear();
    unit.host.structs.clear();
    unit.host.shapes.clear();

    let start = tree
        .child(node, Field::Type)
        .map_or(tree.span(node).start, |t| tree.span(t).start);
    unit.kernels.push(Kernel {
        result_struct: None,
        shared: Vec::new(),
        waits: false,
        collectives: false,
        name: name.to_string(),
        span: tree.span(node),
        head: Span::new(start, list.end),
        body: tree.span(body),
        locals,
        calls: Vec::new(),
        gathers: 0,
        gather_offsets: GatherOffsets::default(),
        counted_loops: Vec::new(),
        placed: false,
        vector_functions: false,
        masked_loop: None,
        parameters,
        result: Type::scalar(Base::Void),
        work: Work::default(),
        form: KernelForm::Okl { nests },
        host,
    });
}

fn parameter(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) -> Option<Parameter> {
    let tree = context.tree;
    let text = context.text;
    let words = &*type_words(tree, node, text);
    let name = declarators(tree, node, text).into_iter().next();
    let Some(name) = name.filter(|n| !n.name.is_empty()) else {
        // `void` as the only parameter is none; anything else has to be named to be passed on.
        if words != "void" {
            context.error(&codes::PARAMETER_UNNAMED, tree.span(node), &[]);
        }
        return None;
    };
    if name.reference {
        context.error(&codes::PARAMETER_REFERENCE, tree.span(node), &[&name.name]);
    }
    // OpenCL C takes no kernel parameters of these types.
    let ty = tree.child(node, Field::Type);
    let other = ty.and_then(|t| match tree.text(t, text) {
        "bool" => Some("uchar"),
        "size_t" | "uintptr_t" => Some("ulong"),
        "ptrdiff_t" | "intptr_t" => Some("long"),
        _ => None,
    });
    if let (Some(ty), Some(other)) = (ty, other) {
        unit.push(tree.span(ty), ConstructKind::ParameterType(other));
    }
    let around = unit.look(context, tree.span(node));
    let (scalar, pointers) = unit.named_type(words);
    let levels = pointers + name.pointers + name.sizes.len();
    let type_name = type_words_without(tree, node, text, &["const", "volatile"]);
    // Behind a typedef's pointers nothing is known.
    let layout = unit.layout_of(words).filter(|_| pointers == 0);
    unit.look_back(around);
    let kind = match levels {
        0 => ParameterKind::Value,
        n => ParameterKind::Pointer(n),
    };
    Some(Parameter {
        name: name.name.to_string(),
        span: tree.span(node),
        name_span: name.name_span,
        type_name,
        scalar,
        layout,
        ..qualified(context, (node, name.node), kind, !name.sizes.is_empty())
    })
}

/// Says of the parameters which extents they have, where values and constants say those.
fn dimensions(unit: &Unit, parameters: &mut [Parameter]) {
    let is_value = |p: &Parameter| p.kind == ParameterKind::Value && p.scalar.is_some();
    let values = parameters.iter().filter(|p| is_value(p));
    let values: HashSet<String> = values.map(|p| p.name.clone()).collect();
    for parameter in parameters {
        let Some(dimensions) = unit.dimensions_of(&parameter.name) else {
            continue;
        };
        let known = |extent: &String| {
            let extent = unit.resolve(&parse(extent).ok()?);
            let mut known = true;
            extent.for_each_name(&mut |name| known &= values.contains(name));
            known.then_some(extent)
        };
        let slowest_first = dimensions.order.iter().rev();
        let extents = slowest_first.map(|&index| known(dimensions.extents.get(index)?));
        parameter.dimensions = extents.collect::<Option<_>>().unwrap_or_default();
    }
}

/// What a parameter's qualifiers say of it.
fn qualified(
    context: &Context<'_>,
    (parameter, name): (NodeId, Option<NodeId>),
    kind: ParameterKind,
    is_array: bool,
) -> Parameter {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    let word = |n: NodeId| matches!(tree.kind(n), Kind::TypeQualifier | Kind::Other);
    let words: Vec<NodeId> = tree.descendants(parameter).filter(|&n| word(n)).collect();
    let restrict = |n: &NodeId| is_restrict(tree.text(*n, text));
    let of_pointer = |n: &NodeId| {
        let around = tree.parent(*n).map(|p| tree.kind(p));
        tree.text(*n, text) == "const" && around == Some(Kind::PointerDeclarator)
    };
    let said = name.and_then(|n| sema.qualified(sema.definition(n)?));
    // What nobody knows may be written.
    let constant = said.is_some_and(|said| match kind {
        ParameterKind::Pointer(_) if !is_array => said.pointed.constant,
        _ => said.own.constant,
    });
    Parameter {
        kind,
        constant,
        restrict: said.map(|s| s.own.restrict),
        volatile: said.is_none_or(|s| s.own.volatile || s.pointed.volatile),
        own_const: words.iter().rfind(|n| of_pointer(n)).map(|n| tree.span(*n)),
        restrict_words: words
            .iter()
            .filter(|n| restrict(n))
            .map(|n| tree.span(*n))
            .collect(),
        ..Parameter::default()
    }
}

/// Where the nests of a kernel are.
fn nests(context: &Context<'_>, body: NodeId) -> Vec<Span> {
    let tree = context.tree;
    let is_nest = |node: &NodeId| {
        tree.kind(*node) == Kind::AttributedStatement
            && attributes_of(tree, *node, context.text)
                .iter()
                .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"))
    };
    let found = tree.descendants(body).filter(is_nest);
    found.map(|n| tree.span(n)).collect()
}

use super::body::Body;
use super::check::{self, Checker, Facts, Record, Ty};
use super::stand_ins::with_stand_ins;
use super::{host, items, lower};
use crate::analyze::Context;
use crate::analyze::work::own_work;
use crate::body::Program;
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::expr;
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::module::{
    Base, Checking, Construct, ConstructKind, Declared, Element, Fixed, Kernel, KernelForm,
    Layouts, Module, Parameter, ParameterKind, Reach, Struct, StructField, Type,
};
use crate::preprocess::{Preprocessed, directives};
use crate::sema::Sema;
use crate::source::Span;
use crate::stage::{Stage, Watch, within};
use crate::syntax::{
    Declarator, Field, Grammar, Kind, NodeId, attributes_of, declarators, function_name,
    parameters, parse_as, type_span,
};
use std::collections::HashMap;

/// Tokens of kernels for each construct, in kernels that are dense in them.
const TOKENS_A_CONSTRUCT: usize = 5;

/// Turns a preprocessed Brook+ source into a [`Module`]; violations go to the sink. A `part` of a program
/// may be without kernels.
pub fn analyze(
    read: Preprocessed,
    checking: &Checking,
    part: bool,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Module {
    analyzed(read, checking, part, sink, watch, false).0
}

/// As [`analyze`], with what the kernels do.
pub(crate) fn analyze_with_bodies(
    read: Preprocessed,
    checking: &Checking,
    part: bool,
    sink: &mut Sink,
) -> (Module, Program) {
    analyzed(read, checking, part, sink, &|_| (), true)
}

fn analyzed(
    read: Preprocessed,
    checking: &Checking,
    part: bool,
    sink: &mut Sink,
    watch: Watch<'_>,
    with_bodies: bool,
) -> (Module, Program) {
    let Preprocessed {
        text,
        provenance,
        kept_directives,
        kept_includes,
        ..
    } = read;
    // Host code goes to the C++ compiler as it is written, but kernels are found by brackets.
    let lexed = Lexed::new(&text);
    let unbalanced = items::unbalanced(&lexed);
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
        items::kernels(&lexed)
    } else {
        Vec::new()
    };
    // A kernel without a type is no function to the grammar of C.
    let (untyped, typed): (Vec<Span>, Vec<Span>) = spans
        .iter()
        .partition(|s| items::without_type(&lexed, **s).is_some());
    for name in untyped
        .iter()
        .filter_map(|s| items::without_type(&lexed, *s))
    {
        sink.push(Diagnostic::at(
            &codes::BROOK_RETURN_TYPE,
            &provenance,
            name,
            &[],
        ));
    }
    let tree = match typed.is_empty() {
        true => crate::syntax::Tree::default(),
        false => within(watch, Stage::Parse, Stage::Analyze, || {
            parse_as(
                (&text, &with_stand_ins(&lexed, checking.brookgpu)),
                Grammar::C,
                &kept_directives,
                Some(&typed),
                &provenance,
                sink,
            )
        }),
    };
    let mut host = host::program(&provenance, (&lexed, &spans), checking, sink);
    // About as many as there will be, so that the largest list of all is not copied as it grows.
    let tokens = |span: &Span| lexed.first_from(span.end) - lexed.first_from(span.start);
    let about = typed.iter().map(tokens).sum::<usize>() / TOKENS_A_CONSTRUCT;
    let mut unit = Unit {
        kernels: Vec::new(),
        numbers: HashMap::new(),
        constructs: Vec::with_capacity(about),
        structs: Vec::new(),
        items: spans,
    };
    let mut program = Program::default();
    let sema = Sema::new(&tree, &text, Vec::new());
    let mut context = Context {
        tree: &tree,
        text: &text,
        sema: &sema,
        provenance: &provenance,
        extensions: &[],
        sink,
    };
    if balanced && unit.items.is_empty() && !host.has_main && !part {
        context
            .sink
            .push(Diagnostic::new(&codes::BROOK_NO_KERNEL, None, &[]));
    }
    if let Some(root) = tree.root() {
        let functions: Vec<NodeId> = tree
            .children(root)
            .filter(|&n| matches!(tree.kind(n), Kind::FunctionDefinition | Kind::Declaration))
            .collect();
        let records = check::records(&lexed, checking.brookgpu);
        let known = check::host_functions(&lexed, &unit.items);
        let bodies = functions
            .iter()
            .filter(|&&node| tree.child(node, Field::Body).is_some());
        let defined = bodies
            .filter_map(|&node| function_name(&tree, node, &text))
            .map(|(name, _)| name.to_string())
            .collect();
        let mut checker = Checker::new(&mut context, checking, records, known, defined);
        for &node in &functions {
            checker.function(node);
        }
        let facts = checker.finish();
        if !context.sink.has_errors() {
            let definitions = constructs(&mut context, &mut unit, &functions, &facts);
            if with_bodies && !context.sink.has_errors() {
                let kernels = (unit.kernels.as_slice(), &unit.numbers);
                program = lower::lower(&context, &facts, kernels, &definitions);
            }
        }
    }
    for known in &mut host.kernels {
        let mut all = unit.kernels.iter().filter(|k| k.name == known.name);
        known.helper = all.any(|k| matches!(k.form, KernelForm::SubKernel));
    }
    let module = Module {
        pointers: Vec::new(),
        calls: Vec::new(),
        accesses: Vec::new(),
        dialect: Dialect::Brook,
        kernels: unit.kernels,
        functions: Vec::new(),
        loops: Vec::new(),
        constructs: unit.constructs,
        constants: unit.items,
        layouts: Layouts::default(),
        structs: unit.structs,
        host_functions: Vec::new(),
        tables: Vec::new(),
        sites: Vec::new(),
        instances: Vec::new(),
        templates: Vec::new(),
        declared: Declared::default(),
        directives: directives(kept_directives, kept_includes),
        host: Some(host),
        text,
        provenance,
    };
    (module, program)
}

/// The constructs of all kernels, which are known to be sound. Returns the kernels' numbers and bodies.
fn constructs(
    context: &mut Context<'_>,
    unit: &mut Unit,
    functions: &[NodeId],
    facts: &Facts,
) -> Vec<(usize, NodeId)> {
    unit.structs = facts.records.iter().map(structure).collect();
    // Heads first: a kernel may call another that is defined further down if it was declared.
    let mut bodies = Vec::new();
    for &node in functions {
        bodies.extend(head(context, unit, facts, node));
    }
    for &(index, body) in &bodies {
        Body::new(context, unit, facts, index, body).analyze();
    }
    for kernel in &mut unit.kernels {
        in_order(kernel);
    }
    tally(unit);
    super::call::spread_indices(context, unit);
    super::call::check_recursion(context, unit);
    bodies
}

/// After each element, what a reduction has is what memory can hold: that is no single operator on floats.
fn in_order(kernel: &mut Kernel) {
    let target = |p: &Parameter| p.kind == ParameterKind::Reduce && p.structure.is_some();
    let in_memory = kernel.parameters.iter().any(target);
    if let KernelForm::Reduce { operator } = &mut kernel.form
        && in_memory
    {
        *operator = None;
    }
}

/// What later stages ask of each kernel and would look through all constructs for.
fn tally(unit: &mut Unit) {
    let bodies: Vec<Span> = unit.kernels.iter().map(|k| k.body).collect();
    for construct in &unit.constructs {
        let holder = construct.span.holder(&bodies);
        let Some(kernel) = holder.and_then(|h| unit.kernels.get_mut(h)) else {
            continue;
        };
        match &construct.kind {
            ConstructKind::SubKernelCall { kernel: callee, .. } => kernel.calls.push(*callee),
            ConstructKind::Gather(access) => {
                kernel.gathers += 1;
                if let Some(beside) = access.beside {
                    kernel.reach.add(&access.array, beside);
                }
            }
            ConstructKind::IndexOf(_) | ConstructKind::Instance => kernel.placed = true,
            _ => {}
        }
    }
    // What others call works at the caller's place, and looks for itself where that is.
    let called: Vec<usize> = unit
        .kernels
        .iter()
        .flat_map(|k| &k.calls)
        .copied()
        .collect();
    for callee in called {
        if let Some(kernel) = unit.kernels.get_mut(callee) {
            kernel.reach = Reach::default();
        }
    }
}

/// What has been found so far.
pub(super) struct Unit {
    pub(super) kernels: Vec<Kernel>,
    /// Their numbers, by name; of several, the first one's.
    pub(super) numbers: HashMap<String, usize>,
    pub(super) constructs: Vec<Construct>,
    /// The program's structs by the checker's numbers, then those made for elements that are arrays.
    pub(super) structs: Vec<Struct>,
    /// Spans of all kernels, prototypes included.
    items: Vec<Span>,
}

impl Unit {
    pub(super) fn push(&mut self, span: Span, what: ConstructKind) {
        self.constructs.push(Construct { span, kind: what });
    }

    /// What a construct computes without a sign is a part of something larger that is, too.
    pub(super) fn join(&mut self, construct: usize) {
        let found = self.constructs.get_mut(construct);
        if let Some(ConstructKind::Wrapping { part, .. }) = found.map(|c| &mut c.kind) {
            *part = true;
        }
    }
}

/// The head of one kernel. Returns its number and body if it is a definition.
fn head(
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
    let streams = list_of_parameters
        .iter()
        .any(|p| p.kind == ParameterKind::StreamIn);
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
        reach: Reach::default(),
        placed: false,
        lockstep: None,
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
        name: name.name,
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
fn structure(record: &Record) -> Struct {
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

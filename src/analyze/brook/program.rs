//! A whole file: its kernels, their constructs, and its host half.

use super::body::Body;
use super::check::{self, Checker, Facts};
use super::heads::{head, structure};
use super::passes::settle;
use super::stand_ins::with_stand_ins;
use super::unit::Unit;
use super::{host, items, lower};
use crate::analyze::{Context, Until};
use crate::body::Program;
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::grammar::Dialect;
use crate::lex::Lexed;
use crate::module::{
    ConstructKind, Declared, FUSED, GatherOffsets, Kernel, KernelForm, Layouts, Module, Parameter,
    ParameterKind,
};
use crate::options::Options;
use crate::preprocess::{Preprocessed, directives};
use crate::sema::Sema;
use crate::source::{Location, Span};
use crate::stage::{Stage, Watch, within};
use crate::syntax::{Field, Grammar, Kind, NodeId, function_name, parse_as};
use foldhash::{HashMap, HashMapExt};

/// Tokens of kernels for each construct, in kernels that are dense in them.
const TOKENS_A_CONSTRUCT: usize = 5;

/// Reports what of a text's kernels cannot be parsed.
pub(crate) fn syntax_errors(read: &Preprocessed, options: &Options, sink: &mut Sink) {
    let text = &read.text;
    let lexed = Lexed::new(text);
    if let Some(span) = items::unbalanced(&lexed) {
        let (code, bracket) = (&codes::UNBALANCED, span.of(text));
        sink.push(Diagnostic::at(code, &read.provenance, span, &[&bracket]));
        return;
    }
    let kernels = items::kernels(&lexed);
    if !kernels.is_empty() {
        let stand_ins = with_stand_ins(&lexed, options.checking.brookgpu);
        let only = Some(kernels.as_slice());
        let directives = &read.kept_directives;
        let texts = (&**text, &*stand_ins);
        parse_as(texts, Grammar::C, directives, only, &read.provenance, sink);
    }
}

/// Turns a preprocessed Brook+ source into a [`Module`]; violations go to the sink. A `part` of a program
/// may be without kernels.
pub(in crate::analyze) fn analyze(
    read: Preprocessed,
    options: &Options,
    (sink, watch): (&mut Sink, Watch<'_>),
    until: Until,
) -> (Module, Program) {
    let (checking, part) = (&options.checking, options.exported_kernels);
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
        contract: options.contract,
        sink,
    };
    if balanced && unit.items.is_empty() && !host.has_main && !part {
        let at = Some(Location::BEGINNING);
        context
            .sink
            .push(Diagnostic::new(&codes::BROOK_NO_KERNEL, at, &[]));
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
            if until == Until::Bodies && !context.sink.has_errors() {
                let kernels = (unit.kernels.as_slice(), &unit.numbers);
                program = lower::lower(&context, &facts, kernels, &definitions);
            }
        }
    }
    for known in &mut host.kernels {
        let mut all = unit.kernels.iter().filter(|k| k.name == known.name);
        known.helper = all.any(|k| matches!(k.form, KernelForm::SubKernel));
    }
    if checking.fused {
        only_fused(&mut unit.kernels);
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
        addressed: Vec::new(),
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
    if !context.sink.has_errors() {
        settle(context, unit, facts, &bodies);
    }
    tally(unit);
    super::call::spread_indices(context, unit);
    super::call::check_recursion(context, unit);
    bodies
}

/// Where several kernels become one, nobody launches the others, and nothing has to be compiled for that. One that
/// ends in a reduction changes its variable as that does, and reads and writes streams as the kernel does that makes elements.
fn only_fused(kernels: &mut [Kernel]) {
    let all = kernels.to_vec();
    for kernel in kernels {
        if kernel.name != FUSED {
            if matches!(
                kernel.form,
                KernelForm::Map { group_size: None } | KernelForm::Reduce { .. }
            ) {
                kernel.form = KernelForm::SubKernel;
            }
            continue;
        }
        let called: Vec<&Kernel> = kernel.calls.iter().filter_map(|c| all.get(*c)).collect();
        let (KernelForm::Reduce { operator }, [map, fold]) = (&mut kernel.form, called.as_slice())
        else {
            continue;
        };
        if let KernelForm::Reduce { operator: found } = fold.form {
            *operator = found;
        }
        let shared = map.parameters.len().saturating_sub(1);
        let both = kernel.parameters.iter_mut().zip(&map.parameters);
        for (parameter, of_map) in both.take(shared) {
            parameter.kind = of_map.kind.clone();
        }
    }
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
                    kernel.gather_offsets.add(&access.array, beside);
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
            kernel.gather_offsets = GatherOffsets::default();
        }
    }
}

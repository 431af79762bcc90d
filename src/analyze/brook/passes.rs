//! Asks the passes over bodies about kernels, and notes what they say: loops that elements leave at different times, and
//! gathers along rows.

use super::check::Facts;
use super::lower::{self, Passed};
use super::unit::Unit;
use crate::analyze::Context;
use crate::analyze::masked_loops::{Text, may_have};
use crate::body::{Body, BodyId, Program, VariableId};
use crate::facts::Definitions;
use crate::module::{
    BY_ITEM, Beside, ConstructKind, CountedLoop, Iterations, Kernel, KernelForm, LoopBody,
    MaskedLoopPlan, Parameter, ParameterKind, Term,
};
use crate::passes::{self, Formal, Given, MaskedLoops, Outer, Returns, RowGather, is_lane};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};
use foldhash::{HashMap, HashMapExt, HashSet};

/// Asks them about the kernels that may have any.
pub(super) fn settle(
    context: &Context<'_>,
    unit: &mut Unit,
    facts: &Facts,
    definitions: &[(usize, NodeId)],
) {
    let kernels = unit.kernels.as_slice();
    let gathers = |k: &Kernel| {
        let mut all = k.parameters.iter();
        all.any(|p| matches!(p.kind, ParameterKind::Gather(_)))
    };
    let loops = definitions.iter().filter(|(kernel, body)| {
        let form = &kernels[*kernel].form;
        matches!(form, KernelForm::Map { group_size: None }) && may_have(context.tree, *body)
    });
    let loops: HashSet<usize> = loops.map(|d| d.0).collect();
    let wanted = definitions.iter().copied();
    let wanted: Vec<(usize, NodeId)> = wanted
        .filter(|d| gathers(&kernels[d.0]) || loops.contains(&d.0))
        .collect();
    if wanted.is_empty() {
        return;
    }
    let mut masked = Vec::new();
    let mut rows: HashMap<Span, Beside> = HashMap::new();
    let mut formals = Vec::new();
    let mut show = |at: (usize, NodeId), program: &Program, body: &Body, passed: &[Passed]| {
        program.assert_valid(body);
        let kernel = &kernels[at.0];
        let definitions = Definitions::of(body);
        let known = (program, body, &definitions);
        if loops.contains(&at.0) {
            masked.push((at.0, masked_loop(context, (kernel, at.1), known, passed)));
        }
        if gathers(kernel) {
            let found = row_gathers(kernel, known, passed);
            rows.extend(found.into_iter().filter_map(|g| beside(at.0, passed, g)));
            formals.push((at.0, definitions, formals_of(kernel, passed)));
        }
    };
    let program = lower::lower_some(context, facts, (kernels, &unit.numbers), &wanted, &mut show);
    let mut whole = HashMap::new();
    for (number, definitions, formals) in formals {
        let found = passes::footprints(&program, BodyId(number as u32), definitions, &formals);
        let kernel = &mut unit.kernels[number];
        if !found.whole.is_empty() {
            let loops = found.loops.iter();
            let loops: Option<Vec<_>> = loops.map(|l| counted_loop(context.tree, *l)).collect();
            if let Some(loops) = loops {
                kernel.counted_loops = loops;
                whole.extend(found.whole);
            }
        }
        for (parameter, indices) in kernel.parameters.iter_mut().zip(found.indices) {
            parameter.indices = indices;
        }
    }
    for (kernel, plan) in masked {
        unit.kernels[kernel].masked_loop = plan;
    }
    if rows.is_empty() && whole.is_empty() {
        return;
    }
    for construct in &mut unit.constructs {
        if let ConstructKind::Gather(access) = &mut construct.kind {
            access.beside = rows.get(&construct.span).copied();
            access.whole = whole.remove(&construct.span).unwrap_or_default();
        }
    }
}

/// A loop, by where it is written.
fn counted_loop(
    tree: &Tree,
    (span, condition): (Span, Option<(Span, Iterations)>),
) -> Option<CountedLoop> {
    let mut nodes = tree.within(span);
    let node = nodes.find(|&n| tree.span(n) == span && is_loop(tree.kind(n)))?;
    let around = std::iter::successors(tree.parent(node), |n| tree.parent(*n));
    let around = { around }.find(|n| is_loop(tree.kind(*n)));
    Some(CountedLoop {
        body: loop_body(tree, node)?,
        around: match around {
            Some(around) => Some(loop_body(tree, around)?),
            None => None,
        },
        condition,
    })
}

fn is_loop(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement
    )
}

fn loop_body(tree: &Tree, node: NodeId) -> Option<LoopBody> {
    let body = tree.child(node, Field::Body)?;
    Some(LoopBody {
        of: tree.span(node),
        span: tree.span(body),
        block: tree.kind(body) == Kind::CompoundStatement,
    })
}

/// What its parameters are to the function that a kernel is.
fn formals_of(kernel: &Kernel, passed: &[Passed]) -> Vec<Formal> {
    let formal = |(parameter, passed): (&Parameter, &Passed)| Formal {
        variable: passed.variable,
        value: parameter.kind == ParameterKind::Value,
        array: match (&parameter.kind, passed.extents) {
            (ParameterKind::Gather(rank), Some(first)) => Some((first, *rank)),
            _ => None,
        },
        place: passed.place,
    };
    kernel.parameters.iter().zip(passed).map(formal).collect()
}

/// The gathers of a kernel that read along rows.
fn row_gathers(
    kernel: &Kernel,
    (program, body, definitions): (&Program, &Body, &Definitions),
    passed: &[Passed],
) -> Vec<RowGather> {
    let parameters = kernel.parameters.iter().zip(passed);
    let values = parameters.filter(|(p, _)| p.kind == ParameterKind::Value);
    let values: Vec<VariableId> = values.map(|(_, p)| p.variable).collect();
    let rows = passed.iter().filter_map(|p| p.extents);
    let rows: HashSet<VariableId> = rows.map(VariableId::Local).collect();
    let given = Given {
        here: VariableId::Local(0),
        values: &values,
        rows: &rows,
    };
    passes::row_gathers(program, body, definitions, &given)
}

/// What one of them is in terms of the kernel's parameters, by where it is written.
fn beside(kernel: usize, passed: &[Passed], found: RowGather) -> Option<(Span, Beside)> {
    let term = match found.term {
        Some((of, negative)) => Some(Term {
            parameter: passed.iter().position(|p| p.variable == of)?,
            negative,
        }),
        None => None,
    };
    let beside = Beside {
        kernel,
        back: found.back,
        offset: found.offset,
        term,
        float: found.float,
        one_row: found.one_row,
    };
    Some((found.at, beside))
}

/// The loop of a kernel over streams that elements leave at different times.
fn masked_loop(
    context: &Context<'_>,
    (kernel, node): (&Kernel, NodeId),
    (program, body, definitions): (&Program, &Body, &Definitions),
    passed: &[Passed],
) -> Option<MaskedLoopPlan> {
    let here = VariableId::Local(0);
    let places = passed.iter().filter_map(|p| p.place);
    let items: Vec<VariableId> = places.chain([here]).collect();
    let outer = kernel.parameters.iter().zip(passed).map(outer);
    let search = MaskedLoops {
        program,
        body,
        definitions,
        text: context.text,
        is_volatile: &|_| false,
        contract: context.contract,
        items: &items,
    };
    let found = search.of_function(outer.collect(), Returns::Nothing)?;
    let text = Text {
        tree: context.tree,
        text: context.text,
    };
    let found = text.of_function(node, found, None)?;
    (found.exits & BY_ITEM != 0).then_some(found)
}

fn outer((parameter, passed): (&Parameter, &Passed)) -> Outer {
    let output = matches!(parameter.kind, ParameterKind::StreamOut { .. });
    let number = output
        || matches!(
            parameter.kind,
            ParameterKind::Value | ParameterKind::StreamIn
        );
    let lane = number && parameter.scalar.is_some_and(is_lane);
    Outer {
        id: passed.variable,
        depends: match parameter.kind {
            ParameterKind::Value => 0,
            _ => BY_ITEM,
        },
        given: !lane,
        output,
        // The language lets nobody write to what is read.
        constant: matches!(
            parameter.kind,
            ParameterKind::StreamIn | ParameterKind::Gather(_)
        ),
    }
}

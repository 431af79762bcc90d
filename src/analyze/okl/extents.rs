use super::unit::Unit;
use super::walk::Found;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, root_name, simplify};
use crate::module::{ConstructKind, Loop, LoopId, LoopKind, Nest, Transformations};
use crate::sema::DefinitionId;
use crate::source::Span;
use foldhash::{HashSet, HashSetExt};

/// Settles axes, trip counts, launch extents, guards and barriers of the nest under `root`.
/// `host` are the names that the host knows the value of.
pub(super) fn nest(
    context: &mut Context<'_>,
    unit: &mut Unit,
    found: &Found,
    root: LoopId,
    host: &HashSet<String>,
) -> Option<Nest> {
    let all = below(unit, root);
    axes(context, unit, &all)?;
    let inner: Vec<LoopId> = of_kind(unit, &all, LoopKind::Inner);
    let outer: Vec<LoopId> = of_kind(unit, &all, LoopKind::Outer);
    if inner.is_empty() {
        context.error(&codes::INNER_MISSING, unit.loops[root.0 as usize].head, &[]);
        return None;
    }
    for &id in &all {
        let count = simplify(&unit.resolve(&unit.loops[id.0 as usize].count));
        unit.loops[id.0 as usize].count = count;
        unneeded_check(unit, id);
    }
    let limits = launch_attributes(context, unit, found, root);
    mixed(context, unit, &all);
    let first = [
        of_first(unit, root, LoopKind::Outer),
        of_first(unit, root, LoopKind::Inner),
    ];
    let outer_extents = extents(context, unit, &outer, (host, first[0]), None)?;
    let inner_extents = extents(context, unit, &inner, (host, first[1]), limits.0.as_deref())?;
    guard_absent(unit, &outer, &outer_extents, LoopKind::Outer);
    guard_absent(unit, &inner, &inner_extents, LoopKind::Inner);
    super::implied_barriers::set(context, unit, found, root, &inner);
    returns(
        context,
        unit,
        found,
        root,
        found.roots.last() == Some(&root),
    );

    let constant = |e: &Expr| expr::constant(e).and_then(|n| u64::try_from(n).ok());
    let threads = inner_extents.iter().map(constant).product::<Option<u64>>();
    Some(Nest {
        root,
        span: unit.loops[root.0 as usize].span,
        outer: outer_extents,
        inner: inner_extents,
        threads,
        max_inner: limits.0.map(|numbers| {
            let at = |axis: usize| numbers.get(axis).copied().unwrap_or(1);
            [at(0), at(1), at(2)]
        }),
        simd_length: limits.1,
        captures: Vec::new(),
        uses_exclusive: found.with_exclusive.contains(&root),
        collapse: collapse(context, unit, root),
        uneven: unit.loops[root.0 as usize].uneven,
        operations: unit.loops[root.0 as usize].operations,
        legal: Transformations::default(),
    })
}

/// Tiles that divide a constant number of iterations have none to skip.
fn unneeded_check(unit: &mut Unit, id: LoopId) {
    let this = &unit.loops[id.0 as usize];
    let Some(tile) = this.tile.as_ref().filter(|t| !t.over_tiles && t.check) else {
        return;
    };
    let whole = simplify(&unit.resolve(&super::header::count(&this.header)));
    let divides = match (expr::constant(&whole), expr::constant(&tile.size)) {
        (Some(n), Some(size)) => size > 0 && n >= 0 && n % size == 0,
        _ => false,
    };
    if divides && let Some(tile) = &mut unit.loops[id.0 as usize].tile {
        tile.check = false;
    }
}

/// The loop and all loops below it, in source order.
fn below(unit: &Unit, root: LoopId) -> Vec<LoopId> {
    let mut all = vec![root];
    let mut next = 0;
    while let Some(&id) = all.get(next) {
        all.extend(&unit.loops[id.0 as usize].children);
        next += 1;
    }
    all.sort_by_key(|id| id.0);
    all
}

fn of_kind(unit: &Unit, ids: &[LoopId], kind: LoopKind) -> Vec<LoopId> {
    ids.iter()
        .copied()
        .filter(|id| unit.loops[id.0 as usize].kind == kind)
        .collect()
}

/// Axes not given are counted from the innermost loop of a kind outwards.
fn axes(context: &mut Context<'_>, unit: &mut Unit, all: &[LoopId]) -> Option<()> {
    // Children have larger numbers than their parents, so going backwards sees them first.
    let mut height = vec![0usize; unit.loops.len()];
    for &id in all.iter().rev() {
        let index = id.0 as usize;
        let kind = unit.loops[index].kind;
        if kind == LoopKind::Sequential {
            continue;
        }
        if unit.loops[index].axis == usize::MAX {
            unit.loops[index].axis = height[index];
        }
        let mut around = unit.loops[index].parent;
        while let Some(parent) = around {
            let parent_loop = &unit.loops[parent.0 as usize];
            if parent_loop.kind == kind {
                let above = height[index] + 1;
                let this = &mut height[parent.0 as usize];
                *this = (*this).max(above);
                break;
            }
            around = parent_loop.parent;
        }
    }
    let mut fine = Some(());
    for &id in all {
        let this = &unit.loops[id.0 as usize];
        let mut around = this.parent;
        while let Some(parent) = around {
            let outer = &unit.loops[parent.0 as usize];
            let same = outer.kind == this.kind && outer.axis == this.axis;
            if same && this.kind != LoopKind::Sequential {
                let axis = ["x", "y", "z"].get(this.axis).copied().unwrap_or("?");
                let (span, other) = (this.head, outer.head);
                context.error_with(
                    &codes::AXIS_TWICE,
                    span,
                    &[&axis],
                    ("the other loop is here", other),
                );
                fine = None;
                break;
            }
            around = outer.parent;
        }
    }
    fine
}

/// The most items along the axes that are named, and how many run together.
type Limits = (Option<Vec<u64>>, Option<u32>);

/// `@max_inner_dims` and `@simd_length` of a nest.
fn launch_attributes(
    context: &mut Context<'_>,
    unit: &Unit,
    found: &Found,
    root: LoopId,
) -> Limits {
    let mut limits = (None, None);
    for (id, attribute) in &found.launch {
        let inside = below(unit, root).contains(id);
        if !inside {
            continue;
        }
        if *id != root {
            context.error(
                &codes::LAUNCH_ATTRIBUTE_PLACE,
                attribute.span,
                &[&attribute.name],
            );
            continue;
        }
        let mut numbers = Vec::new();
        for text in attribute.split() {
            match unit.constant(text) {
                Some(n) if n > 0 => numbers.push(n as u64),
                _ => context.error(&codes::NOT_POSITIVE, attribute.span, &[&attribute.name]),
            }
        }
        if attribute.name == "max_inner_dims" {
            limits.0 = Some(numbers);
        } else {
            limits.1 = numbers.first().and_then(|&n| u32::try_from(n).ok());
        }
    }
    limits
}

/// Where the variable is declared that a loop's head calls so.
fn named_in(context: &Context<'_>, head: Span, name: &str) -> Option<Span> {
    let (tree, sema) = (context.tree, context.sema);
    let is_used = |id: &DefinitionId| {
        let mut uses = sema.uses(*id).iter();
        sema.name(*id) == name && uses.any(|&at| head.contains(tree.span(at)))
    };
    sema.definitions()
        .find(is_used)
        .map(|id| sema.name_span(id))
}

/// The extent of each axis: what its loops agree on, else the largest, with guards.
fn extents(
    context: &mut Context<'_>,
    unit: &mut Unit,
    loops: &[LoopId],
    (host, by_first): (&HashSet<String>, [bool; 3]),
    limits: Option<&[u64]>,
) -> Option<[Expr; 3]> {
    let mut result = [Expr::int(1), Expr::int(1), Expr::int(1)];
    let mut fine = true;
    for (axis, extent) in result.iter_mut().enumerate() {
        let here: Vec<LoopId> = loops
            .iter()
            .copied()
            .filter(|id| unit.loops[id.0 as usize].axis == axis)
            .collect();
        let mut distinct: Vec<Expr> = Vec::new();
        let mut unknown = None;
        for &id in &here {
            let count = &unit.loops[id.0 as usize].count;
            let mut missing = None;
            count.for_each_name(&mut |name| {
                let base = name.split('.').next().unwrap_or(name);
                if !host.contains(base) {
                    missing = Some(name.to_string());
                }
            });
            match missing {
                Some(name) => unknown = Some((id, name)),
                None if !distinct.contains(count) => distinct.push(count.clone()),
                None => {}
            }
        }
        if let Some((id, name)) = unknown {
            match limits.and_then(|l| l.get(axis)) {
                Some(limit) => {
                    let limit = Expr::int(i32::try_from(*limit).unwrap_or(i32::MAX));
                    // Others on the axis may be longer.
                    *extent = distinct.iter().fold(limit, |a, b| larger(&a, b));
                    here.iter()
                        .for_each(|id| unit.loops[id.0 as usize].guarded = true);
                }
                None => {
                    let this = &unit.loops[id.0 as usize];
                    let root = name.trim_start_matches('*');
                    let memory = unit.host.pointers.contains(root_name(root));
                    let code = match memory && this.kind == LoopKind::Outer {
                        true => &codes::EXTENT_MEMORY,
                        false => &codes::EXTENT_UNKNOWN,
                    };
                    match named_in(context, this.header_span, root_name(root)) {
                        Some(declared) => {
                            let note = ("it is declared here", declared);
                            context.error_with(code, this.head, &[&name], note);
                        }
                        None => context.error(code, this.head, &[&name]),
                    }
                    fine = false;
                }
            }
            continue;
        }
        let mut distinct = distinct.into_iter();
        let Some(first) = distinct.next() else {
            continue;
        };
        let mut largest = distinct.fold(first, |a, b| larger(&a, &b));
        // Nests without this axis run on its first item, which has to be there.
        if (lacks(unit, loops, axis) || by_first[axis])
            && expr::constant(&largest).is_none_or(|n| n < 1)
        {
            largest = larger(&Expr::int(1), &largest);
        }
        for &id in &here {
            let this = &mut unit.loops[id.0 as usize];
            this.guarded = this.count != largest;
        }
        *extent = largest;
    }
    fine.then_some(result)
}

/// Whether some nest of `loops`, which are of one kind, has none on `axis`.
fn lacks(unit: &Unit, loops: &[LoopId], axis: usize) -> bool {
    let around = |id: LoopId| {
        std::iter::successors(Some(id), |id| unit.loops[id.0 as usize].parent)
            .map(|id| (id, &unit.loops[id.0 as usize]))
    };
    let mut with_others: HashSet<LoopId> = HashSet::new();
    for &id in loops {
        for (outer, _) in around(id).skip(1) {
            if !with_others.insert(outer) {
                break;
            }
        }
    }
    loops.iter().any(|&id| {
        let kind = unit.loops[id.0 as usize].kind;
        let has = around(id).any(|(_, this)| this.axis == axis && this.kind == kind);
        !with_others.contains(&id) && !has
    })
}

fn larger(a: &Expr, b: &Expr) -> Expr {
    match (expr::constant(a), expr::constant(b)) {
        (Some(x), Some(y)) => {
            if x >= y {
                a.clone()
            } else {
                b.clone()
            }
        }
        _ => Expr::Call("max".into(), vec![a.clone(), b.clone()]),
    }
}

/// Reports loops over items beside loops over groups: they would be run once for each of these groups.
fn mixed(context: &mut Context<'_>, unit: &Unit, all: &[LoopId]) {
    let groups = |id: &LoopId| {
        let inside = below(unit, *id);
        !of_kind(unit, &inside, LoopKind::Outer).is_empty()
    };
    for &id in all {
        let children = &unit.loops[id.0 as usize].children;
        let with = children.iter().find(|c| groups(c));
        let without = children.iter().find(|c| !groups(c));
        if let (Some(with), Some(without)) = (with, without) {
            let (span, other) = (
                unit.loops[without.0 as usize].head,
                unit.loops[with.0 as usize].head,
            );
            let note = ("the loop over groups is here", other);
            context.error_with(&codes::LOOPS_MIXED, span, &[], note);
        }
    }
}

/// The axes whose first group or item runs statements between loops of a nest.
fn of_first(unit: &Unit, root: LoopId, kind: LoopKind) -> [bool; 3] {
    let mut first = [false; 3];
    for construct in &unit.constructs {
        let ConstructKind::OnceStatement { within } = &construct.kind else {
            continue;
        };
        let chain: Vec<&Loop> =
            std::iter::successors(Some(*within), |id| unit.loops[id.0 as usize].parent)
                .map(|id| &unit.loops[id.0 as usize])
                .collect();
        let root = &unit.loops[root.0 as usize];
        if chain.last().is_none_or(|l| l.span != root.span) {
            continue;
        }
        for (axis, first) in first.iter_mut().enumerate() {
            *first |= !chain.iter().any(|l| l.kind == kind && l.axis == axis);
        }
    }
    first
}

/// A nest of fewer dimensions than the launch runs on the first item, or group, of the others. Loops are in source
/// order, and all of one kind.
fn guard_absent(unit: &mut Unit, loops: &[LoopId], extents: &[Expr; 3], kind: LoopKind) {
    for &id in loops {
        let is_leaf = of_kind(unit, &below(unit, id), kind).len() == 1;
        if !is_leaf {
            continue;
        }
        let around: Vec<LoopId> =
            std::iter::successors(Some(id), |id| unit.loops[id.0 as usize].parent)
                .filter(|id| unit.loops[id.0 as usize].kind == kind)
                .collect();
        for (axis, extent) in extents.iter().enumerate() {
            let has = |id: &LoopId| {
                let inside = of_kind(unit, &below(unit, *id), kind);
                inside.iter().any(|i| unit.loops[i.0 as usize].axis == axis)
            };
            // The outermost loop below which nobody has the axis, so that all of it is skipped.
            let top = around.iter().take_while(|id| !has(id)).last().copied();
            let above = around
                .iter()
                .any(|id| unit.loops[id.0 as usize].axis == axis);
            if let Some(top) = top.filter(|_| !above && expr::constant(extent) != Some(1)) {
                let absent = &mut unit.loops[top.0 as usize].absent;
                if !absent.contains(&axis) {
                    absent.push(axis);
                }
            }
        }
    }
}

/// A `return` ends an iteration where nothing of its group follows: no other inner loop, no
/// repetition, no barrier. Anywhere else it would have to end what other items still do.
fn returns(context: &mut Context<'_>, unit: &Unit, found: &Found, root: LoopId, last: bool) {
    let all = below(unit, root);
    for &(span, ends) in found.returns.iter().filter(|(_, l)| all.contains(l)) {
        let mut top = None;
        let mut barriers = false;
        let mut at = Some(ends);
        while let Some(id) = at {
            let this = &unit.loops[id.0 as usize];
            if this.kind != LoopKind::Outer {
                top = Some(id);
            }
            barriers |= this.waits;
            at = this.parent;
        }
        let fine = match top {
            Some(top) => {
                let end = unit.loops[top.0 as usize].span.end;
                let later = all
                    .iter()
                    .any(|l| unit.loops[l.0 as usize].span.start >= end);
                !later && !barriers && !repeats(unit, found, top)
            }
            None => last,
        };
        if !fine {
            context.error(&codes::RETURN_IN_NEST, span, &[]);
        }
    }
}

/// Whether an ordinary loop, or a sequential part of a tile, repeats the loop within its group.
pub(super) fn repeats(unit: &Unit, found: &Found, id: LoopId) -> bool {
    let mut at = Some(id);
    while let Some(this) = at {
        let this_loop = &unit.loops[this.0 as usize];
        match this_loop.kind {
            LoopKind::Outer => return false,
            _ if found.in_ordinary.contains(&this) => return true,
            _ => at = this_loop.parent,
        }
    }
    false
}

/// How many outer loops from the root can be collapsed into one: perfectly nested, each bound
/// independent of the loops around it.
fn collapse(context: &Context<'_>, unit: &Unit, root: LoopId) -> usize {
    let mut depth = 1;
    let mut variables = Vec::new();
    let mut at = root;
    loop {
        let this = &unit.loops[at.0 as usize];
        variables.push(this.header.variable.as_str());
        let [child] = this.children.as_slice() else {
            return depth;
        };
        let next = &unit.loops[child.0 as usize];
        let inside = Span::new(this.body.start + 1, next.span.start);
        let after = Span::new(next.span.end, this.body.end.saturating_sub(1));
        let alone = this.tile.is_none()
            && next.tile.is_none()
            && this.block
            && blank(inside.of(context.text))
            && blank(after.of(context.text));
        let h = &next.header;
        let depends = variables
            .iter()
            .any(|v| h.start.mentions(v) || h.end.mentions(v) || h.step.mentions(v));
        if next.kind != LoopKind::Outer || !alone || depends {
            return depth;
        }
        depth += 1;
        at = *child;
    }
}

/// Nothing but white space and comments.
fn blank(text: &str) -> bool {
    crate::lex::lex(text).is_empty()
}

//! Reads whose values are kept apart from all others, where the target's compiler may join two reads.
//!
//! NVIDIA's compilers make one read of `c ? in[j] : out[i]`, from the address that the condition picks. If `in` is
//! `restrict` and only read, the joint read counts as one of memory that never changes: caches may answer with what was
//! there before. If `out` is `restrict`, it counts as one of other memory than `out`'s: writes before it are dropped. A
//! function that no compiler sees through takes the values of what is read, so that there is nothing to join, in kernels
//! that read two arrays of which one is `restrict`. Where a pointer may lead to both, or values cannot be taken, the
//! arrays lose `restrict`.

use super::Pass;
use super::exchanged::exchanged;
use crate::module::{
    Access, AccessKind, ConstructKind, Function, Kernel, Module, Origin, Parameter, ParameterKind,
    PointerId, Space,
};
use crate::rewrite::Part;
use crate::source::Span;
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::BTreeSet;

/// A kernel's parameter: the kernel, and its place among the parameters.
pub(super) type Root = (usize, usize);

/// Kernel parameters that a pointer may come from; `None` among them is memory that nothing is known of.
type Roots = BTreeSet<Option<Root>>;

/// What is done so that no reads are joined that should not be.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// Accesses whose values are kept apart, by their place in the module's list.
    apart: HashSet<usize>,
    /// Parameters that lose `restrict`.
    plain: HashSet<Root>,
    /// Parameters whose reads are kept apart.
    arrays: HashSet<Root>,
    /// Parameters whose elements items of a group change for one another.
    exchanged: HashSet<Root>,
}

impl Reads {
    /// Decides it. `address` says that a reference is a pointer in the target.
    pub(super) fn new(module: &Module, address: bool) -> Self {
        let promised: HashSet<Root> = promised(module).into_iter().collect();
        if promised.is_empty() {
            return Self::default();
        }
        let origins = Origins::new(module);
        // Many accesses have the same few origins.
        let mut sets: Vec<Roots> = Vec::new();
        let mut known: HashMap<&[Origin], usize> = HashMap::new();
        for access in &module.accesses {
            known.entry(&access.origins).or_insert_with(|| {
                sets.push(origins.all(&access.origins));
                sets.len() - 1
            });
        }
        let roots_of = |access: &Access| sets.get(*known.get(&*access.origins)?);
        let used: Vec<(&Access, &Roots)> = module
            .accesses
            .iter()
            .filter_map(|access| Some((access, roots_of(access)?)))
            .collect();
        let mut reads = Self::default();
        let read = read_by_kernels(module, &used, |_, _| true);
        let written: HashSet<Root> = used
            .iter()
            .filter(|(a, _)| matches!(a.kind, AccessKind::Write | AccessKind::Change))
            .flat_map(|(_, roots)| roots.iter().flatten().copied())
            .collect();
        let promising: HashSet<usize> = promised.iter().map(|root| root.0).collect();
        let changed = read.values().flatten().flatten().copied();
        let changed = changed.filter(|root| written.contains(root) && promising.contains(&root.0));
        reads.exchanged = exchanged(module, changed).collect();
        reads.plain.extend(promised.intersection(&reads.exchanged));
        let mixed = mixed_kernels(module, &promised, &written, &read);
        if mixed.is_empty() {
            return reads;
        }
        let of_mixed = |kernel: &usize| read.get(kernel).into_iter().flatten().flatten().copied();
        reads.arrays = mixed.iter().flat_map(of_mixed).collect();

        let addresses: HashSet<Span> = module
            .constructs
            .iter()
            .filter(|c| {
                address
                    && matches!(
                        c.kind,
                        ConstructKind::Address | ConstructKind::ComponentAddress { .. }
                    )
            })
            .map(|c| c.span)
            .collect();
        for (index, (access, roots)) in used.iter().enumerate() {
            let is_value = access.kind == AccessKind::Read
                && (access.plain || !address)
                && !addresses.contains(&access.span);
            // An argument may be bound to what can be changed.
            let constant = |root: &Root| parameter(module, *root).is_some_and(|p| p.constant);
            let variable = access.argument && !roots.iter().flatten().all(constant);
            let met =
                roots.contains(&None) || roots.iter().flatten().any(|r| reads.arrays.contains(r));
            if is_value && !variable && met {
                reads.apart.insert(index);
            }
        }
        let joined = origins.joined(&used);
        let only_read = |root: &Option<Root>| root.is_some_and(|r| !written.contains(&r));
        let joined = joined
            .into_iter()
            .filter(|roots| !roots.iter().all(only_read));
        reads.break_promises(module, &promised, joined, &used);
        reads
    }

    /// Takes the promise from arrays whose reads meet others that cannot be kept apart either, and from those that one
    /// pointer leads to: `joined`.
    fn break_promises(
        &mut self,
        module: &Module,
        promised: &HashSet<Root>,
        joined: impl Iterator<Item = Roots>,
        used: &[(&Access, &Roots)],
    ) {
        let free = read_by_kernels(module, used, |index, _| !self.apart.contains(&index));
        // Compilers do not join `a[i] += x` with another such statement: they would have to join the writes.
        let other = read_by_kernels(module, used, |index, access| {
            access.kind != AccessKind::Change && !self.apart.contains(&index)
        });
        let joinable = free
            .iter()
            .filter(|(kernel, roots)| roots.len() > 1 && other.contains_key(kernel))
            .map(|(_, roots)| roots.clone());
        for roots in joinable.chain(joined.filter(|roots| roots.len() > 1)) {
            let lost = roots.into_iter().flatten();
            self.plain.extend(lost.filter(|r| promised.contains(r)));
        }
    }
}

/// What each kernel reads by the accesses that are wanted.
fn read_by_kernels(
    module: &Module,
    used: &[(&Access, &Roots)],
    wanted: impl Fn(usize, &Access) -> bool,
) -> HashMap<usize, Roots> {
    let mut read: HashMap<usize, Roots> = HashMap::new();
    for (index, (access, roots)) in used.iter().enumerate() {
        if access.kind == AccessKind::Write || !wanted(index, access) {
            continue;
        }
        for root in roots.iter() {
            let mut add = |kernel: usize| {
                read.entry(kernel).or_default().insert(*root);
            };
            match root {
                Some(root) => add(root.0),
                None if access.function.is_some() => (0..module.kernels.len()).for_each(add),
                None => kernel_at(module, access.span.start)
                    .into_iter()
                    .for_each(add),
            }
        }
    }
    read
}

/// Kernels that read an array which promises something, and another one, if any of what they read may be written.
fn mixed_kernels(
    module: &Module,
    promised: &HashSet<Root>,
    written: &HashSet<Root>,
    read: &HashMap<usize, Roots>,
) -> HashSet<usize> {
    let constant = |root: &Root| {
        let constant = parameter(module, *root).is_some_and(|p| p.constant);
        promised.contains(root) && (constant || !written.contains(root))
    };
    let promises = |kernel: &usize| promised.iter().any(|root| root.0 == *kernel);
    let mixed = read.iter().filter(|(kernel, roots)| {
        let harmless = roots.iter().all(|r| r.as_ref().is_some_and(constant));
        roots.len() > 1 && promises(kernel) && !harmless
    });
    mixed.map(|(kernel, _)| *kernel).collect()
}

fn parameter(module: &Module, (kernel, index): Root) -> Option<&Parameter> {
    module.kernels.get(kernel)?.parameters.get(index)
}

fn kernel_at(module: &Module, at: u32) -> Option<usize> {
    let inside = |k: &Kernel| k.body.start <= at && at < k.body.end;
    module.kernels.iter().position(inside)
}

/// Kernel parameters that promise to alias nothing, or may do so.
fn promised(module: &Module) -> Vec<Root> {
    let mut found = Vec::new();
    for (kernel, k) in module.kernels.iter().enumerate() {
        for (index, p) in k.parameters.iter().enumerate() {
            if matches!(p.kind, ParameterKind::Pointer(_)) && p.restrict != Some(false) {
                found.push((kernel, index));
            }
        }
    }
    found
}

/// Where the values of pointers come from, through calls.
struct Origins<'m> {
    module: &'m Module,
    roots: HashMap<PointerId, Root>,
    functions: HashMap<&'m str, Vec<&'m Function>>,
    /// For each pointer.
    known: Vec<Roots>,
}

impl<'m> Origins<'m> {
    fn new(module: &'m Module) -> Self {
        let mut roots = HashMap::new();
        for (kernel, k) in module.kernels.iter().enumerate() {
            for (index, p) in k.parameters.iter().enumerate() {
                if let Some(pointer) = p.pointer {
                    roots.insert(pointer, (kernel, index));
                }
            }
        }
        let mut functions: HashMap<&str, Vec<&Function>> = HashMap::new();
        for function in &module.functions {
            functions.entry(&function.name).or_default().push(function);
        }
        let mut this = Self {
            module,
            roots,
            functions,
            known: vec![Roots::new(); module.pointers.len()],
        };
        // Sets only grow, and are small.
        while this.grow() {}
        this
    }

    fn named(&self, name: &str) -> &[&'m Function] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    fn grow(&mut self) -> bool {
        let module = self.module;
        let mut changed = false;
        // What is found counts at once: pointers mostly come from those declared before.
        for (index, pointer) in module.pointers.iter().enumerate() {
            let id = PointerId(index as u32);
            let roots = self.all_known(&pointer.origins, id);
            changed |= self.learn(id, roots);
        }
        let mut more: Vec<(PointerId, Roots)> = Vec::new();
        for call in &module.calls {
            for function in self.named(&call.function) {
                for (position, origins) in &call.arguments {
                    let given = function.pointers.iter().filter(|(p, _)| p == position);
                    for (_, id) in given {
                        more.push((*id, self.all_known(origins, *id)));
                    }
                }
            }
        }
        for (id, roots) in more {
            changed |= self.learn(id, roots);
        }
        changed
    }

    /// Whether that is news of a pointer.
    fn learn(&mut self, id: PointerId, roots: Roots) -> bool {
        let Some(known) = self.known.get_mut(id.index()) else {
            return false;
        };
        let before = known.len();
        known.extend(roots);
        known.len() > before
    }

    fn all_known(&self, origins: &[Origin], target: PointerId) -> Roots {
        match self.roots.get(&target) {
            Some(root) => Roots::from([Some(*root)]),
            None => origins.iter().flat_map(|o| self.of(*o)).collect(),
        }
    }

    /// What values of that origin may come from.
    fn of(&self, origin: Origin) -> Roots {
        match origin {
            Origin::Space(Space::Global) => Roots::from([None]),
            Origin::Space(_) => Roots::new(),
            Origin::Pointer(id) => match self.known.get(id.index()) {
                Some(roots) => roots.clone(),
                None => Roots::from([None]),
            },
            Origin::Result(call) => {
                let called = self.module.calls.get(call);
                let results: Vec<PointerId> = called
                    .into_iter()
                    .flat_map(|c| self.named(&c.function))
                    .filter_map(|f| f.result)
                    .collect();
                match results.is_empty() {
                    true => Roots::from([None]),
                    false => {
                        let all = results.iter().filter_map(|id| self.known.get(id.index()));
                        all.flatten().copied().collect()
                    }
                }
            }
        }
    }

    /// The same for what may come from any of several.
    fn all(&self, origins: &[Origin]) -> Roots {
        match origins.is_empty() {
            true => Roots::from([None]),
            false => origins.iter().flat_map(|o| self.of(*o)).collect(),
        }
    }

    /// Of values that may come from more than one place within a function: all that they may come from.
    fn joined(&self, used: &[(&Access, &Roots)]) -> Vec<Roots> {
        let module = self.module;
        let parameters: HashSet<PointerId> = module
            .functions
            .iter()
            .flat_map(|f| f.pointers.iter().map(|(_, id)| *id))
            .collect();
        let mut all = Vec::new();
        for (index, pointer) in module.pointers.iter().enumerate() {
            let id = PointerId(index as u32);
            let others = pointer
                .origins
                .iter()
                .filter(|o| **o != Origin::Pointer(id));
            let assigned = usize::from(parameters.contains(&id) || self.roots.contains_key(&id));
            let space = usize::from(self.roots.contains_key(&id));
            if others.count() + assigned - space > 1 {
                all.push(self.known.get(index).cloned().unwrap_or_default());
                // What a parameter is given besides its argument.
                if self.roots.contains_key(&id)
                    && let Some(last) = all.last_mut()
                {
                    last.extend(pointer.origins.iter().flat_map(|o| self.of(*o)));
                }
            }
        }
        let arguments = module.calls.iter().flat_map(|c| &c.arguments);
        let arguments = arguments.filter(|(_, origins)| origins.len() > 1);
        all.extend(arguments.map(|(_, origins)| self.all(origins)));
        let chosen = used.iter().filter(|(a, _)| a.origins.len() > 1);
        all.extend(chosen.map(|(_, roots)| (*roots).clone()));
        all
    }
}

impl Pass<'_> {
    /// An access whose value may have to be kept apart.
    pub(super) fn read(&mut self, span: Span, access: usize) {
        if !self.reads.apart.contains(&access) {
            return;
        }
        if !self.uses.contains(&Part::Opaque.into()) {
            self.uses.insert(Part::Opaque.into());
        }
        self.edits.insert_before(span.start, "brook_opaque(");
        self.edits.append(span.end, ")");
    }

    /// Whether what is read from a kernel's array at `at` is kept apart.
    pub(super) fn keeps_apart(&self, array: &str, at: u32) -> bool {
        let found = kernel_at(self.module, at).and_then(|kernel| {
            let parameters = &self.module.kernels.get(kernel)?.parameters;
            let index = parameters.iter().position(|p| p.name == array)?;
            Some((kernel, index))
        });
        found.is_some_and(|r| self.reads.arrays.contains(&r))
    }

    /// Whether the array that an attribute belongs to keeps its promise.
    pub(super) fn keeps_promise(&self, attribute: Span) -> bool {
        let lost =
            |root: &Root| parameter(self.module, *root).is_some_and(|p| p.span.contains(attribute));
        !self.reads.plain.iter().any(lost)
    }

    /// Takes the target's own words for the promise away where it is lost.
    pub(super) fn drop_promises(&mut self) {
        let module = self.module;
        for root in &self.reads.plain {
            for word in parameter(module, *root)
                .into_iter()
                .flat_map(|p| p.restrict_words.iter().copied())
            {
                self.edits.delete_word(word, self.text);
            }
        }
        for root in &self.reads.exchanged {
            for word in parameter(module, *root)
                .into_iter()
                .filter_map(|p| p.own_const)
            {
                self.edits.delete_word(word, self.text);
            }
        }
    }

    /// Statements that give the arrays of a kernel that items change for one another addresses of which the compiler
    /// does not know where they come from.
    pub(super) fn renewed(&mut self, kernel: usize) -> Vec<String> {
        let parameters = self.module.kernels.get(kernel).map(|k| &*k.parameters);
        let parameters = parameters.unwrap_or_default().iter().enumerate();
        let found: Vec<String> = parameters
            .filter(|(index, _)| self.reads.exchanged.contains(&(kernel, *index)))
            .map(|(_, p)| format!("{0} = brook_renewed({0});", p.name))
            .collect();
        if !found.is_empty() {
            self.uses.insert(Part::Renewed.into());
        }
        found
    }
}

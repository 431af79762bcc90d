//! Which functions and variables of a file there are.

use super::closures::Closure;
use super::templates::{Bindings, Callee};
use super::{Level, Lower, Lowered, Opaque};
use crate::body::{
    Body, BodyId, Memory, Program, RecordId, StatementKind, Type, Types, Variable, VariableId,
};
use crate::intrinsics::Intrinsics;
use crate::module::{Construct, ConstructKind, Dimensions, Lifetime, Loop};
use crate::sema::{DefinitionId, DefinitionKind, Sema, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, attributes_of, is_name, is_record};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// More instances of one template than anybody means: compilers stop at a depth of some hundred, too.
const MOST_INSTANCES: u32 = 256;

/// One is made inside of the other, which takes stack.
const MOST_DEDUCING: u32 = 24;

/// What the analysis has found, as far as bodies are made of it.
pub(in crate::analyze) struct Facts<'a> {
    pub(in crate::analyze) loops: &'a [Loop],
    pub(in crate::analyze) constructs: &'a [Construct],
    /// Functions that users give the text of.
    pub(in crate::analyze) intrinsics: &'a Intrinsics,
    /// Lines that are for the vendor's compiler: what stands between them may be there or not.
    pub(in crate::analyze) uncertain: &'a [Span],
    /// Items do not wait between inner loops of themselves.
    pub(in crate::analyze) no_auto_barriers: bool,
    /// Copies that go on while their item does are told from others.
    pub(in crate::analyze) tells_copies: bool,
}

/// Of which kernels bodies are made, and who looks at them.
pub(in crate::analyze) struct Wanted<'a> {
    pub(in crate::analyze) names: &'a HashSet<&'a str>,
    /// Functions that are wanted besides.
    pub(in crate::analyze) functions: &'a HashSet<NodeId>,
    /// Is shown each body, functions' before kernels', which is gone then: a file may have very many.
    pub(in crate::analyze) show: &'a mut dyn FnMut(&Program, &Body),
}

/// The file, and what has been made of it.
pub(super) struct Unit<'t> {
    pub(super) tree: &'t Tree,
    pub(super) text: &'t str,
    pub(super) sema: &'t Sema<'t>,
    pub(super) facts: &'t Facts<'t>,
    pub(super) program: Program,
    /// The node of the name where each thing is declared, of a function where it is defined.
    pub(super) declared: HashMap<DefinitionId, NodeId>,
    /// The specifiers of records that have their bodies.
    pub(super) specifiers: HashMap<DefinitionId, NodeId>,
    /// Definitions of functions.
    pub(super) functions: HashMap<DefinitionId, NodeId>,
    pub(super) bodies: HashMap<(DefinitionId, Bindings), BodyId>,
    kernels: HashSet<DefinitionId>,
    /// What the parameters of templates stand for in what is being made.
    pub(super) bindings: Bindings,
    /// How many bodies each function has.
    instances: HashMap<DefinitionId, u32>,
    /// Names of types whose meaning is being looked for, and records that are being made.
    pub(super) naming: Vec<DefinitionId>,
    pub(super) making: Vec<RecordId>,
    /// How many functions are being made so that their results are known.
    deducing: u32,
    /// Names of templates of functions that have specialisations.
    pub(super) specialised: HashSet<&'t str>,
    pub(super) records: HashMap<DefinitionId, Option<RecordId>>,
    pub(super) globals: HashMap<DefinitionId, VariableId>,
    /// Accesses with `@dim`: indices and dimensions, by the whole of the access.
    pub(super) dimensions: HashMap<Span, (&'t [Span], &'t Dimensions)>,
    pub(super) constructs: HashMap<Span, &'t ConstructKind>,
    /// Variables of groups and of items, by where their names stand.
    pub(super) memories: HashMap<Span, Memory>,
    /// Attributed loops by their statements, those over tiles before those within one.
    pub(super) loops: HashMap<Span, Vec<&'t Loop>>,
    /// Strings by what they hold.
    pub(super) strings: HashMap<Vec<u8>, VariableId>,
    /// Lambdas by their types, and their functions by the types of arguments.
    pub(super) closures: HashMap<RecordId, Closure>,
    pub(super) closure_bodies: HashMap<(RecordId, Vec<(Type, bool)>), BodyId>,
    /// Records that have a constructor, or fields with values of their own.
    pub(super) constructed: HashSet<RecordId>,
    /// Which parameters of functions are references.
    pub(super) references: HashMap<BodyId, Vec<bool>>,
    /// Functions whose bodies are still to be made.
    waiting: Vec<(Callee, BodyId)>,
}

/// The bodies of all kernels of a file, and of what they call.
pub(in crate::analyze) fn lower(
    tree: &Tree,
    text: &str,
    sema: &Sema<'_>,
    facts: &Facts<'_>,
) -> Program {
    lowered(tree, text, sema, facts, None)
}

/// Makes the bodies of some kernels of a file, one after the other.
pub(in crate::analyze) fn lower_some(
    tree: &Tree,
    text: &str,
    sema: &Sema<'_>,
    facts: &Facts<'_>,
    wanted: Wanted<'_>,
) {
    lowered(tree, text, sema, facts, Some(wanted));
}

fn lowered(
    tree: &Tree,
    text: &str,
    sema: &Sema<'_>,
    facts: &Facts<'_>,
    mut wanted: Option<Wanted<'_>>,
) -> Program {
    let mut unit = Unit {
        tree,
        text,
        sema,
        facts,
        program: Program::default(),
        declared: HashMap::new(),
        specifiers: HashMap::new(),
        functions: HashMap::new(),
        bodies: HashMap::new(),
        kernels: HashSet::new(),
        bindings: Bindings::new(),
        instances: HashMap::new(),
        naming: Vec::new(),
        making: Vec::new(),
        deducing: 0,
        specialised: HashSet::new(),
        records: HashMap::new(),
        globals: HashMap::new(),
        dimensions: HashMap::new(),
        constructs: HashMap::new(),
        memories: HashMap::new(),
        loops: HashMap::new(),
        strings: HashMap::new(),
        closures: HashMap::new(),
        closure_bodies: HashMap::new(),
        constructed: HashSet::new(),
        references: HashMap::new(),
        waiting: Vec::new(),
    };
    for construct in facts.constructs {
        match &construct.kind {
            ConstructKind::Dim {
                indices,
                dimensions,
                ..
            } => {
                let found = (indices.as_slice(), dimensions);
                unit.dimensions.insert(construct.span, found);
            }
            ConstructKind::Shared { variables, .. } => {
                let all = variables.iter().map(|v| (v.name_span, Memory::Shared));
                unit.memories.extend(all);
            }
            ConstructKind::ItemVariables {
                variables,
                lifetime: Lifetime::Group,
                ..
            } => {
                let all = variables.iter().map(|v| (v.name_span, Memory::Exclusive));
                unit.memories.extend(all);
            }
            what @ (ConstructKind::Atomic(_)
            | ConstructKind::Barrier { .. }
            | ConstructKind::Critical { .. }) => {
                unit.constructs.insert(construct.span, what);
            }
            _ => {}
        }
    }
    for this in facts.loops {
        unit.loops.entry(this.span).or_default().push(this);
    }
    let Some(root) = tree.root() else {
        return unit.program;
    };
    let mut kernels = Vec::new();
    for node in tree.descendants(root) {
        unit.note(node, &mut kernels);
    }
    unit.kernels = kernels.iter().map(|(id, _)| *id).collect();
    if let Some(wanted) = &wanted {
        kernels.retain(|(id, _)| wanted.names.contains(sema.name(*id)));
    }
    for (id, node) in kernels {
        let bindings = Bindings::new();
        unit.body_of(&Callee { id, node, bindings });
    }
    // The latest come first: whoever calls them may ask what was found.
    if let Some(wanted) = &wanted {
        let mut functions: Vec<(DefinitionId, NodeId)> = { unit.functions.iter() }
            .filter(|(_, node)| wanted.functions.contains(node))
            .map(|(id, node)| (*id, *node))
            .collect();
        functions.sort_by_key(|(_, node)| node.index());
        for (id, node) in functions {
            let bindings = Bindings::new();
            unit.body_of(&Callee { id, node, bindings });
        }
    }
    while let Some((callee, body)) = unit.waiting.pop() {
        let at = body.0 as usize;
        let skipped = |w: &Wanted<'_>| !w.functions.contains(&callee.node);
        if !unit.program.bodies[at].kernel && wanted.as_ref().is_some_and(skipped) {
            // Nobody is shown what kernels call.
            continue;
        }
        unit.bindings = callee.bindings;
        unit.function(callee.id, callee.node, body);
        unit.bindings.clear();
        if let Some(wanted) = &mut wanted {
            (wanted.show)(&unit.program, &unit.program.bodies[at]);
            unit.program.bodies[at].forget();
        }
    }
    unit.program
}

impl<'t> Unit<'t> {
    fn note(&mut self, node: NodeId, kernels: &mut Vec<(DefinitionId, NodeId)>) {
        let tree = self.tree;
        if is_name(tree.kind(node))
            && let Some(id) = self.sema.definition(node)
            && self.sema.name_span(id) == tree.span(node)
        {
            self.declared.entry(id).or_insert(node);
        }
        if is_record(tree.kind(node)) && tree.child(node, Field::Body).is_some() {
            let named = tree.child(node, Field::Name);
            let id = match named {
                Some(name) => self.sema.definition(name),
                // It is known by what it is the type of.
                None => tree.parent(node).and_then(|around| {
                    let ty = self.sema.described(around);
                    match self.sema.kind(ty) {
                        TypeKind::Record(id) => Some(id),
                        _ => None,
                    }
                }),
            };
            if let Some(id) = id {
                self.specifiers.insert(id, node);
            }
        }
        if tree.kind(node) != Kind::FunctionDefinition {
            return;
        }
        let Some(name) = self.function_name(node) else {
            return;
        };
        if tree.kind(name) == Kind::TemplateFunction
            && let Some(plain) = tree.child(name, Field::Name)
        {
            self.specialised.insert(tree.text(plain, self.text));
        }
        if let Some(id) = self.sema.definition(name) {
            self.functions.insert(id, node);
            let is_kernel = |n: NodeId| {
                let mut all = attributes_of(tree, n, self.text).into_iter();
                all.any(|a| a.name == "kernel")
            };
            if is_kernel(node) {
                kernels.push((id, node));
            }
        }
    }

    /// Whether a function is a kernel.
    pub(super) fn is_kernel(&self, id: DefinitionId) -> bool {
        self.kernels.contains(&id)
    }

    /// The declarator of a function that has its parameters.
    pub(super) fn function_declarator(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let mut at = tree.child(node, Field::Declarator)?;
        while tree.kind(at) != Kind::FunctionDeclarator {
            let inner = tree.child(at, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(at);
                parts.find(|&c| crate::syntax::is_declarator(tree.kind(c)))
            })?;
        }
        Some(at)
    }

    fn function_name(&self, node: NodeId) -> Option<NodeId> {
        let declarator = self.function_declarator(node)?;
        self.tree.child(declarator, Field::Declarator)
    }

    /// The body of a function; it is made when its turn comes.
    pub(super) fn body_of(&mut self, callee: &Callee) -> BodyId {
        let (id, node) = (callee.id, callee.node);
        let key = (id, callee.bindings.clone());
        if let Some(known) = self.bodies.get(&key) {
            return *known;
        }
        let kernel = self.is_kernel(id);
        let body = BodyId(self.program.bodies.len() as u32);
        self.bodies.insert(key, body);
        let count = self.instances.entry(id).or_insert(0);
        *count += 1;
        let too_many = *count > MOST_INSTANCES;
        self.program.bodies.push(Body {
            name: self.sema.name(id).to_string(),
            span: self.tree.span(node),
            kernel,
            ..Body::default()
        });
        let deduces = self.deduces(node);
        if too_many || deduces && self.deducing == MOST_DEDUCING {
            let span = self.tree.span(node);
            let what = "so many instances of a template".to_string();
            let body_mut = &mut self.program.bodies[body.0 as usize];
            opaque_body(body_mut, Opaque { span, what });
            return body;
        }
        // Calls have to know what there is to pass.
        let around = std::mem::replace(&mut self.bindings, callee.bindings.clone());
        let signature = self.signature(id, node, body);
        let body_mut = &mut self.program.bodies[body.0 as usize];
        match signature {
            Ok((result, parameters)) => {
                body_mut.result = result;
                body_mut.parameters = parameters.len() as u32;
                body_mut.variables = parameters;
                // What it gives back is known when it is made.
                match deduces {
                    true => {
                        self.deducing += 1;
                        self.function(id, node, body);
                        self.deducing -= 1;
                    }
                    false => self.waiting.push((callee.clone(), body)),
                }
            }
            Err(opaque) => opaque_body(body_mut, opaque),
        }
        self.bindings = around;
        body
    }

    /// Whether a function is a class's, and has a `this`.
    pub(super) fn method_of(&self, id: DefinitionId) -> Option<NodeId> {
        let tree = self.tree;
        let name = *self.declared.get(&id)?;
        let mut at = tree.parent(name);
        while let Some(around) = at {
            match tree.kind(around) {
                kind if is_record(kind) => return Some(around),
                Kind::CompoundStatement | Kind::TranslationUnit => return None,
                Kind::FieldDeclaration | Kind::FunctionDefinition => {
                    let mut words = tree.children(around);
                    let is_static = |n: NodeId| {
                        tree.kind(n) == Kind::StorageClass && tree.text(n, self.text) == "static"
                    };
                    if words.any(is_static) {
                        return None;
                    }
                    at = tree.parent(around);
                }
                _ => at = tree.parent(around),
            }
        }
        None
    }

    /// Whether a function's result is of the type of what it returns.
    fn deduces(&self, function: NodeId) -> bool {
        let tree = self.tree;
        let auto = tree.child_of_kind(function, Kind::PlaceholderType);
        let plain = auto.is_some_and(|a| tree.child_of_kind(a, Kind::Decltype).is_none());
        let declarator = self.function_declarator(function);
        let told = declarator.is_some_and(|d| {
            let mut parts = tree.children(d);
            parts.any(|p| tree.field(p) == Field::Other && tree.kind(p) == Kind::Other)
        });
        plain && !told && tree.child(function, Field::Declarator) == declarator
    }

    /// The result and the parameters of a function.
    fn signature(
        &mut self,
        id: DefinitionId,
        node: NodeId,
        body: BodyId,
    ) -> Lowered<(Type, Vec<Variable>)> {
        let tree = self.tree;
        let here = |what: &str, at: NodeId| Opaque {
            span: tree.span(at),
            what: what.to_string(),
        };
        let text = self.text;
        let unnamed = |what: &str, at: NodeId| {
            let words = crate::lex::shown(tree.text(at, text));
            here(&format!("{what}: '{words}'"), at)
        };
        if self.template_of(node).is_some() && self.method_of(id).is_some() {
            return Err(here("a template of a method", node));
        }
        let kernel = self.is_kernel(id);
        let declarator = self.function_declarator(node);
        let declarator = declarator.ok_or_else(|| here("a function without a name", node))?;
        let result = match self.deduces(node) {
            true => Some((Types::VOID, false)),
            false => self.result_type(node, declarator),
        };
        let (result, _) =
            result.ok_or_else(|| unnamed("a function's result of this type", node))?;
        let mut parameters = Vec::new();
        let mut references = Vec::new();
        if let Some(record) = self.method_of(id) {
            let name = tree.child(record, Field::Name);
            let record = name.and_then(|n| self.record(self.sema.definition(n)?));
            let record = record.ok_or_else(|| here("a method of this class", node))?;
            let record = self.program.types.of(crate::body::TypeKind::Record(record));
            parameters.push(Variable {
                name: "this".to_string(),
                ty: self.program.types.pointer(record),
                memory: Memory::Private,
                span: tree.span(node),
            });
            references.push(false);
        }
        let list = tree.child(declarator, Field::Parameters);
        for parameter in list.into_iter().flat_map(|l| tree.children(l)) {
            if tree.kind(parameter) != Kind::ParameterDeclaration {
                return Err(here("any number of arguments", parameter));
            }
            let (ty, reference) = match tree.child(parameter, Field::Declarator) {
                Some(d) => self.declared_type(parameter, d),
                None => self.base_type(parameter),
            }
            .ok_or_else(|| unnamed("a parameter of this type", parameter))?;
            if ty == Types::VOID {
                continue;
            }
            references.push(reference);
            let name = self.parameter_name(parameter);
            parameters.push(Variable {
                name: name.map_or(String::new(), |n| tree.text(n, self.text).to_string()),
                ty: self.decayed(ty),
                memory: match kernel {
                    true => Memory::Host,
                    false => Memory::Private,
                },
                span: name.map_or(tree.span(parameter), |n| tree.span(n)),
            });
        }
        self.references.insert(body, references);
        Ok((result, parameters))
    }

    /// The name that a parameter is declared under.
    pub(super) fn parameter_name(&self, parameter: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let declarator = tree.child(parameter, Field::Declarator)?;
        let mut all = tree.descendants(declarator);
        all.find(|&n| tree.kind(n) == Kind::Identifier && self.is_declaration(n))
    }

    /// Whether a name stands where it is declared.
    pub(super) fn is_declaration(&self, name: NodeId) -> bool {
        let id = self.sema.definition(name);
        id.is_some_and(|id| self.sema.name_span(id) == self.tree.span(name))
    }

    /// Makes the body of a function.
    fn function(&mut self, id: DefinitionId, node: NodeId, body: BodyId) {
        let tree = self.tree;
        let at = body.0 as usize;
        let deduces = self.deduces(node);
        // Calls of itself ask for what is known of it.
        let body = self.program.bodies[at].clone();
        let kernel = body.kernel;
        let uncertain = self.facts.uncertain.iter();
        let uncertain = uncertain
            .filter(|u| body.span.contains(**u))
            .min_by_key(|u| u.start);
        let uncertain = uncertain.copied();
        let is_method = self.method_of(id).is_some();
        let declarator = self.function_declarator(node);
        let result = declarator.and_then(|d| self.result_type(node, d));
        let reference = result.is_some_and(|(_, reference)| reference);
        let level = if kernel { Level::Host } else { Level::Item };
        let mut lower = Lower::new(self, body, level);
        lower.this = is_method.then_some(VariableId::Local(0));
        lower.gives_reference = reference && !deduces;
        lower.deduces_result = deduces;
        let mut kept = Vec::new();
        let noted = lower.note_parameters(node, usize::from(is_method), &mut kept);
        if let Err(o) = noted {
            kept.push(lower.push_statement(StatementKind::Opaque(o.what), o.span));
        }
        let statements = match (uncertain, tree.child(node, Field::Body)) {
            (Some(span), _) => {
                let what = "what only the vendor's preprocessor decides".to_string();
                let statement = lower.push_statement(StatementKind::Opaque(what), span);
                vec![statement]
            }
            (None, Some(body)) => lower.statements_of(body),
            (None, None) => Vec::new(),
        };
        kept.extend(statements);
        lower.body.root = kept;
        let body = lower.body;
        self.program.bodies[at] = body;
    }

    /// Where a variable of the file gets its value: `extern` declarations have none.
    fn with_value(&self, id: DefinitionId, name: NodeId) -> NodeId {
        let valued = |node: NodeId| {
            let found = self.declaration_of(node);
            found.is_some_and(|(d, of)| self.initialiser(d, of).is_some())
        };
        if valued(name) {
            return name;
        }
        let words = self.sema.name(id);
        let mut others = self.declared.iter();
        let other = others.find(|(other, node)| {
            let of_file = self.sema.name(**other) == words && !self.sema.is_local(**other);
            of_file && self.sema.defined(**other).kind == DefinitionKind::Variable && valued(**node)
        });
        other.map_or(name, |(_, node)| *node)
    }

    /// A variable of the file, or one that a class has once.
    pub(super) fn global(&mut self, id: DefinitionId) -> Lowered<VariableId> {
        if let Some(known) = self.globals.get(&id) {
            return Ok(*known);
        }
        let opaque = |span, what: &str| Opaque {
            span,
            what: what.to_string(),
        };
        let unknown = |words: &str| {
            let what = format!("a variable of this type: '{words}'");
            opaque(self.sema.name_span(id), &what)
        };
        let nameless = || unknown(self.sema.name(id));
        let name = self.declared.get(&id).copied();
        let name = name.ok_or_else(nameless)?;
        let name = self.with_value(id, name);
        let (declaration, declarator) = self.declaration_of(name).ok_or_else(nameless)?;
        let unknown = unknown(&self.declared_words(declaration, declarator));
        let (ty, reference) = self
            .declared_type(declaration, declarator)
            .filter(|(_, reference)| !reference)
            .ok_or(unknown)?;
        debug_assert!(!reference);
        let global = VariableId::Global(self.program.globals.len() as u32);
        self.globals.insert(id, global);
        if !self.sema.defined(id).qualified.own.constant {
            self.program.changing.insert(global);
        }
        let span = self.tree.span(name);
        self.program.globals.push(Variable {
            name: self.sema.name(id).to_string(),
            ty,
            memory: Memory::Constant,
            span,
        });
        // What it is made of begins before it.
        let tree = self.tree;
        let value = self.initialiser(declaration, declarator);
        for node in value.into_iter().flat_map(|v| tree.descendants(v)) {
            let used = self.sema.definition(node).filter(|used| *used != id);
            if let Some(used) =
                used.filter(|u| self.sema.defined(*u).kind == DefinitionKind::Variable)
            {
                // Where that is not modelled, what follows says so.
                let _ = self.global(used);
            }
        }
        if let Some(value) = value {
            self.strings_in(value);
        }
        let mut lower = Lower::of_file(self);
        let mut made = Vec::new();
        let result = match value {
            Some(value) => lower.initialise(global, value, span, &mut made),
            None => Ok(()),
        };
        if let Err(o) = result {
            made.push(lower.push_statement(StatementKind::Opaque(o.what), o.span));
        }
        lower.body.root.extend(made);
        let body = lower.body;
        self.program.initial = body;
        Ok(global)
    }
}

fn opaque_body(body: &mut Body, opaque: Opaque) {
    body.statements.push(crate::body::Statement {
        kind: StatementKind::Opaque(opaque.what),
        span: opaque.span,
    });
    body.root.push(crate::body::StatementId(0));
}

use super::once::{Holds, Once};
use super::phases::Local;
use super::several_ways::Left;
use super::unit::Unit;
use super::{atomic, designators, types};
use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, Fix, codes};
use crate::grammar::Target;
use crate::module::{BarrierScope, ConstructKind, Function, LoopId, LoopKind, PointerId};
use crate::source::{Location, Span};
use crate::syntax::{AttributeUse, Field, Kind, NodeId, attributes_of, decorated, is_record};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// A function that is no kernel, or its declaration; adds it to the unit's.
pub(super) fn function(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    mut function: Function,
) {
    let tree = context.tree;
    function.constructs.0 = unit.constructs.len();
    let mut walk = Walk::new(context, unit, false);
    walk.function = Some(walk.unit.functions.len());
    walk.unit.enter();
    function.pointers = walk.parameters(node);
    walk.result(node);
    if let Some(body) = tree.child(node, Field::Body) {
        walk.visit(body);
    }
    walk.unit.leave();
    function.result = walk.result;
    let methods = std::mem::take(&mut walk.methods);
    function.constructs.1 = unit.constructs.len();
    unit.functions.push(function);
    unit.functions.extend(methods);
}

/// What a `break` or `continue` refers to.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Jump {
    Loop,
    Switch,
    Attributed(LoopId),
}

/// A variable that every item has its own value of.
pub(super) struct ItemVariable {
    pub(super) rank: usize,
    /// Its declaration among the constructs, once that is recorded, and which of the declaration's variables it is.
    pub(super) declaration: (Option<usize>, usize),
    /// Its uses among the constructs.
    pub(super) uses: Vec<usize>,
    pub(super) by_item: bool,
    pub(super) nest: LoopId,
    /// What is known of it if an inner loop's body declares it; `None` for `@exclusive`.
    pub(super) local: Option<Local>,
}

/// What a kernel's walk has found out besides constructs and loops.
#[derive(Default)]
pub(super) struct Found {
    /// Outermost `@outer` loops.
    pub(super) roots: Vec<LoopId>,
    /// Roots of nests with `@shared` or `@exclusive` variables.
    pub(super) with_memory: Vec<LoopId>,
    /// Roots of nests with `@exclusive` variables.
    pub(super) with_exclusive: Vec<LoopId>,
    /// Loops that an ordinary loop separates from the attributed loop around them.
    pub(super) in_ordinary: Vec<LoopId>,
    /// Loops whose next statement is an explicit barrier, or that say `@nobarrier`.
    pub(super) no_barrier: Vec<LoopId>,
    /// `@max_inner_dims` and `@simd_length` by root.
    pub(super) launch: Vec<(LoopId, AttributeUse)>,
    /// Nests in which group memory is used outside of all inner loops.
    pub(super) read_outside: Vec<LoopId>,
    /// `return` statements in nests, with the innermost attributed loop around each.
    pub(super) returns: Vec<(Span, LoopId)>,
}

/// The walk over one function.
pub(super) struct Walk<'w, 'a> {
    pub(super) context: &'w mut Context<'a>,
    pub(super) unit: &'w mut Unit,
    pub(super) found: Found,
    pub(super) in_kernel: bool,
    pub(super) current: Option<LoopId>,
    pub(super) root: Option<LoopId>,
    pub(super) ordinary: bool,
    pub(super) jumps: Vec<Jump>,
    /// What the bodies of attributed loops hold.
    pub(super) holds: HashMap<LoopId, Holds>,
    /// Statements that one item runs for others.
    pub(super) once: Vec<Once>,
    /// Within a statement with `@atomic`.
    pub(super) in_atomic: bool,
    /// Uses of `@exclusive` variables outside of all inner loops so far.
    pub(super) outside_uses: usize,
    pub(super) item_variables: Vec<ItemVariable>,
    /// Declarations in the bodies of inner loops that may have to outlive a barrier there, by node.
    pub(super) locals_of: HashMap<usize, LoopId>,
    /// Attributed loops around here that could not be read.
    pub(super) unread: usize,
    /// Within a lambda.
    pub(super) in_lambda: bool,
    /// What the statements seen so far may leave.
    pub(super) left: Left,
    /// How many places there were so far where items wait, and loops over items.
    pub(super) waits: usize,
    /// The function's place among the unit's; `None` in kernels.
    pub(super) function: Option<usize>,
    /// The function's result, if it is a pointer.
    pub(super) result: Option<PointerId>,
    /// Names that the function assigns to or declares more than once.
    pub(super) unstable: HashSet<String>,
    /// The constants of parameters.
    pub(super) kept_of_parameters: Vec<String>,
    /// Functions of classes within the function.
    pub(super) methods: Vec<Function>,
    /// Calls seen so far: their nodes, and their places among the unit's.
    pub(super) calls: HashMap<usize, usize>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(context: &'w mut Context<'a>, unit: &'w mut Unit, in_kernel: bool) -> Self {
        Self {
            context,
            unit,
            found: Found::default(),
            in_kernel,
            current: None,
            root: None,
            ordinary: false,
            jumps: Vec::new(),
            holds: HashMap::new(),
            once: Vec::new(),
            in_atomic: false,
            outside_uses: 0,
            item_variables: Vec::new(),
            locals_of: HashMap::new(),
            unread: 0,
            in_lambda: false,
            left: Left::default(),
            waits: 0,
            function: None,
            result: None,
            unstable: HashSet::new(),
            kept_of_parameters: Vec::new(),
            methods: Vec::new(),
            calls: HashMap::new(),
        }
    }

    pub(super) fn visit(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if matches!(
            tree.kind(node),
            Kind::IfStatement
                | Kind::ForStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
        ) {
            self.group_condition(node);
        }
        match tree.kind(node) {
            Kind::AttributeDeclaration => {}
            Kind::AttributedStatement => self.attributed(node),
            Kind::CompoundStatement => {
                self.unit.enter();
                self.children(node);
                self.unit.leave();
            }
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop => {
                let ordinary = std::mem::replace(&mut self.ordinary, true);
                self.jumps.push(Jump::Loop);
                let (left, waits) = (self.left.enter(), self.waits);
                self.unit.enter();
                self.range_variable(node);
                self.children(node);
                if matches!(tree.kind(node), Kind::ForStatement | Kind::WhileStatement) {
                    self.again(node, waits);
                }
                self.unit.leave();
                self.left.leave(left);
                self.jumps.pop();
                self.ordinary = ordinary;
            }
            Kind::IfStatement => {
                self.unit.enter();
                self.branches(node);
                self.unit.leave();
            }
            Kind::SwitchStatement => {
                self.unit.enter();
                self.jumps.push(Jump::Switch);
                let (left, waits) = (self.left.enter(), self.waits);
                self.children(node);
                self.cases(node, waits);
                self.left.leave(left);
                self.jumps.pop();
                self.unit.leave();
            }
            Kind::LambdaExpression => {
                // Jumps inside it are its own.
                let jumps = std::mem::take(&mut self.jumps);
                let root = self.root.take();
                let in_lambda = std::mem::replace(&mut self.in_lambda, true);
                self.unit.enter();
                self.children(node);
                self.unit.leave();
                self.in_lambda = in_lambda;
                self.root = root;
                self.jumps = jumps;
            }
            // Read with all that stands around the nests.
            Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier
                if self.in_kernel && self.unit.host.locals.contains(&tree.span(node)) => {}
            Kind::TypeDefinition | Kind::AliasDeclaration
                if !self.in_kernel || !self.unit.host.locals.contains(&tree.span(node)) =>
            {
                // A structure in it is read with the names.
                for part in tree.children(node).filter(|&c| !is_record(tree.kind(c))) {
                    self.visit(part);
                }
                match tree.kind(node) {
                    Kind::TypeDefinition => types::typedef(self.context, self.unit, node),
                    _ => types::alias(self.context, self.unit, node),
                }
            }
            Kind::FunctionDefinition => self.method(node),
            Kind::ParameterDeclaration => self.lambda_parameter(node),
            Kind::Declaration => {
                if self.root.is_some()
                    && let Some(specifier) = tree.child_of_kind(node, Kind::EnumSpecifier)
                {
                    self.enumerators(specifier);
                }
                self.declaration(node);
            }
            Kind::EnumSpecifier if self.root.is_some() => {
                self.children(node);
                self.enumerators(node);
            }
            Kind::CompoundLiteral => {
                self.children(node);
                self.compound_literal(node);
                designators::literal(self.context, self.unit, node);
            }
            Kind::InitializerList => {
                self.children(node);
                designators::list(self.context, self.unit, node);
            }
            Kind::AssignmentExpression | Kind::UpdateExpression => {
                self.assigned(node);
                self.children(node);
                self.pointer_assigned(node);
                self.matrix_written(node);
            }
            Kind::BinaryExpression => {
                self.children(node);
                self.kept_truth(node);
            }
            Kind::CastExpression => {
                self.children(node);
                self.pointer_cast(node);
            }
            Kind::PointerExpression => {
                self.children(node);
                self.component_address(node);
                self.constant_address(node);
                self.memory_access(node);
            }
            Kind::FieldExpression => {
                self.children(node);
                self.memory_access(node);
            }
            Kind::Identifier => {
                self.identifier(node);
                self.reference_use(node);
                self.constant_literal(node);
            }
            Kind::CallExpression => {
                self.children(node);
                self.pointer_cast(node);
                self.passed_pointers(node);
                self.dimension_access(node);
                self.memory_access(node);
                self.collective(node);
                self.intrinsic(node);
            }
            Kind::SubscriptExpression => {
                self.children(node);
                self.matrix_read(node);
                self.memory_access(node);
            }
            Kind::ContinueStatement => {
                self.left.jump(self.jumps.last() == Some(&Jump::Loop));
                self.jump(node, true);
            }
            Kind::BreakStatement => {
                let attributed = matches!(self.jumps.last(), None | Some(Jump::Attributed(_)));
                self.left.jump(!attributed);
                self.jump(node, false);
            }
            Kind::GotoStatement => {
                self.left.jump(false);
                match self.in_kernel {
                    true => self.goto(node),
                    false => self.children(node),
                }
            }
            Kind::ReturnStatement if self.root.is_some() => {
                self.left.jump(false);
                self.returns(node);
                self.children(node);
            }
            Kind::ReturnStatement => {
                self.left.jump(false);
                self.children(node);
                if let (Some(result), Some(value)) = (self.result, tree.children(node).next()) {
                    let origins = self.origins(value);
                    self.unit.given(result, origins);
                }
            }
            Kind::ExpressionStatement => {
                let before = self.outside_uses;
                self.children(node);
                if self.outside_uses > before
                    && let Some(nest) = self.root
                {
                    self.unit
                        .push(tree.span(node), ConstructKind::EachItem { nest });
                } else {
                    self.group_statement(node, tree.span(node));
                }
            }
            _ => self.children(node),
        }
        if self.unit.truths.contains(&node.index()) {
            self.unit.push(tree.span(node), ConstructKind::TruthIndex);
        }
    }

    pub(super) fn children(&mut self, node: NodeId) {
        let tree = self.context.tree;
        for child in tree.children(node) {
            self.visit(child);
        }
    }

    fn attributed(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let attributes = attributes_of(tree, node, self.context.text);
        let statement = decorated(tree, node);
        let is_loop = attributes
            .iter()
            .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"));
        if is_loop && tree.kind(statement) == Kind::ForStatement {
            self.waits += 1;
            self.attributed_loop(node, statement, &attributes);
            return;
        }
        let target = match tree.kind(statement) {
            Kind::ForStatement => Target::Loop,
            _ => Target::Statement,
        };
        for attribute in &attributes {
            if !self.context.check_attribute(attribute, target) {
                self.unit.push(attribute.span, ConstructKind::Attribute);
                continue;
            }
            match attribute.name.as_str() {
                "barrier" => self.barrier(node, statement, attribute),
                "atomic" => {
                    self.in_atomic = true;
                    self.visit(statement);
                    self.in_atomic = false;
                    atomic::statement(self.context, self.unit, statement, attribute);
                    self.atomic_of_group(node);
                    self.not_plain();
                    return;
                }
                _ => self.unit.push(attribute.span, ConstructKind::Attribute),
            }
        }
        self.visit(statement);
    }

    /// A barrier stands in front of a statement: its `;` is missing.
    fn barrier_with_statement(&mut self, attribute: &AttributeUse) {
        let provenance = self.context.provenance;
        let code = &codes::BARRIER_STATEMENT;
        let mut message = Diagnostic::at(code, provenance, attribute.span, &[]);
        let name = provenance.word_from(attribute.span, "barrier");
        if let Some(name) = name.filter(|_| !attribute.has_arguments) {
            let span = Span::at(name.span.end);
            message = message.label("expected ';' behind it").fix(Fix::insert(
                Location { span, ..name },
                ";",
                true,
            ));
        }
        self.context.sink.push(message);
    }

    fn barrier(&mut self, node: NodeId, statement: NodeId, attribute: &AttributeUse) {
        self.waits += 1;
        let tree = self.context.tree;
        let empty = tree.kind(statement) == Kind::ExpressionStatement
            && tree.children(statement).next().is_none();
        if !empty {
            self.barrier_with_statement(attribute);
        }
        let argument = attribute.arguments.trim().trim_matches(['"', '\'']);
        let scope = match argument {
            "" | "local" | "global" => BarrierScope::Group,
            "warp" => BarrierScope::Warp,
            // Any other label is a name that people give their barriers.
            _ if attribute.arguments.trim().starts_with('"') => BarrierScope::Group,
            other => {
                self.context
                    .error(&codes::BARRIER_KIND, attribute.span, &[&other]);
                return;
            }
        };
        let inside = self
            .current
            .filter(|id| self.unit.loops[id.0 as usize].kind == LoopKind::Inner);
        if self.root.is_some() {
            self.unit
                .push(tree.span(node), ConstructKind::Barrier { scope, inside });
            self.not_plain();
            if inside.is_some() {
                self.divergence(node);
            }
        } else if self.function.is_some() {
            self.context
                .error(&codes::BARRIER_IN_FUNCTION, attribute.span, &[]);
        } else {
            self.unit.push(attribute.span, ConstructKind::Attribute);
        }
    }

    /// Something in the loops around here forbids to vectorise them without a doubt.
    pub(super) fn not_plain(&mut self) {
        let mut at = self.current;
        while let Some(id) = at {
            let this = &mut self.unit.loops[id.0 as usize];
            this.plain_body = false;
            at = this.parent;
        }
    }

    /// Ends the walk: settles how each array that every item has its own of is laid out.
    pub(super) fn finish(mut self) -> Found {
        self.settle_once();
        self.unit.functions.extend(self.methods);
        for variable in self.item_variables.iter().filter(|v| v.by_item) {
            let (declaration, which) = variable.declaration;
            if let Some(ConstructKind::ItemVariables { variables, .. }) = self
                .unit
                .constructs
                .get_mut(declaration.unwrap_or(usize::MAX))
                .map(|c| &mut c.kind)
                && let Some(variable) = variables.get_mut(which)
            {
                variable.by_item = true;
            }
            for &index in &variable.uses {
                if let Some(ConstructKind::ItemVariableUse { by_item, .. }) =
                    self.unit.constructs.get_mut(index).map(|c| &mut c.kind)
                {
                    *by_item = true;
                }
            }
        }
        for variable in self.item_variables {
            if let Some(local) = variable.local {
                let uses = variable.uses;
                self.unit.locals.push(Local { uses, ..local });
            }
        }
        self.found
    }
}

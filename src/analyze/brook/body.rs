use super::unit::Unit;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{Base, KernelForm, Parameter, ParameterKind, Type, What};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, declarators, decorated, type_span};
use std::collections::HashMap;

/// What a name is inside a kernel.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A local variable; `true` for `const`.
    Local(Type, bool),
    /// A parameter.
    Parameter(Parameter),
}

/// How the reduction variable is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ReduceUse {
    Unused,
    /// Only changed by this one operator.
    Operator(&'static str),
    Otherwise,
}

/// The analysis of one kernel's body.
pub(super) struct Body<'b, 'a> {
    pub(super) context: &'b mut Context<'a>,
    pub(super) unit: &'b mut Unit,
    pub(super) kernel: usize,
    scopes: Vec<HashMap<String, Meaning>>,
    result: Type,
    loops: usize,
    pub(super) reduce: ReduceUse,
    returned: bool,
}

impl<'b, 'a> Body<'b, 'a> {
    pub(super) fn new(context: &'b mut Context<'a>, unit: &'b mut Unit, kernel: usize) -> Self {
        let this = &unit.kernels[kernel];
        let result = this.result;
        let named = this.parameters.iter();
        let first = named
            .map(|p| (p.name.clone(), Meaning::Parameter(p.clone())))
            .collect();
        Self {
            context,
            unit,
            kernel,
            scopes: vec![first],
            result,
            loops: 0,
            reduce: ReduceUse::Unused,
            returned: false,
        }
    }

    pub(super) fn analyze(mut self, body: NodeId) {
        self.statement(body);
        let span = self.context.tree.span(body);
        if self.result.base != Base::Void && !self.returned {
            self.context.error(
                &codes::BROOK_MUST_RETURN,
                Span::new(span.end - 1, span.end),
                &[],
            );
        }
        let writes = self.definite_writes(body);
        let operator = match self.reduce {
            ReduceUse::Operator(operator) => Some(operator),
            _ => None,
        };
        let kernel = &mut self.unit.kernels[self.kernel];
        if let KernelForm::Reduce { operator: found } = &mut kernel.form {
            *found = operator;
        }
        for parameter in &mut kernel.parameters {
            if let ParameterKind::StreamOut { reads } = &mut parameter.kind {
                *reads = !writes.contains(&parameter.name);
            }
        }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<&Meaning> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn statements(&mut self, node: NodeId) {
        let tree = self.context.tree;
        self.scopes.push(HashMap::new());
        for child in tree.children(node) {
            self.statement(child);
        }
        self.scopes.pop();
    }

    fn statement(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let span = tree.span(node);
        match tree.kind(node) {
            Kind::CompoundStatement => self.statements(node),
            Kind::ElseClause => {
                for child in tree.children(node) {
                    self.statement(child);
                }
            }
            Kind::Declaration => self.declaration(node),
            Kind::ExpressionStatement => {
                if let Some(expression) = tree.children(node).next() {
                    self.expression_statement(expression);
                }
            }
            Kind::IfStatement => {
                self.condition(node);
                for field in [Field::Consequence, Field::Alternative] {
                    if let Some(branch) = tree.child(node, field) {
                        self.statement(branch);
                    }
                }
            }
            Kind::ForStatement => {
                self.scopes.push(HashMap::new());
                if let Some(initial) = tree.child(node, Field::Initializer) {
                    match tree.kind(initial) {
                        Kind::Declaration => self.declaration(initial),
                        _ => self.expression_statement(initial),
                    }
                }
                self.condition(node);
                if let Some(update) = tree.child(node, Field::Update) {
                    self.expression_statement(update);
                }
                self.repeated(node);
                self.scopes.pop();
            }
            Kind::WhileStatement | Kind::DoStatement => {
                self.condition(node);
                self.repeated(node);
            }
            Kind::ReturnStatement => self.returns(node),
            Kind::BreakStatement | Kind::ContinueStatement if self.loops > 0 => {}
            Kind::SwitchStatement => self.context.error(&codes::BROOK_SWITCH, span, &[]),
            Kind::AttributedStatement => {
                for attribute in attributes_of(tree, node, self.context.text) {
                    self.context
                        .error(&codes::BROOK_CONTROL_FLOW, attribute.span, &[]);
                }
                self.statement(decorated(tree, node));
            }
            Kind::Error | Kind::Missing => {}
            _ => self.context.error(&codes::BROOK_CONTROL_FLOW, span, &[]),
        }
    }

    fn repeated(&mut self, node: NodeId) {
        self.loops += 1;
        if let Some(body) = self.context.tree.child(node, Field::Body) {
            self.statement(body);
        }
        self.loops -= 1;
    }

    fn condition(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let Some(condition) = tree.child(node, Field::Condition) else {
            return;
        };
        let condition = tree.unparenthesized(condition);
        self.scalar_condition(condition);
    }

    /// The condition of a statement or of `?:`.
    pub(super) fn scalar_condition(&mut self, condition: NodeId) {
        if let Some(ty) = self.expression(condition)
            && ty.is_vector()
        {
            let span = self.context.tree.span(condition);
            self.context.error(&codes::BROOK_CONDITION, span, &[]);
        }
    }

    fn expression_statement(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if tree.kind(node) == Kind::CommaExpression {
            for part in tree.children(node) {
                self.expression_statement(part);
            }
            return;
        }
        self.expression(node);
    }

    fn returns(&mut self, node: NodeId) {
        let tree = self.context.tree;
        self.returned = true;
        let value = tree.children(node).next();
        match (value, self.result.base) {
            (None, Base::Void) => {}
            (None, _) => self
                .context
                .error(&codes::BROOK_MUST_RETURN, tree.span(node), &[]),
            (Some(value), _) => {
                let wanted = self.result;
                if let Some(found) = self.expression(value) {
                    self.expect(value, found, wanted);
                }
            }
        }
    }

    /// Reports a value whose type is not the wanted one.
    pub(super) fn expect(&mut self, node: NodeId, found: Type, wanted: Type) {
        if found != wanted {
            let span = self.context.tree.span(node);
            let code = &codes::BROOK_MISMATCH;
            self.context.error(code, span, &[&found, &wanted]);
        }
    }

    fn declaration(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        for attribute in attributes_of(tree, node, text) {
            match attribute.name.as_str() {
                "shared" => self
                    .context
                    .error(&codes::BROOK_GROUPS_LATER, attribute.span, &[]),
                _ => self
                    .context
                    .error(&codes::BROOK_CONTROL_FLOW, attribute.span, &[]),
            }
        }
        let mut constant = false;
        for child in tree.children(node) {
            let word = tree.text(child, text);
            match (tree.kind(child), word) {
                (Kind::TypeQualifier, "const") => constant = true,
                (Kind::TypeQualifier, _) => {
                    self.context
                        .error(&codes::BROOK_QUALIFIER, tree.span(child), &[]);
                }
                (Kind::StorageClass, "static" | "extern") => {
                    self.context
                        .error(&codes::BROOK_STORAGE, tree.span(child), &[]);
                }
                // `auto` and `register` have no effect.
                (Kind::StorageClass, _) => self.unit.push(tree.span(child), What::Attribute),
                _ => {}
            }
        }
        let words = type_span(tree, node);
        let specifier = tree
            .child(node, Field::Type)
            .map_or(words, |t| tree.span(t));
        let Some(ty) = Type::from_words(words.of(text)).filter(|t| t.base != Base::Void) else {
            self.context
                .error(&codes::BROOK_TYPE, words, &[&words.of(text)]);
            return;
        };
        if ty.base == Base::Double && ty.width > 2 {
            self.context.error(&codes::BROOK_DOUBLE_WIDTH, words, &[]);
        }
        self.unit.push(specifier, What::TypeName(ty));
        for name in declarators(tree, node, text) {
            if name.pointers > 0 {
                self.context.error(&codes::BROOK_POINTER, name.span, &[]);
                continue;
            }
            if !name.sizes.is_empty() {
                self.context
                    .error(&codes::BROOK_LOCAL_ARRAY, name.span, &[]);
                continue;
            }
            self.unit.push(name.name_span, What::Name);
            if let Some(value) = name.value
                && let Some(found) = self.expression(value)
            {
                self.expect(value, found, ty);
            } else if name.value.is_none() && constant {
                self.context
                    .error(&codes::BROOK_UNINITIALIZED_CONST, name.span, &[]);
            }
            let scope = self.scopes.last_mut();
            let known = scope.map(|s| s.insert(name.name.clone(), Meaning::Local(ty, constant)));
            // Parameters share the scope of the body's outermost block.
            let parameter = self.scopes.len() == 2 && self.scopes[0].contains_key(&name.name);
            if parameter || known.flatten().is_some() {
                self.context
                    .error(&codes::BROOK_NAME_TWICE, name.name_span, &[&name.name]);
            }
        }
    }

    /// Output streams that are certainly written before anything else could happen to them: by a
    /// plain assignment among the outermost statements, before any `return` and any other mention.
    fn definite_writes(&self, body: NodeId) -> Vec<String> {
        let tree = self.context.tree;
        let text = self.context.text;
        let mut written: Vec<String> = Vec::new();
        let mut mentioned: Vec<&str> = Vec::new();
        for statement in tree.children(body) {
            let below = || tree.descendants(statement);
            if below().any(|n| tree.kind(n) == Kind::ReturnStatement) {
                break;
            }
            let assignment = tree
                .children(statement)
                .next()
                .filter(|&e| tree.kind(e) == Kind::AssignmentExpression);
            let target = assignment
                .filter(|&a| {
                    tree.child(a, Field::Operator)
                        .is_some_and(|o| tree.text(o, text) == "=")
                })
                .and_then(|a| tree.child(a, Field::Left))
                .filter(|&t| tree.kind(t) == Kind::Identifier);
            for node in below().filter(|&n| tree.kind(n) == Kind::Identifier) {
                if Some(node) != target && !self.is_indexof_argument(node) {
                    mentioned.push(tree.text(node, text));
                }
            }
            if let Some(target) = target {
                let name = tree.text(target, text);
                if !mentioned.contains(&name) {
                    written.push(name.to_string());
                }
            }
        }
        written
    }

    /// `indexof(c)` asks where, not what.
    fn is_indexof_argument(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let list = tree
            .parent(node)
            .filter(|&p| tree.kind(p) == Kind::ArgumentList);
        let call = list.and_then(|l| tree.parent(l));
        let function = call.and_then(|c| tree.child(c, Field::Function));
        function.is_some_and(|f| tree.text(f, self.context.text) == "indexof")
    }
}

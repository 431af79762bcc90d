//! The constructs of a kernel's statements.

use super::body::{Body, Meaning, ReduceUse};
use super::check::Ty;
use crate::module::{ConstructKind, KernelForm, ParameterKind, SharedArray};
use crate::source::Span;
use crate::syntax::{Declarator, Field, Kind, NodeId, attributes_of, declarators, type_span};

impl Body<'_, '_> {
    pub(super) fn analyze(mut self) {
        self.statement(self.body);
        let writes = self.definite_writes(self.body);
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

    fn statement(&mut self, node: NodeId) {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::CompoundStatement => {
                for child in tree.children(node) {
                    self.statement(child);
                }
            }
            Kind::ForStatement => {
                let mut counted = None;
                for child in tree.children(node) {
                    self.part_of_statement(child);
                    if tree.field(child) == Field::Condition {
                        counted = self.counts(node);
                    }
                }
                self.any(node);
                // Behind the loop nothing is known of its variable.
                if let Some((variable, before)) = counted {
                    self.know(variable, before);
                }
            }
            Kind::Declaration => {
                let parent = tree.parent(node).map(|p| tree.kind(p));
                let held = (parent == Some(Kind::CompoundStatement)).then_some(true);
                self.held(node, held, |this| this.declaration(node));
            }
            Kind::ExpressionStatement => self.held(node, Some(false), |this| {
                for child in tree.children(node) {
                    this.expression(child);
                }
            }),
            _ => {
                for child in tree.children(node) {
                    self.part_of_statement(child);
                }
                self.any(node);
            }
        }
    }

    /// The condition of a statement holds if any component is not zero.
    fn any(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let Some(condition) = tree.child(node, Field::Condition) else {
            return;
        };
        let condition = tree.unparenthesized(condition);
        let ty = self.facts.conversion(condition);
        let ty = ty.or(self.facts.number(condition));
        if let Some(ty) = ty.filter(|t| t.is_vector()) {
            let span = tree.span(condition);
            self.unit.push(span, ConstructKind::AnyCondition(ty));
        }
    }

    /// A statement that can have variables of its own around it.
    fn held(&mut self, node: NodeId, holder: Option<bool>, parts: impl FnOnce(&mut Self)) {
        self.holder = holder;
        parts(self);
        self.holder = None;
        if std::mem::take(&mut self.temporaries)
            && let Some(declares) = holder
        {
            let span = self.context.tree.span(node);
            self.unit
                .push(span, ConstructKind::Temporaries { declares });
        }
    }

    /// A statement inside another, or an expression.
    fn part_of_statement(&mut self, node: NodeId) {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::ElseClause
            | Kind::CompoundStatement
            | Kind::Declaration
            | Kind::ExpressionStatement
            | Kind::IfStatement
            | Kind::ForStatement
            | Kind::WhileStatement
            | Kind::DoStatement
            | Kind::ReturnStatement
            | Kind::BreakStatement
            | Kind::ContinueStatement => self.statement(node),
            _ => {
                self.expression(node);
            }
        }
    }

    fn declaration(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        // `auto` and `register` have no effect.
        for child in tree.children(node) {
            if tree.kind(child) == Kind::StorageClass {
                self.unit.push(tree.span(child), ConstructKind::Attribute);
            }
        }
        let words = type_span(tree, node);
        let specifier = tree
            .child(node, Field::Type)
            .map_or(words, |t| tree.span(t));
        let names = declarators(tree, node, text);
        let mut attributes = attributes_of(tree, node, text);
        attributes.extend(names.iter().flat_map(|n| n.attributes.iter().cloned()));
        if attributes.iter().any(|a| a.name == "shared") {
            self.shared(node, words.of(text), &names);
            return;
        }
        match self.facts.named(words.of(text)) {
            Some(Ty::Number(ty)) => self.unit.push(specifier, ConstructKind::TypeName(ty)),
            Some(Ty::Record(record)) => {
                self.unit.push(specifier, ConstructKind::StructName(record));
            }
            None => return,
        }
        for name in names {
            self.apart_from_head(name.node);
            self.unit.push(name.name_span, ConstructKind::Name);
            let mut range = None;
            if let Some(value) = name.value {
                self.expression(value);
                range = self.range_of_local(name.node, value);
            }
            let array = false;
            self.declare(name.node, Meaning::Local { array, range });
        }
    }

    /// In C the block of a loop may declare what the loop's head has; in C++ a block inside of it may.
    fn apart_from_head(&mut self, name: Option<NodeId>) {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let hidden = name.and_then(|n| {
            let id = sema.definition(n)?;
            Some((sema.scope_of(id)?, sema.scope_of(sema.hidden_by(id)?)?))
        });
        let block = hidden.filter(|(block, head)| {
            tree.kind(*block) == Kind::CompoundStatement
                && tree.kind(*head) == Kind::ForStatement
                && tree.parent(*block) == Some(*head)
        });
        let Some((block, _)) = block.filter(|(block, _)| !self.doubled.contains(block)) else {
            return;
        };
        self.doubled.push(block);
        let span = tree.span(block);
        let ends = [(span.start, "{ {"), (span.end - 1, "} }")];
        for (at, braces) in ends {
            let written = ConstructKind::Written(braces.to_string());
            self.unit.push(Span::new(at, at + 1), written);
        }
    }

    /// An array that the group shares; its place is with the group's.
    fn shared(&mut self, node: NodeId, words: &str, names: &[Declarator]) {
        let tree = self.context.tree;
        self.unit.push(tree.span(node), ConstructKind::SharedArray);
        let Some(Ty::Number(ty)) = self.facts.named(words) else {
            return;
        };
        for name in names {
            let size = name.sizes.first().copied().flatten();
            let count = size.and_then(|s| tree.text(s, self.context.text).parse().ok());
            self.unit.kernels[self.kernel].shared.push(SharedArray {
                name: name.name.to_string(),
                ty,
                count: count.unwrap_or(1),
            });
            let meaning = Meaning::Local {
                array: true,
                range: None,
            };
            self.declare(name.node, meaning);
        }
    }
}

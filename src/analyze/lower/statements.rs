//! Control flow.

use super::places::bare;
use super::{Lower, Lowered};
use crate::body::{
    BinaryOperator, Case, ExpressionId, ExpressionKind, StatementId, StatementKind, Step, TypeKind,
    Types, VariableId,
};
use crate::expr::Scalar;
use crate::lex::one_layout;
use crate::module::ConstructKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, attributes_of, decorated, is_name, is_record};

impl Lower<'_, '_> {
    /// The statements of a block, or the one statement that stands in the place of one.
    pub(super) fn statements_of(&mut self, node: NodeId) -> Vec<StatementId> {
        let tree = self.unit.tree;
        let visible = self.visible.len();
        let mut out = Vec::new();
        match tree.kind(node) {
            Kind::CompoundStatement => {
                for child in tree.children(node).collect::<Vec<_>>() {
                    self.statement(child, &mut out);
                }
            }
            _ => self.statement(node, &mut out),
        }
        self.visible.truncate(visible);
        out
    }

    /// Adds what a statement does; one of which something is not modelled is `Opaque`.
    pub(super) fn statement(&mut self, node: NodeId, out: &mut Vec<StatementId>) {
        let before = out.len();
        let outer = std::mem::take(&mut self.before);
        if let Err(opaque) = self.try_statement(node, out) {
            out.truncate(before);
            let kind = StatementKind::Opaque(opaque.what);
            let statement = self.push_statement(kind, opaque.span);
            let mentioned = self.mentioned(node);
            self.body.mentions.insert(statement, mentioned);
            out.push(statement);
        }
        self.before = outer;
    }

    /// The variables that are named in a statement.
    fn mentioned(&mut self, node: NodeId) -> Vec<VariableId> {
        let tree = self.unit.tree;
        let mut all = Vec::new();
        for name in tree.descendants(node).filter(|&n| is_name(tree.kind(n))) {
            let id = self.unit.sema.definition(name);
            let Some((variable, _)) = id.and_then(|id| self.variables.get(&id)) else {
                continue;
            };
            all.push(*variable);
            if self.is_addressed(name, *variable, node) {
                self.body.addressed.insert(*variable);
            }
        }
        all
    }

    /// Whether a statement that is not modelled may keep the address of a variable that it names there.
    fn is_addressed(&self, name: NodeId, variable: VariableId, statement: NodeId) -> bool {
        let tree = self.unit.tree;
        let up = |n: &NodeId| tree.parent(*n).filter(|_| *n != statement);
        let around = || std::iter::successors(Some(name), up);
        if around().any(|n| tree.kind(n) == Kind::LambdaExpression) {
            return true;
        }
        let mut subscripts = 0;
        for (inner, outer) in around().zip(around().skip(1)) {
            match tree.kind(outer) {
                Kind::ParenthesizedExpression | Kind::FieldExpression => {}
                Kind::ConditionalExpression if tree.field(inner) != Field::Condition => {}
                Kind::SubscriptExpression if tree.field(inner) == Field::Argument => {
                    subscripts += 1;
                }
                Kind::PointerExpression => return self.text(outer).starts_with('&'),
                // A reference, or something that holds one.
                Kind::InitDeclarator | Kind::InitializerList | Kind::ReturnStatement => {
                    return true;
                }
                Kind::ArgumentList => {
                    let call = tree.parent(outer);
                    let function = call.and_then(|c| tree.child(c, Field::Function));
                    return function.is_none_or(|f| tree.kind(f) != Kind::Identifier);
                }
                _ => break,
            }
        }
        // Arrays are the addresses of their first elements.
        let mut ty = self.unit.program.variable(&self.body, variable).ty;
        while let TypeKind::Array(of, _) = self.kind(ty) {
            if subscripts == 0 {
                return true;
            }
            (subscripts, ty) = (subscripts - 1, of);
        }
        false
    }

    fn finish(&mut self, kind: StatementKind, node: NodeId, out: &mut Vec<StatementId>) {
        out.append(&mut self.before);
        let statement = self.push_statement(kind, self.span(node));
        out.push(statement);
    }

    fn try_statement(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        match tree.kind(node) {
            Kind::AttributedStatement => return self.attributed(node, out),
            Kind::ExpressionStatement => {
                let expression = tree
                    .children(node)
                    .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
                if let Some(expression) = expression {
                    let value = self.value(expression)?;
                    self.finish(StatementKind::Expression(value), node, out);
                }
            }
            Kind::Declaration => return self.declaration(node, out),
            Kind::CompoundStatement => {
                let inside = self.statements_of(node);
                self.finish(StatementKind::Block(inside), node, out);
            }
            Kind::IfStatement => match self.taken(node) {
                // The other branch may not even compile.
                Some(Some(branch)) => {
                    let statements = self.statements_of(branch);
                    self.finish(StatementKind::Block(statements), node, out);
                }
                Some(None) => {}
                None => self.branches(node, out)?,
            },
            Kind::ForStatement => self.for_loop(node, out)?,
            Kind::WhileStatement if self.declares(node) => self.declaring_loop(node, out)?,
            Kind::WhileStatement | Kind::DoStatement => {
                let condition = Some(self.condition(node)?);
                let body = self.part(node, Field::Body)?;
                let body = self.statements_of(body);
                let kind = StatementKind::Loop {
                    initial: Vec::new(),
                    condition,
                    step: None,
                    body,
                    late: tree.kind(node) == Kind::DoStatement,
                };
                self.finish(kind, node, out);
            }
            Kind::SwitchStatement => self.switch(node, out)?,
            Kind::BreakStatement => self.finish(StatementKind::Break, node, out),
            Kind::ContinueStatement => self.finish(StatementKind::Continue, node, out),
            Kind::ReturnStatement => {
                let value = tree.children(node).next();
                let value = match value {
                    Some(value) => Some(self.returned(value)?),
                    None => None,
                };
                self.finish(StatementKind::Return(value), node, out);
            }
            Kind::TypeDefinition
            | Kind::AliasDeclaration
            | Kind::UsingDeclaration
            | Kind::StaticAssert
            | Kind::EnumSpecifier => {}
            kind if is_record(kind) => {}
            Kind::GotoStatement | Kind::LabeledStatement => {
                self.body.gotos = true;
                return self.opaque(node, "'goto'");
            }
            Kind::ForRangeLoop => self.range_loop(node, out)?,
            Kind::TryStatement | Kind::ThrowStatement => {
                return self.opaque(node, "an exception");
            }
            _ if self.text(node).trim() == ";" => {}
            _ => return self.unnamed(node, "a statement of this form"),
        }
        Ok(())
    }

    fn branches(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let visible = self.visible.len();
        let mut around = Vec::new();
        let condition = self.declaring_condition(node, &mut around)?;
        let then = self.part(node, Field::Consequence)?;
        let then = self.statements_of(then);
        let otherwise = match tree.child(node, Field::Alternative) {
            Some(other) => self.statements_of(branch(tree, other)),
            None => Vec::new(),
        };
        self.visible.truncate(visible);
        let kind = StatementKind::If {
            condition,
            then,
            otherwise,
        };
        self.finish_within(kind, around, node, out);
        Ok(())
    }

    /// Adds a statement, in a block with what it declares in its head, if it does.
    fn finish_within(
        &mut self,
        kind: StatementKind,
        mut around: Vec<StatementId>,
        node: NodeId,
        out: &mut Vec<StatementId>,
    ) {
        match around.is_empty() {
            true => self.finish(kind, node, out),
            false => {
                self.finish(kind, node, &mut around);
                self.finish(StatementKind::Block(around), node, out);
            }
        }
    }

    fn returned(&mut self, value: NodeId) -> Lowered<ExpressionId> {
        let ty = self.body.result;
        if self.gives_reference {
            return self.bound(value, ty);
        }
        if self.unit.tree.kind(value) == Kind::InitializerList {
            return self.list_value(value, ty);
        }
        let value = self.value(value)?;
        if std::mem::take(&mut self.deduces_result) {
            self.body.result = self.ty(value);
            return Ok(value);
        }
        if ty == Types::VOID {
            return Ok(value);
        }
        self.convert(value, ty)
    }

    fn condition(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let condition = self.part(node, Field::Condition)?;
        let value = self.value(condition)?;
        self.truth(value)
    }

    /// Whether a condition declares a variable.
    fn declares(&self, node: NodeId) -> bool {
        let tree = self.unit.tree;
        let clause = tree.child(node, Field::Condition);
        clause.is_some_and(|c| tree.child_of_kind(c, Kind::Declaration).is_some())
    }

    /// `while (T x = …) …`: each iteration begins with the declaration.
    fn declaring_loop(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let visible = self.visible.len();
        let mut inside = Vec::new();
        let condition = self.declaring_condition(node, &mut inside)?;
        inside.append(&mut self.before);
        let leave = self.push_statement(StatementKind::Break, self.span(node));
        let kind = StatementKind::If {
            condition,
            then: Vec::new(),
            otherwise: vec![leave],
        };
        inside.push(self.push_statement(kind, self.span(node)));
        let body = self.part(node, Field::Body)?;
        inside.extend(self.statements_of(body));
        self.visible.truncate(visible);
        let kind = StatementKind::Loop {
            initial: Vec::new(),
            condition: None,
            step: None,
            body: inside,
            late: false,
        };
        self.finish(kind, node, out);
        Ok(())
    }

    /// The condition of an `if`, with what is declared in front of it.
    fn declaring_condition(
        &mut self,
        node: NodeId,
        around: &mut Vec<StatementId>,
    ) -> Lowered<ExpressionId> {
        let value = self.declaring_value(node, around)?;
        self.truth(value)
    }

    fn declaring_value(
        &mut self,
        node: NodeId,
        around: &mut Vec<StatementId>,
    ) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let clause = self.part(node, Field::Condition)?;
        let children: Vec<NodeId> = tree.children(clause).collect();
        let (init, rest) = match children.as_slice() {
            [init, rest] if tree.kind(*init) == Kind::InitStatement => (Some(*init), *rest),
            [only] if tree.kind(*only) == Kind::Declaration => (None, *only),
            _ => return self.value(clause),
        };
        if let Some(inner) = init.and_then(|i| tree.children(i).next()) {
            self.try_statement(inner, around)?;
        }
        match tree.kind(rest) {
            Kind::Declaration => {
                self.declaration(rest, around)?;
                let Some(&(_, variable)) = self.visible.last() else {
                    return self.opaque(rest, "a declaration in a condition");
                };
                let place = self.whole(variable, self.span(rest));
                self.read(place)
            }
            _ => self.value(rest),
        }
    }

    /// `for (T x : array) …`
    fn range_loop(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let right = self.part(node, Field::Right)?;
        let whole = self.place(right)?;
        let (of, count) = match self.kind(self.body.place(whole).ty) {
            TypeKind::Array(of, count) => (of, count),
            _ => return self.unnamed(right, "a loop over this range"),
        };
        let declarator = self.part(node, Field::Declarator)?;
        let name = {
            let mut all = tree.descendants(declarator);
            all.find(|&n| tree.kind(n) == Kind::Identifier && self.unit.is_declaration(n))
        };
        let reference = tree
            .descendants(declarator)
            .any(|n| tree.kind(n) == Kind::ReferenceDeclarator);
        let auto = tree.child_of_kind(node, Kind::PlaceholderType).is_some();
        let ty = match auto {
            true => Some(of),
            false => self.unit.base_type(node).map(|(ty, _)| ty),
        };
        let (Some(name), Some(ty)) = (name, ty) else {
            return self.unnamed(node, "a loop over this range");
        };
        let pointers = tree
            .descendants(declarator)
            .any(|n| tree.kind(n) == Kind::PointerDeclarator);
        if pointers || (reference && ty != of) {
            return self.unnamed(node, "a loop over this range");
        }
        let mut initial = Vec::new();
        let number = self.hidden("", Scalar::Long, span, &mut initial);
        let zero = self.long(0, span);
        let place = self.whole(number, span);
        self.assign(place, zero, span, &mut initial);
        let read = |this: &mut Self| {
            let place = this.whole(number, span);
            this.read(place)
        };
        let n = read(self)?;
        let end = self.long(i64::try_from(count).unwrap_or(i64::MAX), span);
        let condition = self.operate(BinaryOperator::Less, n, end, span)?;
        let index = read(self)?;
        let mut element = self.body.place(whole).clone();
        element.path.push(Step::Index(index));
        element.ty = of;
        let mut inside = Vec::new();
        let memory = self.memory_here();
        let (value, ty) = match reference {
            true => {
                let place = self.push_place(element);
                let ty = self.unit.program.types.pointer(of);
                (self.push(ExpressionKind::AddressOf(place), ty, span), ty)
            }
            false => {
                let value = self.read(element)?;
                (self.convert(value, ty)?, ty)
            }
        };
        let variable = self.variable(self.unit.tree.text(name, self.unit.text), ty, memory, span);
        let declare = StatementKind::Declare {
            variable,
            zeros: false,
        };
        inside.push(self.push_statement(declare, span));
        let place = self.whole(variable, span);
        self.assign(place, value, span, &mut inside);
        let visible = self.visible.len();
        self.declare(name, variable, reference);
        let body = self.part(node, Field::Body)?;
        inside.extend(self.statements_of(body));
        self.visible.truncate(visible);
        let place = self.whole(number, span);
        let computed = place.ty;
        let place = self.push_place(place);
        let step = ExpressionKind::Update {
            place,
            operator: BinaryOperator::Add,
            value: self.long(1, span),
            computed,
            before: false,
        };
        let step = self.push(step, computed, span);
        let kind = StatementKind::Loop {
            initial,
            condition: Some(condition),
            step: Some(step),
            body: inside,
            late: false,
        };
        self.finish(kind, node, out);
        Ok(())
    }

    fn for_loop(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let visible = self.visible.len();
        let mut initial = Vec::new();
        if let Some(first) = tree.child(node, Field::Initializer) {
            match tree.kind(first) {
                Kind::Declaration => self.declaration(first, &mut initial)?,
                Kind::ExpressionStatement => self.try_statement(first, &mut initial)?,
                _ => {
                    let value = self.value(first)?;
                    self.finish(StatementKind::Expression(value), first, &mut initial);
                }
            }
        }
        let condition = match tree.child(node, Field::Condition) {
            Some(condition) => {
                let value = self.value(condition)?;
                Some(self.truth(value)?)
            }
            None => None,
        };
        let step = match tree.child(node, Field::Update) {
            Some(step) => Some(self.value(step)?),
            None => None,
        };
        // What they keep for a moment is declared before the loop.
        let mut kept = std::mem::take(&mut self.before);
        kept.append(&mut initial);
        let body = self.part(node, Field::Body)?;
        let body = self.statements_of(body);
        self.visible.truncate(visible);
        let kind = StatementKind::Loop {
            initial: kept,
            condition,
            step,
            body,
            late: false,
        };
        self.finish(kind, node, out);
        Ok(())
    }

    fn switch(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let visible = self.visible.len();
        let mut around = Vec::new();
        let value = self.declaring_value(node, &mut around)?;
        let scalar = self.expect_scalar(value, self.span(node))?;
        let value = self.as_scalar(value, scalar.promoted())?;
        let body = self.part(node, Field::Body)?;
        let mut cases = Vec::new();
        for case in tree.children(body).collect::<Vec<_>>() {
            if tree.kind(case) != Kind::CaseStatement {
                return self.opaque(case, "a statement before all labels");
            }
            let label = match tree.child(case, Field::Value) {
                Some(label) => match self.unit.constant(label) {
                    Some(label) => Some(label),
                    None => return self.unnamed(label, "a label of this form"),
                },
                None => None,
            };
            let mut statements = Vec::new();
            let all = tree.children(case);
            let all: Vec<NodeId> = all.filter(|&c| tree.field(c) != Field::Value).collect();
            for statement in all {
                self.statement(statement, &mut statements);
            }
            cases.push(Case {
                label,
                body: statements,
            });
        }
        self.visible.truncate(visible);
        let kind = StatementKind::Switch { value, cases };
        self.finish_within(kind, around, node, out);
        Ok(())
    }

    /// Of `if constexpr` with a condition that is known, the branch that there is, if it has one.
    fn taken(&self, node: NodeId) -> Option<Option<NodeId>> {
        let tree = self.unit.tree;
        let condition = tree.child(node, Field::Condition)?;
        let head = Span::new(self.span(node).start, self.span(condition).start);
        if one_layout(head.of(self.unit.text)) != "if constexpr" {
            return None;
        }
        let parts: Vec<NodeId> = tree.children(condition).collect();
        let [only] = parts[..] else {
            return None;
        };
        let field = match self.unit.constant(only)? {
            0 => Field::Alternative,
            _ => Field::Consequence,
        };
        let taken = tree.child(node, field);
        Some(taken.map(|taken| branch(tree, taken)))
    }

    /// Where the memory of the atomic access stands that a statement is; nowhere is all memory.
    pub(super) fn atomic_memory(&self, node: NodeId) -> Vec<Span> {
        let tree = self.unit.tree;
        for inner in tree.descendants(node) {
            match self.unit.constructs.get(&tree.span(inner)) {
                Some(ConstructKind::Atomic(atomic)) => {
                    let mut inside = tree.descendants(inner);
                    let memory = inside.find(|n| tree.span(*n) == atomic.memory);
                    let memory = memory.map(|n| tree.span(bare(tree, n)));
                    let first = memory.unwrap_or(atomic.memory);
                    let all = std::iter::once(first).chain(atomic.places.iter().copied());
                    return all.collect();
                }
                Some(ConstructKind::Critical { .. }) => return Vec::new(),
                _ => {}
            }
        }
        Vec::new()
    }

    fn attributed(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let statement = decorated(tree, node);
        let attributes = attributes_of(tree, node, self.unit.text);
        let has = |name: &str| attributes.iter().any(|a| a.name == name);
        if has("outer") || has("inner") || has("tile") {
            return self.distributed(node, statement, out);
        }
        if has("barrier") {
            let scope = match self.unit.constructs.get(&tree.span(node)) {
                Some(ConstructKind::Barrier { scope, .. }) => *scope,
                // Between nests it waits for what has ended.
                _ => return Ok(()),
            };
            self.finish(StatementKind::Barrier(scope), node, out);
            return Ok(());
        }
        if has("atomic") {
            let memory = self.atomic_memory(statement);
            let around = self.atomic.replace(memory);
            let made = self.try_statement(statement, out);
            self.atomic = around;
            return made;
        }
        self.try_statement(statement, out)
    }
}

/// The statement that a branch of an `if` is.
fn branch(tree: &Tree, node: NodeId) -> NodeId {
    match tree.kind(node) {
        Kind::ElseClause => tree.children(node).last().unwrap_or(node),
        _ => node,
    }
}

use super::Checker;
use super::groups::GroupSize;
use super::records;
use super::symbols::{Function, Role, Symbol};
use super::types::{Ty, VOID};
use crate::diagnostics::codes;
use crate::lex::Lexed;
use crate::module::FUSED;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, function_name, parameters, type_span};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// What is known of the function at hand.
#[derive(Clone, Debug, Default)]
pub(super) struct Here {
    pub(super) result: Option<Ty>,
    pub(super) reduces: bool,
    /// It is made of others, among them perhaps a reduction.
    pub(super) fused: bool,
    pub(super) group: Option<GroupSize>,
    pub(super) loops: usize,
    /// There is a `goto`.
    pub(super) jumps: bool,
    /// A shared array has been declared.
    pub(super) shares: bool,
    /// Where functions of the position are used first: `indexof`, `instance`, `instanceInGroup`,
    /// `syncGroup`.
    pub(super) positions: [Option<Span>; 4],
}

impl Checker<'_, '_> {
    /// One kernel, or a prototype of one.
    pub(in crate::analyze::brook) fn function(&mut self, node: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some((name, name_span)) = function_name(tree, node, text) else {
            return;
        };
        let Some((list, _)) = parameters(tree, node) else {
            return;
        };
        let attributes = attributes_of(tree, node, text);
        let body = tree.child(node, Field::Body);
        self.here = Here::default();
        self.following = false;
        self.here.fused = self.checking.fused && name == FUSED;
        let result = self.result(node, name_span);
        self.here.result = Some(result);
        self.here.group = self.group_size(&attributes);
        if let Some(GroupSize(items)) = self.here.group {
            self.facts.groups.insert(name.to_string(), items);
        }
        let mut list_of_parameters = Vec::new();
        for parameter in list {
            list_of_parameters.extend(self.parameter(parameter));
        }
        if !self.here.fused {
            self.reduced_type(&list_of_parameters, name_span);
        }
        let count = |wanted: fn(&Role) -> bool| {
            let matching = list_of_parameters.iter().filter(|p| wanted(&p.role));
            matching.count()
        };
        let reductions = count(|r| *r == Role::Reduce);
        let reduces = attributes.iter().any(|a| a.name == "reduce");
        self.here.reduces = reduces;
        let known = self.functions.iter().position(|f| f.name == name);
        let function = Function {
            name: name.to_string(),
            parameters: list_of_parameters.clone(),
            result,
            reduces,
            defined: body.is_some(),
        };
        match known {
            Some(at) if self.functions[at].defined && body.is_some() => {
                self.report(&codes::BROOK_NAME_TWICE, name_span, &[&name]);
            }
            Some(at) if body.is_some() => self.functions[at] = function,
            Some(_) => {}
            None => self.functions.push(function),
        }
        if let Some(body) = body {
            self.form(name_span, &count, reductions);
            self.body(body);
        }
        // Nobody else can see them.
        self.symbols = HashMap::new();
    }

    /// What a reduction reduces has the type of what it reduces into (specification, section 4.1.2).
    fn reduced_type(&mut self, parameters: &[Symbol], name: Span) {
        let with = |role: &Role| parameters.iter().find(|p| p.role == *role).map(|p| p.ty);
        let (Some(into), Some(from)) = (with(&Role::Reduce), with(&Role::StreamIn)) else {
            return;
        };
        if into != from {
            let (from, into) = (self.show(from), self.show(into));
            self.refuse(&codes::BROOK_REDUCE_TYPES, name, &[&from, &into]);
        }
    }

    fn result(&mut self, node: NodeId, name: Span) -> Ty {
        let words = type_span(self.context.tree, node);
        let spelled = words.of(self.context.text);
        if spelled.is_empty() {
            self.report(&codes::BROOK_RETURN_TYPE, name, &[]);
            return VOID;
        }
        match records::find(&self.records, spelled) {
            Some(ty) => ty,
            None => {
                self.unknown_type(words, spelled);
                VOID
            }
        }
    }

    /// What a kernel's parameters have to be together.
    fn form(&mut self, name: Span, count: &dyn Fn(fn(&Role) -> bool) -> usize, reductions: usize) {
        let inputs = count(|r| *r == Role::StreamIn);
        let outputs = count(|r| *r == Role::StreamOut);
        let scatters = count(|r| matches!(r, Role::Scatter { .. }));
        let gathers = count(|r| matches!(r, Role::Gather { .. }));
        // The element may be written like a value: `reduce void f(float a, reduce float b)`.
        let values = count(|r| *r == Role::Value);
        let inputs = if inputs == 0 && self.here.reduces {
            values
        } else {
            inputs
        };
        if self.here.reduces {
            let arrays = match self.checking.brookgpu || self.here.fused {
                true => 0,
                false => gathers,
            };
            let one = inputs == 1 || self.here.fused;
            let stores = outputs > 0 && !self.here.fused;
            if reductions != 1 || !one || scatters + arrays > 0 || stores {
                self.report(&codes::BROOK_REDUCE_PARAMETERS, name, &[]);
                // What its body does wrong follows from that.
                self.following |= reductions == 0;
            }
        } else if reductions > 0 {
            self.report(&codes::BROOK_SPECIFY_REDUCE, name, &[]);
        }
        if scatters > 1 {
            self.report(&codes::BROOK_ONE_SCATTER, name, &[]);
        }
        if self.here.group.is_some() && (scatters == 0 || outputs > 0) {
            self.report(&codes::BROOK_GROUP_OUTPUT, name, &[]);
        } else if scatters > 0 && outputs > 0 {
            self.report(&codes::BROOK_SCATTER_AND_STREAM, name, &[]);
        }
    }

    fn body(&mut self, body: NodeId) {
        let tree = self.context.tree;
        let has = |kind| tree.descendants(body).any(|n| tree.kind(n) == kind);
        self.here.jumps = has(Kind::GotoStatement);
        let returns = has(Kind::ReturnStatement);
        self.statement(body);
        let span = tree.span(body);
        // A function that returns on some ways only is C's to tolerate.
        if self.here.result.is_some_and(|r| r != VOID) && !returns {
            let end = Span::new(span.end - 1, span.end);
            self.report(&codes::BROOK_MUST_RETURN, end, &[]);
        }
        let positions = self.here.positions;
        if self.here.reduces {
            let codes = [
                &codes::BROOK_REDUCTION_INDEXOF,
                &codes::BROOK_REDUCTION_INSTANCE,
                &codes::BROOK_REDUCTION_INSTANCEINGROUP,
                &codes::BROOK_REDUCTION_SYNCGROUP,
            ];
            for (code, span) in codes.into_iter().zip(positions) {
                if let Some(span) = span {
                    self.report(code, span, &[]);
                }
            }
        }
        if self.here.group.is_none() {
            let codes = [
                &codes::BROOK_PIXEL_INSTANCEINGROUP,
                &codes::BROOK_PIXEL_SYNCGROUP,
            ];
            for (code, span) in codes.into_iter().zip(positions.into_iter().skip(2)) {
                if let Some(span) = span {
                    self.report(code, span, &[]);
                }
            }
        }
    }
}

/// The functions that a text defines or declares outside of kernels, by their shape: a name before
/// brackets at the top level. The kernels ascend.
pub(in crate::analyze::brook) fn host_functions(
    lexed: &Lexed<'_>,
    kernels: &[Span],
) -> HashSet<String> {
    let (text, tokens) = (lexed.text, lexed.tokens.as_slice());
    let mut found = HashSet::new();
    let mut depth = 0usize;
    let mut kernels = kernels.iter().peekable();
    for (index, token) in tokens.iter().enumerate() {
        while kernels.next_if(|k| k.end < token.span.end).is_some() {}
        if kernels.peek().is_some_and(|k| k.contains(token.span)) {
            continue;
        }
        match token.text(text) {
            "(" if depth == 0 && index > 1 => {
                let named = tokens[index - 1].is_identifier() && tokens[index - 2].is_identifier();
                if named {
                    found.insert(lexed.word(index - 1).to_string());
                }
                depth += 1;
            }
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    found
}

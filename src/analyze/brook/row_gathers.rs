//! What is known of values along a row of elements: which are the same for all of it, and which are the place
//! along it, or its negative, plus that.

use super::along::{Along, Sum, sum, typed};
use super::body::{Body, Meaning};
use super::check::plain_swizzle;
use crate::expr;
use crate::module::{Base, Beside, Parameter, ParameterKind, Term};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use std::collections::HashMap;

impl Body<'_, '_> {
    /// Where a gather with those indices reads, slowest first, if the fastest one is known.
    pub(super) fn beside(&mut self, indices: &[NodeId]) -> Option<Beside> {
        let (&fastest, others) = indices.split_last()?;
        let Along::Beside { back, by } = self.along(fastest)? else {
            return None;
        };
        if let Some(term) = by.term
            && !self.is_visible(term)
        {
            return None;
        }
        let even = |&index: &NodeId| matches!(self.along(index), Some(Along::Even(_)));
        let one_row = others.iter().all(even);
        Some(Beside {
            kernel: self.kernel,
            back,
            offset: i32::try_from(by.constant).ok()?,
            term: by.term,
            one_row,
        })
    }

    /// Whether the parameter's name means the parameter here.
    fn is_visible(&self, term: Term) -> bool {
        let parameters = &self.unit.kernels[self.kernel].parameters;
        let name = parameters.get(term.parameter).map(|p| p.name.as_str());
        let found = name.and_then(|n| self.lookup(n));
        matches!(found, Some(Meaning::Parameter(p)) if Some(p.name.as_str()) == name)
    }

    /// A parameter that is one integer.
    fn term(&self, parameter: &Parameter) -> Option<Sum> {
        let ty = parameter.ty;
        let plain = parameter.structure.is_none() && parameter.element_sizes.is_empty();
        let integer = ty.width == 1 && matches!(ty.base, Base::Int | Base::UInt);
        let parameters = &self.unit.kernels[self.kernel].parameters;
        let place = parameters.iter().position(|p| p.name == parameter.name)?;
        (plain && integer).then_some(Sum {
            constant: 0,
            term: Some(Term {
                parameter: place,
                negative: false,
            }),
        })
    }

    /// What is known of an expression where it stands.
    pub(super) fn along(&mut self, node: NodeId) -> Option<Along> {
        let tree = self.context.tree;
        let found = match tree.kind(node) {
            Kind::ParenthesizedExpression => self.along(tree.children(node).next()?)?,
            Kind::NumberLiteral => {
                let value = expr::parse(self.word(node)).ok();
                Along::Even(value.and_then(|v| expr::constant(&v)).map(Sum::constant))
            }
            Kind::Identifier => self.along_name(node)?,
            Kind::CallExpression => {
                let function = self.part(node, Field::Function)?;
                (self.word(function) == "instance").then_some(Along::Place)?
            }
            Kind::FieldExpression => {
                let base = self.part(node, Field::Argument)?;
                let components = plain_swizzle(self.word(self.part(node, Field::FieldName)?), true);
                match (self.along(base)?, components.as_deref()) {
                    (Along::Place, Some("x")) => Along::Beside {
                        back: false,
                        by: Sum::default(),
                    },
                    (Along::Place, Some("y" | "z" | "w")) => Along::Even(None),
                    // The rest of it is the same place.
                    (Along::Place, Some("xy" | "xyz" | "xyzw")) => Along::Place,
                    _ => return None,
                }
            }
            Kind::UnaryExpression => {
                let argument = self.part(node, Field::Argument)?;
                match (self.along(argument)?, self.operator(node)) {
                    (Along::Even(value), "-") => Along::Even(value.and_then(Sum::negative)),
                    (Along::Even(_), _) => Along::Even(None),
                    (found @ Along::Beside { .. }, "+") => found,
                    (Along::Beside { back, by }, "-") => Along::Beside {
                        back: !back,
                        by: by.negative()?,
                    },
                    _ => return None,
                }
            }
            Kind::BinaryExpression => {
                let (left, right) = (
                    self.part(node, Field::Left)?,
                    self.part(node, Field::Right)?,
                );
                sum(self.operator(node), self.along(left)?, self.along(right)?)?
            }
            _ => return None,
        };
        let types = [self.facts.number(node), self.facts.conversion(node)];
        types.into_iter().flatten().try_fold(found, typed)
    }

    fn along_name(&mut self, node: NodeId) -> Option<Along> {
        let found = match self.lookup(self.word(node))? {
            Meaning::Local { along, .. } => (*along)?,
            Meaning::Parameter(p) if p.kind == ParameterKind::Value => Along::Even(self.term(p)),
            Meaning::Parameter(_) => return None,
        };
        let name = self.context.tree.text(node, self.context.text);
        (!self.changes().contains_key(name)).then_some(found)
    }

    /// Names of variables that anything but their declaration gives a value, in whatever scope, and where.
    pub(super) fn changes(&mut self) -> &HashMap<String, Vec<Span>> {
        if self.changes.is_none() {
            let tree = self.context.tree;
            let mut all: HashMap<String, Vec<Span>> = HashMap::new();
            for node in tree.descendants(self.body) {
                for target in self.targets(node) {
                    let names = tree.descendants(target);
                    for name in names.filter(|&n| tree.kind(n) == Kind::Identifier) {
                        let places = all.entry(self.word(name).to_string()).or_default();
                        places.push(self.span(node));
                    }
                }
            }
            self.changes = Some(all);
        }
        self.changes.get_or_insert_default()
    }

    /// The parts of a node that are given a value.
    fn targets(&self, node: NodeId) -> Vec<NodeId> {
        let tree = self.context.tree;
        let target = match tree.kind(node) {
            Kind::AssignmentExpression => self.part(node, Field::Left),
            Kind::UpdateExpression => self.part(node, Field::Argument),
            Kind::CallExpression => {
                let name = self.part(node, Field::Function).map(|f| self.word(f));
                let Some(&callee) = name.and_then(|n| self.unit.numbers.get(n)) else {
                    return Vec::new();
                };
                let list = self.part(node, Field::Arguments);
                let arguments = list.into_iter().flat_map(|l| tree.children(l));
                let parameters = &self.unit.kernels[callee].parameters;
                let outputs = arguments.zip(parameters).filter(|(_, p)| {
                    !matches!(
                        p.kind,
                        ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Gather(_)
                    )
                });
                return outputs.map(|(argument, _)| argument).collect();
            }
            _ => None,
        };
        target.into_iter().collect()
    }
}

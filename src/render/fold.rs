//! How reductions fold elements, and where these come from.

use super::brook::BrookParameter;
use crate::backend::Backend;
use crate::module::{self, Module, ParameterKind};
use crate::rewrite::{Memory, pointer, stored_type};
use crate::schedule::{Made, made, plain_size};
use serde::Serialize;

/// How a reduction folds `brook_element_value`, and where that comes from.
#[derive(Default, Serialize)]
pub(super) struct Fold {
    /// The call that folds it into `brook_value`.
    value: String,
    /// Into `brook_values[brook_e]`.
    values: String,
    /// The function that the first element goes through: it makes of a value what memory can hold.
    rounded: String,
    /// Declares it: what is at `brook_read`.
    element: String,
    /// The same of `brook_e` of so many that were read at once.
    of_row: String,
    /// Bytes of so many of them; 0 if elements are read one by one.
    wide: usize,
    /// Its type.
    #[serde(rename = "type")]
    ty: String,
    /// What elements lie behind, by that name, and what stands before and behind the index of one.
    pointer: String,
    from: String,
    load: [String; 2],
    /// Whatever else folding takes, as parameters and as arguments, each behind a comma.
    declared: String,
    given: String,
}

impl Fold {
    /// Nothing is folded.
    pub(super) fn is_none(&self) -> bool {
        self.value.is_empty()
    }

    /// Of a kernel with those parameters.
    pub(super) fn new(
        module: &Module,
        kernel: &module::Kernel,
        parameters: &[BrookParameter],
        backend: &Backend,
        width: usize,
    ) -> Self {
        let made = made(module, kernel);
        let (folds, skipped) = match made {
            Some(Made { map, fold }) => (fold, values(map)),
            None => (kernel, 0),
        };
        let input = folds.parameters.iter();
        let Some(input) = input.clone().find(|p| p.kind == ParameterKind::StreamIn) else {
            return Self::default();
        };
        let own = parameters
            .iter()
            .find(|p| p.role == "input" && made.is_none());
        let from = own.map_or("brook_elements", |p| p.name.as_str());
        let target = folds.parameters.iter();
        let target = target.clone().find(|p| p.kind == ParameterKind::Reduce);
        let fixed = target.and_then(|p| module.structs.get(p.structure?));
        let fixed = fixed.filter(|s| s.fixed.is_some());
        let mut this = Self {
            rounded: fixed.map_or_else(String::new, |s| format!("brook_rounded_{}", s.name)),
            ty: stored_type(module, backend, input.ty, input.structure),
            pointer: format!(
                "{}{} ",
                pointer(backend, input.ty, input.structure, true),
                backend.spelling.restrict
            ),
            load: Memory::new(module, backend, from, input.ty, input.structure).load,
            from: from.to_string(),
            wide: match plain_size(input) {
                Some(size) if width > 1 => size * width,
                _ => 0,
            },
            ..Self::default()
        };
        let member = own.map_or("", |p| p.member);
        let target = |into: &str| match backend.is_cpp() {
            true => format!("{into}{member}"),
            false => format!("&{into}{member}"),
        };
        let mut given = parameters.iter().filter(|p| p.role == "value");
        let mut given = given.by_ref().skip(skipped);
        let mut gathers = parameters.iter().filter(|p| p.role == "gather");
        let mut before = format!("brook_fn_{}(brook_here", folds.name);
        let mut behind = None;
        for p in &folds.parameters {
            let text = match p.kind {
                ParameterKind::StreamIn => format!("brook_element_value{member}"),
                ParameterKind::Reduce => {
                    behind = Some(String::new());
                    continue;
                }
                ParameterKind::Gather(_) => {
                    let Some(p) = gathers.next() else { continue };
                    let shape = format!("{0}, brook_{0}_shape", p.name);
                    this.passes(&p.declared, &shape);
                    shape
                }
                _ => {
                    let Some(p) = given.next() else { continue };
                    this.passes(&p.declared, &p.name);
                    p.value.clone()
                }
            };
            *behind.as_mut().unwrap_or(&mut before) += &format!(", {text}");
        }
        let behind = behind.unwrap_or_default();
        let into = |name: &str| {
            let mut call = format!("{before}, {}{behind});", target(name));
            if !this.rounded.is_empty() {
                call += &format!(" {name} = {}({name});", this.rounded);
            }
            call
        };
        (this.value, this.values) = (into("brook_value"), into("brook_values[brook_e]"));
        (this.element, this.of_row) = match (made, own) {
            (Some(made), _) => {
                let shared = made.map.parameters.len().saturating_sub(1);
                let all = kernel.parameters.iter().zip(parameters).take(shared);
                let all: Vec<_> = all.collect();
                let at =
                    |index: &str, of_row| this.made(module, made.map, &all, index, of_row, backend);
                (at("brook_read", false), at("brook_at + brook_e", true))
            }
            (None, Some(p)) => (
                format!(
                    "{} brook_element_value = {}brook_read{};",
                    p.ty, p.load[0], p.load[1]
                ),
                format!(
                    "{} brook_element_value = brook_row_{}.v[brook_e];",
                    p.ty, p.name
                ),
            ),
            (None, None) => Default::default(),
        };
        this
    }

    /// Whatever folds takes that, too.
    fn passes(&mut self, declared: &str, given: &str) {
        self.declared += &format!(", {declared}");
        self.given += &format!(", {given}");
    }

    /// How the element at an index is computed that another kernel makes of such parameters; some are written, too.
    fn made(
        &self,
        module: &Module,
        map: &module::Kernel,
        parameters: &[(&module::Parameter, &BrookParameter)],
        index: &str,
        of_row: bool,
        backend: &Backend,
    ) -> String {
        let out = if backend.is_cpp() { "" } else { "&" };
        let (mut before, mut behind) = (String::new(), String::new());
        let mut call = format!("brook_fn_{}(brook_here", map.name);
        for (known, p) in parameters {
            let load = || format!("{}{index}{}", p.load[0], p.load[1]);
            call += ", ";
            match p.role {
                "input" | "output" if of_row && p.wide > 0 => {
                    let out = if p.role == "output" { out } else { "" };
                    call += &format!("{out}brook_row_{}.v[brook_e]", p.name);
                }
                "input" => call += &load(),
                "output" => {
                    let value = format!("brook_{}_value", p.name);
                    let old = match known.kind {
                        ParameterKind::StreamOut { reads: true } => format!(" = {}", load()),
                        _ => String::new(),
                    };
                    before += &format!("{} {value}{old}; ", p.ty);
                    let memory = Memory::new(module, backend, &p.name, known.ty, known.structure);
                    behind += &format!(" {}", memory.store(index, &value));
                    call += &format!("{out}{value}");
                }
                "gather" => call += &format!("{0}, brook_{0}_shape", p.name),
                _ => call += &p.value,
            }
        }
        let ty = &self.ty;
        format!("{ty} brook_element_value; {before}{call}, {out}brook_element_value);{behind}")
    }
}

/// The parameters of a kernel that are values.
fn values(kernel: &module::Kernel) -> usize {
    let parameters = kernel.parameters.iter();
    parameters
        .filter(|p| p.kind == ParameterKind::Value)
        .count()
}

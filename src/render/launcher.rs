use super::launcher_code::{array_type, collect, expression, has_arrays, statements};
use super::templates::{RenderError, Templates};
use super::{ArgumentMetadata, Dtype, KernelMetadata, Metadata};
use crate::expr::Scalar;
use crate::module::{HostFunction, Launch, LaunchVariable, Statement, Table, VectorType};
use serde::Serialize;
use std::fmt::Write;

#[derive(Serialize)]
struct LauncherContext<'a> {
    version: &'static str,
    source: &'a str,
    /// Definitions of the types of parameters; empty if all are scalars.
    types: String,
    /// Functions and tables that the host's part uses.
    definitions: String,
    /// Some of them are arrays, which look at their indices.
    checked: bool,
    kernels: Vec<KernelContext<'a>>,
}

#[derive(Serialize)]
struct KernelContext<'a> {
    name: &'a str,
    parameters: String,
    body: String,
}

/// The host's part of each kernel as C++ for ahead-of-time use; `None` if the backend launches
/// nothing.
pub(super) fn render(
    templates: &Templates<'_>,
    metadata: &Metadata,
    source: &str,
) -> Result<Option<String>, RenderError> {
    let arrays = metadata.functions.iter().any(|f| has_arrays(&f.body));
    let checked = arrays || !metadata.tables.is_empty();
    let kernels = metadata.kernels.iter().map(|kernel| {
        let mut launches = Vec::new();
        let mut variables = Vec::new();
        collect(&kernel.host, &mut launches, &mut variables);
        let mut body = String::new();
        let names = Names {
            foreign: metadata.dialect == "brook",
            opaque: opaque(kernel),
            checked,
        };
        statements(&kernel.host, 1, &names, &mut body);
        KernelContext {
            name: &kernel.name,
            parameters: parameters(kernel, metadata, &launches, &variables, &names),
            body,
        }
    });
    let context = LauncherContext {
        version: env!("CARGO_PKG_VERSION"),
        source,
        types: types(metadata),
        definitions: definitions(&metadata.functions, &metadata.tables),
        checked,
        kernels: kernels.collect(),
    };
    templates.render("launcher.tera", &context)
}

/// What C lets a program call something, and C++ does not: `[names].reserved` of `grammar/targets/c++.toml`. A launcher is C++
/// where the kernels are OpenCL's C, too.
const KEYWORDS: [&str; 22] = [
    "and",
    "bitand",
    "bitor",
    "catch",
    "class",
    "explicit",
    "export",
    "friend",
    "namespace",
    "noexcept",
    "or",
    "private",
    "protected",
    "public",
    "static_assert",
    "throw",
    "try",
    "typeid",
    "typename",
    "using",
    "wchar_t",
    "xor",
];

/// How names of the program stand in the launcher, which is C++.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The program is not C++, so that many of its names may be something else here: all get an underscore.
    foreign: bool,
    /// Parameters that are passed as bytes, because their type's layout is not known.
    opaque: Vec<&'a str>,
    /// The program has arrays whose indices are looked at.
    pub(super) checked: bool,
}

impl Names<'_> {
    /// What a launcher returns.
    pub(super) fn result(&self) -> &'static str {
        match self.checked {
            true => "brook_outside ? brook_invalid : brook_result",
            false => "brook_result",
        }
    }

    pub(super) fn of(&self, name: &str) -> String {
        match self.foreign && !name.starts_with("brook_") || KEYWORDS.contains(&name) {
            true => format!("{name}_"),
            false => name.to_string(),
        }
    }

    /// How a launch passes a variable.
    pub(super) fn argument(&self, name: &str) -> String {
        let own = self.of(name);
        match self.opaque.contains(&name) {
            true => own,
            false => format!("brook_argument({own})"),
        }
    }
}

fn opaque(kernel: &KernelMetadata) -> Vec<&str> {
    let unknown = kernel
        .parameters
        .iter()
        .filter(|p| p.role == super::Role::Value && p.scalar.is_none() && p.bytes.is_none());
    unknown.map(|p| p.name.as_str()).collect()
}

/// What has to be passed in: all arguments of the device kernels that the host's part does not
/// define itself.
fn parameters(
    kernel: &KernelMetadata,
    metadata: &Metadata,
    launches: &[&Launch],
    variables: &[&str],
    names: &Names<'_>,
) -> String {
    let mut seen: Vec<&ArgumentMetadata> = Vec::new();
    for launch in launches {
        let device = metadata.metadata.iter().find(|d| d.name == launch.kernel);
        for argument in device.into_iter().flat_map(|d| &d.arguments) {
            let own = kernel.parameters.iter().any(|p| p.name == argument.name);
            let known = seen.iter().any(|s| s.name == argument.name);
            if !known && (own || !variables.contains(&&*argument.name)) {
                seen.push(argument);
            }
        }
    }
    let only_host = only_host(&kernel.host, launches, &seen, variables);
    // In the order of the source, whatever the device kernels take first.
    let place = |a: &&ArgumentMetadata| {
        let place = kernel.parameters.iter().position(|p| p.name == a.name);
        place.unwrap_or(usize::MAX)
    };
    if metadata.dialect == "okl" {
        seen.sort_by_key(place);
    }
    let one = |a: &&ArgumentMetadata| {
        let name = names.of(&a.name);
        if a.ptr {
            return format!("brook_buffer {name}");
        }
        match names.opaque.contains(&&*a.name) {
            true => format!("brook_value {name}"),
            false => format!("{} {name}", type_name(&a.dtype)),
        }
    };
    let before = only_host.iter().map(|name| {
        let ty = LaunchVariable::from_name(name).map_or("unsigned int", LaunchVariable::dtype);
        format!("{ty} {name}")
    });
    let all: Vec<String> = before.chain(seen.iter().map(one)).collect();
    all.join(", ")
}

/// What a Brook+ kernel's host part is told, and no device kernel.
fn only_host<'a>(
    host: &'a [Statement],
    launches: &[&'a Launch],
    seen: &[&ArgumentMetadata],
    variables: &[&str],
) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    let mut visit = |name: &'a str| {
        let known = variables.contains(&name) || seen.iter().any(|a| a.name == name);
        if name.starts_with("brook_") && !known && !names.contains(&name) {
            names.push(name);
        }
    };
    Statement::for_each_condition(host, &mut |condition| condition.for_each_name(&mut visit));
    let groups = launches.iter().flat_map(|launch| &launch.groups);
    groups.for_each(|e| e.for_each_name(&mut visit));
    names
}

/// How the launcher names a type.
fn type_name(dtype: &Dtype) -> String {
    if let Some(scalar) = dtype.scalar {
        return scalar.c_name().to_string();
    }
    if dtype.kind != "builtin" {
        return dtype.name.to_string();
    }
    match Scalar::from_words(dtype.name.split_ascii_whitespace()) {
        Some(scalar) => scalar.c_name().to_string(),
        None if VectorType::from_name(&dtype.name).is_some() => format!("brook_{}", dtype.name),
        None => dtype.name.to_string(),
    }
}

/// Definitions of the structs and vectors that kernels take by value.
fn types(metadata: &Metadata) -> String {
    let mut done = Vec::new();
    let mut out = String::new();
    if metadata.dialect != "okl" {
        let arguments = metadata.metadata.iter().flat_map(|k| &k.arguments);
        for argument in arguments.filter(|a| !a.ptr) {
            define_value(&argument.dtype.name, &mut done, &mut out);
        }
    }
    let parameters = metadata.kernels.iter().flat_map(|k| &k.parameters);
    for dtype in parameters.filter_map(|p| p.dtype.as_ref()) {
        define(dtype, &mut done, &mut out);
    }
    out
}

/// A vector that a Brook+ kernel takes by value. Those of the prelude for C++, `brook_float3`, align
/// vectors of three like their components; a target's own take the room of four.
fn define_value(name: &str, done: &mut Vec<String>, out: &mut String) {
    let (plain, of_prelude) = match name.strip_prefix("brook_") {
        Some(plain) => (plain, true),
        None => (name, false),
    };
    if let Some(vector) = VectorType::from_name(plain) {
        let align = match vector.width {
            3 if of_prelude => vector.scalar.size(),
            _ => vector.size(),
        };
        define_vector(&format!("brook_{plain}"), vector, align, done, out);
    }
}

fn define_vector(
    name: &str,
    vector: VectorType,
    align: usize,
    done: &mut Vec<String>,
    out: &mut String,
) {
    if done.iter().any(|d| d == name) {
        return;
    }
    done.push(name.to_string());
    let components = &["x", "y", "z", "w"][..usize::from(vector.width).min(4)];
    let (scalar, components) = (vector.scalar.c_name(), components.join(", "));
    let _ = writeln!(
        out,
        "struct alignas({align}) {name} {{ {scalar} {components}; }};"
    );
}

/// Writing to a `String` cannot fail.
fn define(dtype: &Dtype, done: &mut Vec<String>, out: &mut String) {
    if let Some(element) = &dtype.dtype {
        define(element, done, out);
    }
    let name = type_name(dtype);
    if done.contains(&name) {
        return;
    }
    if let Some(vector) = VectorType::from_name(&dtype.name)
        && dtype.kind == "builtin"
    {
        define_vector(&name, vector, vector.size(), done, out);
    }
    if !matches!(&*dtype.kind, "struct" | "union") {
        return;
    }
    for field in &dtype.fields {
        define(&field.dtype, done, out);
    }
    // One without a name is written where it is used.
    if !name.is_empty() {
        done.push(name.clone());
        let size = dtype.bytes();
        let _ = writeln!(out, "{};", record(dtype));
        let _ = writeln!(
            out,
            "static_assert(sizeof({name}) == {size}, \"as on the device\");"
        );
    }
}

/// `struct Name { … }`
fn record(dtype: &Dtype) -> String {
    let mut out = dtype.kind.to_string();
    if !dtype.name.is_empty() {
        let _ = write!(out, " {}", dtype.name);
    }
    out.push_str(" { ");
    for field in &dtype.fields {
        let mut element = &field.dtype;
        let mut sizes = String::new();
        while let (Some(inner), Some(size)) = (&element.dtype, element.size) {
            let _ = write!(sizes, "[{size}]");
            element = inner;
        }
        let ty = match &*element.kind {
            "custom" => "void *".to_string(),
            "struct" | "union" if element.name.is_empty() => format!("{} ", record(element)),
            _ => format!("{} ", type_name(element)),
        };
        let _ = write!(out, "{ty}{}{sizes}; ", field.name);
    }
    out.push('}');
    out
}

/// Functions and constants of the program that the host's part uses.
fn definitions(functions: &[HostFunction], tables: &[Table]) -> String {
    let mut out = String::new();
    for table in tables {
        let values: Vec<String> = table.values.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            out,
            "static const {} {} = {{{}}};",
            array_type(table.scalar, &table.extents),
            table.name,
            values.join(", ")
        );
    }
    let head = |f: &HostFunction| {
        let parameter = |(name, scalar): &(String, Scalar)| format!("{} {name}", scalar.c_name());
        let parameters: Vec<String> = f.parameters.iter().map(parameter).collect();
        let result = f.result.c_name();
        format!("static {result} {}({})", f.name, parameters.join(", "))
    };
    for function in functions {
        let _ = writeln!(out, "{};", head(function));
    }
    let names = Names::default();
    for function in functions {
        let _ = writeln!(out, "{} {{", head(function));
        statements(&function.body, 1, &names, &mut out);
        out.push_str("}\n");
    }
    out
}

/// Keeps the rest of this file free of how expressions are written.
pub(super) fn extent(e: &crate::expr::Expr) -> String {
    match crate::expr::constant(e) {
        Some(n) => n.to_string(),
        None => format!("(long long)({})", expression(e)),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn keywords_are_those_of_kernels_in_cpp() {
        let table = include_str!("../../grammar/targets/c++.toml");
        let table: toml::Table = table.parse().expect("a table");
        let mut names: Vec<&str> = { table["names"]["reserved"].as_array() }
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, super::KEYWORDS);
    }
}

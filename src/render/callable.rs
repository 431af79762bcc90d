//! What stands in place of a kernel in host programs: an object that is called like a function.
//!
//! A kernel that has the name of a function of the C library, as `div`, cannot be an object of that name: it is a
//! function beside that one, which calls the object. So are BrookGPU's kernels that other files see; those files
//! declare them as what Stanford's compiler made: `extern void f(::brook::stream, ::brook::stream);`.

use crate::lex::{Token, lex};
use crate::library;
use crate::module::{HostKernel, HostProgram, Module, Parameter, ParameterKind, Type};
use crate::options::Options;
use crate::source::Span;
use foldhash::HashSet;

/// The object of a kernel.
pub(super) fn object(name: &str, host: &HostProgram, options: &Options) -> String {
    match is_function(name, host, options) {
        true => format!("brook_kernel_{name}"),
        false => name.to_string(),
    }
}

/// The function that calls it, if there is one.
pub(super) fn function(name: &str, host: &HostProgram, options: &Options) -> Option<String> {
    is_function(name, host, options).then(|| format!("BROOK_KERNEL_FUNCTION({name})"))
}

fn is_function(name: &str, host: &HostProgram, options: &Options) -> bool {
    options.exported_kernels && host.checking.brookgpu || library::is_c_function(name)
}

/// The text in place of a kernel, in as many lines, so that the compiler's messages name the right ones. What is
/// declared before its definition is so in C++, too: `named` are all of its name.
pub(super) fn text(
    kernel: &HostKernel,
    named: &[&HostKernel],
    lines: usize,
    (host, module, options): (&HostProgram, &Module, &Options),
) -> String {
    let HostKernel { name, span, .. } = kernel;
    let lines = "\n".repeat(lines);
    if kernel.helper {
        return lines;
    }
    let object = object(name, host, options);
    let others = || named.iter();
    let declared = format!("extern thread_local ::brook::detail::Kernel {object};");
    let made = format!("thread_local ::brook::detail::Kernel {object}(brook_module, \"{name}\");");
    // A prototype's words may be fewer than the definition's.
    let internal = !options.exported_kernels || others().any(|k| k.internal);
    let elsewhere = others().any(|k| k.defined);
    let first = others().next().is_some_and(|k| k.span == *span);
    let prototype = others().any(|k| !k.defined);
    let mut text = match (kernel.defined, internal) {
        (true, true) if prototype => format!("namespace {{ {made} }}"),
        (true, true) => format!("static {made}"),
        (true, false) => format!("{declared} {made}"),
        (false, true) if elsewhere => format!("namespace {{ {declared} }}"),
        // If it is in no other file either, and somebody calls it, the linker says so.
        (false, _) => declared,
    };
    if let Some(function) = function(name, host, options).filter(|_| first) {
        text += &format!(" {function}");
    }
    if kernel.defined && !internal && host.checking.brookgpu {
        text += &exported(name, &object, module, false);
    }
    text + &lines
}

/// What stands behind the whole text, where it makes no call ambiguous: the same functions for files that declare their
/// values as references to constants.
pub(super) fn referring(host: &HostProgram, module: &Module, options: &Options) -> String {
    if !options.exported_kernels || !host.checking.brookgpu {
        return String::new();
    }
    let mut text = String::new();
    let mut tokens = lex(&host.text).into_iter().peekable();
    let mut depth = 0i64;
    for kernel in host.kernels.iter().filter(|k| k.defined && !k.helper) {
        while let Some(token) = tokens.next_if(|t| t.span.start < kernel.span.start) {
            depth += match token.text(&host.text) {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
        }
        let internal = |k: &HostKernel| k.name == kernel.name && k.internal;
        // In namespaces others look for it there.
        if depth == 0 && !host.kernels.iter().any(internal) {
            let object = object(&kernel.name, host, options);
            text += exported(&kernel.name, &object, module, true).trim_start();
        }
    }
    match text.is_empty() {
        true => text,
        false => format!("\n{text}\n"),
    }
}

/// Functions as Stanford's compilers declared them: values as they are, or, if they are `referred` to, as references to
/// constants. What a reduction stores into may be a stream or a variable.
fn exported(name: &str, object: &str, module: &Module, referred: bool) -> String {
    let Some(kernel) = module.kernels.iter().find(|k| k.name == name) else {
        return String::new();
    };
    let values = |p: &Parameter| p.kind == ParameterKind::Value;
    if referred && !kernel.parameters.iter().any(values) {
        return String::new();
    }
    let stores = |p: &Parameter| p.kind == ParameterKind::Reduce;
    let reduces = kernel.parameters.iter().any(stores);
    let mut text = String::new();
    for variable in [false, true] {
        if variable && !reduces {
            continue;
        }
        let parameters = kernel.parameters.iter().enumerate().map(|(index, p)| {
            let ty = match p.kind {
                ParameterKind::Value if referred => format!("const {} &", value(module, p)),
                ParameterKind::Value => value(module, p),
                ParameterKind::Reduce if variable => value(module, p) + " &",
                ParameterKind::Vout => "::brook::stream &".to_string(),
                _ => "::brook::stream".to_string(),
            };
            format!("{ty} brook_{index}")
        });
        let parameters: Vec<String> = parameters.collect();
        let arguments = (0..parameters.len()).map(|index| format!("brook_{index}"));
        let arguments: Vec<String> = arguments.collect();
        let (parameters, arguments) = (parameters.join(", "), arguments.join(", "));
        text += &format!(" void {name}({parameters}) {{ {object}({arguments}); }}");
    }
    text
}

/// The type of a value in the host's C++.
fn value(module: &Module, parameter: &Parameter) -> String {
    if let Some(found) = parameter.structure.and_then(|s| module.structs.get(s)) {
        return match found.fixed {
            Some(fixed) => format!("::brook::{fixed}"),
            None => found.name.clone(),
        };
    }
    match parameter.ty {
        ty if ty.is_vector() => format!("::brook::{ty}"),
        Type { base, .. } => base.scalar().map_or("int", |s| s.c_name()).to_string(),
    }
}

/// Where host code means the object of a kernel that is a function: `div.domainOffset(…)`, and the operation of
/// `streamGatherOp(…, div)`.
pub(super) fn mentions(host: &HostProgram, options: &Options) -> Vec<(Span, String)> {
    let names = host.kernels.iter().map(|k| k.name.as_str());
    let names: HashSet<&str> = names
        .filter(|name| is_function(name, host, options))
        .collect();
    if names.is_empty() {
        return Vec::new();
    }
    let text = host.text.as_str();
    let tokens = lex(text);
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let in_kernel = |span: Span| host.kernels.iter().any(|k| k.span.contains(span));
    let mut found = Vec::new();
    // The depths at which arguments of those operations stand.
    let mut operations: Vec<usize> = Vec::new();
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        match word(index) {
            "(" => {
                depth += 1;
                let before = index.checked_sub(1).map_or("", word);
                if matches!(before, "streamGatherOp" | "streamScatterOp") {
                    operations.push(depth);
                }
            }
            ")" => {
                operations.retain(|&d| d < depth);
                depth = depth.saturating_sub(1);
            }
            name if names.contains(name) && !in_kernel(token.span) => {
                let before = index.checked_sub(1).map_or("", word);
                let called = word(index + 1) == "." && !matches!(before, "." | "->" | "::");
                let given = operations.contains(&depth) && before == "," && word(index + 1) == ")";
                if called || given {
                    found.push((token.span, format!("brook_kernel_{name}")));
                }
            }
            _ => {}
        }
    }
    found
}

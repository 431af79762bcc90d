//! Calls of kernels in host code whose streams have sizes that are known here (specification, section 4.1.1):
//! what would be an error whenever the call is reached is one of the translation.
//!
//! Only what is certain counts: names that are declared as streams once, with sizes of numbers and of macros
//! that are defined once. The runtime checks every call.

use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::expr;
use crate::lex::{Token, lex};
use crate::library;
use crate::module::{HostProgram, Kernel, KernelForm, Module, ParameterKind};
use crate::source::Span;
use foldhash::{HashMap, HashMapExt};

/// Extents, slowest first; none where they are not known.
type Known = Option<Vec<u64>>;

/// Checks every call.
pub(crate) fn check_calls(module: &Module, sink: &mut Sink) {
    // BrookGPU pads ranks, and its streams change their shapes.
    let Some(host) = module.host.as_ref().filter(|h| !h.checking.brookgpu) else {
        return;
    };
    for (offset, message) in faults(host, &module.kernels) {
        let location = host.written(&module.provenance.files, Span::at(offset));
        sink.push(Diagnostic::new(
            &codes::BROOK_CALL,
            Some(location),
            &[&message],
        ));
    }
}

fn faults(host: &HostProgram, kernels: &[Kernel]) -> Vec<(u32, String)> {
    let text = host.text.as_str();
    let tokens = lex(text);
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let macros = macros(text, &tokens);
    let mut declared: HashMap<u32, (&str, Known)> = HashMap::new();
    for declarator in host.streams.iter().flat_map(|s| &s.declarators) {
        let extents = declarator.extents.iter().map(|e| number(e, &macros));
        let known = (declarator.values.is_none() || declarator.extents.len() == 1)
            .then(|| extents.collect::<Option<Vec<u64>>>())
            .flatten();
        let known = known.filter(|e| !e.is_empty());
        declared.insert(declarator.attribute.start, (&declarator.name, known));
    }
    let mut called: HashMap<&str, &Kernel> = HashMap::new();
    for kernel in kernels {
        called.entry(&kernel.name).or_insert(kernel);
    }
    let written: Vec<Span> = host.kernels.iter().map(|k| k.span).collect();
    let mut found = Vec::new();
    let mut scopes: Vec<HashMap<&str, Known>> = vec![HashMap::new()];
    let mut index = 0;
    while index < tokens.len() {
        let span = tokens[index].span;
        if let Some(kernel) = span.holder(&written) {
            while index < tokens.len() && tokens[index].span.start < written[kernel].end {
                index += 1;
            }
            continue;
        }
        match word(index) {
            "{" => scopes.push(HashMap::new()),
            "}" if scopes.len() > 1 => {
                scopes.pop();
            }
            _ => {}
        }
        if let Some((name, known)) = declared.get(&span.start)
            && let Some(scope) = scopes.last_mut()
        {
            // Declared again, in another branch of `#if`: either may be meant.
            let known = known.clone().filter(|_| !scope.contains_key(name));
            scope.insert(name, known);
        } else if tokens[index].is_identifier() && changes(&tokens, text, index) {
            let name = word(index);
            if let Some(scope) = scopes.iter_mut().rev().find(|s| s.contains_key(name)) {
                scope.insert(name, None);
            }
        }
        if let Some(kernel) = called.get(word(index))
            && scopes.len() > 1
            && word(index + 1) == "("
            && is_call(&tokens, text, index)
            && let Some(arguments) = arguments(&tokens, text, index + 1)
        {
            let streams = arguments.iter().map(|name| {
                let name = (*name)?;
                scopes.iter().rev().find_map(|s| s.get(name))
            });
            let streams: Vec<Option<&Known>> = streams.collect();
            // Without a stream it may be the C library's function.
            if streams.iter().any(Option::is_some) || !library::is_c_function(&kernel.name) {
                let shapes: Vec<Known> = streams.into_iter().map(|s| s.cloned()?).collect();
                let passed: Vec<&str> = arguments.iter().map(|a| a.unwrap_or("")).collect();
                found.extend(fault(kernel, &shapes, &passed).map(|message| (span.start, message)));
            }
        }
        index += 1;
    }
    found
}

/// Whether something else than a stream that was declared before gets the name, or a stream another one's
/// elements.
fn changes(tokens: &[Token], text: &str, index: usize) -> bool {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let before = word(index.wrapping_sub(1));
    let declares = tokens
        .get(index.wrapping_sub(1))
        .is_some_and(Token::is_identifier)
        && !matches!(before, "return" | "else" | "do" | "case" | "throw")
        || before == ">";
    // The attribute of a stream's own declaration follows its name.
    let is_stream = word(index + 1) == "[" && word(index + 2) == "[";
    (declares && !is_stream) || word(index + 1) == "="
}

/// Whether a name before brackets is called, not declared or somebody's member.
fn is_call(tokens: &[Token], text: &str, index: usize) -> bool {
    let before = tokens.get(index.wrapping_sub(1));
    before.is_none_or(|t| match t.text(text) {
        "." | "->" | "::" | "*" | "&" | ">" => false,
        "else" | "do" | "return" => true,
        _ => !t.is_identifier(),
    })
}

/// The arguments between brackets: names, and none for each expression. Nothing where commas may be those of
/// a template.
fn arguments<'a>(tokens: &[Token], text: &'a str, open: usize) -> Option<Vec<Option<&'a str>>> {
    let mut found = Vec::new();
    let mut depth = 0usize;
    let mut first = open + 1;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        let word = token.text(text);
        match word {
            "<" | "#" | ";" => return None,
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 || (depth == 1 && word == ",") {
            if index > first || word == "," {
                let name = tokens[first].is_identifier() && index == first + 1;
                found.push(name.then(|| tokens[first].text(text)));
            }
            first = index + 1;
        }
        if depth == 0 {
            return Some(found);
        }
    }
    None
}

/// What is wrong with a call, in the words of section 8 where it has some.
fn fault(kernel: &Kernel, shapes: &[Known], passed: &[&str]) -> Option<String> {
    let name = &kernel.name;
    let parameters = &kernel.parameters;
    if shapes.len() != parameters.len() {
        let (wanted, got) = (parameters.len(), shapes.len());
        return Some(format!(
            "kernel '{name}' takes {wanted} arguments; got {got}"
        ));
    }
    let of = |wanted: &dyn Fn(&ParameterKind) -> bool| -> Vec<&Vec<u64>> {
        let pairs = parameters.iter().zip(shapes);
        pairs
            .filter(|(p, _)| wanted(&p.kind))
            .filter_map(|(_, s)| s.as_ref())
            .collect()
    };
    for ((parameter, shape), passed) in parameters.iter().zip(shapes).zip(passed) {
        if let ParameterKind::Gather(rank) | ParameterKind::Scatter(rank) = parameter.kind
            && let Some(shape) = shape
            && shape.len() != rank
        {
            let (name, got) = (&parameter.name, shape.len());
            return Some(format!(
                "'{name}' has {rank} dimensions; got {got}, of '{passed}'"
            ));
        }
    }
    let inputs = of(&|kind| *kind == ParameterKind::StreamIn);
    match kernel.form {
        KernelForm::Map { .. } => {
            let outputs = of(&|kind| matches!(kind, ParameterKind::StreamOut { .. }));
            let all = parameters.iter();
            let written = all.filter(|p| matches!(p.kind, ParameterKind::StreamOut { .. }));
            // Without the first output's shape nothing is certain.
            let first = outputs
                .first()
                .filter(|_| written.count() == outputs.len())?;
            if outputs.iter().any(|o| o.len() != first.len()) {
                return Some(
                    "Kernel Execution: output stream rank doesn't match with first output rank"
                        .into(),
                );
            }
            if outputs.iter().any(|o| o != first) {
                return Some("Kernel Execution: output stream dimension doesn't match with first output dimension".into());
            }
            let other = inputs.iter().any(|i| i.len() != first.len());
            other.then(|| {
                "Kernel Execution: input stream rank doesn't match with first output rank".into()
            })
        }
        KernelForm::Reduce { .. } => {
            let targets = of(&|kind| *kind == ParameterKind::Reduce);
            let (input, output) = (inputs.first()?, targets.first()?);
            if output.len() > input.len() {
                return Some(
                    "Kernel Execution: Reduction operation don't allow output rank > input rank"
                        .into(),
                );
            }
            // Left-most dimensions are kept.
            let kept = output.iter().copied().chain(std::iter::repeat(1));
            let divides = input.iter().zip(kept).all(|(i, o)| o > 0 && i % o == 0);
            (!divides).then(|| "Kernel Execution: Input dimensions should be integral multiple of output dimensions".into())
        }
        KernelForm::Okl { .. } | KernelForm::Vout | KernelForm::SubKernel => None,
    }
}

/// Macros without parameters that are defined once and under no condition.
fn macros<'a>(text: &'a str, tokens: &[Token]) -> HashMap<&'a str, Option<&'a str>> {
    let word = |i: usize| tokens.get(i).map_or("", |t: &Token| t.text(text));
    let mut found = HashMap::new();
    let mut conditions = 0usize;
    for (index, token) in tokens.iter().enumerate() {
        if !token.line_start || word(index) != "#" {
            continue;
        }
        match word(index + 1) {
            "if" | "ifdef" | "ifndef" => conditions += 1,
            "endif" => conditions = conditions.saturating_sub(1),
            "define" | "undef" => {
                let name = tokens.get(index + 2).map_or("", |t| t.text(text));
                let mut end = index + 3;
                while end < tokens.len() && !tokens[end].line_start {
                    end += 1;
                }
                let body = (end > index + 3 && conditions == 0 && word(index + 1) == "define")
                    .then(|| tokens[index + 3].span.to(tokens[end - 1].span).of(text));
                let body = body.filter(|_| !found.contains_key(name));
                found.insert(name, body);
            }
            _ => {}
        }
    }
    found
}

/// The number that a size is.
fn number(text: &str, macros: &HashMap<&str, Option<&str>>) -> Option<u64> {
    let plain = Some(text.trim()).filter(|t| !t.starts_with('0'));
    if let Some(number) = plain.and_then(|t| t.parse().ok()) {
        return Some(number);
    }
    let mut text = text.to_string();
    // Macros of macros; what goes on longer is no number.
    for _ in 0..4 {
        let tokens = lex(&text);
        let mut out = String::new();
        for token in &tokens {
            let word = token.text(&text);
            match macros.get(word).copied().flatten() {
                Some(body) => out.push_str(&format!(" ({body})")),
                None => out.push_str(&format!(" {word}")),
            }
        }
        text = out;
    }
    let value = expr::constant(&expr::parse(text.trim()).ok()?)?;
    u64::try_from(value).ok()
}

//! What a kernel launches for some arguments, and what goes wrong there: the sanitizer's run as data for a picture.

use super::super::Failure;
use super::super::arguments;
use super::super::arguments::spec::{self, Given};
use super::answers::{Asked, Explorer, Question, Wrong};
use brook::diagnostics::Report;
use brook::expr::Scalar;
use brook::interpret::{self, Finding, Launched, Order, Settings, Step};
use brook::metadata::{KernelMetadata, ParameterMetadata, Role};
use brook::source::{Files, Span};
use brook::{Dialect, Sanitized, Sanitizer};
use serde_json::{Value, json};

/// What a run for a picture may take: about half a second, and a quarter of a gigabyte.
const MOST_STEPS: u64 = 40_000_000;
const MOST_BYTES: u64 = 256 << 20;
/// What the page proposes: a few groups, and arrays that what is small does not reach the end of.
const SMALL: u32 = 20;
const ARRAY: u32 = 4096;

/// The kernels of a source, and what one of them does.
pub(super) fn run(explorer: &Explorer, question: &Question) -> Result<Value, Wrong> {
    let asked = explorer.asked(question)?;
    let Asked {
        source,
        options,
        fence,
    } = &asked;
    let main = source.name.as_str();
    let sanitizer = match Sanitizer::new(source, options, fence) {
        Ok(sanitizer) => sanitizer,
        Err(report) => {
            let messages = explorer.messages(&report, main);
            return Ok(json!({ "kernels": [], "messages": messages }));
        }
    };
    let kernels: Vec<Value> = sanitizer.kernels().iter().map(kernel).collect();
    let known = |k: &&KernelMetadata| Some(&k.name) == question.kernel.as_ref();
    let chosen = sanitizer.kernels().iter().find(known);
    let Some(chosen) = chosen.or(sanitizer.kernels().first()) else {
        return Ok(json!({ "kernels": [], "messages": [] }));
    };
    let made = match given(chosen, &question.arguments) {
        Ok(made) => made,
        Err(why) => return Ok(json!({ "kernels": kernels, "kernel": chosen.name, "wrong": why })),
    };
    let (mut arguments, shapes) = made;
    let settings = Settings {
        steps: MOST_STEPS,
        memory: MOST_BYTES,
        ..Settings::default()
    };
    let orders = [Order::Forward, Order::Reversed, Order::Random(1)];
    let ran = sanitizer.run(&chosen.name, &mut arguments, &shapes, &orders, &settings);
    let elements = source.dialect == Dialect::Brook;
    let mut answer = json!({ "kernels": kernels, "kernel": chosen.name, "elements": elements });
    let picture = Picture {
        explorer,
        sanitizer: &sanitizer,
        report: Report {
            files: sanitizer.files().clone(),
            ..Report::default()
        },
        main,
    };
    match ran {
        Ok(found) => {
            answer["launches"] = found.launched.iter().map(|l| picture.launch(l)).collect();
            answer["findings"] = picture.findings(&found);
        }
        Err(report) => {
            // What there is of it has places in the same files.
            let files: Files = sanitizer.files().clone();
            let report = Report { files, ..*report };
            answer["messages"] = Value::Array(explorer.messages(&report, main));
        }
    }
    Ok(answer)
}

/// A kernel, and what to run it with.
fn kernel(kernel: &KernelMetadata) -> Value {
    let parameters = kernel.parameters.iter().map(|p| {
        json!({ "name": p.name, "type": p.type_name, "array": p.role != Role::Value, "value": proposed(p) })
    });
    let parameters: Vec<Value> = parameters.collect();
    json!({ "name": kernel.name, "parameters": parameters })
}

/// What is passed unless somebody says otherwise: indices are all different, and other numbers are, too.
fn proposed(parameter: &ParameterMetadata) -> String {
    let scalar = parameter.scalar.or_else(|| {
        let first = parameter.numbers.first();
        first.map(|(_, scalar)| *scalar)
    });
    let words = parameter.type_name.as_str();
    let real = match scalar {
        Some(scalar) => matches!(scalar, Scalar::Float | Scalar::Double),
        None => words.contains("float") || words.contains("double"),
    };
    let shape = match parameter.role {
        Role::Value if real => return "0.5".to_string(),
        Role::Value => return SMALL.to_string(),
        Role::Reduce => return "0".to_string(),
        _ if !parameter.extents.is_empty() => {
            parameter.extents.iter().map(u64::to_string).collect()
        }
        Role::Gather(rank) | Role::Scatter(rank) => vec![SMALL.to_string(); rank],
        Role::Input | Role::Output | Role::Vout => vec![SMALL.to_string()],
        Role::Buffer => vec![ARRAY.to_string()],
    };
    let shape = shape.join("x");
    match real {
        true => format!("random({shape})"),
        false => format!("iota({shape})"),
    }
}

type Made = (Vec<interpret::Argument>, Vec<Vec<u32>>);

/// The arguments of a kernel, and their shapes.
fn given(kernel: &KernelMetadata, said: &[(String, String)]) -> Result<Made, String> {
    let mut given = Vec::new();
    for parameter in &kernel.parameters {
        let name = &parameter.name;
        let mine = said.iter().find(|(n, v)| n == name && !v.trim().is_empty());
        let value = mine.map_or_else(|| proposed(parameter), |(_, value)| value.clone());
        let parsed = spec::parse(&format!("{name}={value}")).map_err(|e| {
            let about = format!("--arg '{name}={value}': ");
            format!("{name}: {}", e.strip_prefix(&about).unwrap_or(&e))
        })?;
        if matches!(parsed.1, Given::File(_)) {
            return Err(format!("{name}: files are for the command line"));
        }
        if let Given::Filled(shape, _) = &parsed.1 {
            let each = parameter.bytes.unwrap_or(16) as u64;
            let bytes = shape
                .iter()
                .fold(each, |n, e| n.saturating_mul(u64::from(*e)));
            // What is known of each byte takes as much again, and each order has its own.
            if bytes > MOST_BYTES / 8 {
                return Err(format!("{name}: that is too large for a picture"));
            }
        }
        given.push(parsed);
    }
    arguments::interpreted(kernel, &given).map_err(|failure| match failure {
        Failure::Usage(why) | Failure::System(why) => why,
        Failure::Input => "the arguments cannot be read".to_string(),
    })
}

/// What has places.
struct Picture<'a> {
    explorer: &'a Explorer,
    sanitizer: &'a Sanitizer,
    /// Its files.
    report: Report,
    main: &'a str,
}

impl Picture<'_> {
    fn place(&self, span: Span) -> Value {
        let at = self.sanitizer.place(span);
        at.map_or(Value::Null, |at| {
            let made = Default::default();
            self.explorer.place(&self.report, &made, at, self.main)
        })
    }

    fn launch(&self, launched: &Launched) -> Value {
        let steps = launched.steps.iter().map(|step| match *step {
            Step::Items { at, extents } => json!({ "items": extents, "at": self.place(at) }),
            Step::Barrier { at } => json!({ "barrier": true, "at": self.place(at) }),
        });
        let steps: Vec<Value> = steps.collect();
        json!({
            "at": self.place(launched.at),
            "groups": launched.groups,
            "items": launched.items,
            "steps": steps,
            "more": launched.more,
        })
    }

    /// What was found, as messages that know who was there.
    fn findings(&self, found: &Sanitized) -> Value {
        let report = Report {
            diagnostics: found.report.diagnostics.clone(),
            files: self.report.files.clone(),
        };
        let messages = self.explorer.messages(&report, self.main).into_iter();
        let both = messages.zip(&found.findings);
        let both = both.map(|(mut message, finding): (Value, &Finding)| {
            message["remark"] = json!(finding.kind.is_remark());
            message["who"] = json!(finding.who);
            message["otherWho"] = json!(finding.other_who);
            message["element"] = json!(finding.element);
            message["launch"] = json!(finding.launch);
            message
        });
        both.collect()
    }
}

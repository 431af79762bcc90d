//! Calls of Brook+ kernels that are interpreted before they are made: `BROOK_SANITIZE=1`, `brook run --sanitize`.
//!
//! What is found is printed once for each place, and decides what the process ends with if nothing else does. What cannot be
//! looked at is said, once, too.

use super::call_argument::StreamArgument;
use super::domain::{self, ExecutionDomain};
use super::launch::{from_bytes, to_bytes};
use super::{DynStream, Kernel, Result, is_switched_on, kernel_sources};
use crate::diagnostics::{Report, to_json};
use crate::interpret::{Argument, Order, Settings};
use crate::module::Type;
use crate::render::{Form, KernelMetadata, ParameterMetadata, Role};
use crate::sanitize::{self, Sanitizer, Shapes};
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What the process ends with if nothing else is wrong: 1 after findings, 3 if something could not be looked at.
static STATUS: AtomicI32 = AtomicI32::new(0);

/// Names a file in which the status stands from the beginning of the process on, so that who has started it knows that
/// calls are looked at, and what came of it, however the process ends.
pub(super) const STATUS_FILE: &str = "BROOK_SANITIZE_STATUS";

/// Where indices that are clamped are looked for, too.
pub(super) const CLAMPED: &str = "BROOK_SANITIZE_CLAMPED";

/// Where what is found is printed as JSON.
pub(super) const JSON: &str = "BROOK_SANITIZE_JSON";

/// Says, where that is asked for, that calls will be looked at.
pub(crate) fn announce() {
    if is_wanted() {
        note_status();
    }
}

fn note_status() {
    if let Some(path) = std::env::var_os(STATUS_FILE) {
        // Who reads it says what is missing.
        let _ = std::fs::write(path, status().to_string());
    }
}

/// What a process has noted; `None` if it has not looked at anything.
pub(super) fn noted_status(path: &Path) -> Option<i32> {
    std::fs::read_to_string(path).ok()?.parse().ok()
}

/// See [`STATUS`].
pub(crate) fn status() -> i32 {
    STATUS.load(Ordering::Relaxed)
}

/// Whether calls are to be looked at.
pub(super) fn is_wanted() -> bool {
    static WANTED: OnceLock<bool> = OnceLock::new();
    *WANTED.get_or_init(|| is_switched_on("BROOK_SANITIZE"))
}

/// Programs by their texts and by what they were translated with; nothing for those that cannot be looked at.
type Known = Mutex<HashMap<(Vec<u8>, String), Option<Arc<Sanitizer>>>>;

fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(Known::default)
}

/// Prints what has not been printed before.
fn tell(text: &str, code: i32) {
    static TOLD: OnceLock<Mutex<HashSet<String>>> = OnceLock::new();
    let told = TOLD.get_or_init(Mutex::default);
    let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
    if told.insert(text.to_string()) {
        // Whoever closed it does not want to know.
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
    let worse = |old: i32| (old == 0 || code == 1).then_some(code);
    let _ = STATUS.fetch_update(Ordering::Relaxed, Ordering::Relaxed, worse);
    note_status();
}

/// Messages as they are asked for.
fn shown(report: &Report) -> String {
    match is_switched_on(JSON) {
        true => to_json(report),
        false => report.to_string(),
    }
}

fn not_modelled(what: &str) {
    tell(&shown(&sanitize::not_modelled(what)), 3);
}

/// Says that a kernel of OKL is not looked at.
pub(super) fn pass_over(kernel: &str) {
    not_modelled(&format!("kernel '{kernel}', which is OKL, in a program"));
}

impl Kernel {
    /// Interprets a call, and prints what is wrong with it.
    pub(super) fn look_at(
        &self,
        domain: Option<&ExecutionDomain>,
        arguments: &[StreamArgument<'_>],
        recorded: bool,
    ) {
        let metadata = self.metadata();
        let name = &metadata.name;
        if metadata.form == Form::Okl {
            return pass_over(name);
        }
        if recorded {
            return not_modelled(&format!("recorded calls, as of kernel '{name}'"));
        }
        let Ok(place) = self.place(domain, arguments) else {
            // The call itself says what is wrong.
            return;
        };
        let Some(prepared) = self.prepared() else {
            return;
        };
        let (mut given, mut shapes) = (Vec::new(), Vec::new());
        for (argument, parameter) in arguments.iter().zip(&metadata.parameters) {
            let Some((argument, shape)) = look_at_argument(argument, parameter) else {
                // The call itself says what is wrong.
                return;
            };
            given.push(argument);
            shapes.push(shape);
        }
        let orders = [Order::Forward, Order::Reversed, Order::Random(1)];
        let shapes = Shapes {
            extents: &shapes,
            pads: metadata.pads_ranks,
            place,
        };
        let settings = Settings {
            clamped: is_switched_on(CLAMPED),
            ..Settings::default()
        };
        match prepared.call(name, &mut given, &shapes, &orders, &settings) {
            Ok(found) => {
                let objects = found.json.lines();
                for ((index, finding), object) in found.findings.iter().enumerate().zip(objects) {
                    // One example of each will do, however many calls have it.
                    let key = (
                        name.clone(),
                        format!("{:?}", (finding.kind, finding.span, finding.other)),
                    );
                    if is_new(key) {
                        let report = Report {
                            diagnostics: vec![found.report.diagnostics[index].clone()],
                            files: found.report.files.clone(),
                        };
                        let code = i32::from(!finding.kind.is_remark());
                        match is_switched_on(JSON) {
                            true => tell(&format!("{object}\n"), code),
                            false => tell(&report.to_string(), code),
                        }
                    }
                }
            }
            Err(report) => tell(&shown(&report), 3),
        }
    }

    /// Where the kernel runs, if that is said apart from its streams.
    fn place(
        &self,
        given: Option<&ExecutionDomain>,
        arguments: &[StreamArgument<'_>],
    ) -> Result<Option<[[u32; 4]; 4]>> {
        let pairs = || arguments.iter().zip(&self.metadata().parameters);
        let with = |wanted: fn(Role) -> bool| {
            let all = pairs().filter(move |(_, p)| wanted(p.role));
            all.filter_map(|(argument, _)| argument.stream())
        };
        let mut outputs = with(|role| role == Role::Output).peekable();
        let scatters = outputs.peek().is_none();
        let written: Vec<&DynStream> = outputs
            .chain(with(|role| matches!(role, Role::Scatter(_))))
            .collect();
        let threads = written.iter().find_map(|s| s.threads);
        let Some(first) = written
            .first()
            .filter(|_| given.is_some() || threads.is_some())
        else {
            return Ok(None);
        };
        let range = domain::range(&first.layout.shape, given, threads, scatters)?;
        Ok(Some([
            range.extents,
            range.start,
            range.whole,
            range.origin,
        ]))
    }

    /// The program's kernels as they are interpreted.
    fn prepared(&self) -> Option<Arc<Sanitizer>> {
        let Some(recipe) = self.program.recipe() else {
            not_modelled("packages");
            return None;
        };
        let (source, options) = (&recipe.source, &recipe.options);
        let translate = &options.translate;
        let told = format!(
            "{} {:?} {:?}",
            source.name, translate.checking, translate.defines
        );
        let mut all = known().lock().unwrap_or_else(PoisonError::into_inner);
        let made = all.entry((source.text.clone(), told)).or_insert_with(|| {
            match Sanitizer::new(source, translate, &options.files) {
                Ok(prepared) => Some(Arc::new(match kernel_sources::provenance(source) {
                    Some(before) => prepared.written_in(before),
                    None => prepared,
                })),
                Err(report) => {
                    tell(&shown(&report), 3);
                    None
                }
            }
        });
        made.clone()
    }
}

/// What a call writes has been written from then on.
pub(super) fn note_written(metadata: &KernelMetadata, arguments: &[StreamArgument<'_>]) {
    let okl = metadata.form == Form::Okl;
    for (argument, parameter) in arguments.iter().zip(&metadata.parameters) {
        let writes = match parameter.role {
            Role::Output | Role::Scatter(_) | Role::Reduce | Role::Vout => true,
            // Anything.
            _ => okl,
        };
        if let Some(stream) = argument.stream().filter(|_| writes) {
            stream.set_written();
        }
    }
}

fn is_new(key: (String, String)) -> bool {
    static SEEN: OnceLock<Mutex<HashSet<(String, String)>>> = OnceLock::new();
    let seen = SEEN.get_or_init(Mutex::default);
    seen.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(key)
}

/// An argument as the interpreter takes it, and its extents, slowest first; `None` for one that does not fit.
fn look_at_argument(
    argument: &StreamArgument<'_>,
    parameter: &ParameterMetadata,
) -> Option<(Argument, Vec<u32>)> {
    let buffer = |bytes: Vec<u8>| Argument::Buffer {
        bytes,
        filled: true,
    };
    if let Some(stream) = argument.stream() {
        let mut bytes = vec![0; stream.bytes()];
        stream.write(&mut bytes).ok()?;
        let filled = stream.is_written();
        return Some((Argument::Buffer { bytes, filled }, stream.extents()));
    }
    if let StreamArgument::Array { extents, bytes, .. } = argument {
        if parameter.role == Role::Value {
            return Some((Argument::Value(bytes.to_vec()), Vec::new()));
        }
        let declared: Vec<u32> = parameter.extents.iter().map(|e| *e as u32).collect();
        let rank = match parameter.role {
            Role::Gather(rank) => rank,
            _ => return None,
        };
        // The last extent may be an element's own, or none be the parameter's.
        let shape = match extents.split_last() {
            _ if extents.len() == rank => extents.to_vec(),
            Some((_, rest)) if rest.len() == rank => rest.to_vec(),
            _ => declared,
        };
        return Some((buffer(bytes.to_vec()), shape));
    }
    let (scalar, bytes) = argument.value()?;
    if let (StreamArgument::Variable { .. }, Role::Reduce) = (argument, parameter.role) {
        return Some((buffer(bytes.to_vec()), Vec::new()));
    }
    let Some(wanted) = Type::from_words(&parameter.type_name).and_then(|t| t.base.scalar()) else {
        return Some((Argument::Value(bytes.to_vec()), Vec::new()));
    };
    let mut converted = Vec::new();
    for part in bytes.chunks(scalar.size()) {
        let mut room = [0; 8];
        let size = to_bytes(from_bytes(scalar, part)?.convert(wanted), &mut room);
        converted.extend_from_slice(&room[..size]);
    }
    Some((Argument::Value(converted), Vec::new()))
}

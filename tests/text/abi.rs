//! `include/brook/abi.h` is written by hand, since it is the interface's documentation; it must agree with what
//! the library exports: every function with its types, every struct with its layout.

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::Need;
use brook::capi::{ABI_VERSION, Argument, Domain, Embedded, File, Options, Parameter};
use brook_driver::{ScratchDirectory, find_program, run_compiler};
use std::collections::BTreeMap;
use std::mem::{offset_of, size_of};
use std::path::Path;
use std::process::Command;

/// Result and parameters, in C's words without names.
type Functions = BTreeMap<String, Vec<String>>;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let nm = find_program("nm").ok_or("no nm found".to_string());
    let cc = ["gcc", "cc", "clang"].into_iter().find_map(find_program);
    let cc = cc.ok_or("no C compiler found".to_string());
    let (needs_nm, needs_cc) = (Need::new("nm", &nm), Need::new("cc", &cc));
    let trials = vec![
        Trial::test("functions_agree", || Ok(functions_agree()?)),
        Trial::test("version_is_kept", || Ok(version_is_kept()?)),
        needs_nm.trial("nothing_else_is_exported".into(), || Ok(exports()?)),
        needs_cc.trial("structs_have_one_layout".into(), move || Ok(layouts(&cc?)?)),
    ];
    trials
}

/// The functions of the header.
fn header() -> Result<Functions, String> {
    let path = root().join("include/brook/abi.h");
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("/*") {
        plain.push_str(before);
        rest = after.split_once("*/").ok_or("a comment without end")?.1;
    }
    plain.push_str(rest);
    let lines: Vec<&str> = plain.lines().filter(|l| !l.starts_with('#')).collect();
    let plain = lines.join(" ").replace("extern \"C\" {", "");
    let mut found = Functions::new();
    for statement in plain.split(';') {
        let Some((head, parameters)) = statement.split_once('(') else {
            continue;
        };
        let parameters = parameters.trim().strip_suffix(')').ok_or(statement)?;
        let (result, name) = split_name(head);
        let mut types = vec![result];
        if parameters.trim() != "void" {
            types.extend(parameters.split(',').map(|p| split_name(p).0));
        }
        found.insert(name, types);
    }
    Ok(found)
}

/// `const char *name`: the type in one spelling, and the name.
fn split_name(text: &str) -> (String, String) {
    let text = text.trim();
    let at = text.rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let (type_, name) = text.split_at(at.map_or(0, |i| i + 1));
    let spaced = type_.replace('*', " * ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    (words.join(" "), name.to_string())
}

/// The functions that the library's sources export.
fn sources() -> Result<Functions, String> {
    let mut found = Functions::new();
    let folder = root().join("src/capi");
    for entry in std::fs::read_dir(folder)
        .map_err(|e| e.to_string())?
        .flatten()
    {
        let text = std::fs::read_to_string(entry.path()).map_err(|e| e.to_string())?;
        for piece in text.split("#[unsafe(no_mangle)]").skip(1) {
            let head = piece.split_once('{').ok_or("a function without a body")?.0;
            let (_, head) = head.split_once("extern \"C\" fn ").ok_or(head)?;
            let (name, rest) = head.split_once('(').ok_or(head)?;
            let (parameters, result) = rest.rsplit_once(')').ok_or(rest)?;
            let result = result.trim().strip_prefix("->").unwrap_or("()");
            let mut types = vec![c_type(result.trim())?];
            for parameter in parameters.split(',').filter(|p| !p.trim().is_empty()) {
                let (_, ty) = parameter.split_once(':').ok_or(parameter)?;
                types.push(c_type(ty.trim())?);
            }
            found.insert(name.trim().to_string(), types);
        }
    }
    Ok(found)
}

/// What C calls a type of Rust's.
fn c_type(rust: &str) -> Result<String, String> {
    if let Some(inner) = rust.strip_prefix("*const &'static ") {
        return Ok(format!("const {} * const *", c_type(inner)?));
    }
    if let Some(inner) = rust.strip_prefix("*const ") {
        return Ok(format!("const {} *", c_type(inner)?));
    }
    if let Some(inner) = rust.strip_prefix("*mut ") {
        return Ok(format!("{} *", c_type(inner)?));
    }
    let name = match rust {
        "()" | "c_void" => "void",
        "c_char" => "char",
        "c_int" => "int",
        "c_uint" => "unsigned",
        "usize" => "size_t",
        "Module" => "brook_module",
        "Stream" => "brook_stream",
        "Device" => "brook_device",
        "Sequence" => "brook_sequence",
        "Memory" => "brook_memory",
        "Program" => "brook_program",
        "Kernel" => "brook_kernel",
        "NativeProgram" => "brook_native_program",
        "NativeKernel" => "brook_native_kernel",
        "Queue" => "brook_queue",
        "Event" => "brook_event",
        "Pool" => "brook_pool",
        "Pinned" => "brook_pinned",
        "Communicator" => "brook_communicator",
        "GatherScatter" => "brook_gather_scatter",
        "i64" => "long long",
        "Parameter" => "brook_parameter",
        "Options" => "brook_build_options",
        "Embedded" => "brook_embedded",
        "f64" => "double",
        "Domain" => "brook_domain",
        "Argument" => "brook_argument",
        other => return Err(format!("'{other}' has no name in C")),
    };
    Ok(name.to_string())
}

fn functions_agree() -> Result<(), String> {
    let (header, sources) = (header()?, sources()?);
    let mut wrong = Vec::new();
    for (name, types) in &sources {
        match header.get(name) {
            None => wrong.push(format!("abi.h has no {name}")),
            Some(found) if found != types => {
                wrong.push(format!(
                    "{name}: {found:?} in abi.h, {types:?} in the library"
                ));
            }
            Some(_) => {}
        }
    }
    let unknown = header.keys().filter(|name| !sources.contains_key(*name));
    wrong.extend(unknown.map(|name| format!("the library has no {name}")));
    match wrong.is_empty() && sources.len() > 20 {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// What programs that were built with a header of this version rely on: functions, constants and structs.
fn interface() -> Result<Vec<String>, String> {
    let mut lines = Vec::new();
    for (name, types) in header()? {
        lines.push(format!("{name}: {}", types.join(", ")));
    }
    let path = root().join("include/brook/abi.h");
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (mut inside, mut place) = (None, 0);
    for line in text.lines() {
        let line = line.split("/*").next().unwrap_or("").trim();
        if let Some(name) = line
            .strip_prefix("enum ")
            .or(line.strip_prefix("typedef struct "))
            && let Some(name) = name.strip_suffix(" {")
        {
            inside = Some(name);
            place = 0;
        } else if line.starts_with('}') {
            inside = None;
        } else if let Some(name) = inside
            && !line.is_empty()
            && !line.starts_with('*')
        {
            let words = line.trim_end_matches(',').split_whitespace();
            let words = words.collect::<Vec<_>>().join(" ");
            // Fields have an order, constants have values.
            lines.push(match words.ends_with(';') {
                true => format!("{name} {place}: {words}"),
                false => format!("{name}: {words}"),
            });
            place += 1;
        }
    }
    lines.sort();
    Ok(lines)
}

/// Whatever is part of the recorded version stays as it is; what is new is recorded, too. Raise `BROOK_ABI_VERSION`
/// before anything that was there is changed or removed, and begin a new record.
fn version_is_kept() -> Result<(), String> {
    let record = root().join(format!("tests/data/abi-{ABI_VERSION}.txt"));
    let now = interface()?;
    let text = std::fs::read_to_string(&record).unwrap_or_default();
    let known: Vec<&str> = text.lines().collect();
    let mut wrong = Vec::new();
    for line in &known {
        if !now.iter().any(|n| n == line) {
            wrong.push(format!("changed or gone, without another version: {line}"));
        }
    }
    if wrong.is_empty() && std::env::var_os("BROOK_BLESS").is_some() {
        let text = now.join("\n") + "\n";
        return std::fs::write(&record, text).map_err(|e| e.to_string());
    }
    let new = now.iter().filter(|n| !known.contains(&n.as_str()));
    wrong.extend(new.map(|line| format!("new, which BROOK_BLESS=1 records: {line}")));
    match wrong.is_empty() && known.len() > 150 {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

fn exports() -> Result<(), String> {
    let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
    let mut nm = Command::new("nm");
    nm.args(["-D", "--defined-only", "-j"])
        .arg(built.join("deps/libbrook.so"));
    let output = nm.output().map_err(|e| e.to_string())?;
    let mut symbols: Vec<&str> = std::str::from_utf8(&output.stdout)
        .unwrap()
        .lines()
        .collect();
    symbols.sort_unstable();
    let header = header()?;
    let expected: Vec<&str> = header.keys().map(String::as_str).collect();
    match symbols == expected {
        true => Ok(()),
        false => Err(format!("exported: {symbols:?}\nin abi.h: {expected:?}")),
    }
}

fn layouts(cc: &Path) -> Result<(), String> {
    let mut text = "#include <brook/abi.h>\n#include <stddef.h>\n".to_string();
    let mut check = |c: &str, value: usize| {
        text.push_str(&format!("_Static_assert({c} == {value}, \"{c}\");\n"));
    };
    check("sizeof(brook_argument)", size_of::<Argument>());
    check("sizeof(brook_domain)", size_of::<Domain>());
    check("sizeof(brook_build_options)", size_of::<Options>());
    check("BROOK_ABI_VERSION", ABI_VERSION as usize);
    macro_rules! fields {
        ($c:literal, $rust:ty, $($name:literal $field:ident),*) => {$(
            check(&format!("offsetof({}, {})", $c, $name), offset_of!($rust, $field));
        )*};
    }
    fields!("brook_argument", Argument, "kind" kind, "type" type_, "width" width, "rank" rank,
        "extents" extents, "bytes" bytes, "data" data);
    check("sizeof(brook_parameter)", size_of::<Parameter>());
    fields!("brook_parameter", Parameter, "name" name, "type_name" type_name, "type" type_, "width" width,
        "bytes" bytes, "is_pointer" is_pointer, "is_const" is_const);
    fields!("brook_build_options", Options, "size" size, "defines" defines,
        "include_directories" include_directories, "forced_includes" forced_includes, "flags" flags,
        "instances" instances, "intrinsics" intrinsics, "standard" standard, "checking" checking, "math" math,
        "no_cache" no_cache, "no_auto_barriers" no_auto_barriers, "no_widen" no_widen,
        "line_directives" line_directives, "files" files, "tuned" tuned, "tuned_for" tuned_for);
    // What programs that were built before there was `files` say.
    check("offsetof(brook_build_options, files)", 96);
    check("sizeof(brook_file)", size_of::<File>());
    fields!("brook_file", File, "name" name, "text" text, "length" length);
    check("sizeof(brook_embedded)", size_of::<Embedded>());
    fields!("brook_embedded", Embedded, "size" size, "files" files, "sources" sources, "options" options,
        "package" package, "package_length" package_length);
    fields!("brook_domain", Domain, "has_offset" has_offset, "has_size" has_size, "offset" offset, "size" size);
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let file = scratch.path().join("layouts.c");
    std::fs::write(&file, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(cc);
    command
        .args(["-std=c11", "-fsyntax-only", "-I"])
        .arg(root().join("include"))
        .arg(file);
    run_compiler(&mut command)
        .map(|_| ())
        .map_err(|e| e.to_string())
}

//! What `brook embed` writes: it is C, and C++ as well.

use super::super::common::{Arithmetic, Compile};
use super::{Gathered, Options};
use std::fmt::Write;

/// Everything that the object says.
pub(super) struct Build<'b> {
    pub(super) gathered: &'b Gathered,
    pub(super) options: &'b Options,
    pub(super) compile: &'b Compile,
    pub(super) math: Arithmetic,
    pub(super) package: Option<&'b [u8]>,
}

pub(super) fn header(name: &str, gathered: &Gathered) -> String {
    let sources = gathered.files.iter().take(gathered.sources);
    // No name of a file ends the comment.
    let sources: Vec<String> = sources.map(|f| f.name.replace("*/", "*_/")).collect();
    let sources = sources.join("\n * ");
    format!(
        "/* Made by brook embed: for brook_program_build_embedded, and brook::Program::embedded of brook/okl.hpp.\n \
         *\n * {sources} */\n\
         #ifndef BROOK_EMBEDDED_{name}\n#define BROOK_EMBEDDED_{name}\n\n#include <brook/abi.h>\n\n\
         #ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         extern const brook_embedded {name};\n\n\
         #ifdef __cplusplus\n}}\n#endif\n\n#endif\n"
    )
}

pub(super) fn source(name: &str, build: &Build<'_>) -> String {
    let mut out = format!(
        "/* Made by brook embed. */\n#include \"{name}.h\"\n\n\
         /* C90 promises 509 characters of a string, which every compiler of today exceeds. */\n\
         #if defined(__GNUC__)\n#pragma GCC diagnostic ignored \"-Woverlength-strings\"\n#endif\n\n"
    );
    let gathered = build.gathered;
    for (number, file) in gathered.files.iter().enumerate() {
        if let Some(text) = &file.text {
            add(
                &mut out,
                &format!("static const char {name}_text_{number}[] =\n"),
            );
            literal(&mut out, text);
            add(&mut out, ";\n");
        }
    }
    if let Some(package) = build.package {
        add(&mut out, &format!("static const char {name}_package[] =\n"));
        literal(&mut out, package);
        add(&mut out, ";\n");
    }
    add(
        &mut out,
        &format!("\nstatic const brook_file {name}_files[] = {{\n"),
    );
    for (number, file) in gathered.files.iter().enumerate() {
        let held = match &file.text {
            Some(text) => format!("{name}_text_{number}, {}", text.len()),
            None => "NULL, 0".to_string(),
        };
        add(
            &mut out,
            &format!("    {{{}, {held}}},\n", string(&file.name)),
        );
    }
    add(&mut out, "    {NULL, NULL, 0}};\n");
    let options = build.options;
    let defines = options.defines.iter();
    let defines: Vec<String> = defines.map(|d| format!("{}={}", d.name, d.value)).collect();
    for (list, values) in [
        ("defines", &defines),
        ("directories", &gathered.directories),
        ("forced", &gathered.forced_includes),
        ("flags", &build.compile.flags),
        ("instances", &options.instantiate),
    ] {
        let values: Vec<String> = values.iter().map(|v| string(v) + ", ").collect();
        let values = values.concat();
        add(
            &mut out,
            &format!("static const char *const {name}_{list}[] = {{{values}NULL}};\n"),
        );
    }
    let or_null = |text: &str| match text.is_empty() {
        true => "NULL".to_string(),
        false => string(text),
    };
    let math = match build.math {
        Arithmetic::Default => "BROOK_MATH_DEFAULT",
        Arithmetic::Strict => "BROOK_MATH_STRICT",
        Arithmetic::Fast => "BROOK_MATH_FAST",
    };
    // In the order of abi.h; the files are the object's.
    add(
        &mut out,
        &format!(
            "\nstatic const brook_build_options {name}_options = {{\n    \
             sizeof(brook_build_options), {name}_defines, {name}_directories, {name}_forced, {name}_flags,\n    \
             {name}_instances, {}, {}, {}, {math}, 0, {}, {}, 0, NULL, NULL, NULL}};\n",
            or_null(options.intrinsics.text()),
            or_null(build.compile.standard.as_deref().unwrap_or_default()),
            or_null(&options.checking.flags()),
            u8::from(options.no_auto_barriers),
            u8::from(options.no_widen),
        ),
    );
    let package = match build.package {
        Some(package) => format!("{name}_package, {}", package.len()),
        None => "NULL, 0".to_string(),
    };
    add(
        &mut out,
        &format!(
            "\nconst brook_embedded {name} = {{\n    sizeof(brook_embedded), {name}_files, {}, &{name}_options, {package}}};\n",
            gathered.sources
        ),
    );
    out
}

fn add(out: &mut String, text: &str) {
    out.push_str(text);
}

fn string(text: &str) -> String {
    let mut out = String::new();
    literal(&mut out, text.as_bytes());
    // One line is one piece.
    out.replace("\n    ", " ").trim_start().to_string()
}

/// Bytes as a string's literal: a line of the text a line.
fn literal(out: &mut String, bytes: &[u8]) {
    out.push_str("    \"");
    let mut column = 0;
    for (index, byte) in bytes.iter().enumerate() {
        let before = out.len();
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            // `??=` and its like are other characters to old compilers.
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            b' '..=b'~' => out.push(char::from(*byte)),
            // Three digits, whatever comes behind.
            _ => {
                let _ = write!(out, "\\{byte:03o}");
            }
        }
        column += out.len() - before;
        if (*byte == b'\n' || column > 110) && index + 1 < bytes.len() {
            out.push_str("\"\n    \"");
            column = 0;
        }
    }
    out.push('"');
}

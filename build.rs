//! Turns the tables of `grammar/` and the folders `templates/*/` into Rust.
//!
//! An attribute, a diagnostic, a backend is a row or a folder there; nothing under `src/` lists them.

#[path = "src/digest.rs"]
mod digest;
#[path = "src/backend/inherit.rs"]
mod inherit;

use digest::Digest;
use inherit::inherited;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let sources = ["build.rs", "src/digest.rs", "src/backend/inherit.rs"];
    for folder in ["grammar", "templates", "include"].iter().chain(&sources) {
        println!("cargo::rerun-if-changed={folder}");
    }
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libbrook.so");
        // What runs at the end of a process must be there then (`src/capi/exit.rs`).
        println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
    write_if_changed(&out.join("diagnostics.rs"), &diagnostics(&root)?)?;
    write_if_changed(&out.join("attributes.rs"), &attributes(&root)?)?;
    write_if_changed(&out.join("functions.rs"), &functions(&root)?)?;
    write_if_changed(&out.join("library.rs"), &library(&root)?)?;
    write_if_changed(&out.join("backends.rs"), &backends(&root)?)?;
    write_if_changed(&out.join("headers.rs"), &headers(&root)?)?;
    Ok(())
}

fn write_if_changed(path: &Path, text: &str) -> Result<()> {
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    Ok(std::fs::write(path, text)?)
}

fn table(root: &Path, name: &str) -> Result<toml::Table> {
    read_table(&root.join("grammar").join(name))
}

fn read_table(path: &Path) -> Result<toml::Table> {
    let text = std::fs::read_to_string(path)?;
    text.parse()
        .map_err(|e| format!("{}: {e}", path.display()).into())
}

fn text<'a>(row: &'a toml::Value, key: &str) -> Option<&'a str> {
    row.get(key).and_then(toml::Value::as_str)
}

fn diagnostics(root: &Path) -> Result<String> {
    let mut out = String::new();
    let mut rows = Vec::new();
    let mut seen = BTreeMap::new();
    for (name, row) in &table(root, "diagnostics.toml")? {
        let id = text(row, "code").ok_or_else(|| format!("diagnostic {name} has no code"))?;
        if let Some(other) = seen.insert(id.to_string(), name.clone()) {
            return Err(format!("diagnostics {name} and {other} share the code {id}").into());
        }
        let message = text(row, "text").ok_or_else(|| format!("diagnostic {name} has no text"))?;
        let explain =
            text(row, "explain").ok_or_else(|| format!("diagnostic {name} has no explain"))?;
        let severity = match text(row, "severity") {
            Some("warning") => "Warning",
            None => "Error",
            Some(other) => return Err(format!("diagnostic {name}: severity {other}?").into()),
        };
        let classic = match id.starts_with("BRK") {
            true => {
                let level = row.get("level").and_then(toml::Value::as_integer);
                let group = text(row, "group").unwrap_or("");
                let spelled = text(row, "brcc").unwrap_or(message);
                format!(
                    "Some(&Classic {{ group: {group:?}, text: {spelled:?}, level: {level:?} }})"
                )
            }
            false => "None".to_string(),
        };
        let constant = name.to_uppercase();
        writeln!(
            out,
            "/// {id}: `{message}`\npub static {constant}: Code = Code {{ id: {id:?}, severity: Severity::{severity}, text: {message:?}, help: {:?}, explain: {explain:?}, classic: {classic} }};",
            text(row, "help")
        )?;
        rows.push(constant);
    }
    writeln!(out, "/// All rows.\npub static ALL: &[&Code] = &[")?;
    for row in rows {
        writeln!(out, "    &{row},")?;
    }
    writeln!(out, "];")?;
    writeln!(
        out,
        "/// Messages of the specification that no program can cause, and why.\npub static UNREACHABLE: &[(&str, &str)] = &["
    )?;
    let unreachable = table(root, "unreachable.toml")?;
    let messages = unreachable.get("message").and_then(toml::Value::as_array);
    for row in messages.into_iter().flatten() {
        let (message, reason) = (text(row, "text"), text(row, "reason"));
        let (Some(message), Some(reason)) = (message, reason) else {
            return Err("a row of unreachable.toml has no text or no reason".into());
        };
        writeln!(out, "    ({message:?}, {reason:?}),")?;
    }
    writeln!(out, "];")?;
    Ok(out)
}

fn attributes(root: &Path) -> Result<String> {
    let mut out =
        String::from("/// All rows, by name.\npub static ATTRIBUTES: &[Attribute] = &[\n");
    for (name, row) in &table(root, "attributes.toml")? {
        let strings = |key: &str| -> Vec<String> {
            let list = row.get(key).and_then(toml::Value::as_array);
            list.into_iter()
                .flatten()
                .filter_map(|v| v.as_str().map(str::to_string))
                .collect()
        };
        let targets: Vec<String> = strings("targets")
            .iter()
            .map(|t| format!("Target::{t}"))
            .collect();
        let bound = |key: &str, default: i64| {
            row.get(key)
                .and_then(toml::Value::as_integer)
                .unwrap_or(default)
        };
        let dialect = match text(row, "dialect") {
            Some("okl") => "Okl",
            Some("brook") => "Brook",
            other => return Err(format!("attribute {name}: dialect {other:?}?").into()),
        };
        let name = name.strip_prefix("brook.").unwrap_or(name);
        writeln!(
            out,
            "    Attribute {{ name: {name:?}, dialect: Dialect::{dialect}, targets: &[{}], least_arguments: {}, most_arguments: {}, summary: {:?} }},",
            targets.join(", "),
            bound("least_arguments", 0),
            bound("most_arguments", 0),
            text(row, "summary").ok_or_else(|| format!("attribute {name} has no summary"))?,
        )?;
    }
    out.push_str("];\n");
    Ok(out)
}

fn functions(root: &Path) -> Result<String> {
    let mut out =
        String::from("/// All rows, by name.\npub(super) static FUNCTIONS: &[Function] = &[\n");
    for (name, row) in &table(root, "functions.toml")? {
        let count = row.get("arguments").and_then(toml::Value::as_integer);
        let count = count.ok_or_else(|| format!("function {name}: arguments?"))?;
        let word = |key: &str, words: &[&str]| {
            let found = words.iter().find(|w| text(row, key) == Some(**w));
            let found = found.ok_or_else(|| format!("function {name}: {key}?"))?;
            Ok::<String, String>(found[..1].to_uppercase() + &found[1..])
        };
        writeln!(
            out,
            "    Function {{ name: {name:?}, arguments: {count}, component: {}, bases: Bases::{}, widths: Widths::{}, only: Only::{} }},",
            word("result", &["component", "same"])? == "Component",
            word("bases", &["float", "signed", "number"])?,
            word("widths", &["any", "vector", "three"])?,
            match text(row, "only") {
                None => "Everywhere",
                Some("brookgpu") => "BrookGpu",
                Some(other) => return Err(format!("function {name}: only {other}?").into()),
            },
        )?;
    }
    out.push_str("];\n");
    Ok(out)
}

fn library(root: &Path) -> Result<String> {
    let mut out = String::from("/// All rows, by name.\npub static LIBRARY: &[LibraryName] = &[\n");
    for (name, row) in &table(root, "library.toml")? {
        let meaning = match (text(row, "value"), text(row, "type")) {
            (Some(value), None) => format!("Meaning::Value({value:?})"),
            (None, Some(ty)) => format!("Meaning::Type({ty:?})"),
            (None, None) => "Meaning::Function".to_string(),
            _ => return Err(format!("library name {name}: a value and a type?").into()),
        };
        writeln!(
            out,
            "    LibraryName {{ name: {name:?}, header: {:?}, meaning: {meaning} }},",
            text(row, "header"),
        )?;
    }
    out.push_str("];\n");
    Ok(out)
}

/// Every folder of `templates/` that has a `backend.toml`, with all templates. Its data are embedded as JSON, which
/// is read in a fraction of the time.
fn backends(root: &Path) -> Result<String> {
    let mut out =
        String::from("/// Built-in backends.\npub(super) static BUILT_IN: &[BuiltIn] = &[\n");
    let mut tables = BTreeMap::new();
    for file in sorted(&root.join("grammar/targets"))? {
        let name = file.file_stem().and_then(|n| n.to_str());
        let name = name.ok_or("file name")?.to_string();
        tables.insert(name, file);
    }
    let find = |name: &str| Some(read_table(tables.get(name)?).map_err(|e| e.to_string()));
    for folder in sorted(&root.join("templates"))? {
        let file = folder.join("backend.toml");
        if file.is_file() {
            let name = folder
                .file_name()
                .and_then(|n| n.to_str())
                .ok_or("folder name")?;
            let data = inherited(read_table(&file)?, &find);
            let data = data.map_err(|e| format!("{}: {e}", file.display()))?;
            let aliases: Vec<&str> = match data.get("aliases").and_then(|a| a.as_array()) {
                Some(all) => all.iter().filter_map(|a| a.as_str()).collect(),
                None => Vec::new(),
            };
            let data = serde_json::to_string(&data)?;
            let mut digest = Digest::default();
            digest.add(data.as_bytes());
            for own in [name, "common"] {
                for template in templates_of(&root.join("templates").join(own))? {
                    digest.add(template.file_name().map_or(&[], |n| n.as_encoded_bytes()));
                    digest.add(&std::fs::read(&template)?);
                }
            }
            writeln!(
                out,
                "    BuiltIn {{ name: {name:?}, aliases: &{aliases:?}, data: {data:?}, digest: {:#x} }},",
                digest.short()
            )?;
        }
    }
    out.push_str("];\n/// Tables that backends may inherit: name and text.\npub(super) static TABLES: &[(&str, &str)] = &[\n");
    for (name, file) in &tables {
        writeln!(out, "    ({name:?}, include_str!({file:?})),")?;
    }
    out.push_str("];\n/// Built-in templates: `FOLDER/FILE` and text.\npub static TEMPLATES: &[(&str, &str)] = &[\n");
    for folder in sorted(&root.join("templates"))? {
        for file in templates_of(&folder)? {
            let name = file
                .strip_prefix(root.join("templates"))?
                .to_str()
                .ok_or("file name")?;
            writeln!(out, "    ({name:?}, include_str!({:?})),", file)?;
        }
    }
    out.push_str("];\n");
    Ok(out)
}

/// The C and C++ headers that generated host programs include.
fn headers(root: &Path) -> Result<String> {
    let mut out = String::from(
        "/// Headers under `include/`: path and text.\npub static HEADERS: &[(&str, &str)] = &[\n",
    );
    let mut folders = vec![root.join("include")];
    while let Some(folder) = folders.pop() {
        for path in sorted(&folder)? {
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(root.join("include"))?
                    .to_str()
                    .ok_or("file name")?;
                writeln!(out, "    ({name:?}, include_str!({:?})),", path)?;
            }
        }
    }
    out.push_str("];\n");
    Ok(out)
}

/// What a folder has besides its `backend.toml`.
fn templates_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = sorted(folder)?;
    files.retain(|file| file.extension().is_some_and(|e| e == "tera"));
    Ok(files)
}

fn sorted(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.sort();
    Ok(paths)
}

//! The references of the two languages, `docs/okl.md` and `docs/brook.md`: what `grammar/` has of attributes and functions, with an
//! example each. `BROOK_BLESS=1` writes them.

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::translate::is_missing;
use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Options, Source};
use std::fmt::Write;
use toml::{Table, Value};

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("pages", || Ok(pages()?)),
        Trial::test("examples_translate", || Ok(examples_translate()?)),
        Trial::test("functions_translate", || Ok(functions_translate()?)),
    ]
}

fn table(name: &str) -> Result<Table, String> {
    let path = root().join("grammar").join(name);
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    text.parse().map_err(|e| format!("{name}: {e}"))
}

/// The rows in the order of the file, where readers find what belongs together.
fn in_order(name: &str) -> Result<Vec<(String, Table)>, String> {
    let path = root().join("grammar").join(name);
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut rows = Vec::new();
    for (row, value) in table(name)? {
        let Value::Table(value) = value else {
            return Err(format!("{name}: {row} is no row"));
        };
        let heads = [
            format!("\n[{row}]\n"),
            format!("\n[\"{row}\"]\n"),
            format!("\n{row} = "),
        ];
        let at = heads.iter().find_map(|head| text.find(head));
        rows.push((at.ok_or(format!("{name}: where is {row}?"))?, row, value));
    }
    rows.sort_by_key(|(at, ..)| *at);
    Ok(rows
        .into_iter()
        .map(|(_, row, value)| (row, value))
        .collect())
}

fn text<'a>(name: &str, row: &'a Table, key: &str) -> Result<&'a str, String> {
    let value = row.get(key).and_then(Value::as_str).map(str::trim);
    let value = value.filter(|text| !text.is_empty());
    value.ok_or(format!("{name} has no {key}"))
}

fn number(row: &Table, key: &str) -> i64 {
    row.get(key).and_then(Value::as_integer).unwrap_or(0)
}

/// A page with new text between two marks.
fn filled(page: &str, mark: &str, text: &str) -> Result<String, String> {
    let begin = format!("<!-- begin {mark}");
    let end = format!("<!-- end {mark} -->");
    let (before, rest) = page.split_once(&begin).ok_or(format!("no '{begin}'"))?;
    let (head, rest) = rest.split_once("-->\n").ok_or("a mark has no end")?;
    let (_, after) = rest.split_once(&end).ok_or(format!("no '{end}'"))?;
    Ok(format!("{before}{begin}{head}-->\n\n{text}\n{end}{after}"))
}

fn pages() -> Result<(), String> {
    let okl = page(
        "okl",
        &[
            ("attributes", attributes("okl")?),
            ("intrinsics", intrinsics()?),
        ],
    );
    let brook = page(
        "brook",
        &[
            ("attributes", attributes("brook")?),
            ("functions", functions()?),
        ],
    );
    okl.and(brook)
}

/// Whether a page has these texts; blessed, it gets them.
fn page(name: &str, texts: &[(&str, String)]) -> Result<(), String> {
    let path = root().join(format!("docs/{name}.md"));
    let old = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let mut new = old.clone();
    for (mark, text) in texts {
        new = filled(&new, mark, text)?;
    }
    match new == old {
        true => Ok(()),
        false if std::env::var_os("BROOK_BLESS").is_some() => {
            std::fs::write(path, new).map_err(|e| e.to_string())
        }
        false => Err(format!(
            "docs/{name}.md is not what the tables make; BROOK_BLESS=1 writes it"
        )),
    }
}

fn attributes(dialect: &str) -> Result<String, String> {
    let mut out = String::new();
    for (name, row) in in_order("attributes.toml")? {
        if text(&name, &row, "dialect")? != dialect {
            continue;
        }
        let own = name.strip_prefix("brook.").unwrap_or(&name);
        let at = if dialect == "okl" { "@" } else { "" };
        let targets = row.get("targets").and_then(Value::as_array);
        let targets: Vec<String> = { targets.into_iter().flatten() }
            .filter_map(Value::as_str)
            .map(|target| match target {
                "Line" => "a line of its own".to_string(),
                other => format!("{}s", other.to_lowercase()),
            })
            .collect();
        let arguments = match (
            number(&row, "least_arguments"),
            number(&row, "most_arguments"),
        ) {
            (0, 0) => "none".to_string(),
            (0, 1) => "one or none".to_string(),
            (least, most) if least == most => least.to_string(),
            (least, most) => format!("{least} to {most}"),
        };
        let summary = text(&name, &row, "summary")?;
        let about = text(&name, &row, "about")?;
        let example = text(&name, &row, "example")?;
        let _ = writeln!(
            out,
            "### {at}{own}\n\n{summary}\n\n{about}\n\nDecorates {}; arguments: {arguments}.\n\n```{}\n{example}\n```\n",
            targets.join(", "),
            if dialect == "okl" { "cpp" } else { "c" }
        );
    }
    Ok(out.trim_end().to_string() + "\n")
}

fn intrinsics() -> Result<String, String> {
    let mut out = String::from("| function | arguments | what it does |\n|---|---|---|\n");
    let mut examples = String::new();
    for (name, row) in in_order("intrinsics.toml")? {
        let summary = text(&name, &row, "summary")?;
        let _ = writeln!(
            out,
            "| `{name}` | {} | {summary} |",
            number(&row, "arguments")
        );
        if let Ok(example) = text(&name, &row, "example") {
            let _ = write!(examples, "\n```cpp\n{example}\n```\n");
        }
    }
    Ok(out + &examples)
}

fn functions() -> Result<String, String> {
    let mut out = String::from("| function | of | gives | example |\n|---|---|---|---|\n");
    for (name, row) in in_order("functions.toml")? {
        let letters = ["a", "b", "c"];
        let count = usize::try_from(number(&row, "arguments")).map_err(|e| e.to_string())?;
        let bases = match text(&name, &row, "bases")? {
            "float" => "`float`, `double`",
            "signed" => "`float`, `double`, signed integers",
            _ => "all numbers",
        };
        let widths = match text(&name, &row, "widths")? {
            "any" => "",
            "vector" => "; vectors",
            _ => "; vectors of three",
        };
        let only = match text(&name, &row, "only") {
            Ok(_) => "; `brookgpu` only",
            Err(_) => "",
        };
        let meaning = text(&name, &row, "meaning")?;
        let _ = writeln!(
            out,
            "| `{name}({})` | {bases}{widths}{only} | {meaning} | `{}` |",
            letters[..count].join(", "),
            text(&name, &row, "example")?
        );
    }
    Ok(out)
}

/// Translates a source for a backend.
fn translate(name: &str, source: &str, backend: &Backend, lenient: bool) -> Result<(), String> {
    let options = Options {
        checking: brook::Checking {
            brookgpu: lenient,
            ..Default::default()
        },
        ..Options::default()
    };
    let source = Source::new(name, source);
    let result = brook::transpile(&source, backend, &options, &MemoryLoader::new());
    result.map(|_| ()).map_err(|report| report.to_string())
}

/// Every example has what it is an example of, and all backends take it that have its types.
fn examples_translate() -> Result<(), String> {
    let all = ["cuda", "hip", "opencl", "openmp", "metal", "sycl"];
    let backends: Vec<Backend> = { all.iter() }
        .map(|name| Backend::built_in(name).map_err(|e| e.to_string()))
        .collect::<Result<_, _>>()?;
    let mut wrong = Vec::new();
    for (name, row) in table("attributes.toml")? {
        let row = row.as_table().ok_or("no row")?;
        let example = text(&name, row, "example")?;
        let (file, word) = match name.strip_prefix("brook.") {
            None => ("example.okl", format!("@{name}")),
            Some("stream") => ("example.br", "float a<>".to_string()),
            Some("attribute") => ("example.br", "Attribute[".to_string()),
            Some(own) => ("example.br", format!("{own} ")),
        };
        let vout = format!("{own}[", own = word.trim_end());
        if !example.contains(&word) && !example.contains(&vout) {
            wrong.push(format!("{name}: the example has no '{word}'"));
        }
        for (backend, target) in backends.iter().zip(all) {
            if let Err(error) = translate(file, example, backend, name == "brook.vout") {
                wrong.push(format!("{name} on {target}: {error}"));
            }
        }
    }
    let intrinsics = table("intrinsics.toml")?;
    let examples: Vec<&str> = { intrinsics.values() }
        .filter_map(|row| row.get("example").and_then(Value::as_str))
        .collect();
    for name in intrinsics.keys() {
        let call = format!("{name}(");
        let Some(example) = examples.iter().find(|example| example.contains(&call)) else {
            wrong.push(format!("{name} is in no example"));
            continue;
        };
        for (backend, target) in backends.iter().zip(all) {
            match translate("example.okl", example, backend, false) {
                Err(error) if !is_missing(backend, &error) => {
                    wrong.push(format!("{name} on {target}: {error}"));
                }
                _ => {}
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// The examples of functions are right by type; what they give, `documents::functions` asks a device.
fn functions_translate() -> Result<(), String> {
    for only in [false, true] {
        let backend = Backend::built_in("openmp").map_err(|e| e.to_string())?;
        let mut source = String::new();
        for (name, row) in table("functions.toml")? {
            let row = row.as_table().ok_or("no row")?;
            let example = text(&name, row, "example")?;
            if !example.contains(&format!("{name}(")) {
                return Err(format!("{name}: '{example}' does not call it"));
            }
            if row.contains_key("only") == only {
                let _ = writeln!(
                    source,
                    "kernel void of_{name}(float a<>, out float b<>) {{ if ({example}) {{ b = a; }} else {{ b = 0.0f; }} }}"
                );
            }
        }
        translate("functions.br", &source, &backend, only)?;
    }
    Ok(())
}

//! Sources broken as people break them, one mistake each: `tests/cases/broken/NAME.okl` or `.br` with `NAME.toml`, which
//! was written before there was code to say any of it. The first error is where `line` and `column` say (of `file`, if
//! that is another one), all that is said of it holds `says`, there are `errors` errors, and the change that leaves no
//! choice makes `fix` of that line. Mended sources of which all was said have no errors left.

use crate::support::Trial;
use crate::support::cases::root;
use brook::backend::Backend;
use brook::diagnostics::{FixedFile, Report, Severity, Style, fixed, to_human, to_json};
use brook::source::FileLoader;
use brook::{Define, Options, Source};
use serde::Deserialize;
use std::path::{Path, PathBuf};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    args: Vec<String>,
    file: Option<String>,
    line: usize,
    column: [usize; 2],
    says: Vec<String>,
    errors: usize,
    fix: Option<String>,
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    let folder = root().join("tests/cases/broken");
    let mut trials = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let source = path.extension().is_some_and(|e| e == "okl" || e == "br");
        if source && path.with_extension("toml").exists() {
            let name = format!("broken::{}", path.file_stem().unwrap().to_string_lossy());
            trials.push(Trial::test(name, move || Ok(said(&path)?)));
        }
    }
    trials
}

pub fn check(name: &str, text: &str, options: &Options) -> Report {
    let backend = Backend::built_in("cuda").unwrap();
    let source = Source::new(name, text);
    match brook::check(&source, &backend, options, &FileLoader) {
        Ok(warnings) => warnings,
        Err(errors) => *errors,
    }
}

fn errors(report: &Report) -> Vec<serde_json::Value> {
    let lines = to_json(report);
    let all = lines.lines().map(|l| serde_json::from_str(l).unwrap());
    all.filter(|d: &serde_json::Value| d["severity"] == "error")
        .collect()
}

fn said(path: &Path) -> Result<(), String> {
    let about = std::fs::read_to_string(path.with_extension("toml")).map_err(|e| e.to_string())?;
    let about: About = toml::from_str(&about).map_err(|e| e.to_string())?;
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let mut options = Options::default();
    for pair in about.args.chunks(2) {
        match pair {
            [flag, define] if flag == "-D" => options.defines.push(Define::parse(define)?),
            other => return Err(format!("{other:?}?")),
        }
    }
    let name = path.to_string_lossy().into_owned();
    let report = check(&name, &text, &options);
    let human = to_human(&report, Style::Plain);
    let fail = |what: String| Err(format!("{what}\n{human}"));
    let errors = errors(&report);
    let Some(first) = errors.first() else {
        return fail("no error".to_string());
    };
    if errors.len() != about.errors {
        return fail(format!("{} errors, {} wanted", errors.len(), about.errors));
    }
    let at = &first["location"];
    let wanted = about
        .file
        .as_ref()
        .map_or(path.to_path_buf(), |f| path.with_file_name(f));
    if at["file"].as_str().map(PathBuf::from) != Some(wanted) {
        return fail(format!("in {}", at["file"]));
    }
    let place = |key: &str| at[key].as_u64().unwrap_or(0) as usize;
    let columns = about.column[0]..=about.column[1];
    if place("line") != about.line || !columns.contains(&place("column")) {
        return fail(format!("at {}:{}", place("line"), place("column")));
    }
    // Of several messages, `says` is about all of them.
    let said = match errors.len() {
        1 => human.split("\n\n").next().unwrap_or(""),
        _ => human.as_str(),
    };
    let lacks = |words: &&String| !said.to_lowercase().contains(&words.to_lowercase());
    if let Some(words) = about.says.iter().find(lacks) {
        return fail(format!("nothing of {words}"));
    }
    let Some(fix) = &about.fix else { return Ok(()) };
    let files = fixed(&report);
    let Some(file) = files
        .iter()
        .find(|f| Some(f.name.as_str()) == at["file"].as_str())
    else {
        return fail("nothing is mended".to_string());
    };
    let line = file.after.lines().nth(about.line - 1).unwrap_or("");
    if line != fix {
        return fail(format!("mended to {line}"));
    }
    mended(&report, file, &name, &options)
}

/// What is mended has no errors.
fn mended(report: &Report, file: &FixedFile, name: &str, options: &Options) -> Result<(), String> {
    let own = report
        .files
        .iter()
        .next()
        .is_some_and(|(_, f)| f.name == file.name);
    if !own {
        return Ok(());
    }
    let left = check(name, &file.after, options);
    let errors = left
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error);
    match errors {
        true => Err(format!(
            "mended, and still\n{}",
            to_human(&left, Style::Plain)
        )),
        false => Ok(()),
    }
}

//! The language server, as an editor drives it: over a pipe, with texts that change under its hands.

mod client;
mod project;
mod wire;

use crate::support::Trial;
use crate::support::cases::root;
use brook::backend::Backend;
use brook::diagnostics::to_json;
use brook::source::FileLoader;
use brook::{Define, Options, Source};
use client::{Client, offset};
use serde_json::{Value, json};
use std::path::Path;

/// A test.
type Run = fn() -> Result<(), String>;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let all: [(&str, Run); 18] = [
        ("typing_a_statement", typing_a_statement),
        ("every_keystroke_of_a_file", every_keystroke_of_a_file),
        ("undoing", undoing),
        (
            "broken_files_say_what_check_says",
            broken_files_say_what_check_says,
        ),
        ("fixes", fixes),
        ("headers_that_are_not_saved", headers_that_are_not_saved),
        (
            "renaming_through_headers_and_macros",
            renaming_through_headers_and_macros,
        ),
        (
            "the_project_says_what_is_defined",
            the_project_says_what_is_defined,
        ),
        (
            "answers_have_the_protocols_form",
            answers_have_the_protocols_form,
        ),
        ("what_backends_get", what_backends_get),
        ("hostile_messages", wire::hostile_messages),
        (
            "bodies_that_are_no_messages",
            wire::bodies_that_are_no_messages,
        ),
        ("broken_heads_end_it", wire::broken_heads_end_it),
        (
            "wrong_greetings_are_refused",
            wire::wrong_greetings_are_refused,
        ),
        ("names_of_the_project", project::names_of_the_project),
        (
            "names_of_headers_that_change",
            project::names_of_headers_that_change,
        ),
        ("changed_colours", project::changed_colours),
        ("colours_of_old", project::colours_of_old),
    ];
    { all.into_iter() }
        .map(|(name, run)| Trial::test(format!("lsp::{name}"), move || Ok(run()?)))
        .collect()
}

const KERNEL: &str = "// Größe: ein Feld 𝛼.\n\
    @kernel void scale(const int n, const float factor, const float *x, float *y) {\n\
    \x20 for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {\n\
    \x20   y[i] = factor * x[i]; // 𝛼 x\n\
    \x20 }\n\
    }\n";

/// What `brook check` says of a text.
fn checked(path: &Path, text: &str, options: &Options) -> Vec<Value> {
    let backend = Backend::built_in("cuda").unwrap();
    let source = Source::new(path.to_string_lossy(), text);
    let report = match brook::check(&source, &backend, options, &FileLoader) {
        Ok(warnings) => warnings,
        Err(errors) => *errors,
    };
    let lines = to_json(&report);
    lines
        .lines()
        .map(|l| serde_json::from_str(l).unwrap())
        .collect()
}

/// Whether messages of the server are those of the check, at the same places of one file.
fn same(said: &[Value], checked: &[Value], text: &str) -> Result<(), String> {
    let here: Vec<&Value> = checked.iter().collect();
    let fail = |what: String| Err(format!("{what}\nsaid: {said:#?}\nchecked: {checked:#?}"));
    if said.len() != here.len() {
        return fail(format!("{} instead of {} messages", said.len(), here.len()));
    }
    for (said, checked) in said.iter().zip(here) {
        if said["code"] != checked["code"] {
            return fail(format!("{} instead of {}", said["code"], checked["code"]));
        }
        let message = said["message"].as_str().unwrap_or("");
        if !message.starts_with(checked["message"].as_str().unwrap_or("?")) {
            return fail(format!("'{message}'"));
        }
        let start = offset(text, &said["range"]["start"]);
        if checked["location"]["start"].as_u64() != Some(start as u64) {
            return fail(format!(
                "byte {start} instead of {}",
                checked["location"]["start"]
            ));
        }
    }
    Ok(())
}

fn typing_a_statement() -> Result<(), String> {
    let mut client = Client::start("typing", json!({}));
    client.open("a.okl", KERNEL);
    if !client.messages("a.okl")?.is_empty() {
        return Err("a sound file is not".to_string());
    }
    let at = KERNEL.find("\n  }\n").unwrap();
    let new = "\n    const float twice = 2.0f * y[i];\n    y[i] = twice;";
    for (index, c) in new.char_indices() {
        let mut letter = [0; 4];
        client.edit("a.okl", at + index, at + index, c.encode_utf8(&mut letter));
        let text = client.text("a.okl");
        let place = json!({
            "textDocument": {"uri": client.uri("a.okl")},
            "position": client::position(&text, at + index + c.len_utf8()),
        });
        client.request("textDocument/completion", place.clone())?;
        client.request("textDocument/hover", place)?;
        // What is said is said of the text as it is now.
        let said = client.messages("a.okl")?;
        same(
            &said,
            &checked(&client.folder().join("a.okl"), &text, &Options::default()),
            &text,
        )?;
    }
    if !client.messages("a.okl")?.is_empty() {
        return Err("what was typed is sound".to_string());
    }
    match client.end()? {
        0 => Ok(()),
        code => Err(format!("exit code {code}")),
    }
}

/// A file is written from its first letter to its last. Nobody waits in between, as nobody does who types.
fn every_keystroke_of_a_file() -> Result<(), String> {
    let mut client = Client::start("keystrokes", json!({}));
    for (name, text) in [
        ("a.okl", KERNEL.to_string()),
        (
            "b.br",
            std::fs::read_to_string(root().join("examples/brook/sum.br")).unwrap(),
        ),
    ] {
        client.open(name, "");
        for (index, c) in text.char_indices() {
            let mut letter = [0; 4];
            client.edit(name, index, index, c.encode_utf8(&mut letter));
            if index % 40 == 0 {
                let document = json!({"textDocument": {"uri": client.uri(name)}});
                for method in [
                    "documentSymbol",
                    "foldingRange",
                    "semanticTokens/full",
                    "codeLens",
                ] {
                    client.request(&format!("textDocument/{method}"), document.clone())?;
                }
            }
        }
        if !client.messages(name)?.is_empty() {
            return Err(format!("{name} is sound"));
        }
    }
    client.end().map(|_| ())
}

fn undoing() -> Result<(), String> {
    let mut client = Client::start("undoing", json!({}));
    client.open("a.okl", KERNEL);
    let at = KERNEL.find("factor * x").unwrap();
    for _ in 0..3 {
        client.edit("a.okl", at, at + 6, "fcator");
        let said = client.messages("a.okl")?;
        if said.len() != 1 || said[0]["code"] != "OKL117" {
            return Err(format!("{said:#?}"));
        }
        // A line is cut and put back.
        client.edit("a.okl", at, at + 6, "factor");
        if !client.messages("a.okl")?.is_empty() {
            return Err("what was undone is still said".to_string());
        }
        let all = client.text("a.okl").len();
        client.edit("a.okl", 0, all, "");
        client.edit("a.okl", 0, 0, KERNEL);
        if !client.messages("a.okl")?.is_empty() {
            return Err("what was put back is not".to_string());
        }
    }
    client.end().map(|_| ())
}

/// Those of `tests/cases/broken`.
fn broken_files_say_what_check_says() -> Result<(), String> {
    let folder = root().join("tests/cases/broken");
    let mut client = Client::start("broken", json!({}));
    let mut names: Vec<_> = { std::fs::read_dir(&folder).unwrap().flatten() }
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let headers: Vec<&String> = names.iter().filter(|n| n.ends_with(".h")).collect();
    let mut count = 0;
    for name in names
        .iter()
        .filter(|n| n.ends_with(".okl") || n.ends_with(".br"))
    {
        let about = folder.join(name).with_extension("toml");
        let Ok(about) = std::fs::read_to_string(about) else {
            continue;
        };
        let about: toml::Table = toml::from_str(&about).map_err(|e| e.to_string())?;
        let flags = about["args"].as_array().unwrap();
        let flags: Vec<&str> = flags.iter().filter_map(|f| f.as_str()).collect();
        let defines: Vec<&str> = flags.chunks(2).map(|pair| pair[1]).collect();
        let place = format!("{count}/{name}");
        client.write(
            &format!("{count}/brook.toml"),
            &format!("defines = {defines:?}\n"),
        );
        for header in &headers {
            let text = std::fs::read_to_string(folder.join(header)).unwrap();
            client.write(&format!("{count}/{header}"), &text);
        }
        let text = std::fs::read_to_string(folder.join(name)).map_err(|e| e.to_string())?;
        client.write(&place, &text);
        client.open(&place, &text);
        let mut options = Options::default();
        for define in defines {
            options.defines.push(Define::parse(define)?);
        }
        let path = client.folder().join(&place);
        let mut wanted = checked(&path, &text, &options);
        let own = path.to_string_lossy().into_owned();
        wanted.retain(|d| d["location"]["file"] == own.as_str());
        let said = client.messages(&place)?;
        same(&said, &wanted, &text).map_err(|e| format!("{name}: {e}"))?;
        client.close(&place);
        count += 1;
    }
    match count {
        0..60 => Err(format!("only {count} cases")),
        _ => client.end().map(|_| ()),
    }
}

fn fixes() -> Result<(), String> {
    let mut client = Client::start("fixes", json!({}));
    let broken = KERNEL.replace("x[i]; //", "x[i] //");
    client.open("a.okl", &broken);
    let said = client.messages("a.okl")?;
    let [message] = said.as_slice() else {
        return Err(format!("{said:#?}"));
    };
    let params = json!({
        "textDocument": {"uri": client.uri("a.okl")},
        "range": message["range"],
        "context": {"diagnostics": said},
    });
    let actions = client.request("textDocument/codeAction", params)?;
    let action = &actions[0];
    if action["title"] != "insert ';'" || action["isPreferred"] != true {
        return Err(format!("{actions:#}"));
    }
    client.apply(&action["edit"]);
    if !client.messages("a.okl")?.is_empty() || client.text("a.okl") != KERNEL {
        return Err(client.text("a.okl"));
    }
    // Lines that are added end as those of the file.
    let dos = KERNEL.replace(" // 𝛼 x\n", "\n").replace('\n', "\r\n");
    let broken = dos.replace("  }\r\n}\r\n", "}\r\n");
    client.open("dos.okl", &broken);
    let said = client.messages("dos.okl")?;
    let params = json!({
        "textDocument": {"uri": client.uri("dos.okl")},
        "range": said[0]["range"],
        "context": {"diagnostics": said},
    });
    let actions = client.request("textDocument/codeAction", params)?;
    client.apply(&actions[0]["edit"]);
    if client.text("dos.okl") != dos {
        return Err(format!("{actions:#} {:?}", client.text("dos.okl")));
    }
    // All at once, for who asks for that: when a file is saved, say.
    let twice = format!("{KERNEL}{}", KERNEL.replace("scale", "again"));
    let broken = twice.replace("x[i]; //", "x[i] //");
    client.open("b.okl", &broken);
    if client.messages("b.okl")?.len() != 2 {
        return Err("there are two mistakes".to_string());
    }
    let asked = |only: &str| {
        json!({
            "textDocument": {"uri": client.uri("b.okl")},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
            "context": {"diagnostics": [], "only": [only]},
        })
    };
    let (quick, source) = (asked("quickfix"), asked("source"));
    let actions = client.request("textDocument/codeAction", quick)?;
    if actions != json!([]) {
        return Err(format!("{actions:#}"));
    }
    let actions = client.request("textDocument/codeAction", source)?;
    if actions.as_array().map(Vec::len) != Some(1) || actions[0]["kind"] != "source.fixAll" {
        return Err(format!("{actions:#}"));
    }
    client.apply(&actions[0]["edit"]);
    match client.messages("b.okl")?.is_empty() && client.text("b.okl") == twice {
        true => client.end().map(|_| ()),
        false => Err(client.text("b.okl")),
    }
}

const INCLUDING: &str = "#include \"h.h\"\n@kernel void f(int *a) {\n\
    \x20 for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) a[i] = READ(i) + helper(j);\n}\n";
const INCLUDED: &str = "#define READ(i) a[i]\ninline int helper(int v) { return 2 * v; }\n";

fn headers_that_are_not_saved() -> Result<(), String> {
    let mut client = Client::start("headers", json!({}));
    client.write("h.h", INCLUDED);
    client.open("a.okl", INCLUDING);
    client.open("h.h", INCLUDED);
    if !client.messages("a.okl")?.is_empty() {
        return Err("it is sound".to_string());
    }
    // The message is in the header, and is gone when that is mended, or closed unsaved.
    let at = INCLUDED.find("2 * v").unwrap();
    client.edit("h.h", at, at + 1, "two");
    let said = client.messages("h.h")?;
    if said.len() != 1 || said[0]["code"] != "OKL117" {
        return Err(format!("{said:#?}"));
    }
    // A definition in the text as it is open.
    let place = client.at("a.okl", "helper", 0);
    let found = client.request("textDocument/definition", place)?;
    if found[0]["uri"] != client.uri("h.h").as_str() || found[0]["range"]["start"]["line"] != 1 {
        return Err(format!("{found:#}"));
    }
    client.close("h.h");
    let said = client.next_messages("h.h")?;
    if !said.is_empty() || !client.messages("a.okl")?.is_empty() {
        return Err(format!("{said:#?}"));
    }
    // On the disk, too, if the client says so.
    client.write("h.h", "");
    let changed = json!({"changes": [{"uri": client.uri("h.h"), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    let said = client.next_messages("a.okl")?;
    match said.is_empty() {
        false => client.end().map(|_| ()),
        true => Err("the header is empty now".to_string()),
    }
}

fn renaming_through_headers_and_macros() -> Result<(), String> {
    let mut client = Client::start("renaming", json!({}));
    client.write("h.h", INCLUDED);
    client.open("a.okl", INCLUDING);
    for (word, nth, new) in [
        ("helper", 0, "twice"),
        ("a) {", 0, "values"),
        ("READ", 0, "FETCH"),
    ] {
        let mut place = client.at("a.okl", word, nth);
        client.request("textDocument/prepareRename", place.clone())?;
        place["newName"] = new.into();
        let edit = client.request("textDocument/rename", place)?;
        client.apply(&edit);
        let changed = json!({"changes": [{"uri": client.uri("h.h"), "type": 2}]});
        client.notify("workspace/didChangeWatchedFiles", changed);
        // Between the two changes it may have been gone through.
        if !client.messages("a.okl")?.is_empty() && !client.next_messages("a.okl")?.is_empty() {
            return Err(format!("'{word}' is called '{new}' at some places only"));
        }
    }
    let header = std::fs::read_to_string(client.folder().join("h.h")).unwrap();
    if header != "#define FETCH(i) values[i]\ninline int twice(int v) { return 2 * v; }\n" {
        return Err(header);
    }
    let mut place = client.at("a.okl", "values", 0);
    place["newName"] = "i".into();
    match client.request("textDocument/rename", place) {
        Err(what) if what.contains("already") => client.end().map(|_| ()),
        other => Err(format!("{other:?}")),
    }
}

fn the_project_says_what_is_defined() -> Result<(), String> {
    let mut client = Client::start("project", json!({}));
    let text = "@kernel void f(int *a) {\n  for (int i = 0; i < p_Nq; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) a[i] = j;\n}\n";
    client.open("src/a.okl", text);
    let said = client.messages("src/a.okl")?;
    if said.len() != 1 || !said[0]["message"].as_str().unwrap_or("").contains("p_Nq") {
        return Err(format!("{said:#?}"));
    }
    client.write("brook.toml", "defines = [\"p_Nq=8\"]\n");
    let length = client.text("src/a.okl").len();
    client.edit("src/a.okl", length, length, "\n");
    if !client.messages("src/a.okl")?.is_empty() {
        return Err("the project defines it".to_string());
    }
    let found = client.request("textDocument/definition", client.at("src/a.okl", "p_Nq", 0))?;
    let begins = json!({"line": 0, "character": 11});
    if found[0]["uri"] != client.uri("brook.toml").as_str() || found[0]["range"]["start"] != begins
    {
        return Err(format!("{found:#}"));
    }
    client.write("brook.toml", "# p_Nq\ndefine = [\"p_Nq=8\"]\n");
    let changed = json!({"changes": [{"uri": client.uri("brook.toml"), "type": 2}]});
    client.notify("workspace/didChangeWatchedFiles", changed);
    let said = client.next_messages("brook.toml")?;
    let message = said[0]["message"].as_str().unwrap_or("");
    let line = &said[0]["range"]["start"]["line"];
    match said.len() == 1 && message.contains("define") && *line == 1 {
        true => client.end().map(|_| ()),
        false => Err(format!("{said:#?}")),
    }
}

fn answers_have_the_protocols_form() -> Result<(), String> {
    let mut client = Client::start("answers", json!({}));
    client.open("a.okl", KERNEL);
    let document = json!({"textDocument": {"uri": client.uri("a.okl")}});
    let fail = |what: &str, value: &Value| Err(format!("{what}: {value:#}"));
    let hover = client.request("textDocument/hover", client.at("a.okl", "for (", 0))?;
    let text = hover["contents"]["value"].as_str().unwrap_or("");
    if !text.contains("`blockIdx.x`") || !text.contains("`threadIdx.x`") {
        return fail("hover", &hover);
    }
    // An attribute's sign is part of it, and a file's name is nothing that is declared.
    let hover = client.request("textDocument/hover", client.at("a.okl", "@tile", 0))?;
    let text = hover["contents"]["value"].as_str().unwrap_or("");
    if !text.contains("**@tile**") {
        return fail("hover", &hover);
    }
    client.open(
        "b.okl",
        "#define N 4\n#include \"s\"\n#define F(x) x\nint f(int x) { return N; }\n",
    );
    let offered = client.request("textDocument/completion", client.at("b.okl", "\"\n", 0))?;
    if offered != json!([]) {
        return fail("completion", &offered);
    }
    let other = json!({"textDocument": {"uri": client.uri("b.okl")}});
    let symbols = client.request("textDocument/documentSymbol", other)?;
    let names: Vec<&Value> = symbols
        .as_array()
        .into_iter()
        .flatten()
        .map(|s| &s["name"])
        .collect();
    if names != ["N", "F", "f"] {
        return fail("symbols", &symbols);
    }
    let symbols = client.request("textDocument/documentSymbol", document.clone())?;
    if symbols[0]["name"] != "scale" || symbols[0]["range"]["end"]["line"] != 5 {
        return fail("symbols", &symbols);
    }
    // Columns behind letters of two and four bytes.
    let references = client.request("textDocument/references", {
        let mut place = client.at("a.okl", "x[i]", 0);
        place["context"] = json!({"includeDeclaration": true});
        place
    })?;
    if references.as_array().map(Vec::len) != Some(2) {
        return fail("references", &references);
    }
    let tokens = client.request("textDocument/semanticTokens/full", document.clone())?;
    let data = tokens["data"].as_array().cloned().unwrap_or_default();
    // '@kernel', at the beginning of the second line.
    let first: Vec<i64> = data.iter().take(5).filter_map(Value::as_i64).collect();
    if first != [1, 0, 7, 9, 0] {
        return fail("tokens", &tokens);
    }
    let folds = client.request("textDocument/foldingRange", document.clone())?;
    let lines = |f: &Value| (f["startLine"].as_i64(), f["endLine"].as_i64());
    if folds.as_array().map_or(0, Vec::len) != 2 || lines(&folds[0]) != (Some(1), Some(5)) {
        return fail("folds", &folds);
    }
    let hints = client.request("textDocument/inlayHint", {
        let mut params = document.clone();
        params["range"] =
            json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
        params
    })?;
    if hints[0]["label"] != "(n + 63) / 64 groups of 64" || hints[1]["label"] != "items x 0..64" {
        return fail("hints", &hints);
    }
    let lenses = client.request("textDocument/codeLens", document)?;
    if lenses[0]["command"]["title"] != "show CUDA" {
        return fail("lenses", &lenses);
    }
    let completions = client.request(
        "textDocument/completion",
        client.at("a.okl", "factor * x", 0),
    )?;
    let labels = completions.as_array().cloned().unwrap_or_default();
    match labels.iter().any(|c| c["label"] == "factor") {
        true => client.end().map(|_| ()),
        false => fail("completions", &completions),
    }
}

fn what_backends_get() -> Result<(), String> {
    let mut client = Client::start(
        "generated",
        json!({"window": {"showDocument": {"support": true}}}),
    );
    client.open("a.okl", KERNEL);
    for (backend, name, word) in [
        ("cuda", "a.cu", "blockIdx.x"),
        ("opencl", "a.cl", "__kernel"),
    ] {
        let arguments = json!([client.uri("a.okl"), backend]);
        let params = json!({"command": "brook.showGenerated", "arguments": arguments});
        let shown = client.request("workspace/executeCommand", params)?;
        if shown["name"] != name || !shown["text"].as_str().unwrap_or("").contains(word) {
            return Err(format!("{shown:#}"));
        }
        let uri = shown["uri"].as_str().unwrap_or("");
        let path = uri.strip_prefix("file://").unwrap_or("");
        let written = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
        let asked = client.asked.last().cloned().unwrap_or_default();
        if !written.contains(word) || asked["params"]["uri"] != uri {
            return Err(format!("{asked:#}"));
        }
        let _ = std::fs::remove_file(path);
    }
    let params =
        json!({"command": "brook.showGenerated", "arguments": [client.uri("a.okl"), "cudda"]});
    match client.request("workspace/executeCommand", params) {
        Err(what) if what.contains("did you mean 'cuda'") => client.end().map(|_| ()),
        other => Err(format!("{other:?}")),
    }
}

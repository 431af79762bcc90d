//! What concerns a whole project, and what has changed since somebody asked.

use super::KERNEL;
use super::client::Client;
use serde_json::{Value, json};

/// The names that a query means, each with its file and line.
fn names(client: &mut Client, query: &str) -> Result<Vec<(String, String, u64)>, String> {
    let found = client.request("workspace/symbol", json!({"query": query}))?;
    let root = client.uri("");
    let each = found.as_array().cloned().unwrap_or_default();
    let told = each.iter().map(|symbol| {
        let uri = symbol["location"]["uri"].as_str().unwrap_or("");
        (
            symbol["name"].as_str().unwrap_or("").to_string(),
            uri.strip_prefix(&root).unwrap_or(uri).to_string(),
            symbol["location"]["range"]["start"]["line"]
                .as_u64()
                .unwrap_or(99),
        )
    });
    Ok(told.collect())
}

fn expect(client: &mut Client, query: &str, wanted: &[(&str, &str, u64)]) -> Result<(), String> {
    let found = names(client, query)?;
    let same = |((a, b, c), (x, y, z)): (&(String, String, u64), &(&str, &str, u64))| {
        (a.as_str(), b.as_str(), c) == (*x, *y, z)
    };
    match found.len() == wanted.len() && found.iter().zip(wanted).all(same) {
        true => Ok(()),
        false => Err(format!("{query}: {found:#?}\nis not\n{wanted:#?}")),
    }
}

pub fn names_of_the_project() -> Result<(), String> {
    let mut client = Client::start("symbols", json!({}));
    client.write(
        "brook.toml",
        "include = [\"include\"]\ndefines = [\"dfloat=float\"]\n",
    );
    client.write(
        "include/shapes.h",
        "#pragma once\n#define SHAPE_SIDES 4\nstruct Shape { dfloat size; };\nenum Scales { small, large };\n",
    );
    client.write(
        "solver/b.okl",
        "#include \"shapes.h\"\ninline dfloat area(Shape s) { return SHAPE_SIDES * s.size; }\n\
         @kernel void rescale(const int n, dfloat *x) { for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) x[i] = 2; }\n",
    );
    client.write(
        "c.br",
        "kernel void descale(float a<>, out float b<>) { b = a; }\n",
    );
    client.write("notes.txt", "struct Scaled {};\n");
    client.open("a.okl", KERNEL);
    // As it is in the editor: the third line, and one more name, none of which is saved.
    client.edit("a.okl", 0, 0, "#define upscaled 1\n");
    // What is called so, what begins so, what has it, by length; and last, what has its letters apart.
    expect(
        &mut client,
        "scale",
        &[
            ("scale", "a.okl", 2),
            ("Scales", "include/shapes.h", 3),
            ("descale", "c.br", 0),
            ("rescale", "solver/b.okl", 2),
            ("upscaled", "a.okl", 0),
        ],
    )?;
    expect(
        &mut client,
        "shp",
        &[
            ("Shape", "include/shapes.h", 2),
            ("SHAPE_SIDES", "include/shapes.h", 1),
        ],
    )?;
    expect(&mut client, "area", &[("area", "solver/b.okl", 1)])?;
    expect(&mut client, "larg", &[("large", "include/shapes.h", 3)])?;
    expect(&mut client, "nothing_of_that_name", &[])?;
    let all = names(&mut client, "")?;
    if all.len() != 10 {
        return Err(format!("all: {all:#?}"));
    }
    let found = client.request("workspace/symbol", json!({"query": "larg"}))?;
    if found[0]["containerName"] != "Scales" || found[0]["kind"] != 22 {
        return Err(format!("{found:#}"));
    }
    match client.end()? {
        0 => Ok(()),
        code => Err(format!("exit code {code}")),
    }
}

pub fn names_of_headers_that_change() -> Result<(), String> {
    let mut client = Client::start("symbol-changes", json!({}));
    client.write("h.h", "struct First {};\n");
    client.write("a.okl", "#include \"h.h\"\n");
    client.write("b.okl", "#include \"h.h\"\nstruct Other {};\n");
    expect(&mut client, "first", &[("First", "h.h", 0)])?;
    // Another length, so that clocks do not matter.
    client.write("h.h", "\nstruct Second {};\n");
    expect(&mut client, "first", &[])?;
    expect(&mut client, "second", &[("Second", "h.h", 1)])?;
    // A header that is open is what the editor says, for those who include it, too.
    client.open("h.h", "\n\nstruct Third {};\n");
    expect(&mut client, "second", &[])?;
    client.open("a.okl", "#include \"h.h\"\n");
    expect(&mut client, "third", &[("Third", "h.h", 2)])?;
    client.close("a.okl");
    client.close("h.h");
    expect(&mut client, "third", &[])?;
    expect(&mut client, "second", &[("Second", "h.h", 1)])?;
    std::fs::remove_file(client.folder().join("b.okl")).map_err(|e| e.to_string())?;
    expect(&mut client, "other", &[])?;
    client.end().map(|_| ())
}

/// The numbers of an answer's tokens.
fn numbers(data: &Value) -> Vec<u64> {
    let data = data.as_array().cloned().unwrap_or_default();
    data.iter().filter_map(Value::as_u64).collect()
}

/// What an editor makes of edits.
fn applied(mut old: Vec<u64>, edits: &Value) -> Vec<u64> {
    let mut edits = edits.as_array().cloned().unwrap_or_default();
    edits.sort_by_key(|edit| std::cmp::Reverse(edit["start"].as_u64()));
    for edit in edits {
        let start = edit["start"].as_u64().unwrap_or(0) as usize;
        let count = edit["deleteCount"].as_u64().unwrap_or(0) as usize;
        old.splice(start..start + count, numbers(&edit["data"]));
    }
    old
}

pub fn changed_colours() -> Result<(), String> {
    let mut client = Client::start("tokens", json!({}));
    client.open("a.okl", KERNEL);
    let document = json!({"textDocument": {"uri": client.uri("a.okl")}});
    let first = client.request("textDocument/semanticTokens/full", document.clone())?;
    let mut id = first["resultId"].clone();
    let mut known = numbers(&first["data"]);
    if id.as_str().is_none_or(str::is_empty) || known.is_empty() {
        return Err(format!("{first:#}"));
    }
    for (behind, new, most) in [
        // Nothing; a comment, which only moves what is behind it; a name; and a whole line.
        ("", "", 0),
        ("", "//\n", 5),
        ("factor *", " n *", 10),
        ("y) {", "\n  const float one = 1;", 1000),
    ] {
        if !new.is_empty() {
            let text = client.text("a.okl");
            let at = text.find(behind).unwrap() + behind.len();
            client.edit("a.okl", at, at, new);
        }
        let mut params = document.clone();
        params["previousResultId"] = id;
        let delta = client.request("textDocument/semanticTokens/full/delta", params)?;
        known = applied(known, &delta["edits"]);
        let sent: usize = { delta["edits"].as_array().into_iter().flatten() }
            .map(|edit| numbers(&edit["data"]).len())
            .sum();
        if delta.get("data").is_some() || sent > most {
            return Err(format!("'{new}' is told as {delta:#}"));
        }
        id = delta["resultId"].clone();
        // Another text of the same words knows nothing of that.
        client.open("b.okl", &client.text("a.okl"));
        let other = json!({"textDocument": {"uri": client.uri("b.okl")}});
        let whole = client.request("textDocument/semanticTokens/full", other)?;
        client.close("b.okl");
        if numbers(&whole["data"]) != known {
            return Err(format!(
                "'{new}': {known:?}\nis not\n{:?}",
                numbers(&whole["data"])
            ));
        }
    }
    client.end().map(|_| ())
}

pub fn colours_of_old() -> Result<(), String> {
    let mut client = Client::start("old-tokens", json!({}));
    client.open("a.okl", KERNEL);
    let mut params = json!({"textDocument": {"uri": client.uri("a.okl")}, "previousResultId": "7"});
    // Nothing is known under that name: all of them.
    let all = client.request("textDocument/semanticTokens/full/delta", params.clone())?;
    if all.get("edits").is_some() || numbers(&all["data"]).is_empty() {
        return Err(format!("{all:#}"));
    }
    params["previousResultId"] = all["resultId"].clone();
    client.close("a.okl");
    client.open("a.okl", KERNEL);
    let again = client.request("textDocument/semanticTokens/full/delta", params)?;
    match again["data"] == all["data"] && again["resultId"] != all["resultId"] {
        true => client.end().map(|_| ()),
        false => Err(format!("{again:#}")),
    }
}

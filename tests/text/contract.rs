//! `docs/backends.md` has every key of a `backend.toml` and everything that templates are given, from the types that read them:
//! their doc comments. `BROOK_BLESS=1` writes the tables anew.

use crate::support::Trial;
use crate::support::cases;
use std::fmt::Write;

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![Trial::test("tables", || Ok(tables()?))]
}

/// A file, the type in it, and what the table of its fields is called.
const TYPES: [(&str, &str, &str); 10] = [
    ("src/backend/data.rs", "Data", "Top level"),
    ("src/backend/data.rs", "Lowering", "`[lowering]`"),
    ("src/backend/data.rs", "Spelling", "`[spelling]`"),
    ("src/backend/data.rs", "Names", "`[names]`"),
    ("src/backend/data.rs", "Library", "`[library]`"),
    (
        "src/render/context.rs",
        "DeviceContext",
        "`prelude.tera`, `epilogue.tera`",
    ),
    (
        "src/render/context.rs",
        "Words",
        "Words in the same templates",
    ),
    ("src/render/brook.rs", "Kernel", "Each of `brook`"),
    (
        "src/render/brook.rs",
        "BrookParameter",
        "Each of a kernel's `parameters`",
    ),
    (
        "src/render/launcher.rs",
        "LauncherContext",
        "`launcher.tera`",
    ),
];

const BEGIN: &str = "<!-- The tables below are written by the tests: BROOK_BLESS=1 cargo test --test text -- contract:: -->\n";

fn tables() -> Result<(), String> {
    let mut out = String::new();
    for (file, name, title) in TYPES {
        let text = std::fs::read_to_string(cases::root().join(file)).map_err(|e| e.to_string())?;
        let fields = fields(&text, name).ok_or(format!("{file} has no struct {name}"))?;
        let _ = writeln!(
            out,
            "\n### {title}\n\n| key | type | meaning |\n|---|---|---|"
        );
        for field in fields {
            let meaning = without_items(&field.meaning).replace('|', "\\|");
            let (key, ty) = (field.name, described(&field.ty, &text));
            let _ = writeln!(out, "| `{key}` | {ty} | {meaning} |");
        }
    }
    let path = cases::root().join("docs/backends.md");
    let old = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let Some((before, tables)) = old.split_once(BEGIN) else {
        return Err("docs/backends.md has no place for tables".to_string());
    };
    if std::env::var("BROOK_BLESS").is_ok_and(|v| v == "1") {
        let new = format!("{before}{BEGIN}{out}");
        return std::fs::write(&path, new).map_err(|e| e.to_string());
    }
    match tables == out {
        true => Ok(()),
        false => Err("the tables of docs/backends.md are not what the types say".to_string()),
    }
}

/// A comment without its links to items of Rust, which lead nowhere outside of the API's documentation.
fn without_items(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((place, after)) = after.split_once(')') else {
            break;
        };
        match (before.rsplit_once('['), place.contains("::")) {
            (Some((before, words)), true) => out.extend([before, words]),
            _ => out.extend([before, "](", place, ")"]),
        }
        rest = after;
    }
    out + rest
}

struct Field {
    name: String,
    ty: String,
    meaning: String,
}

/// The fields of a struct, as they are written. Its text is formatted, so that each stands in a line.
fn fields(text: &str, name: &str) -> Option<Vec<Field>> {
    let heads = [
        format!("struct {name} {{\n"),
        format!("struct {name}<'a> {{\n"),
    ];
    let start = heads.iter().find_map(|h| Some(text.find(h)? + h.len()))?;
    let body = text.get(start..)?.split("\n}").next()?;
    let (mut all, mut meaning, mut renamed) = (Vec::new(), Vec::new(), None);
    for line in body.lines().map(str::trim) {
        if let Some(words) = line.strip_prefix("///") {
            meaning.push(words.trim().to_string());
        } else if let Some(rest) = line.strip_prefix("#[serde(rename = \"") {
            renamed = rest.split('"').next().map(String::from);
        } else if let Some((head, ty)) = line.split_once(": ").filter(|_| !line.starts_with('#')) {
            let own = head.rsplit(' ').next().unwrap_or(head);
            let name = renamed.take().unwrap_or_else(|| own.to_string());
            let meaning = std::mem::take(&mut meaning).join(" ");
            let ty = ty.trim_end_matches(',').to_string();
            all.push(Field { name, ty, meaning });
        }
    }
    Some(all)
}

/// A type in the words of whoever writes the table: the words of an enumeration, each.
fn described(ty: &str, text: &str) -> String {
    let plain = match ty {
        "String" | "&'static str" | "&'a str" => "text",
        "bool" => "true or false",
        "u64" | "usize" | "u32" | "u8" => "number",
        "Vec<String>" => "list of texts",
        "Vec<u64>" => "list of numbers",
        "[String; 3]" => "three texts",
        "BTreeMap<String, String>" => "table of texts",
        "BTreeMap<String, bool>" => "table",
        _ => "",
    };
    if !plain.is_empty() {
        return plain.to_string();
    }
    let head = format!("enum {ty} {{\n");
    let Some(start) = text.find(&head) else {
        return format!("`{ty}`");
    };
    let body = text[start + head.len()..].split("\n}").next().unwrap_or("");
    let mut words = Vec::new();
    let mut renamed = None;
    for line in body.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("#[serde(rename = \"") {
            renamed = rest.split('"').next().map(String::from);
        } else if let Some(variant) = line.strip_suffix(',').filter(|l| !l.starts_with("///")) {
            words.push(format!(
                "`\"{}\"`",
                renamed.take().unwrap_or_else(|| variant.to_lowercase())
            ));
        }
    }
    words.join(" or ")
}

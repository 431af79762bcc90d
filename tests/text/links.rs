//! Links in pages lead somewhere: to a file of the repository, and to a heading of it. Nothing is asked of the network.

use crate::support::Trial;
use crate::support::cases::root;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("lead_somewhere", || Ok(lead_somewhere()?)),
        Trial::test("summary", || Ok(summary()?)),
        Trial::test("reading", || Ok(reading()?)),
    ]
}

/// The pages that people read, by their paths.
fn pages() -> Result<BTreeMap<PathBuf, String>, String> {
    let mut found = BTreeMap::new();
    let folders = [
        "",
        "docs",
        "examples",
        "editors",
        "editors/vscode",
        "fuzz",
        "tests/cases",
        "scripts",
    ];
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(root().join(folder)) else {
            continue;
        };
        for entry in entries {
            let path = entry.map_err(|e| e.to_string())?.path();
            if path.extension().is_some_and(|e| e == "md") {
                let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
                found.insert(path, text);
            }
        }
    }
    Ok(found)
}

/// A page without its blocks of code and spans of code.
fn without_code(page: &str) -> String {
    let mut out = String::new();
    let mut fenced = false;
    for line in page.lines() {
        let item = line.trim_start();
        if item.strip_prefix("- ").unwrap_or(item).starts_with("```") {
            fenced = !fenced;
        } else if !fenced && !line.starts_with("    ") {
            let mut code = false;
            for piece in line.split('`') {
                // What a span says counts in headings, and nowhere else.
                if !code || line.starts_with('#') {
                    out.push_str(piece);
                }
                code = !code;
            }
        }
        out.push('\n');
    }
    out
}

/// Where links lead, with the number of the line.
fn links(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    // A link's text may hold an end of line, its place does not.
    for (number, line) in without_code(page).lines().enumerate() {
        let mut rest = line;
        while let Some(at) = rest.find("](") {
            rest = &rest[at + 2..];
            if let Some(end) = rest.find(')') {
                found.push((number + 1, rest[..end].to_string()));
            }
        }
    }
    found
}

/// What renderers call the headings of a page: in small letters, blanks as hyphens, without what is no letter. The second of a name has
/// a number.
fn anchors(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in without_code(page).lines() {
        let heading = line.trim_start_matches('#');
        if heading.len() == line.len() || !heading.starts_with(' ') {
            continue;
        }
        let kept = |c: char| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        };
        let own: String = heading
            .trim()
            .to_lowercase()
            .chars()
            .filter_map(kept)
            .collect();
        let mut name = own.clone();
        let mut count = 1;
        while !found.insert(name) {
            name = format!("{own}-{count}");
            count += 1;
        }
    }
    found
}

/// A path without `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            other => out.push(other),
        }
    }
    out
}

fn lead_somewhere() -> Result<(), String> {
    let pages = pages()?;
    let (mut wrong, mut count) = (Vec::new(), 0);
    for (path, text) in &pages {
        let shown = path.strip_prefix(root()).unwrap_or(path).display();
        for (line, link) in links(text) {
            // The documentation of Rust's is where scripts/docs puts it.
            let elsewhere = ["mailto:", "api/rust/"];
            if link.contains("://") || elsewhere.iter().any(|start| link.starts_with(start)) {
                continue;
            }
            count += 1;
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file.is_empty() {
                true => path.clone(),
                false => plain(&path.parent().unwrap_or(path).join(file)),
            };
            if !target.exists() {
                wrong.push(format!("{shown}:{line}: there is no {file}"));
            } else if !anchor.is_empty() {
                let known = pages.get(&target).map(|page| anchors(page));
                if !known.is_some_and(|known| known.contains(anchor)) {
                    wrong.push(format!("{shown}:{line}: {file} has no heading #{anchor}"));
                }
            }
        }
    }
    match wrong.is_empty() && count > 80 {
        true => Ok(()),
        false => Err(format!("{count} links\n{}", wrong.join("\n"))),
    }
}

/// Every page of `docs/` is in the table of contents, once.
fn summary() -> Result<(), String> {
    let path = root().join("docs/SUMMARY.md");
    let text = std::fs::read_to_string(&path).map_err(|e| e.to_string())?;
    let links: Vec<String> = links(&text).into_iter().map(|(_, link)| link).collect();
    let mut wrong = Vec::new();
    for page in pages()?.keys() {
        let name = page.file_name().unwrap_or_default().to_string_lossy();
        let count = links.iter().filter(|link| **link == name).count();
        if page.parent() == path.parent() && *page != path && count != 1 {
            wrong.push(format!("{name} is there {count} times"));
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Links and headings are found as renderers find them.
fn reading() -> Result<(), String> {
    let page = "# What's *it*, `brook.toml`?\n## Twice\n## Twice\n```\n# no\n[no](no.md)\n```\n[a](b.md#c) `[no](no.md)` [d\ne](f.md)\n    [no](no.md)\n- ```\n  # no\n  ```\n#hash\n";
    let wanted_links = [(8, "b.md#c".to_string()), (9, "f.md".to_string())];
    let wanted = ["twice", "twice-1", "whats-it-brooktoml"];
    let (links, anchors) = (links(page), anchors(page));
    match links == wanted_links && anchors.iter().eq(wanted.iter()) {
        true => Ok(()),
        false => Err(format!("{links:?}\n{anchors:?}")),
    }
}

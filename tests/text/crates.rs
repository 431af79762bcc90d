//! What is published: each crate has in its package all that it is built of and no tests, needs nothing that is not published,
//! and says which Rust it takes; pages name no other version of them. That the packages build is `scripts/package --crates`.

use crate::support::Trial;
use crate::support::cases::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("packages_are_whole", || Ok(whole()?)),
        Trial::test("what_is_needed_is_published", || Ok(published()?)),
        Trial::test("dependencies_take_no_later_rust", || Ok(rust_version()?)),
        Trial::test("pages_say_which_version_it_is", || Ok(pages()?)),
    ]
}

/// What cargo prints; it asks nobody, since all that tests are made of is there.
fn cargo(arguments: &[&str]) -> Result<String, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).args(["--offline", "--locked"]);
    let output = command.current_dir(root()).output();
    let output = output.map_err(|e| format!("cargo: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn metadata() -> Result<Value, String> {
    // Crates that only another system needs may not be here.
    let host = Command::new("rustc").arg("-vV").output();
    let host =
        String::from_utf8_lossy(&host.map_err(|e| format!("rustc: {e}"))?.stdout).into_owned();
    let host = host.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or("rustc does not say what it runs on")?;
    let text = cargo(&[
        "metadata",
        "--format-version",
        "1",
        "--filter-platform",
        host,
    ])?;
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or("")
}

/// The packages of this workspace, of those that are published, by name.
fn own(metadata: &Value) -> BTreeMap<&str, &Value> {
    let own: BTreeSet<&str> = list(&metadata["workspace_members"]).map(text).collect();
    list(&metadata["packages"])
        .filter(|p| own.contains(text(&p["id"])) && p["publish"].is_null())
        .map(|p| (text(&p["name"]), p))
        .collect()
}

/// Files that belong to a library are in its package; tests are not.
fn whole() -> Result<(), String> {
    let metadata = metadata()?;
    let packages = own(&metadata);
    if packages.len() < 9 {
        return Err(format!("{:?} are all that is published", packages.keys()));
    }
    let mut wrong = Vec::new();
    for (name, package) in packages {
        let manifest = Path::new(text(&package["manifest_path"]));
        let folder = manifest.parent().ok_or("a manifest has no folder")?;
        let files = cargo(&["package", "--list", "--allow-dirty", "--package", name])?;
        let files: BTreeSet<&str> = files.lines().collect();
        let has = |file: &Path| files.contains(&*file.to_string_lossy());
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "src/lib.rs"] {
            if !has(Path::new(file)) {
                wrong.push(format!("{name} is packed without {file}"));
            }
        }
        for file in &files {
            let top = file.split('/').next().unwrap_or("");
            if [
                "tests", "benches", "editors", "fuzz", "docs", "scripts", "occa",
            ]
            .contains(&top)
            {
                wrong.push(format!("{name} is packed with {file}"));
            }
        }
        // What build.rs reads.
        if name == "brook" {
            for part in ["grammar", "templates", "include"] {
                for file in below(&folder.join(part))? {
                    let file = file.strip_prefix(folder).map_err(|e| e.to_string())?;
                    if !has(file) {
                        wrong.push(format!("{name} is packed without {}", file.display()));
                    }
                }
            }
        }
        for file in below(&folder.join("src"))? {
            if file.extension().is_none_or(|e| e != "rs") || is_test(&file) {
                continue;
            }
            let code = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
            for included in included(&code) {
                let place = folded(&file.with_file_name("").join(included));
                if !place.strip_prefix(folder).is_ok_and(has) {
                    let file = file.display();
                    wrong.push(format!(
                        "{name} is packed without what {file} includes: {included}"
                    ));
                }
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// Whether a file is compiled for tests only.
fn is_test(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let beside = file.parent().is_some_and(|p| p.ends_with("tests"));
    beside || stem == "tests" || stem.ends_with("_tests") || stem.ends_with("_for_tests")
}

/// The paths of `include_str!` and `include_bytes!`.
fn included(code: &str) -> Vec<&str> {
    let macros = ["include_str!(", "include_bytes!("];
    let calls = macros.iter().flat_map(|name| code.split(name).skip(1));
    calls
        .filter_map(|rest| rest.trim_start().strip_prefix('"')?.split('"').next())
        .collect()
}

/// A path without `..`.
fn folded(path: &Path) -> PathBuf {
    let mut folded = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                folded.pop();
            }
            part => folded.push(part),
        }
    }
    folded
}

fn below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries.flatten() {
        match entry.path() {
            path if path.is_dir() => files.extend(below(&path)?),
            path => files.push(path),
        }
    }
    Ok(files)
}

/// What a package is built with is another published one, of a version.
fn published() -> Result<(), String> {
    let metadata = metadata()?;
    let packages = own(&metadata);
    let mut wrong = Vec::new();
    for (name, package) in &packages {
        for key in ["description", "license", "rust_version"] {
            if package[key].is_null() {
                wrong.push(format!("{name} has no {key}"));
            }
        }
        for dependency in list(&package["dependencies"]) {
            let other = text(&dependency["name"]);
            if dependency["kind"] == "dev" || dependency["path"].is_null() {
                continue;
            }
            match packages.get(other) {
                None => wrong.push(format!("{name} needs {other}, which is not published")),
                Some(found) => {
                    let version = format!("^{}", text(&found["version"]));
                    if dependency["req"] != *version {
                        wrong.push(format!("{name} needs {other} {}", dependency["req"]));
                    }
                }
            }
        }
    }
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(wrong.join("\n")),
    }
}

/// The version of Rust that is asked for has to do for all that is built with ours. What they use of the standard library, and
/// what we do, clippy looks at.
fn rust_version() -> Result<(), String> {
    let metadata = metadata()?;
    let packages = own(&metadata);
    let said = packages.get("brook").map(|p| text(&p["rust_version"]));
    let said = said.and_then(version).ok_or("brook says no version")?;
    let built: BTreeSet<&str> = built(&metadata, &packages);
    let later: Vec<String> = list(&metadata["packages"])
        .filter(|p| built.contains(text(&p["id"])))
        .filter(|p| version(text(&p["rust_version"])).is_some_and(|v| v > said))
        .map(|p| format!("{} {} takes {}", p["name"], p["version"], p["rust_version"]))
        .collect();
    match later.is_empty() {
        true => Ok(()),
        false => Err(later.join("\n")),
    }
}

/// All that published packages are built of, without what only tests need.
fn built<'a>(metadata: &'a Value, packages: &BTreeMap<&str, &'a Value>) -> BTreeSet<&'a str> {
    let nodes = list(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node));
    let nodes: BTreeMap<&str, &Value> = nodes.collect();
    let mut built = BTreeSet::new();
    let mut next: Vec<&str> = packages.values().map(|p| text(&p["id"])).collect();
    while let Some(id) = next.pop() {
        if !built.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id).map(|node| list(&node["deps"]));
        for dependency in dependencies.into_iter().flatten() {
            if list(&dependency["dep_kinds"]).any(|kind| kind["kind"] != "dev") {
                next.push(text(&dependency["pkg"]));
            }
        }
    }
    built
}

fn version(text: &str) -> Option<Vec<u32>> {
    let mut parts = text
        .split('.')
        .map(str::parse)
        .collect::<Result<Vec<u32>, _>>()
        .ok()?;
    parts.resize(3, 0);
    Some(parts)
}

/// The versions that a text says brook has: `brook 1.2.3`, and `brook 1.2` where CMake looks for it.
fn versions(text: &str) -> Vec<&str> {
    let after = text
        .match_indices("brook ")
        .map(|(at, word)| &text[at + word.len()..]);
    let numbers = after.map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        rest[..end.unwrap_or(rest.len())].trim_end_matches('.')
    });
    let is_version = |text: &&str| {
        let parts: Vec<&str> = text.split('.').collect();
        parts.len() > 1 && parts.iter().all(|part| !part.is_empty())
    };
    numbers.filter(is_version).collect()
}

/// Whether a version is this one, or says less of it.
fn is_this(version: &str, this: &str) -> bool {
    let rest = this.strip_prefix(version);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Pages and examples are of this version.
fn pages() -> Result<(), String> {
    let said = "by brook 1.2.3 from\nfind_package(brook 0.1 REQUIRED)\nbrook 5 times. brook 7.";
    if versions(said) != ["1.2.3", "0.1"] {
        return Err(format!("versions: {:?}", versions(said)));
    }
    for (version, good) in [
        ("0.1.0", true),
        ("0.1", true),
        ("0.1.1", false),
        ("0", true),
        ("0.", false),
    ] {
        if is_this(version, "0.1.0") != good {
            return Err(format!("{version} is taken for something else"));
        }
    }
    let mut files = vec![root().join("README.md"), root().join("examples/README.md")];
    files.extend(["c", "cpp"].map(|e| root().join("examples").join(e).join("CMakeLists.txt")));
    for entry in std::fs::read_dir(root().join("docs")).map_err(|e| e.to_string())? {
        files.push(entry.map_err(|e| e.to_string())?.path());
    }
    files.retain(|file| file.extension().is_some_and(|e| e == "md" || e == "txt"));
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        for version in versions(&text) {
            count += 1;
            if !is_this(version, env!("CARGO_PKG_VERSION")) {
                wrong.push(format!("{}: brook {version}", file.display()));
            }
        }
    }
    match wrong.is_empty() && count > 5 {
        true => Ok(()),
        false => Err(format!("{count} versions\n{}", wrong.join("\n"))),
    }
}

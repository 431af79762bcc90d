//! What pages of `docs/` show is what happens: their files are written, their commands run, and what these print compared.
//!
//! What stands behind the language of a block says what it is; renderers leave it alone:
//!
//! - `file=NAME`: that file, in the folder of the page. The paragraph before it names it
//! - `run`: commands of the shell; with `exit=N` the last of them ends so
//! - `output`: what the commands before it print on both outputs. A line `…` stands for any lines, `…` in a line for any text.
//!   Where there is none, they print nothing
//! - `shows=FILE`: lines as they stand in a file that was written, or with a slash before it in one of the repository; a line
//!   `…` leaves some out
//! - `compiles=NAME`: a file that is compiled only, with the headers of `tests/data/documents` in the place of vendors'
//!
//! A page with one such block has no others. `BROOK_BLESS=1` writes what was printed where nothing is left out.

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::markdown::{Block, blocks};
use crate::support::need::Need;
use crate::support::process;
use crate::support::toolchains::{host_compiler, opencl_device};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests: one a page.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let opencl = Need::new("opencl", &opencl_device());
    cxx.announce();
    opencl.announce();
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    let mut trials = vec![
        Trial::test("comparison", || Ok(comparison()?)),
        cxx.trial("functions".to_string(), || Ok(functions()?)),
    ];
    for path in pages {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let wanted = name.starts_with("tutorial") || name.starts_with("recipes");
        let checked = ["file", "shows", "compiles"];
        // What cannot be read is no page without blocks.
        let is_checked = blocks(&text).map_or(true, |all| {
            all.iter().any(|block| {
                block.says("run") || checked.iter().any(|key| block.value(key).is_some())
            })
        });
        if wanted || is_checked {
            let need = if text.contains("opencl:0") {
                &opencl
            } else {
                &cxx
            };
            trials.push(need.trial(name.clone(), move || Ok(page(&name, &path)?)));
        }
    }
    trials
}

/// A folder in which the page's reader might sit, and what a shell knows there.
struct Reader {
    folder: PathBuf,
    tools: PathBuf,
}

impl Reader {
    fn new(name: &str) -> Result<Self, String> {
        let base = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("documents")
            .join(name);
        let _ = std::fs::remove_dir_all(&base);
        let (folder, tools) = (base.join("reader"), base.join("tools"));
        for folder in [&folder, &tools] {
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        }
        let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
        for tool in ["brook", "brcc"] {
            std::os::unix::fs::symlink(built.join(tool), tools.join(tool))
                .map_err(|e| e.to_string())?;
        }
        Ok(Self { folder, tools })
    }

    /// Runs commands; both outputs, in the order in which they were written.
    fn run(&self, commands: &str) -> Result<(i32, String), String> {
        let mut command = process::clean(Path::new("/bin/sh"));
        let script = format!("exec 2>&1\n{commands}");
        command
            .args(["-e", "-c", &script])
            .current_dir(&self.folder);
        let path = std::env::var("PATH").unwrap_or_default();
        command
            .env("PATH", format!("{}:{path}", self.tools.display()))
            .env("BROOK_DEVICE", "openmp")
            .env("BROOK_CACHE_DIR", self.tools.join("cache"));
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        let code = finished.code.ok_or("a signal ended it")?;
        Ok((code, finished.text()))
    }
}

impl Reader {
    /// Whether a compiler takes a file of C++.
    fn compile(&self, file: &str) -> Result<(), String> {
        let mut command = Command::new(host_compiler()?);
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
        for include in ["include", "tests/data/documents"] {
            command.arg("-I").arg(root().join(include));
        }
        command.arg(self.folder.join(file));
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        match finished.code {
            Some(0) => Ok(()),
            _ => Err(finished.stderr),
        }
    }
}

fn page(name: &str, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let reader = Reader::new(name)?;
    let blocks = blocks(&text)?;
    // Where something else was printed, and what.
    let mut blessed: Vec<(Range<usize>, String)> = Vec::new();
    // What was printed and is not compared yet.
    let mut printed: Option<String> = None;
    let mut commands = 0;
    for (number, block) in blocks.iter().enumerate() {
        let content = &text[block.place.clone()];
        let at = |message: String| format!("docs/{name}.md:{}: {message}", block.line);
        if let Some(file) = block.value("file") {
            write(&reader, block, file, content).map_err(at)?;
        } else if block.says("run") {
            commands += 1;
            let wanted = block.value("exit").unwrap_or("0");
            let (code, output) = reader.run(content).map_err(at)?;
            if code.to_string() != wanted {
                return Err(at(format!("exit code {code} and not {wanted}\n{output}")));
            }
            let next = blocks.get(number + 1);
            if !next.is_some_and(|next| next.says("output")) && !output.is_empty() {
                return Err(at(format!(
                    "the page does not show what is printed\n{output}"
                )));
            }
            printed = Some(output);
        } else if block.says("output") {
            let found = printed.take().ok_or(at("output of what?".to_string()))?;
            if std::env::var_os("BROOK_BLESS").is_some() && !content.contains('…') {
                blessed.push((block.place.clone(), found));
            } else {
                agree(content, &found).map_err(at)?;
            }
        } else if let Some(file) = block.value("compiles") {
            write(&reader, block, file, content).map_err(at)?;
            reader.compile(file).map_err(at)?;
        } else if let Some(file) = block.value("shows") {
            let file = match file.strip_prefix('/') {
                Some(file) => root().join(file),
                None => reader.folder.join(file),
            };
            let all = std::fs::read_to_string(&file)
                .map_err(|e| at(format!("{}: {e}", file.display())))?;
            agree(&format!("…\n{content}…\n"), &all).map_err(at)?;
        } else {
            return Err(at(format!("a block '{}' that nobody checks", block.info)));
        }
    }
    if commands == 0 {
        return Err(format!("docs/{name}.md runs nothing"));
    }
    let mut new = text.clone();
    for (place, found) in blessed.into_iter().rev() {
        new.replace_range(place, &found);
    }
    match new == text {
        true => Ok(()),
        false => std::fs::write(path, new).map_err(|e| e.to_string()),
    }
}

fn write(reader: &Reader, block: &Block, file: &str, content: &str) -> Result<(), String> {
    if !block.before.contains(&format!("`{file}`")) {
        return Err(format!("the paragraph before does not name `{file}`"));
    }
    let path = reader.folder.join(file);
    let folder = path.parent().ok_or("no folder")?;
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(path, content).map_err(|e| e.to_string())
}

/// Whether a text is what a page shows, which may leave out lines and parts of them.
fn agree(shown: &str, found: &str) -> Result<(), String> {
    let wanted: Vec<&str> = shown.lines().collect();
    let lines: Vec<&str> = found.lines().collect();
    match matches(
        &wanted,
        &lines,
        |w, l| *w == "…" || parts(w, l),
        |w| *w == "…",
    ) {
        true => Ok(()),
        false => Err(format!("--- shown\n{shown}\n--- found\n{found}")),
    }
}

/// Whether a line is what a page shows, where `…` stands for any text.
fn parts(shown: &str, line: &str) -> bool {
    let (wanted, letters): (Vec<char>, Vec<char>) =
        (shown.chars().collect(), line.chars().collect());
    matches(&wanted, &letters, |w, c| *w == '…' || w == c, |w| *w == '…')
}

/// Whether a sequence is another, some elements of which stand for any number.
fn matches<T>(
    wanted: &[T],
    found: &[T],
    same: impl Fn(&T, &T) -> bool,
    any: impl Fn(&T) -> bool,
) -> bool {
    // Those numbers of elements of `found` that what is wanted so far may be.
    let mut reached = vec![false; found.len() + 1];
    reached[0] = true;
    for w in wanted {
        let mut next = vec![false; found.len() + 1];
        let mut open = false;
        for at in 0..=found.len() {
            if any(w) {
                open |= reached[at];
                next[at] = open;
            } else if at > 0 && reached[at - 1] && same(w, &found[at - 1]) {
                next[at] = true;
            }
        }
        reached = next;
    }
    reached[found.len()]
}

/// What is compared is not everything.
fn comparison() -> Result<(), String> {
    let found = "one\ntwo 2.5 s\nthree\n";
    for shown in [
        "one\ntwo 2.5 s\nthree\n",
        "…\nthree\n",
        "one\ntwo … s\n…\n",
        "…\none\n…\nthree\n…\n",
    ] {
        agree(shown, found)?;
    }
    for shown in [
        "",
        "one\n",
        "two 2.5 s\nthree\n",
        "one\ntwo … m\nthree\n",
        "…\ntwo\n…\n",
        "three\n…\none\n…\n",
    ] {
        if agree(shown, found).is_ok() {
            return Err(format!("{shown:?} is taken for {found:?}"));
        }
    }
    Ok(())
}

/// What `docs/brook.md` says that functions of Brook+ give, they give.
fn functions() -> Result<(), String> {
    let path = root().join("grammar/functions.toml");
    let table = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: toml::Table = table.parse().map_err(|e| format!("functions.toml: {e}"))?;
    let reader = Reader::new("functions")?;
    for (file, dialect) in [("brook.br", "brook"), ("brookgpu.br", "brookgpu")] {
        let (mut kernels, mut calls, mut names) = (String::new(), String::new(), String::new());
        for (name, row) in &table {
            if row.get("only").is_some() != (dialect == "brookgpu") {
                continue;
            }
            let example = row.get("example").and_then(toml::Value::as_str);
            let example = example.ok_or(format!("{name} has no example"))?;
            let _ = writeln!(
                kernels,
                "kernel void of_{name}(float a<>, out float b<>) {{ if ({example}) {{ b = a; }} else {{ b = 0.0f; }} }}"
            );
            let _ = writeln!(
                calls,
                "b[0] = 0.0f; of_{name}(s, t); streamWrite(t, b); printf(\"{name} %g\\n\", b[0]);"
            );
            let _ = writeln!(names, "{name} 1");
        }
        let text = format!(
            "#include <stdio.h>\n{kernels}\nint main() {{ float s<1>, t<1>; float a[1] = {{1.0f}}, b[1]; streamRead(s, a);\n{calls}return 0; }}\n"
        );
        std::fs::write(reader.folder.join(file), text).map_err(|e| e.to_string())?;
        let (code, output) = reader.run(&format!("brook run --dialect {dialect} {file}"))?;
        if code != 0 || output != names {
            return Err(format!("{file}: exit code {code}\n{output}"));
        }
    }
    Ok(())
}

//! What pages of `docs/`, and `README.md`, show is what happens: their files are written, their commands run, and what these print
//! compared.
//!
//! What stands behind the language of a block says what it is; renderers leave it alone:
//!
//! - `file=NAME`: that file, in the folder of the page. The paragraph before it names it
//! - `run`: commands of the shell; with `exit=N` the last of them ends so
//! - `output`: what the commands before it print on both outputs. A line `…` stands for any lines, `…` in a line for any text.
//!   Where there is none, they print nothing
//! - `each=/FOLDER`: commands, one a line, each of which ends well in a copy of that folder of the repository, whatever it prints; or goes
//!   on, as servers do
//! - `shows=FILE`: lines as they stand in a file that was written, or with a slash before it in one of the repository, where they may
//!   stand deeper; a line `…` leaves some out
//! - `beside=FILE,FILE`: the same of two files side by side
//! - `compiles=NAME`: a file that is compiled only, with the headers of `tests/data/documents` in the place of vendors'
//!
//! There are no others but those that `tests/data/documents/unchecked.toml` lists, with reasons. `BROOK_BLESS=1` writes what was printed
//! where nothing is left out.
//!
//! Pages that show parts of programs show lines of `tests/data/documents/cpp/pages.cpp`, which `documents::cpp_program` runs, and of
//! `tests/runtime/pages.rs`.
//!
//! - `reader.rs`: who reads a page, and does what it says.
//! - `shown.rs`: what is compared, and how.
//! - `functions.rs`, `examples.rs`: what is made of the tables of `grammar/`.

mod examples;
mod functions;
mod reader;
mod shown;

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::markdown::{Block, blocks};
use crate::support::need::Need;
use crate::support::process;
use crate::support::toolchains::{host_compiler, opencl_device};
use brook_driver::ScratchDirectory;
use reader::Reader;
use serde::Deserialize;
use shown::{agree, columns, stands_in};
use std::ops::Range;
use std::path::Path;

/// What `unchecked.toml` says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unchecked {
    /// Pages that are made of something that is checked elsewhere.
    page: Vec<Left>,
    /// Blocks that are not checked.
    block: Vec<Left>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Left {
    /// The page's path.
    page: String,
    /// How the block begins; nothing for a page.
    #[serde(default)]
    begins: String,
    why: String,
}

impl Unchecked {
    fn read() -> Result<Self, String> {
        let path = root().join("tests/data/documents/unchecked.toml");
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        toml::from_str(&text).map_err(|e| e.to_string())
    }

    fn has(&self, page: &str, content: &str) -> bool {
        self.page.iter().any(|left| left.page == page)
            || (self.block.iter())
                .any(|left| left.page == page && content.starts_with(&left.begins))
    }

    /// Whether all that is listed is there, and has a reason.
    fn is_there(&self) -> Result<(), String> {
        for left in self.page.iter().chain(&self.block) {
            let path = root().join(&left.page);
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", left.page))?;
            let all = blocks(&text)?;
            let found = all.iter().any(|b| {
                let content = &text[b.place.clone()];
                content.starts_with(&left.begins) && !is_marked(b)
            });
            if !found || left.why.is_empty() {
                return Err(format!("{}: '{}'", left.page, left.begins));
            }
        }
        Ok(())
    }
}

/// Whether a block says how it is checked.
fn is_marked(block: &Block) -> bool {
    let keys = ["file", "each", "shows", "beside", "compiles"];
    let words = ["run", "output"];
    words.iter().any(|w| block.says(w)) || keys.iter().any(|k| block.value(k).is_some())
}

/// The tests: one a page.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let opencl = Need::new("opencl", &opencl_device());
    // Whatever commands of a page compile for.
    let gpus = Need::new("hiprtc", &compilers());
    for need in [&cxx, &opencl, &gpus] {
        need.announce();
    }
    let mut pages = vec![root().join("README.md")];
    for entry in std::fs::read_dir(root().join("docs")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "md") {
            pages.push(path);
        }
    }
    let mut trials = vec![
        Trial::test("comparison", || Ok(shown::comparison()?)),
        Trial::test("unchecked", || Ok(Unchecked::read()?.is_there()?)),
        cxx.trial("functions".to_string(), || Ok(functions::functions()?)),
        cxx.trial("examples".to_string(), || Ok(examples::examples()?)),
        cxx.trial("cpp_program".to_string(), || Ok(cpp()?)),
    ];
    for path in pages {
        let text = std::fs::read_to_string(&path).unwrap();
        // What cannot be read is no page without blocks.
        if blocks(&text).is_ok_and(|all| all.is_empty()) {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().to_lowercase();
        let need = match &text {
            text if text.contains("--device cuda:sm_") => &gpus,
            text if text.contains("opencl:0") => &opencl,
            _ => &cxx,
        };
        trials.push(need.trial(name.clone(), move || Ok(page(&name, &path)?)));
    }
    trials
}

/// Whether there is all that pages compile for; no GPU is needed. A process of its own looks, since distributions link hiprtc and
/// PoCL with one LLVM, which ends a process that uses both.
fn compilers() -> Result<(), String> {
    opencl_device()?;
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let kernel = "@kernel void f(int *x) { for (int i = 0; i < 1; ++i; @tile(1, @outer, @inner)) x[i] = i; }\n";
    std::fs::write(scratch.path().join("f.okl"), kernel).map_err(|e| e.to_string())?;
    let mut command = process::brook();
    command
        .current_dir(scratch.path())
        .env("BROOK_CACHE", "off");
    command.args(["compile", "f.okl", "-o", "f.brk"]);
    command.args(["--device", "cuda:sm_80", "--device", "hip:gfx90a"]);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(finished.stderr),
    }
}

/// The program whose lines pages show.
fn cpp() -> Result<(), String> {
    let reader = Reader::new("cpp_program")?;
    let files = root().join("tests/data/documents/cpp");
    let commands = format!(
        "cp '{}'/* . && brook build pages.cpp -o pages && ./pages",
        files.display()
    );
    match reader.run(&commands)? {
        (0, output) if output == "all is as it should be\n" => Ok(()),
        (code, output) => Err(format!("exit code {code}\n{output}")),
    }
}

fn page(name: &str, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let reader = Reader::new(name)?;
    let blocks = blocks(&text)?;
    let unchecked = Unchecked::read()?;
    let own = path.strip_prefix(root()).map_err(|e| e.to_string())?;
    let own = own.display().to_string();
    // Where something else was printed, and what.
    let mut blessed: Vec<(Range<usize>, String)> = Vec::new();
    // What was printed and is not compared yet.
    let mut printed: Option<String> = None;
    let mut commands = 0;
    for (number, block) in blocks.iter().enumerate() {
        let content = &text[block.place.clone()];
        let at = |message: String| format!("{own}:{}: {message}", block.line);
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
        } else if let Some(folder) = block.value("each") {
            reader.each(folder, content).map_err(at)?;
        } else if let Some(file) = block.value("shows") {
            shows(&reader, file, content).map_err(at)?;
        } else if let Some(files) = block.value("beside") {
            for (file, column) in files.split(',').zip(columns(content).map_err(at)?) {
                shows(&reader, file, &column).map_err(at)?;
            }
        } else if !unchecked.has(&own, content) {
            return Err(at(format!("a block '{}' that nobody checks", block.info)));
        }
    }
    if commands == 0 && (name.starts_with("tutorial") || name.starts_with("recipes")) {
        return Err(format!("{own} runs nothing"));
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

/// Whether lines stand in a file that was written, or in one of the repository.
fn shows(reader: &Reader, file: &str, content: &str) -> Result<(), String> {
    let path = match file.strip_prefix('/') {
        Some(file) => root().join(file),
        None => reader.folder.join(file),
    };
    let all = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    stands_in(content, &all)
}

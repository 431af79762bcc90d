//! `--watch`: a process that does it again whenever something that it read changes.

use crate::support::Trial;
use crate::support::process;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// What is waited for comes at once, unless the machine has other things to do.
const LONGEST: Duration = Duration::from_secs(60);

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("watch::a_header_that_appears_and_changes", || {
            a_header_that_appears_and_changes().map_err(Into::into)
        }),
        Trial::test("watch::folders_get_new_files", || {
            folders_get_new_files().map_err(Into::into)
        }),
        Trial::test("watch::results_are_written_again", || {
            results_are_written_again().map_err(Into::into)
        }),
        Trial::test("watch::headers_of_cpp_are_looked_at", || {
            headers_of_cpp_are_looked_at().map_err(Into::into)
        }),
        Trial::test("watch::programs_begin_again", || {
            programs_begin_again().map_err(Into::into)
        }),
    ]
}

const KERNEL: &str = "@kernel void f(int *a) {\n\
    for (int i = 0; i < 4; ++i; @outer) for (int j = 0; j < 4; ++j; @inner) a[4 * i + j] = VALUE;\n}\n";

fn a_header_that_appears_and_changes() -> Result<(), String> {
    let folder = folder("header");
    write(&folder, "a.okl", &format!("#include \"b.h\"\n{KERNEL}"));
    let mut watched = Watched::start(&folder, &["check", "--watch", "a.okl"]);
    watched.says("cannot find 'b.h'")?;
    watched.says("brook: failed; waiting for changes")?;
    write(&folder, "b.h", "#define VALUE 1\n");
    watched.says("b.h changed")?;
    watched.says("brook: done; waiting for changes")?;
    write(&folder, "b.h", "#define VALUE value\n");
    watched.says("'value' is not declared")?;
    watched.says("brook: failed")?;
    // Editors write a new file and give it the old name.
    write(&folder, "b.h~", "#define VALUE 22\n");
    fs::rename(folder.join("b.h~"), folder.join("b.h")).map_err(|e| e.to_string())?;
    watched.says("brook: done")
}

fn folders_get_new_files() -> Result<(), String> {
    let folder = folder("folder");
    write(&folder, "all/a.okl", &KERNEL.replace("VALUE", "1"));
    let mut watched = Watched::start(&folder, &["check", "--watch", "all"]);
    watched.says("brook: done")?;
    write(&folder, "all/deep/b.okl", KERNEL);
    watched.says("'VALUE' is not declared")?;
    watched.says("2 sources, 1 with errors")?;
    fs::remove_file(folder.join("all/deep/b.okl")).map_err(|e| e.to_string())?;
    watched.says("brook: done")
}

fn results_are_written_again() -> Result<(), String> {
    let folder = folder("results");
    write(&folder, "a.okl", &KERNEL.replace("VALUE", "12345"));
    let arguments = ["transpile", "--watch", "-b", "cuda", "a.okl", "-o", "."];
    let mut watched = Watched::start(&folder, &arguments);
    watched.says("brook: done")?;
    let written = || fs::read_to_string(folder.join("a.cu")).unwrap_or_default();
    if !written().contains("12345") {
        return Err("nothing was written".to_string());
    }
    write(&folder, "a.okl", &KERNEL.replace("VALUE", "678901"));
    watched.says("a.okl changed")?;
    watched.says("brook: done")?;
    // What is written itself is nothing to wait for.
    thread::sleep(Duration::from_millis(300));
    match (written().contains("678901"), watched.rest()) {
        (true, rest) if rest.is_empty() => Ok(()),
        (_, rest) => Err(format!("'{rest}' was said, and written:\n{}", written())),
    }
}

fn headers_of_cpp_are_looked_at() -> Result<(), String> {
    let folder = folder("cpp");
    write(
        &folder,
        "a.br",
        "kernel void f(float a<>, out float b<>) { b = a; }\n",
    );
    let main = "#include \"b.h\"\n#include <cstdio>\nint main() { std::fprintf(stderr, \"%s\\n\", WORD); }\n";
    write(&folder, "main.cpp", main);
    let mut watched = Watched::start(&folder, &["run", "--watch", "a.br", "main.cpp"]);
    watched.says("brook: failed")?;
    write(&folder, "b.h", "#define WORD \"first\"\n");
    watched.says("first\n")?;
    watched.says("brook: done")?;
    write(&folder, "b.h", "#define WORD \"second\"\n");
    watched.says("b.h changed")?;
    watched.says("second\n")
}

fn programs_begin_again() -> Result<(), String> {
    let folder = folder("program");
    let endless = |word: &str| {
        format!(
            "#include <stdio.h>\n#include <unistd.h>\n\
             int main(void) {{ while (1) {{ fprintf(stderr, \"{word}\\n\"); usleep(20000); }} return 0; }}\n"
        )
    };
    write(&folder, "a.br", &endless("tick"));
    let mut watched = Watched::start(&folder, &["run", "--watch", "a.br"]);
    watched.says("tick\n")?;
    write(&folder, "a.br", &endless("another"));
    watched.says("another\n")?;
    write(&folder, "a.br", "int main(void) { return 0; }\n");
    watched.says("brook: done")?;
    // The first ones have ended.
    match watched.rest() {
        rest if rest.is_empty() => Ok(()),
        rest => Err(format!("'{rest}' was said")),
    }
}

fn folder(name: &str) -> PathBuf {
    let name = format!("brook-watch-{}-{name}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A command that goes on until it is dropped.
struct Watched {
    child: Child,
    folder: PathBuf,
    said: Arc<Mutex<String>>,
    /// Bytes of it that were waited for.
    seen: usize,
}

impl Watched {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command: Command = process::brook();
        command.args(arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut stderr = child.stderr.take().unwrap();
        let said = Arc::new(Mutex::new(String::new()));
        let heard = Arc::clone(&said);
        thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stderr.read(&mut bytes) {
                let text = String::from_utf8_lossy(&bytes[..count]).into_owned();
                heard.lock().unwrap().push_str(&text);
            }
        });
        Self {
            child,
            folder: folder.to_path_buf(),
            said,
            seen: 0,
        }
    }

    /// Waits until it says that, after what was waited for before.
    fn says(&mut self, text: &str) -> Result<(), String> {
        let start = Instant::now();
        while start.elapsed() < LONGEST {
            let said = self.said.lock().unwrap();
            if let Some(at) = said[self.seen..].find(text) {
                self.seen += at + text.len();
                return Ok(());
            }
            drop(said);
            thread::sleep(Duration::from_millis(5));
        }
        let said = self.said.lock().unwrap();
        Err(format!("'{text}' was not said, but:\n{said}"))
    }

    /// What it has said since, without the line that was waited for.
    fn rest(&self) -> String {
        let said = self.said.lock().unwrap();
        let rest = said[self.seen..].split_once('\n');
        rest.map_or(String::new(), |(_, rest)| rest.to_string())
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

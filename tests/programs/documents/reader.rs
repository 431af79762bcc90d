//! Who reads a page, and does what it says.

use crate::support::cases::root;
use crate::support::process;
use crate::support::toolchains::host_compiler;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long commands have that go on until somebody ends them.
const A_WHILE: Duration = Duration::from_millis(500);

/// A folder in which the page's reader might sit, and what a shell knows there.
pub(super) struct Reader {
    pub(super) folder: PathBuf,
    tools: PathBuf,
}

impl Reader {
    pub(super) fn new(name: &str) -> Result<Self, String> {
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

    /// A shell that does something.
    fn shell(&self, commands: &str) -> Command {
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
        command
    }

    /// Runs commands; both outputs, in the order in which they were written.
    pub(super) fn run(&self, commands: &str) -> Result<(i32, String), String> {
        let finished = process::run(&mut self.shell(commands), b"", process::TIME_LIMIT)?;
        let code = finished.code.ok_or("a signal ended it")?;
        Ok((code, finished.text()))
    }

    /// Whether each of some commands does what it is to do, in a folder of files that is copied here.
    pub(super) fn each(&self, files: &str, commands: &str) -> Result<(), String> {
        let files = root().join(files.trim_start_matches('/'));
        let (code, output) = self.run(&format!("cp -r '{}'/. .", files.display()))?;
        if code != 0 {
            return Err(output);
        }
        // A command may go on in the next line.
        for command in commands.replace("\\\n", " ").lines() {
            let endless = ["brook explore", "brook lsp", "--watch"];
            if endless.iter().any(|word| command.contains(word)) {
                // The server goes when nobody speaks to it any more.
                let held = format!("sleep 60 | {command}");
                match process::run(&mut self.shell(&held), b"", A_WHILE) {
                    Err(error) if error.starts_with("still running") => continue,
                    Err(error) => return Err(format!("{command}\n{error}")),
                    Ok(ended) => return Err(format!("{command}\nended\n{}", ended.text())),
                }
            }
            let (code, output) = self.run(command)?;
            if code != 0 {
                return Err(format!("{command}\nexit code {code}\n{output}"));
            }
        }
        Ok(())
    }

    /// Whether a compiler takes a file of C++.
    pub(super) fn compile(&self, file: &str) -> Result<(), String> {
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

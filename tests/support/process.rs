//! Commands with a time limit.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// A command that takes longer hangs. Nothing is said about how long one takes: compilers take minutes on a machine that
/// is busy with others.
pub const TIME_LIMIT: Duration = Duration::from_secs(900);

/// The command under test; `BROOK_TEST_BINARY` says where, if it was built on another machine.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let elsewhere = std::env::var_os("BROOK_TEST_BINARY");
        elsewhere.map_or_else(|| PathBuf::from(env!("CARGO_BIN_EXE_brook")), PathBuf::from)
    })
}

/// How a command ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit code; none if a signal ended it.
    pub code: Option<i32>,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: String,
}

impl Finished {
    /// Standard output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.stdout).into_owned()
    }
}

/// `OCL_ICD_FILENAMES` as it was when this was first asked, before any use of OpenCL: its loader cuts
/// the value short in place, and children would inherit the rest.
pub fn opencl_libraries() -> Option<&'static OsStr> {
    static NAMES: OnceLock<Option<OsString>> = OnceLock::new();
    NAMES
        .get_or_init(|| std::env::var_os("OCL_ICD_FILENAMES"))
        .as_deref()
}

/// The command under test, free of whatever the caller's environment says to it.
pub fn brook() -> Command {
    clean(binary())
}

/// A program that uses the library under test, free of the same.
pub fn clean(program: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let of_ours = text.starts_with("BROOK_") || text.starts_with("BRT_");
        // Where a toolchain is, that stays as it is.
        let places = [
            "BROOK_NVRTC",
            "BROOK_HIP",
            "BROOK_RCCL",
            "BROOK_SYCL",
            "BROOK_SYCL_COMPILER",
            "BROOK_CXX",
        ];
        if of_ours && !places.contains(&&*text) {
            command.env_remove(&name);
        }
    }
    command.env_remove("RUST_BACKTRACE");
    if let Some(names) = opencl_libraries() {
        command.env("OCL_ICD_FILENAMES", names);
    }
    // `cargo test` builds the shared library in `deps`, and leaves alone the copy beside the command
    // that an earlier `cargo build` has made; but it puts both folders on the loader's path.
    let folder = binary().parent().unwrap();
    let library = folder.join("deps/libbrook.so");
    if library.is_file() {
        command.env("BROOK_LIBRARY", library);
    }
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        let others = std::env::split_paths(&paths).filter(|path| !path.starts_with(folder));
        command.env("LD_LIBRARY_PATH", std::env::join_paths(others).unwrap());
    }
    command
}

/// Runs a command to its end, or for `limit`: then it and its children are ended, and the result is
/// an error.
pub fn run(command: &mut Command, input: &[u8], limit: Duration) -> Result<Finished, String> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command
        .spawn()
        .map_err(|e| format!("cannot start {command:?}: {e}"))?;
    let mut stdin = child.stdin.take().ok_or("no standard input")?;
    let input = input.to_vec();
    // A program that does not read its input closes it early; that is no failure of the test.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let stdout = collect(child.stdout.take());
    let stderr = collect(child.stderr.take());
    let status = loop {
        match child.try_wait().map_err(|e| e.to_string())? {
            Some(status) => break status,
            None if start.elapsed() > limit => {
                end(&mut child);
                return Err(format!(
                    "still running after {} s: {command:?}",
                    limit.as_secs()
                ));
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let _ = writer.join();
    Ok(Finished {
        code: status.code(),
        stdout: stdout.join().map_err(|_| "reading failed")?,
        stderr: String::from_utf8_lossy(&stderr.join().map_err(|_| "reading failed")?).into_owned(),
    })
}

fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Ends a process and its children, which are in a group of their own.
fn end(child: &mut Child) {
    let group = format!("-{}", child.id());
    let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
    let _ = child.kill();
    let _ = child.wait();
}

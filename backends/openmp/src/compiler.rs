//! Finding and calling the system's C++ compiler.

use brook_driver::{
    CompileOptions, Error, ErrorKind, Math, Result, ScratchDirectory, find_words, run_compiler,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Flags of every compilation, whichever compiler.
///
/// `-fno-math-errno` is what lets loops with `sqrt` vectorise, and `-fno-trapping-math`, as clang has it anyway, those with
/// branches around floating-point operations; results stay the same.
const COMMON: [&str; 7] = [
    "-x",
    "c++",
    "-O3",
    "-fopenmp",
    "-fPIC",
    "-fno-math-errno",
    "-fno-trapping-math",
];

/// Flags of every link. `-Bsymbolic`: a helper function of the kernel is never replaced by one of
/// the same name in the host program.
const LINK: [&str; 4] = ["-shared", "-fPIC", "-fopenmp", "-Wl,-Bsymbolic"];

/// Flags that must not reach the linker: they make it add code that, on loading, switches the whole
/// host thread to flushing denormal numbers to zero.
const FAST: [&str; 3] = ["-ffast-math", "-Ofast", "-funsafe-math-optimizations"];

/// What GCC needs besides. Without `-fno-semantic-interposition` it inlines no exported function in
/// position-independent code; unique symbols would be shared between two kernels' libraries. Kernels
/// fill `s[8][8]` through `s[0][i]`, from which GCC would conclude that a loop ends after 8 rounds.
const GCC: [&str; 3] = [
    "-fno-semantic-interposition",
    "-fno-gnu-unique",
    "-fno-aggressive-loop-optimizations",
];

/// This machine's processor, in every compiler's words.
pub(crate) const NATIVE: &str = "native";

/// A C++ compiler with OpenMP.
#[derive(Clone, Debug)]
pub(crate) struct Compiler {
    program: PathBuf,
    /// Words after the program in `CXX="ccache g++"`.
    arguments: Vec<String>,
    version: String,
    clang: bool,
}

impl Compiler {
    /// `BROOK_CXX`, else `CXX`, else what is on `PATH`.
    pub(crate) fn find() -> Result<Self> {
        for variable in ["BROOK_CXX", "CXX"] {
            match std::env::var(variable) {
                Ok(value) if !value.trim().is_empty() => {
                    return Self::from_words(&value).ok_or_else(|| {
                        Error::missing(format!(
                            "no C++ compiler: {variable} is '{value}', which does not run"
                        ))
                    });
                }
                _ => {}
            }
        }
        ["g++", "c++", "clang++"]
            .into_iter()
            .find_map(Self::from_words)
            .ok_or_else(|| Error::missing("no C++ compiler (g++, clang++) found on PATH"))
    }

    fn from_words(words: &str) -> Option<Self> {
        let (program, arguments) = find_words(words)?;
        let ask = |flag: &str| {
            let output = Command::new(&program)
                .args(&arguments)
                .arg(flag)
                .stdin(Stdio::null())
                .output();
            let output = output.ok().filter(|o| o.status.success())?;
            Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
        };
        let banner = ask("--version")?;
        let clang = banner.contains("clang");
        let version = version(&banner)?;
        Some(Self {
            program,
            arguments,
            version,
            clang,
        })
    }

    /// `g++ 12.2.0 (/usr/bin/g++)`.
    pub(crate) fn description(&self) -> String {
        let name = self
            .program
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let mut words = vec![self.program.to_string_lossy().into_owned()];
        words.extend(self.arguments.iter().cloned());
        format!("{name} {} ({})", self.version, words.join(" "))
    }

    /// Compiles to the bytes of a shared object, for this machine's processor.
    pub(crate) fn compile(&self, source: &str, options: &CompileOptions) -> Result<Vec<u8>> {
        self.compile_for(NATIVE, source, options)
    }

    /// Compiles for an architecture in the compiler's words.
    pub(crate) fn compile_for(
        &self,
        architecture: &str,
        source: &str,
        options: &CompileOptions,
    ) -> Result<Vec<u8>> {
        let scratch = ScratchDirectory::new()?;
        let input = scratch.path().join("kernel.cpp");
        let output = scratch.path().join("kernel.so");
        let failed = |e: std::io::Error| {
            Error::new(
                ErrorKind::Compile,
                format!("cannot use {}: {e}", scratch.path().display()),
            )
        };
        fs::write(&input, source).map_err(failed)?;
        let run = |flags: &[String], from: &Path, to: &Path| {
            let mut command = Command::new(&self.program);
            command
                .args(&self.arguments)
                .args(flags)
                .arg("-o")
                .arg(to)
                .arg(from);
            run_compiler(&mut command).map_err(|mut error| {
                // The log speaks of `kernel.cpp`, not of a directory that is gone by now.
                let directory = format!("{}/", scratch.path().display());
                error.log = error.log.map(|log| log.replace(&directory, ""));
                error
            })
        };
        let mut flags = self.flags(Some(architecture), options);
        let mut link: Vec<String> = LINK.map(str::to_string).to_vec();
        if flags.iter().any(|f| FAST.contains(&f.as_str())) {
            let object = scratch.path().join("kernel.o");
            flags.push("-c".to_string());
            run(&flags, &input, &object)?;
            link.extend(
                options
                    .flags
                    .iter()
                    .filter(|f| !FAST.contains(&f.as_str()))
                    .cloned(),
            );
            run(&link, &object, &output)?;
        } else {
            // The options' flags come last: what they say holds.
            link.extend(flags);
            run(&link, &input, &output)?;
        }
        fs::read(&output).map_err(failed)
    }

    /// The names of all macros that the compiler has by itself for an architecture; for the least that it compiles for
    /// by itself without one.
    pub(crate) fn macros(
        &self,
        architecture: Option<&str>,
        options: &CompileOptions,
    ) -> Result<BTreeSet<String>> {
        let scratch = ScratchDirectory::new()?;
        let input = scratch.path().join("empty.cpp");
        fs::write(&input, "").map_err(|e| {
            let message = format!("cannot use {}: {e}", scratch.path().display());
            Error::new(ErrorKind::Compile, message)
        })?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .args(self.flags(architecture, options))
            .args(["-dM", "-E"])
            .arg(&input);
        let text = run_compiler(&mut command)?;
        let name = |line: &str| {
            let definition = line.strip_prefix("#define ")?;
            let name = definition.split([' ', '(']).next()?;
            Some(name.to_string())
        };
        Ok(text.lines().filter_map(name).collect())
    }

    fn flags(&self, architecture: Option<&str>, options: &CompileOptions) -> Vec<String> {
        let mut flags: Vec<String> = COMMON.map(str::to_string).to_vec();
        let standard = options.standard.as_deref().unwrap_or("c++17");
        flags.push(format!("-std={standard}"));
        // Clang knows `-march=native` on x86 only.
        let x86 = cfg!(any(target_arch = "x86_64", target_arch = "x86"));
        match architecture {
            Some(NATIVE) if self.clang && !x86 => flags.push("-mcpu=native".to_string()),
            Some(name) => flags.push(format!("-march={name}")),
            None => {}
        }
        if !self.clang {
            flags.extend(GCC.map(str::to_string));
        }
        if options.math == Math::Strict {
            flags.push("-DBROOK_STRICT".to_string());
        }
        if options.wrapping {
            flags.push("-fwrapv".to_string());
        }
        flags.push(
            match options.math {
                Math::Default | Math::Strict => options.contraction(),
                Math::Fast => "-ffast-math",
            }
            .to_string(),
        );
        flags.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
        flags.extend(options.flags.iter().cloned());
        flags
    }
}

/// The version in the first line of `--version`: its last word that starts with a digit, since
/// distributions put their own in parentheses before it.
fn version(banner: &str) -> Option<String> {
    let line = banner.lines().next()?;
    let mut outside = String::new();
    let mut depth = 0usize;
    for c in line.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    let starts_with_digit = |w: &&str| w.starts_with(|c: char| c.is_ascii_digit());
    outside
        .split_whitespace()
        .find(starts_with_digit)
        .map(str::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_known_compilers() {
        let of = |banner| version(banner).unwrap();
        assert_eq!(
            of("g++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright"),
            "12.2.0"
        );
        assert_eq!(of("g++ (GCC) 14.1.1 20240720"), "14.1.1");
        assert_eq!(of("Debian clang version 15.0.6"), "15.0.6");
        assert_eq!(of("clang version 18.1.3 (1ubuntu1)"), "18.1.3");
        assert!(version("no numbers here").is_none());
        assert!(version("").is_none());
    }

    #[test]
    fn flags_follow_the_options() {
        let compiler = Compiler {
            program: "g++".into(),
            arguments: vec![],
            version: "12".to_string(),
            clang: false,
        };
        let options = CompileOptions {
            math: Math::Strict,
            include_directories: vec!["/a b".to_string()],
            flags: vec!["-DX=1".to_string()],
            standard: Some("c++20".to_string()),
            wrapping: true,
            contracted: false,
        };
        let flags = compiler.flags(Some(NATIVE), &options);
        assert!(flags.contains(&"-std=c++20".to_string()));
        assert!(flags.contains(&"-fwrapv".to_string()));
        let plain = compiler.flags(Some(NATIVE), &CompileOptions::default());
        assert!(!plain.contains(&"-fwrapv".to_string()));
        assert_eq!(
            &flags[flags.len() - 3..],
            ["-ffp-contract=off", "-I/a b", "-DX=1"]
        );
    }
}

//! The command line of AMD's Brook+ compiler (programming guide, section 1.2.2): `brook brcc`, and the
//! command under the name `brcc`.

use super::files::write_files;
use super::reader::read_source;
use super::terminal;
use super::{Failure, Outcome};
use brook::Dialect;
use brook::backend::Backend;
use brook::diagnostics::{Report, to_brcc};
use brook::source::FileLoader;
use brook::{Checking, Options};
use brook::{Define, amd_preprocessed};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Brcc {
    /// What brcc is told; -h lists it
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGS"
    )]
    arguments: Vec<String>,
}

pub(crate) const HELP: &str = "\
Brook+ compiler: FILE.br becomes PREFIX.cpp and PREFIX.h, to be compiled as C++ and linked with -lbrook
brcc [-hkrbfsilxaec] [-pp] [-D macro] [-n flag] [-w level] [-o prefix] [-p target] [-i directory] FILE.br

   -h               Help (print this message)
   -o <prefix>      Prefix prepended to all output files; FILE without its ending otherwise
   -a               Disable strong type checking
   -c               Disable constant arrays: arrays with sizes are streams like any other
   -w <level>       Warning level 0, 1, 2, 3; the default is 0 (with -a)
   -x               Turn warnings into errors (with -a)
   -e               Add extern \"C\" to functions that are no kernels
   -l               Insert #line directives into the C++ file (the default)
   -n l             Leave them out
   -pp              Enable the preprocessor; without it, kernels are read as they are written
   -D <name>        Define a macro, for -pp
   -D <name>=<int>  Define a macro with an integer value
   -i <directory>   Search here for what the preprocessor includes
   -k -r -b -f -s   For old hardware and for the compiler's own developers: accepted, without effect
   -p <target>      cpu or cal: accepted, without effect; the device is chosen when the program runs
";

/// What it was told.
#[derive(Default)]
struct Command {
    help: bool,
    files: Vec<String>,
    prefix: Option<String>,
    checking: Checking,
    preprocess: bool,
    defines: Vec<Define>,
    directories: Vec<String>,
    no_lines: bool,
    c_functions: bool,
    /// Flags without effect, and why.
    idle: Vec<(String, &'static str)>,
}

impl Brcc {
    pub(crate) fn run(self) -> Outcome {
        compile(&self.arguments)
    }
}

/// The whole command.
pub(crate) fn compile(arguments: &[String]) -> Outcome {
    let command = Command::parse(arguments)?;
    if command.help {
        terminal::print(HELP)?;
        return Ok(ExitCode::SUCCESS);
    }
    if !command.preprocess && !command.defines.is_empty() {
        eprintln!("brcc: -D has no effect: macros are expanded with -pp only");
    }
    for (flag, why) in &command.idle {
        eprintln!("brcc: {flag} has no effect: {why}");
    }
    let [file] = command.files.as_slice() else {
        let message = format!("one .br file is compiled at a time\n\n{HELP}");
        return Err(Failure::Usage(message));
    };
    let mut source = read_source(file)?;
    source.dialect = Dialect::Brook;
    if command.preprocess {
        let text = super::normalize::text_of(&source)?;
        let (text, report) = amd_preprocessed(&source.name, text, &command.defines);
        say(&report);
        if report.has_errors() {
            return Err(Failure::Input);
        }
        source.text = text.into_bytes();
    }
    let options = Options {
        checking: command.checking.clone(),
        include_directories: command.directories.clone(),
        unexpanded: true,
        exported_kernels: true,
        c_functions: command.c_functions,
        ..Options::default()
    };
    // The program translates its kernels for the device that it finds; here any backend will do.
    let backend = Backend::built_in("openmp").map_err(|e| Failure::Usage(e.to_string()))?;
    let translation =
        brook::transpile(&source, &backend, &options, &FileLoader).map_err(|report| {
            say(&report);
            Failure::Input
        })?;
    say(&translation.warnings);
    let prefix = command.prefix.unwrap_or_else(|| {
        let stem = Path::new(file).with_extension("");
        stem.display().to_string()
    });
    let host = translation.host.unwrap_or_default();
    let host = match command.no_lines {
        true => without_lines(&host),
        false => host,
    };
    let header = translation.header.unwrap_or_default();
    write_files(&[
        (PathBuf::from(format!("{prefix}.cpp")), host.as_str()),
        (PathBuf::from(format!("{prefix}.h")), header.as_str()),
    ])?;
    Ok(ExitCode::SUCCESS)
}

impl Command {
    fn parse(arguments: &[String]) -> Result<Self, Failure> {
        let mut command = Self::default();
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.strip_prefix('-') {
                Some("pp") => command.preprocess = true,
                Some("-help" | "help") => command.help = true,
                Some(flags) if !flags.is_empty() => {
                    let mut value = |inside: &str, flag: char| match inside {
                        "" => rest.next().cloned().ok_or_else(|| {
                            Failure::Usage(format!("-{flag} needs a value\n\n{HELP}"))
                        }),
                        inside => Ok(inside.to_string()),
                    };
                    command.flags(flags, &mut value)?;
                }
                _ => command.files.push(argument.clone()),
            }
        }
        Ok(command)
    }

    /// Flags behind one `-`: letters, of which the last may have a value.
    fn flags(
        &mut self,
        flags: &str,
        value: &mut dyn FnMut(&str, char) -> Result<String, Failure>,
    ) -> Result<(), Failure> {
        for (at, flag) in flags.char_indices() {
            let inside = &flags[at + flag.len_utf8()..];
            match flag {
                'h' => self.help = true,
                'a' => self.checking.relaxed = true,
                'c' => self.checking.no_constant_arrays = true,
                'x' => self.checking.warnings_as_errors = true,
                'e' => self.c_functions = true,
                'l' => self.no_lines = false,
                'k' => self.idle("-k", "there is no IL program to keep"),
                'r' => self.idle(
                    "-r",
                    "addresses are those of the device, none is translated",
                ),
                's' => self.idle("-s", "there is no IL program to print"),
                'b' => self.idle("-b", "no bison is at work here"),
                'f' => self.idle("-f", "no flex is at work here"),
                'p' => {
                    let target = value(inside, flag)?;
                    let why = "the device is chosen when the program runs";
                    self.idle.push((format!("-p {target}"), why));
                    return Ok(());
                }
                'o' => {
                    self.prefix = Some(value(inside, flag)?);
                    return Ok(());
                }
                'i' => {
                    self.directories.push(value(inside, flag)?);
                    return Ok(());
                }
                'w' => {
                    let level = value(inside, flag)?;
                    let parsed = level.parse().ok().filter(|l| *l <= 3);
                    self.checking.warning_level = parsed.ok_or_else(|| {
                        Failure::Usage(format!("-w '{level}': levels are 0, 1, 2 and 3"))
                    })?;
                    return Ok(());
                }
                'n' => {
                    let flag = value(inside, flag)?;
                    if flag != "l" && flag != "1" {
                        let message = format!("-n '{flag}': only l can be disabled");
                        return Err(Failure::Usage(message));
                    }
                    self.no_lines = true;
                    return Ok(());
                }
                'D' => {
                    let text = value(inside, flag)?;
                    let fail =
                        |e: &dyn std::fmt::Display| Failure::Usage(format!("-D '{text}': {e}"));
                    let (name, value) = text.split_once('=').unwrap_or((&text, ""));
                    if !value.is_empty() && value.parse::<i32>().is_err() {
                        return Err(fail(&"the value is no integer of 32 bits"));
                    }
                    Define::parse(name).map_err(|e| fail(&e))?;
                    let (name, value) = (name.to_string(), value.to_string());
                    self.defines.push(Define { name, value });
                    return Ok(());
                }
                _ => {
                    let message = format!("there is no flag -{flag}\n\n{HELP}");
                    return Err(Failure::Usage(message));
                }
            }
        }
        Ok(())
    }

    fn idle(&mut self, flag: &str, why: &'static str) {
        self.idle.push((flag.to_string(), why));
    }
}

/// Messages as brcc wrote them, on standard error.
fn say(report: &Report) {
    eprint!("{}", to_brcc(report));
}

/// The C++ file without its `#line`.
fn without_lines(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|l| !l.starts_with("#line ")).collect()
}

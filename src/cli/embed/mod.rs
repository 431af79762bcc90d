//! `brook embed`: sources as data of a program, for `brook_program_build_embedded`.
//!
//! - `gather.rs`: which files there are, and what they are called inside of the program.
//! - `text.rs`: the C that holds them.

mod gather;
mod text;

use super::common::{self, Arithmetic, Preprocess};
use super::depfile::Depfile;
use super::files::write_files;
use super::{Failure, Outcome};
use brook::Options;
use clap::Args;
use gather::Gathered;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Embed {
    /// The sources. What they include from their own folders and those of -I comes along, in whichever condition it
    /// stands
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The C or C++ file to write (.c, .cpp), whose name is the object's: NAME.cpp defines it, NAME.h, beside it,
    /// declares it
    #[arg(short, long, value_name = "NAME.cpp")]
    output: PathBuf,
    /// Files are called by their paths below DIR [default: the current folder]
    #[arg(
        long,
        value_name = "DIR",
        default_value = ".",
        hide_default_value = true
    )]
    base: PathBuf,
    /// Take FILE along, too, which is included by a macro's name, or by what is not known yet (repeatable)
    #[arg(long, value_name = "FILE")]
    also: Vec<String>,
    /// Put this, which `brook compile` made of the same sources, beside them: it is loaded where it fits the device
    #[arg(long, value_name = "FILE.brk")]
    package: Option<PathBuf>,
    /// Only say where the files are: they stay on the disk, and are read when the program builds them
    #[arg(long, conflicts_with_all = ["also", "base"])]
    paths: bool,
    #[command(flatten)]
    preprocess: Preprocess,
    #[command(flatten)]
    compile: common::Compile,
    /// The arithmetic of the device's compiler
    #[arg(long, value_enum, default_value_t)]
    math: Arithmetic,
    #[command(flatten)]
    depfile: Depfile,
}

impl Embed {
    pub(crate) fn run(self) -> Outcome {
        let name = self.name()?;
        let options = self.options()?;
        self.preprocess.check_choices_in(&self.files)?;
        if options.checking.warning_level > 0 || options.checking.warnings_as_errors {
            let what = "what is embedded is built without anybody who reads warnings: -w and -x say nothing";
            return Err(Failure::Usage(what.to_string()));
        }
        let gathered = match self.paths {
            true => gather::in_place(&self.files, &options),
            false => gather::gather(&self.files, &self.also, &self.base, &options)?,
        };
        let package = self.package.as_deref().map(read).transpose()?;
        let build = text::Build {
            gathered: &gathered,
            options: &options,
            compile: &self.compile,
            math: self.math,
            package: package.as_deref(),
        };
        let header = self.output.with_extension("h");
        if let Some(folder) = header.parent() {
            // That it cannot be made shows when the files are written.
            let _ = std::fs::create_dir_all(folder);
        }
        let (source, declared) = (text::source(&name, &build), text::header(&name, &gathered));
        let written = [self.output.clone(), header.clone()];
        // What includes the header stays as it is, unless it says something else.
        let known = std::fs::read_to_string(&header);
        if !known.is_ok_and(|known| known == declared) {
            write_files(&[(header, &declared)])?;
        }
        write_files(&[(self.output.clone(), &source)])?;
        let read = gathered.files.iter().map(|f| f.path.clone());
        let read = read.chain(self.package.clone());
        let sources = self.files.iter().map(String::as_str);
        let read = read.chain(self.preprocess.read_besides(sources));
        self.depfile.write(&written, read)?;
        Ok(ExitCode::SUCCESS)
    }

    /// How the sources are built, of which the object says one thing for all.
    fn options(&self) -> Result<Options, Failure> {
        let mut common: Option<(&String, Options)> = None;
        for file in &self.files {
            let own = self.preprocess.options_for(file)?;
            let Some((first, options)) = &common else {
                common = Some((file, own));
                continue;
            };
            let same = options.defines == own.defines
                && options.include_directories == own.include_directories
                && options.forced_includes == own.forced_includes
                && options.checking.flags() == own.checking.flags();
            if !same {
                return Err(Failure::Usage(format!(
                    "brook.toml says other things of '{file}' than of '{first}', and what is embedded together is built alike: embed them one by one"
                )));
            }
        }
        match common {
            Some((_, options)) => Ok(options),
            None => self.preprocess.options(),
        }
    }

    /// What the object is called.
    fn name(&self) -> Result<String, Failure> {
        let name = self.output.file_stem().and_then(|s| s.to_str());
        let name = name.unwrap_or_default();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let ending = self.output.extension().and_then(|e| e.to_str());
        if !is_name || ending.is_none_or(|e| e == "h") {
            let what = self.output.display();
            return Err(Failure::Usage(format!(
                "'{what}' is no NAME.c or NAME.cpp, where NAME is one of C's"
            )));
        }
        Ok(name.to_string())
    }
}

/// A file's bytes.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    brook::source::read(path)
        .map_err(|e| Failure::System(format!("cannot read '{}': {e}", path.display())))
}

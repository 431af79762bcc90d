use super::batch::{Batch, ENDINGS};
use super::choices::Kernels;
use super::common::{Preprocess, Target};
use super::depfile::Depfile;
use super::files::{tree, write_files};
use super::reader::Reader;
use super::terminal::{self, MessageFormat};
use super::timings::Wanted;
use super::watch::Watch;
use super::{Failure, Outcome};
use brook::normalize;
use brook::{Options, Source, Translation};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Transpile {
    /// The sources: .br is Brook+, anything else OKL; - is standard input; below folders, .okl and .br
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    preprocess: Preprocess,
    /// Write STEM.EXT, STEM.launcher.cpp and STEM.json into DIR; several sources as they lie below their folders
    #[arg(short, long, value_name = "DIR", value_parser = folder)]
    output: Option<PathBuf>,
    /// Translate so many sources at once; as many as there are processors without it
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Print this one on standard output
    #[arg(long, value_enum)]
    emit: Option<Emit>,
    /// Put #line into the device source, so that its compiler names lines of the source
    #[arg(long)]
    line_directives: bool,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    message_format: MessageFormat,
    #[command(flatten)]
    depfile: Depfile,
    #[command(flatten)]
    watch: Watch,
    #[command(flatten)]
    timings: Wanted,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// The plain C or C++ form.
    Normalized,
    /// Source for the device's compiler.
    Device,
    /// C++ that launches the kernels.
    Launcher,
    /// The host half of a Brook+ program.
    Host,
    /// What a launch needs to know, as JSON.
    Metadata,
}

impl Transpile {
    pub(crate) fn run(self) -> Outcome {
        if self.depfile.is_wanted() && self.output.is_none() {
            let what = "--depfile says what files depend on: --output names their folder";
            return Err(Failure::Usage(what.to_string()));
        }
        self.watch.check(&self.files)?;
        let reader = Reader::default();
        let there = || tree(&self.files, ENDINGS, &mut Vec::new());
        self.watch.run(&reader, there, || self.once(&reader))
    }

    fn once(&self, reader: &Reader) -> Outcome {
        reader.note_options(&self.preprocess, &self.target);
        self.files.iter().for_each(|f| reader.note_project(f));
        let file = match self.files.as_slice() {
            [file] if !Path::new(file).is_dir() => file,
            _ => return self.many(reader),
        };
        let timings = self.timings.start();
        timings.enter("read");
        let source = reader.read(file, self.message_format)?;
        if self.emit == Some(Emit::Normalized) {
            return normalized(&source);
        }
        timings.enter("backend");
        let backend = self.target.backend(None)?;
        let printed = matches!(self.emit, None | Some(Emit::Device | Emit::Metadata));
        let options = Options {
            no_launcher: self.output.is_none() && printed,
            ..self.options(file)?
        };
        let translated = timings.transpile(&source, &backend, &options, reader);
        timings.enter("write");
        let translation = match translated {
            Ok(translation) => translation,
            Err(report) => {
                terminal::report(&report, self.message_format);
                timings.print();
                return Err(Failure::Input);
            }
        };
        terminal::report(&translation.warnings, self.message_format);
        let kernels = Kernels::of(&translation.metadata);
        self.preprocess.check_choices(&self.files, &kernels)?;
        if let Some(directory) = &self.output {
            let written = write_all(directory, &source.name, &backend.extension, &translation)?;
            let read = translation.dependencies.iter().map(PathBuf::from);
            let read = std::iter::once(file.into()).chain(read);
            self.write_depfile(&written, read, std::slice::from_ref(file))?;
        }
        let text = match self.emit {
            None if self.output.is_some() => "",
            None | Some(Emit::Device) => &translation.device,
            Some(Emit::Launcher) => translation.launcher.as_ref().ok_or_else(|| {
                Failure::Usage(format!("backend '{}' has no launcher", backend.name))
            })?,
            Some(Emit::Host) => translation
                .host
                .as_ref()
                .ok_or_else(|| Failure::Usage("only Brook+ programs have a host half".into()))?,
            Some(Emit::Metadata) => &translation.metadata.to_json(),
            Some(Emit::Normalized) => "",
        };
        terminal::print(text)?;
        timings.print();
        Ok(ExitCode::SUCCESS)
    }
}

/// The folder for results, which `-` is not meant to be.
fn folder(name: &str) -> Result<PathBuf, String> {
    match name {
        "-" => Err("results go into a folder; without --output, one is printed".to_string()),
        name => Ok(name.into()),
    }
}

impl Transpile {
    fn options(&self, source: &str) -> Result<Options, Failure> {
        Ok(Options {
            line_directives: self.line_directives,
            ..self.preprocess.options_for(source)?
        })
    }

    /// The tables, what projects say of the sources, and the backend's folder were read, too.
    fn write_depfile(
        &self,
        written: &[PathBuf],
        read: impl Iterator<Item = PathBuf>,
        sources: &[String],
    ) -> Result<(), Failure> {
        let sources = sources.iter().map(String::as_str);
        let read = read.chain(self.preprocess.read_besides(sources));
        let read = read.chain(self.target.folder().cloned());
        self.depfile.write(written, read)
    }

    fn many(&self, reader: &Reader) -> Outcome {
        let usage = |what: &str| Err(Failure::Usage(what.to_string()));
        let Some(output) = &self.output else {
            return usage("several sources need --output, the folder for their results");
        };
        if self.emit.is_some() {
            return usage("--emit prints the result of one source");
        }
        let check = |kernels: &Kernels| self.preprocess.check_choices(&[], kernels);
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let batch = Batch {
            backend: &self.target.backend(None)?,
            options: &|source| self.options(source),
            output,
            jobs: self.jobs.map_or_else(processors, usize::from),
            format: self.message_format,
            timings: self.timings,
            write: write_all,
            check: match self.preprocess.names_kernels()? {
                true => Some(&check),
                false => None,
            },
            reader,
        };
        let done = batch.run(&self.files)?;
        self.write_depfile(&done.written, done.read.into_iter(), &done.sources)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn normalized(source: &Source) -> Outcome {
    let text = super::normalize::text_of(source)?;
    terminal::print(&normalize(text, source.dialect).0)?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(
    directory: &Path,
    name: &str,
    extension: &str,
    translation: &Translation,
) -> Result<Vec<PathBuf>, Failure> {
    std::fs::create_dir_all(directory).map_err(|error| {
        Failure::System(format!("cannot create '{}': {error}", directory.display()))
    })?;
    let stem = Path::new(name)
        .file_stem()
        .and_then(|s| s.to_str())
        .unwrap_or("stdin");
    let stem = stem.trim_matches(['<', '>']);
    let metadata = translation.metadata.to_json();
    let files = [
        (extension, Some(&translation.device)),
        ("launcher.cpp", translation.launcher.as_ref()),
        ("host.cpp", translation.host.as_ref()),
        ("json", Some(&metadata)),
    ];
    let files: Vec<_> = files
        .into_iter()
        .filter_map(|(extension, text)| {
            Some((
                directory.join(format!("{stem}.{extension}")),
                text?.as_str(),
            ))
        })
        .collect();
    write_files(&files)?;
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

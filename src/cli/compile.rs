use super::choices::Kernels;
use super::common::{self, Arithmetic, Preprocess};
use super::depfile::Depfile;
use super::files::tree;
use super::reader::read_source;
use super::terminal::{self, MessageFormat};
use super::timings::Wanted;
use super::words;
use super::{Failure, Outcome, project};
use brook::Package;
use brook::metadata::{KernelMetadata, ParameterMetadata, Role};
use brook::runtime::{BuildOptions, Error, PackagedImage, PackagedProgram};
use clap::Args;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct CompileFile {
    /// The sources: .br is Brook+, anything else OKL; - is standard input; below folders, .okl and .br.
    /// What .brk files hold is taken over
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// What to compile for (repeatable): cuda:sm_90 (code), cuda:compute_80 (PTX), hip:gfx90a, opencl (source,
    /// for any device), openmp (this processor), openmp:x86-64-v3 (any that has as much); a device that is here
    /// by its name, such as opencl:0
    #[arg(long = "device", value_name = "TARGET", value_parser = words::devices(), hide_possible_values = true)]
    devices: Vec<String>,
    /// The file to write
    #[arg(short, long, value_name = "FILE.brk", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// Say what .brk files hold
    #[arg(long, conflicts_with_all = ["devices", "output"])]
    list: bool,
    #[command(flatten)]
    preprocess: Preprocess,
    #[command(flatten)]
    compile: common::Compile,
    /// The arithmetic of the devices' compilers
    #[arg(long, value_enum, default_value_t)]
    math: Arithmetic,
    /// Put #line into the device source, so that its compiler names lines of the source
    #[arg(long)]
    line_directives: bool,
    /// How diagnostics are written
    #[arg(long, value_enum, default_value_t)]
    message_format: MessageFormat,
    #[command(flatten)]
    depfile: Depfile,
    #[command(flatten)]
    timings: Wanted,
}

impl CompileFile {
    pub(crate) fn run(self) -> Outcome {
        if self.list {
            return self.list();
        }
        let usage = |what: &str| Err(Failure::Usage(what.to_string()));
        let output = match &self.output {
            Some(output) if output.as_os_str() != "-" => output,
            _ => return usage("the result is no text: --output names a file"),
        };
        // A word that nothing is called is the caller's fault, whatever the sources hold.
        self.devices.iter().try_for_each(|name| {
            brook::runtime::check_target_name(name).map_err(|e| Failure::Usage(e.to_string()))
        })?;
        let files = self.files()?;
        if self.devices.is_empty() && files.iter().any(|f| !is_package(f)) {
            return usage(
                "compile for what? give --device: cuda:sm_90, hip:gfx90a, opencl, openmp, or several",
            );
        }
        let timings = self.timings.start();
        timings.enter("compile");
        let mut whole: Option<Package> = None;
        let mut kernels = Kernels::default();
        for file in &files {
            let package = self.package(file, &self.options(file)?)?;
            for program in package.programs().filter(|_| !is_package(file)) {
                let metadata = program.images().next().map(|image| image.metadata());
                kernels.add_if(metadata.and_then(Result::ok).as_ref());
            }
            match &mut whole {
                Some(whole) => whole.add(package).map_err(|e| project::failure(&e))?,
                None => whole = Some(package),
            }
        }
        let sources = files.iter().filter(|f| !is_package(f)).cloned();
        let sources: Vec<String> = sources.collect();
        self.preprocess.check_choices(&sources, &kernels)?;
        timings.enter("write");
        let Some(package) = whole else {
            return usage("there is no source in these folders");
        };
        package.write(output).map_err(|error| match error {
            Error::Io { path, error } => Failure::System(format!("cannot write '{path}': {error}")),
            other => project::failure(&other),
        })?;
        let read = files.iter().chain(package.dependencies());
        let read = read.map(PathBuf::from);
        let besides = sources.iter().map(String::as_str);
        let read = read.chain(self.preprocess.read_besides(besides));
        self.depfile.write(std::slice::from_ref(output), read)?;
        timings.print();
        Ok(ExitCode::SUCCESS)
    }

    /// All files, those below folders among them.
    fn files(&self) -> Result<Vec<String>, Failure> {
        if let [file] = self.files.as_slice()
            && file == "-"
        {
            return Ok(vec![file.clone()]);
        }
        let mut failures = Vec::new();
        let found = tree(&self.files, &["okl", "br"], &mut failures);
        match failures.into_iter().next() {
            Some(failure) => Err(failure),
            None => Ok(found.iter().map(|p| p.display().to_string()).collect()),
        }
    }

    fn options(&self, file: &str) -> Result<BuildOptions, Failure> {
        let options = self.preprocess.options_for(file)?;
        let options = self.compile.build_options(options, self.math);
        Ok(options.line_directives(self.line_directives))
    }

    /// What is made of one source, or read.
    fn package(&self, file: &str, options: &BuildOptions) -> Result<Package, Failure> {
        if is_package(file) {
            return Package::read(file).map_err(|e| project::failure(&e));
        }
        let source = read_source(file)?;
        match Package::compile(&source, &self.devices, options) {
            Ok(package) => {
                for report in package.warnings() {
                    terminal::report(report, self.message_format);
                }
                Ok(package)
            }
            Err(Error::Source(report)) => {
                terminal::report(&report, self.message_format);
                Err(Failure::Input)
            }
            Err(error) => Err(project::failure(&error.context(file))),
        }
    }

    fn list(&self) -> Outcome {
        let mut text = String::new();
        for file in &self.files {
            let package = Package::read(file).map_err(|e| project::failure(&e))?;
            line(&mut text, &format!("{file}: by {}", package.generator()));
            for program in package.programs() {
                list_program(&mut text, &program)
                    .map_err(|e| project::failure(&e.context(file)))?;
            }
        }
        terminal::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Whether a file is taken for what was written here.
pub(crate) fn is_package(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|e| e == "brk")
}

/// Adds a line. Names are the file's, which may mean to tell the terminal something.
fn line(text: &mut String, line: &str) {
    text.extend(line.chars().map(|c| if c.is_control() { '?' } else { c }));
    text.push('\n');
}

fn list_program(text: &mut String, program: &PackagedProgram<'_>) -> Result<(), Error> {
    line(text, &format!("  {}", program.name()));
    for (index, image) in program.images().enumerate() {
        // The metadata of every image is to be read, not only that of the first.
        let metadata = image.metadata()?;
        image.metadata_with_offsets().transpose()?;
        for kernel in metadata.kernels.iter().filter(|_| index == 0) {
            line(text, &format!("    kernel {}", signature(kernel)));
        }
    }
    for image in program.images() {
        let described = description(&image);
        line(text, &format!("    {:<18} {described}", image.target()));
    }
    Ok(())
}

fn signature(kernel: &KernelMetadata) -> String {
    let parameters: Vec<String> = kernel.parameters.iter().map(parameter).collect();
    format!("{}({})", kernel.name, parameters.join(", "))
}

fn parameter(p: &ParameterMetadata) -> String {
    let (name, constant) = (&p.name, if p.constant { "const " } else { "" });
    let brackets = |dimensions: usize| "[]".repeat(dimensions.min(4));
    match p.role {
        Role::Value => format!("{constant}{} {name}", p.type_name),
        Role::Buffer => format!("{constant}{} *{name}", p.type_name),
        Role::Input => format!("{} {name}<>", p.type_name),
        Role::Output => format!("out {} {name}<>", p.type_name),
        Role::Gather(n) => format!("{} {name}{}", p.type_name, brackets(n)),
        Role::Scatter(n) => format!("out {} {name}{}", p.type_name, brackets(n)),
        Role::Reduce => format!("reduce {} {name}", p.type_name),
        Role::Vout => format!("vout {} {name}<>", p.type_name),
    }
}

/// `cubin for sm_90, 5.1 KiB, NVRTC 13.0`
fn description(image: &PackagedImage<'_>) -> String {
    let size = |bytes: &[u8]| match bytes.len() {
        bytes @ 0..1024 => format!("{bytes} B"),
        bytes => format!("{:.1} KiB", bytes as f64 / 1024.0),
    };
    let mut words = vec![
        format!("{} for {}", image.format(), image.architecture()),
        size(image.bytes()),
    ];
    if let Some(bytes) = image.bytes_with_offsets() {
        words.push(format!("{} with offsets", size(bytes)));
    }
    if !image.compiler().is_empty() {
        words.push(image.compiler().to_string());
    }
    let mut text = words.join(", ");
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in image.details() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    for name in names {
        let values = image.details().iter().filter(|(n, _)| n == name);
        let values: Vec<&str> = values.map(|(_, value)| value.as_str()).collect();
        // Writing to a String cannot fail.
        let _ = write!(text, "; {name} {}", values.join(" "));
    }
    text
}

//! What is verified: a source, which every device builds, or what was compiled ahead of time.

use super::super::choices::Kernels;
use super::super::common::Preprocess;
use super::super::compile::is_package;
use super::super::reader::read_source;
use super::super::terminal::{self, MessageFormat};
use super::super::{Failure, project};
use brook::backend::Backend;
use brook::metadata::KernelMetadata;
use brook::runtime::{self, BuildOptions, Device, PackagedProgram, Program};
use brook::source::FileLoader;
use brook::{Options, Package, Source};

pub(in crate::cli) enum Subject {
    Source(Source),
    Package(Box<Package>),
}

impl Subject {
    /// What a file holds.
    pub(in crate::cli) fn read(file: &str) -> Result<Self, Failure> {
        if !is_package(file) {
            return read_source(file).map(Self::Source);
        }
        let package = Package::read(file).map_err(|e| project::failure(&e))?;
        Ok(Self::Package(Box::new(package)))
    }

    /// What is known about its kernels before any device is asked.
    pub(in crate::cli) fn kernels(
        &self,
        options: &Options,
        preprocess: &Preprocess,
    ) -> Result<Vec<KernelMetadata>, Failure> {
        let source = match self {
            Self::Source(source) => source,
            Self::Package(package) => {
                let kernels: Result<Vec<_>, _> = package.programs().map(|p| of(&p)).collect();
                let kernels = kernels.map_err(|e| project::failure(&e))?;
                return Ok(kernels.into_iter().flatten().collect());
            }
        };
        let backend = Backend::built_in("openmp").map_err(|e| Failure::Usage(e.to_string()))?;
        let translated = brook::transpile(source, &backend, options, &FileLoader);
        let translation = translated.map_err(|report| {
            terminal::report(&report, MessageFormat::Human);
            Failure::Input
        })?;
        terminal::report(&translation.warnings, MessageFormat::Human);
        let kernels = Kernels::of(&translation.metadata);
        preprocess.check_choices(std::slice::from_ref(&source.name), &kernels)?;
        Ok(translation.metadata.kernels)
    }

    /// The program that has a kernel, on a device.
    pub(in crate::cli) fn program(
        &self,
        device: &Device,
        options: &BuildOptions,
        kernel: &str,
    ) -> runtime::Result<Program> {
        let package = match self {
            Self::Source(source) => return device.build(source, options),
            Self::Package(package) => package,
        };
        for program in package.programs() {
            if of(&program)?.iter().any(|k| k.name == kernel) {
                return program.load(device);
            }
        }
        Program::load(device, &**package)
    }
}

/// A program's kernels, which are the same in all images.
fn of(program: &PackagedProgram<'_>) -> runtime::Result<Vec<KernelMetadata>> {
    let first = program.images().next();
    first.map_or(Ok(Vec::new()), |image| Ok(image.metadata()?.kernels))
}

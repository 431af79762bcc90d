//! Programs that are compiled ahead of time: what `brook compile` writes, and [`Program::load`] takes without any
//! compiler.
//!
//! A [`Package`] has one or more programs, one for each source; a program has images, one for each target it was
//! compiled for, each with the metadata that its launches need. Whether a device takes an image is for its driver to
//! say.
//!
//! - `target.rs`: what a source is compiled for.
//! - `load.rs`: choosing an image for a device.
//! - `format.rs`: how a package lies in a file.

mod format;
mod load;
mod target;
#[cfg(test)]
mod tests;

pub(super) use load::Spare;
pub use load::{IntoPackage, PackagedProgram};

use super::cache::left_headers;
use super::{BuildOptions, Error, IntoSource, Result};
use crate::backend::Backend;
use crate::diagnostics::Report;
use crate::render::{Form, Metadata, Role};
use crate::source_text::Source;
use crate::transpile::{Translation, transpile};
use format::{Content, ImageEntry, Index, Place, Places, ProgramEntry};
use std::borrow::Borrow;
use std::path::Path;
use target::Target;
pub use target::check_target_name;

/// Sources, compiled for one or more targets.
#[derive(Debug)]
pub struct Package {
    content: Content,
    warnings: Vec<Report>,
    dependencies: Vec<String>,
}

/// What a package has for one target.
#[derive(Clone, Copy, Debug)]
pub struct PackagedImage<'p> {
    content: &'p Content,
    entry: &'p ImageEntry,
}

impl Package {
    /// Translates a source and compiles it for each target: `cuda:sm_90` for these GPUs and later ones of their
    /// generation, `cuda:compute_80` for these and all later ones, `hip:gfx90a`, `opencl` for every OpenCL device,
    /// `openmp` for this processor, `openmp:x86-64-v3` for all that have as much; `opencl:0` and the like for what the
    /// device of that name is. Only the last needs a device, the others their compiler.
    ///
    /// The kernel cache is not asked.
    ///
    /// # Errors
    /// As [`Device::build`](super::Device::build); and a target that nothing is known of.
    pub fn compile<T: AsRef<str>>(
        source: impl IntoSource,
        targets: &[T],
        options: &BuildOptions,
    ) -> Result<Self> {
        let source = source.into_source()?;
        let source: &Source = source.borrow();
        // Nobody could make anything of a template later.
        let mut options = options.clone();
        options.translate.templates_later = false;
        let options = &options;
        let name = Path::new(&source.name).file_name().and_then(|n| n.to_str());
        let mut package = Self::of(ProgramEntry {
            name: name.unwrap_or(&source.name).to_string(),
            images: Vec::new(),
        });
        let mut translations: Vec<(String, Vec<(Translation, Place)>)> = Vec::new();
        for target in targets {
            let target = Target::parse(target.as_ref())?;
            let program = &package.content.index.programs[0];
            if program.images.iter().any(|i| i.target == target.name) {
                return Err(twice(&program.name, &target.name));
            }
            let backend = &target.backend;
            let known = translations
                .iter()
                .position(|(name, ..)| *name == backend.name);
            let known = match known {
                Some(known) => known,
                None => {
                    let made = package.translate(source, backend, options)?;
                    translations.push((backend.name.clone(), made));
                    translations.len() - 1
                }
            };
            let mut made = Vec::new();
            for (translation, metadata) in &translations[known].1 {
                let image = target.compile(source, translation, options)?;
                let binary = package.content.add(&image.bytes);
                let metadata = *metadata;
                made.push((image, Places { metadata, binary }));
            }
            let mut made = made.into_iter();
            let Some((image, Places { metadata, binary })) = made.next() else {
                continue;
            };
            let entry = ImageEntry {
                driver: target.driver().to_string(),
                format: image.kind.format,
                architecture: image.kind.architecture,
                details: image.kind.details,
                compiler: image.compiler,
                metadata,
                binary,
                offsets: made.next().map(|(_, places)| places),
                target: target.name,
            };
            package.content.index.programs[0].images.push(entry);
        }
        Ok(package)
    }

    /// What a backend makes of a source, with where its metadata lies; then the same with buffers and offsets, which
    /// nobody could make later, where that is something else.
    fn translate(
        &mut self,
        source: &Source,
        backend: &Backend,
        options: &BuildOptions,
    ) -> Result<Vec<(Translation, Place)>> {
        let mut translate = options.translation();
        let mut made = Vec::new();
        loop {
            let mut translation = transpile(source, backend, &translate, &options.files)?;
            self.warn(std::mem::take(&mut translation.warnings));
            self.depend_on(&translation, options);
            let metadata = translation.metadata.to_compact_json().map_err(|why| {
                Error::argument(format!("'{}' cannot be packed: {why}", source.name))
            })?;
            let differs = backend.lowering.buffers && takes_memory(&translation.metadata);
            let place = self.content.add(metadata.as_bytes());
            made.push((translation, place));
            if translate.buffer_offsets || !differs {
                return Ok(made);
            }
            translate.buffer_offsets = true;
        }
    }

    fn of(program: ProgramEntry) -> Self {
        let generator = format!("brook {}", env!("CARGO_PKG_VERSION"));
        let index = Index {
            generator,
            programs: vec![program],
        };
        let bytes = Vec::new();
        Self {
            content: Content { index, bytes },
            warnings: Vec::new(),
            dependencies: Vec::new(),
        }
    }

    /// Keeps the names of files that were read for a translation, and will be by its compiler.
    fn depend_on(&mut self, translation: &Translation, options: &BuildOptions) {
        let left = left_headers(&translation.device, &options.compile);
        for path in translation.dependencies.iter().cloned().chain(left) {
            if !options.files.decide(&path) {
                self.note(path);
            }
        }
    }

    /// Keeps a name, once.
    fn note(&mut self, path: String) {
        if !self.dependencies.contains(&path) {
            self.dependencies.push(path);
        }
    }

    /// The files that were read from the disk to compile it, but for the sources themselves and the compilers' own
    /// headers; nothing of what was read from a file.
    pub fn dependencies(&self) -> &[String] {
        &self.dependencies
    }

    /// Keeps what was said of a source, once: most of it is said for every backend.
    fn warn(&mut self, report: Report) {
        let text = report.to_string();
        let known = self.warnings.iter().any(|w| w.to_string() == text);
        if !known && !report.diagnostics.is_empty() {
            self.warnings.push(report);
        }
    }

    /// What the transpiler warned of; nothing of what was read from a file.
    pub fn warnings(&self) -> &[Report] {
        &self.warnings
    }

    /// Takes over another package's images. A program that both have gets those of both.
    ///
    /// # Errors
    /// Both have an image of one program for one target.
    pub fn add(&mut self, other: Self) -> Result<()> {
        for program in &other.content.index.programs {
            let own = self
                .content
                .index
                .programs
                .iter()
                .find(|p| p.name == program.name);
            let own: Vec<&str> = own
                .iter()
                .flat_map(|p| &p.images)
                .map(|i| i.target.as_str())
                .collect();
            if let Some(twice) = program
                .images
                .iter()
                .find(|i| own.contains(&i.target.as_str()))
            {
                return Err(self::twice(&program.name, &twice.target));
            }
        }
        for program in &other.content.index.programs {
            let mut moved: Vec<(Place, Place)> = Vec::new();
            let mut images = program.images.clone();
            for image in &mut images {
                for place in image.places_mut() {
                    let known = moved.iter().find(|(from, _)| from == place);
                    let to = match known {
                        Some((_, to)) => *to,
                        None => self
                            .content
                            .add(other.content.at(*place).unwrap_or_default()),
                    };
                    moved.push((*place, to));
                    *place = to;
                }
            }
            let programs = &mut self.content.index.programs;
            match programs.iter_mut().find(|p| p.name == program.name) {
                Some(own) => own.images.extend(images),
                None => programs.push(ProgramEntry {
                    name: program.name.clone(),
                    images,
                }),
            }
        }
        for report in other.warnings {
            self.warn(report);
        }
        for path in other.dependencies {
            self.note(path);
        }
        Ok(())
    }

    /// Reads a file that [`Package::write`] or `brook compile` wrote.
    ///
    /// # Errors
    /// It cannot be read, is none, is damaged, or is of a version that this one does not know.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = crate::source::read(path).map_err(|e| Error::io(path, e))?;
        Self::from_bytes(bytes).map_err(|e| e.context(&path.display().to_string()))
    }

    /// As [`Package::read`], of a file's bytes.
    ///
    /// # Errors
    /// As [`Package::read`].
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self> {
        let content = Content::read(bytes.into()).map_err(Error::Argument)?;
        Ok(Self {
            content,
            warnings: Vec::new(),
            dependencies: Vec::new(),
        })
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// It has more images than can be listed.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.content.write().map_err(Error::Argument)
    }

    /// Writes a file, of which nobody sees half.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let bytes = self.to_bytes()?;
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = std::fs::write(&temporary, bytes);
        let written = written.and_then(|()| std::fs::rename(&temporary, path));
        if written.is_err() {
            // That removing it may fail too changes nothing.
            let _ = std::fs::remove_file(&temporary);
        }
        written.map_err(|e| Error::io(path, e))
    }

    /// Who made it: `brook 0.1.0`.
    pub fn generator(&self) -> &str {
        &self.content.index.generator
    }

    /// Its programs, in the order of their sources.
    pub fn programs(&self) -> impl Iterator<Item = PackagedProgram<'_>> {
        let programs = self.content.index.programs.iter();
        programs.map(|entry| PackagedProgram::new(&self.content, entry))
    }

    /// The program that was made of the source of that name, which has no folder: `axpy.okl`.
    ///
    /// # Errors
    /// There is none; the message lists those there are.
    pub fn program(&self, name: &str) -> Result<PackagedProgram<'_>> {
        self.programs().find(|p| p.name() == name).ok_or_else(|| {
            Error::argument(format!("there is no program '{name}'; {}", self.names()))
        })
    }

    /// The one program there is.
    fn only(&self) -> Result<PackagedProgram<'_>> {
        let mut programs = self.programs();
        match (programs.next(), programs.next()) {
            (Some(program), None) => Ok(program),
            _ => Err(Error::argument(format!(
                "which program? {}; take one with Package::program",
                self.names()
            ))),
        }
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.programs().map(|p| p.name()).collect();
        match names.as_slice() {
            [] => "there is none at all".to_string(),
            names => format!("there are: {}", names.join(", ")),
        }
    }
}

/// Whether a kernel of OKL has memory among its parameters.
fn takes_memory(metadata: &Metadata) -> bool {
    let kernels = metadata.kernels.iter().filter(|k| k.form == Form::Okl);
    let mut parameters = kernels.flat_map(|k| &k.parameters);
    parameters.any(|p| p.role == Role::Buffer)
}

fn twice(program: &str, target: &str) -> Error {
    Error::argument(format!("'{program}' for {target} is there twice"))
}

impl<'p> PackagedImage<'p> {
    /// As the user named it: `cuda:sm_90`.
    pub fn target(&self) -> &'p str {
        &self.entry.target
    }

    /// Of whose devices it is: `cuda`.
    pub fn driver(&self) -> &'p str {
        &self.entry.driver
    }

    /// What the bytes are, in the driver's words: `cubin`.
    pub fn format(&self) -> &'p str {
        &self.entry.format
    }

    /// What it was compiled for, in the driver's words: `sm_90`.
    pub fn architecture(&self) -> &'p str {
        &self.entry.architecture
    }

    /// What else its driver has to know: names, which may come several times, and values.
    pub fn details(&self) -> &'p [(String, String)] {
        &self.entry.details
    }

    /// The compiler with its version; empty where none was called.
    pub fn compiler(&self) -> &'p str {
        &self.entry.compiler
    }

    /// The binary, or the source.
    pub fn bytes(&self) -> &'p [u8] {
        self.content.at(self.entry.binary).unwrap_or_default()
    }

    /// The same with kernels that take buffers and offsets, for parts of memory that begin where no buffer object can;
    /// none where addresses do, or no kernel takes memory.
    pub fn bytes_with_offsets(&self) -> Option<&'p [u8]> {
        self.content.at(self.entry.offsets?.binary)
    }

    /// What is known about its kernels.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn metadata(&self) -> Result<Metadata> {
        let json = self.content.at(self.entry.metadata).unwrap_or_default();
        read_metadata(json, &self.entry.target)
    }

    /// As [`PackagedImage::metadata`], of [`PackagedImage::bytes_with_offsets`].
    ///
    /// # Errors
    /// It cannot be read.
    pub fn metadata_with_offsets(&self) -> Option<Result<Metadata>> {
        let json = self.content.at(self.entry.offsets?.metadata)?;
        Some(read_metadata(json, &self.entry.target))
    }
}

/// What is known about the kernels of an image; `target` for messages.
fn read_metadata(json: &[u8], target: &str) -> Result<Metadata> {
    let damaged = |why: &str| {
        Error::argument(format!(
            "what is known about the kernels for {target} cannot be read: {why}"
        ))
    };
    let metadata = Metadata::from_json(json).map_err(|e| damaged(&e))?;
    match metadata.is_all_of(json) {
        true => Ok(metadata),
        false => Err(damaged(
            "another version of brook wrote it: compile it again",
        )),
    }
}

//! Choosing an image for a device.

use super::format::{Content, ProgramEntry};
use super::{Package, PackagedImage, read_metadata};
use crate::runtime::program::Origin;
use crate::runtime::{Device, Error, Program, Result};
use brook_driver::{ErrorKind, ImageKind};
use std::borrow::Borrow;
use std::path::{Path, PathBuf};

/// A program of a [`Package`].
#[derive(Clone, Copy, Debug)]
pub struct PackagedProgram<'p> {
    content: &'p Content,
    entry: &'p ProgramEntry,
}

impl Program {
    /// Loads a program that was compiled ahead of time, by `brook compile` or [`Package::compile`]: from a file, from
    /// bytes (`include_bytes!`), or from a package. Of its images the device gets the one that fits it best, and no
    /// compiler is called but, for OpenCL's source, the one in the device's own driver.
    ///
    /// Kernels check their arguments as those of [`Device::build`] do.
    ///
    /// # Errors
    /// The file is none, damaged or of another version; it has several programs (see [`Package::program`]); no image
    /// fits, with all there are and why not; the device does not load what fits.
    pub fn load(device: &Device, package: impl IntoPackage) -> Result<Self> {
        let (package, name) = package.into_package()?;
        let package: &Package = package.borrow();
        let loaded = package.only().and_then(|program| program.load(device));
        match name {
            Some(name) => loaded.map_err(|e| e.context(&name)),
            None => loaded,
        }
    }
}

impl<'p> PackagedProgram<'p> {
    pub(super) fn new(content: &'p Content, entry: &'p ProgramEntry) -> Self {
        Self { content, entry }
    }

    /// The name of its source, without the folder.
    pub fn name(&self) -> &'p str {
        &self.entry.name
    }

    /// What was made of it.
    pub fn images(&self) -> impl Iterator<Item = PackagedImage<'p>> + use<'p> {
        let content = self.content;
        let entries = self.entry.images.iter();
        entries.map(move |entry| PackagedImage { content, entry })
    }

    /// Whether a device takes one of its images.
    ///
    /// # Errors
    /// It takes none; the message has all there are, and why not.
    pub fn check(&self, device: &Device) -> Result<()> {
        self.fitting(device).map(drop)
    }

    /// Loads it, as [`Program::load`].
    ///
    /// # Errors
    /// As [`Program::load`].
    pub fn load(&self, device: &Device) -> Result<Program> {
        let mut failures: Vec<Error> = Vec::new();
        for image in self.fitting(device)? {
            match image.load(device) {
                Ok(program) => return Ok(program),
                // Another one takes as much.
                Err(Error::Device(e)) if e.kind == ErrorKind::Memory => {
                    return Err(Error::Device(e));
                }
                // The driver may be too old for what a newer compiler made, and not for the next one.
                Err(error) => failures.push(error.context(image.target())),
            }
        }
        let mut failures = failures.into_iter();
        let first = failures.next();
        let first = first.unwrap_or_else(|| Error::argument("there is no image"));
        let others: String = failures.map(|e| format!("\n  {e}")).collect();
        Err(match others.as_str() {
            "" => first,
            others => Error::argument(format!("{first}{others}")),
        })
    }

    /// The images that the device takes, the best first; an error if there are none.
    fn fitting(&self, device: &Device) -> Result<Vec<PackagedImage<'p>>> {
        let mut fitting = Vec::new();
        let mut reasons = Vec::new();
        for image in self.images() {
            match image.fit(device) {
                Ok(rank) => fitting.push((rank, image)),
                Err(reason) => {
                    let (target, format) = (image.target(), image.format());
                    reasons.push(format!("\n  {target} ({format}): {reason}"));
                }
            }
        }
        if fitting.is_empty() {
            let info = device.info();
            let what = match info.architecture.starts_with(&info.name) {
                true => info.architecture.clone(),
                false => format!("{}, {}", info.name, info.architecture),
            };
            let all = match reasons.is_empty() {
                true => " nothing at all".to_string(),
                false => reasons.concat(),
            };
            return Err(Error::argument(format!(
                "'{}' was compiled for nothing that {} ({what}) takes; it was compiled for:{all}",
                self.name(),
                device.name()
            )));
        }
        fitting.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
        Ok(fitting.into_iter().map(|(_, image)| image).collect())
    }
}

impl PackagedImage<'_> {
    fn fit(&self, device: &Device) -> std::result::Result<u32, String> {
        match self.entry.driver == device.driver_name() {
            true => device.driver().fit(&self.entry.kind()),
            false => Err(format!("it is for devices of '{}'", self.entry.driver)),
        }
    }

    fn load(&self, device: &Device) -> Result<Program> {
        let metadata = self.metadata()?;
        let program = device
            .driver()
            .load_image(&self.entry.kind(), self.bytes())?;
        let spare = self.entry.offsets.map(|places| Spare {
            kind: self.entry.kind(),
            target: self.entry.target.clone(),
            metadata: self.content.at(places.metadata).unwrap_or_default().into(),
            binary: self.content.at(places.binary).unwrap_or_default().into(),
        });
        let origin = Origin::Package(spare);
        Ok(device.program(metadata, Some(program), None, false, origin))
    }
}

/// The image of a loaded program whose kernels take buffers and offsets, for the first launch that needs these.
pub(in super::super) struct Spare {
    kind: ImageKind,
    target: String,
    metadata: Box<[u8]>,
    binary: Box<[u8]>,
}

impl Spare {
    /// Loads it.
    ///
    /// # Errors
    /// It cannot be read, or the device does not load it.
    pub(in super::super) fn load(&self, device: &Device) -> Result<Program> {
        let metadata = read_metadata(&self.metadata, &self.target)?;
        let program = device.driver().load_image(&self.kind, &self.binary)?;
        let origin = Origin::Offsets;
        Ok(device.program(metadata, Some(program), None, false, origin))
    }
}

/// What [`Program::load`] takes: a package, one to borrow, a file's bytes, or the path of a file.
pub trait IntoPackage {
    /// The package.
    type Held: Borrow<Package>;

    /// Reads it, where it is not there yet; with what to call it in messages, where that is known.
    ///
    /// # Errors
    /// As [`Package::read`].
    fn into_package(self) -> Result<(Self::Held, Option<String>)>;
}

impl IntoPackage for Package {
    type Held = Self;

    fn into_package(self) -> Result<(Self, Option<String>)> {
        Ok((self, None))
    }
}

impl<'p> IntoPackage for &'p Package {
    type Held = &'p Package;

    fn into_package(self) -> Result<(&'p Package, Option<String>)> {
        Ok((self, None))
    }
}

macro_rules! files {
    ($($path:ty),*) => {$(
        impl IntoPackage for $path {
            type Held = Package;

            fn into_package(self) -> Result<(Package, Option<String>)> {
                let path: &Path = self.as_ref();
                Ok((Package::read(path)?, Some(path.display().to_string())))
            }
        }
    )*};
}

files!(&Path, &PathBuf, PathBuf, &str, &String, String);

impl IntoPackage for Vec<u8> {
    type Held = Package;

    fn into_package(self) -> Result<(Package, Option<String>)> {
        Ok((Package::from_bytes(self)?, None))
    }
}

impl IntoPackage for &[u8] {
    type Held = Package;

    fn into_package(self) -> Result<(Package, Option<String>)> {
        Ok((Package::from_bytes(self)?, None))
    }
}

impl<const N: usize> IntoPackage for &[u8; N] {
    type Held = Package;

    fn into_package(self) -> Result<(Package, Option<String>)> {
        self.as_slice().into_package()
    }
}

//! What a source is compiled for: devices that are here, and others.

use super::super::drivers::{Registered, driver_named};
use super::super::program::compile;
use super::super::{BuildOptions, Device, Error, Result, driver_names};
use crate::backend::Backend;
use crate::diagnostics::did_you_mean;
use crate::lex::lex;
use crate::source_text::Source;
use crate::transpile::Translation;
use brook_driver::{CompileOptions, Image, SOURCE};
use std::sync::Arc;

/// `cuda:sm_90`, `opencl`, `hip:0`.
pub(super) struct Target {
    /// As the user wrote it.
    pub(super) name: String,
    pub(super) backend: Backend,
    registered: Arc<Registered>,
    /// In the driver's words; empty if none was named.
    architecture: String,
    /// One that is here.
    device: Option<Device>,
}

impl Target {
    /// Reads `DRIVER`, `DRIVER:NUMBER` or `DRIVER:ARCHITECTURE`. Only the second looks for devices.
    pub(super) fn parse(text: &str) -> Result<Self> {
        let name = text.trim();
        let (driver, architecture) = name.split_once(':').unwrap_or((name, ""));
        let registered = called(name, driver)?;
        let device = is_number(architecture).then(|| Device::open(name));
        let device = device.transpose()?;
        Ok(Self {
            name: name.to_string(),
            backend: Backend::built_in(&registered.source_backend)?,
            architecture: architecture.to_string(),
            registered,
            device,
        })
    }

    /// The driver's name.
    pub(super) fn driver(&self) -> &'static str {
        self.registered.driver.backend()
    }

    pub(super) fn compile(
        &self,
        source: &Source,
        translation: &Translation,
        options: &BuildOptions,
    ) -> Result<Image> {
        let compiler = |text: &str, options: &CompileOptions| match &self.device {
            Some(device) => device.driver().image(text, options),
            None => {
                let driver = &self.registered.driver;
                driver.compile_ahead(&self.architecture, text, options)
            }
        };
        let image = compile(source, translation, &self.backend, options, &compiler);
        let image = image.map_err(|e| e.context(&self.name))?;
        if image.kind.format == SOURCE
            && let Some(line) = first_include(translation)
        {
            return Err(Error::argument(format!(
                "{}: '{line}' is left to the compiler of the machine where the program is loaded, which need not have that \
                 file",
                self.name
            )));
        }
        Ok(image)
    }
}

/// Whether a target is one that sources could be compiled for, on some machine; looks for no device.
///
/// # Errors
/// It says what may have been meant, or what there is.
pub fn check_target_name(text: &str) -> Result<()> {
    let name = text.trim();
    let (driver, architecture) = name.split_once(':').unwrap_or((name, ""));
    let registered = called(name, driver)?;
    if is_number(architecture) {
        return Ok(());
    }
    let checked = registered.driver.check_architecture(architecture);
    checked.map_err(|e| Error::from(e).context(name))
}

/// The driver that a target names.
fn called(name: &str, driver: &str) -> Result<Arc<Registered>> {
    driver_named(driver).ok_or_else(|| {
        let meant = did_you_mean(driver, driver_names());
        let names = driver_names().join(", ");
        Error::NoDevice(format!("'{name}' is nothing to compile for: no device is called '{driver}'{meant}; there are: {names}"))
    })
}

/// Whether that is the number of a device that is here.
fn is_number(architecture: &str) -> bool {
    !architecture.is_empty() && architecture.bytes().all(|b| b.is_ascii_digit())
}

/// The first line of the program's that includes a file: those of the prelude belong to the target.
fn first_include(translation: &Translation) -> Option<&str> {
    let own = translation.source_map.iter().position(Option::is_some)?;
    let text = translation.device.as_str();
    let start = text.split_inclusive('\n').take(own).map(str::len).sum();
    include_in(text.get(start..)?)
}

/// The first line that includes a file.
fn include_in(text: &str) -> Option<&str> {
    let tokens = lex(text);
    let include = tokens.windows(2).find(|pair| {
        let directive = pair[1].text(text);
        let includes = matches!(directive, "include" | "include_next" | "import");
        pair[0].line_start && pair[0].is(text, "#") && includes
    })?;
    text.get(include[0].span.start as usize..)?.lines().next()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::FileLoader;
    use crate::transpile::transpile;

    #[test]
    fn includes_are_directives() {
        let text =
            "/*\n#include <a.h>\n*/\n// #include <b.h>\nchar *s = \"#include\";\nint include;\n";
        assert_eq!(include_in(text), None);
        let text = format!("{text}  # /* */ include <c.h> // d\nint x;");
        assert_eq!(include_in(&text), Some("# /* */ include <c.h> // d"));
    }

    #[test]
    fn includes_of_the_prelude_are_the_targets() {
        let backend = Backend::built_in("sycl").unwrap();
        let of = |first: &str| {
            let text = format!(
                "{first}@kernel void k(float *x) {{\n  for (int i = 0; i < 4; ++i; @outer)\n    for (int j = 0; j < 4; \
                 ++j; @inner) {{ x[4 * i + j] = 1; }}\n}}\n"
            );
            let options = crate::Options::default();
            transpile(&Source::new("k.okl", text), &backend, &options, &FileLoader).unwrap()
        };
        assert!(of("").device.contains("#include"));
        assert_eq!(first_include(&of("")), None);
        let own = of("#include <own.h>\n");
        assert_eq!(first_include(&own), Some("#include <own.h>"));
    }
}

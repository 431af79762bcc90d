//! Tests whose toolchain may be missing: ignored and said so, or failed where it is required.

use super::Trial;
use libtest_mimic::Failed;

/// A toolchain or device that tests need.
#[derive(Clone, Debug)]
pub struct Need {
    /// As `BROOK_REQUIRE` lists it.
    pub name: &'static str,
    /// Why it is not there.
    pub missing: Option<String>,
    /// A real GPU: required by `BROOK_REQUIRE_GPU=1` alone.
    pub gpu: bool,
}

impl Need {
    /// Something that is there, or the reason why it is not.
    pub fn new<T>(name: &'static str, found: &Result<T, String>) -> Self {
        let missing = found.as_ref().err().cloned();
        Self {
            name,
            missing,
            gpu: false,
        }
    }

    fn required(&self) -> bool {
        let variable = |name: &str| std::env::var(name).unwrap_or_default();
        if self.gpu {
            return variable("BROOK_REQUIRE_GPU") == "1";
        }
        variable("BROOK_REQUIRE")
            .split(',')
            .any(|word| word.trim() == "all" || word.trim() == self.name)
    }

    /// Says once, on standard error, that tests are ignored and why.
    pub fn announce(&self) {
        if let Some(reason) = &self.missing
            && !self.required()
        {
            say(&format!("ignored: all tests of {}: {reason}", self.name));
        }
    }

    /// A test that runs if this is there, fails if it is missing and required, and is ignored
    /// otherwise; the kind shows which.
    pub fn trial(
        &self,
        name: String,
        test: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) -> Trial {
        match &self.missing {
            None => Trial::test(name, test),
            Some(reason) if self.required() => {
                let failure = format!("{} is required and missing: {reason}", self.name);
                Trial::test(name, move || Err(failure.into()))
            }
            Some(_) => Trial::missing(name, test),
        }
    }
}

/// Tells the reader of a run what it does without.
pub fn say(what: &str) {
    eprintln!("{what}");
}

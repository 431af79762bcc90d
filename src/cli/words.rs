//! Words that shells offer behind a flag. What the flag takes is more than these, or is refused with words of our own.

use brook::backend::Backend;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use std::ffi::OsStr;

/// Any text, of which some is offered.
#[derive(Clone)]
pub(crate) struct Words(fn() -> Vec<&'static str>);

/// The names of backends.
pub(crate) fn backends() -> Words {
    Words(Backend::names)
}

/// The names of kinds of devices.
#[cfg(feature = "runtime")]
pub(crate) fn devices() -> Words {
    Words(brook::runtime::driver_names)
}

/// The same where all of them can be meant.
#[cfg(feature = "runtime")]
pub(crate) fn several_devices() -> Words {
    Words(|| {
        let mut names = vec!["all"];
        names.extend(brook::runtime::driver_names());
        names
    })
}

impl TypedValueParser for Words {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.0)().into_iter().map(PossibleValue::new)))
    }
}

//! Object files of host parts: what the C++ compiler made of a generated text, with the files that it has read. A program that has not
//! changed since is linked, and not compiled.

use super::Cache;
use super::dependencies::{Dependencies, kept_headers};
use super::identity::Identity;
use super::store::{Kind, Store};
use super::turn::Turn;
use brook_driver::CompileOptions;
use std::ffi::OsStr;
use std::path::Path;

/// What a compiler reads in the environment that decides about what it makes.
const ENVIRONMENT: [&str; 6] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "GCC_EXEC_PREFIX",
    "COMPILER_PATH",
    "SDKROOT",
];

/// What a text may have that says something else the next time.
const TIMES: [&str; 3] = ["__DATE__", "__TIME__", "__TIMESTAMP__"];

/// A generated text, and how it is compiled.
pub(in crate::runtime) struct HostText<'a> {
    pub(in crate::runtime) text: &'a str,
    /// The compiler and its version.
    pub(in crate::runtime) compiler: &'a [u8],
    /// All of its arguments but for paths that are this build's own.
    pub(in crate::runtime) arguments: &'a [&'a OsStr],
    /// Where quoted headers are looked for, and the flags with the folders of others.
    pub(in crate::runtime) beside: Option<&'a Path>,
    pub(in crate::runtime) flags: &'a [String],
    /// Headers of other files of the program, generated as well.
    pub(in crate::runtime) headers: &'a [&'a str],
}

/// A question for an object file.
pub(in crate::runtime) struct HostRequest<'c> {
    store: &'c Store,
    key: String,
    text: &'c str,
    options: CompileOptions,
}

impl Cache {
    /// Asks for what was made of a text.
    pub(in crate::runtime) fn host<'c>(&'c self, host: &HostText<'c>) -> HostRequest<'c> {
        let mut identity = Identity::default();
        // Our own headers are those of this build.
        identity
            .build()
            .field("host part", host.text.as_bytes())
            .field("compiler", host.compiler);
        for argument in host.arguments {
            identity.field("argument", argument.as_encoded_bytes());
        }
        for header in host.headers {
            identity.field("header", header.as_bytes());
        }
        for name in ENVIRONMENT {
            let value = std::env::var_os(name).unwrap_or_default();
            identity.field(name, value.as_encoded_bytes());
        }
        // Folders may be named from here.
        let here = std::env::current_dir().unwrap_or_default();
        identity.field("here", here.as_os_str().as_encoded_bytes());
        let beside = host.beside.into_iter();
        HostRequest {
            store: &self.store,
            key: identity.finish(),
            text: host.text,
            options: CompileOptions {
                include_directories: beside.map(|b| b.to_string_lossy().into_owned()).collect(),
                flags: host.flags.to_vec(),
                ..CompileOptions::default()
            },
        }
    }
}

impl HostRequest<'_> {
    /// The object file, if everything that was read for it is as it was.
    pub(in crate::runtime) fn find(&self) -> Option<Vec<u8>> {
        let sections = self.store.read(Kind::Host, &self.key)?;
        let [json, object]: [Vec<u8>; 2] = sections.try_into().ok()?;
        let dependencies: Dependencies = serde_json::from_slice(&json).ok()?;
        dependencies.are_unchanged().then_some(object)
    }

    /// Waits while another thread or process makes the same. What is not there afterwards is the caller's to make, while others wait for
    /// the result, which must not be dropped before.
    pub(in crate::runtime) fn wait_for_turn(&self) -> Turn {
        self.store.take_turn(&self.key, self.store.patience)
    }

    /// Keeps an object file, for which the compiler has read those files besides the text. That it could not be kept is no error.
    pub(in crate::runtime) fn keep<'p>(
        &self,
        read: impl IntoIterator<Item = &'p Path>,
        object: &[u8],
    ) {
        let says_when = |text: &str| TIMES.iter().any(|time| text.contains(time));
        if says_when(self.text) {
            return;
        }
        // Those that would be found first if they were there, too.
        let mut dependencies = kept_headers(self.text, &self.options);
        for path in read {
            let Some(text) = dependencies.add(path) else {
                return;
            };
            if says_when(&text) {
                return;
            }
        }
        let json = serde_json::to_vec(&dependencies).ok();
        let json = json.filter(|_| dependencies.are_known());
        let Some(json) = json.filter(|j| self.store.has_room_for((j.len() + object.len()) as u64))
        else {
            return;
        };
        if let Ok(bytes) = self.store.write(Kind::Host, &self.key, &[&json, object]) {
            self.store.wrote(bytes, &[&self.key]);
        }
    }
}

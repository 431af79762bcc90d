//! What is compiled ahead of time, for devices that may be elsewhere.

/// The format of what [`Device::compile`](crate::Device::compile) makes, where a driver has no other name for it.
pub const BINARY: &str = "binary";

/// The format of source that the device's driver compiles when it is loaded, and that must be all there is.
pub const SOURCE: &str = "source";

/// What the bytes of an image are, and what a device must be to take them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageKind {
    /// In the driver's words: `cubin`, `ptx`, `source`, …
    pub format: String,
    /// What it was compiled for, in the driver's words: `sm_90`, `gfx90a`, …
    pub architecture: String,
    /// What else the driver has to know before it loads the image: names, which may come several times, and values.
    pub details: Vec<(String, String)>,
}

impl ImageKind {
    /// A kind without details.
    #[must_use]
    pub fn new(format: &str, architecture: &str) -> Self {
        Self {
            format: format.to_string(),
            architecture: architecture.to_string(),
            details: Vec::new(),
        }
    }

    /// Adds a detail.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.details.push((name.to_string(), value.into()));
        self
    }

    /// Why a device does not take it that knows no such format, as [`Device::fit`](crate::Device::fit) says it.
    #[must_use]
    pub fn unknown_format(&self) -> String {
        format!("this driver does not know the format '{}'", self.format)
    }
}

/// Compiled device source, good for a whole kind of devices.
#[derive(Clone, Debug)]
pub struct Image {
    /// What the bytes are.
    pub kind: ImageKind,
    /// What [`Device::load_image`](crate::Device::load_image) takes.
    pub bytes: Vec<u8>,
    /// The compiler with its version, for people; empty where none was called.
    pub compiler: String,
}

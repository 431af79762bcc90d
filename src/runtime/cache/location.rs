use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How much is kept where nobody says.
const LIMIT: u64 = 1 << 30;

/// How long a build waits for another where nobody says. A process that has been killed is noticed at once; this is
/// for one that stands still.
const PATIENCE: Duration = Duration::from_secs(300);

/// What the environment says about the cache.
pub(super) struct Location {
    pub(super) root: PathBuf,
    /// Bytes that are kept at most; `None` without a limit.
    pub(super) limit: Option<u64>,
    /// How long a build waits for another of the same kernel.
    pub(super) patience: Duration,
    /// Variables that make no sense, each with what holds instead.
    pub(super) ignored: Vec<String>,
}

impl Location {
    /// Where the cache is, whether or not there is anything yet.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn from_environment() -> Result<Self, String> {
        let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty());
        if let Some(value) = variable("BROOK_CACHE").filter(|v| v == "off" || v == "0") {
            let value = value.to_string_lossy();
            return Err(format!("the kernel cache is off: BROOK_CACHE is '{value}'"));
        }
        let is_absolute = |path: PathBuf| path.is_absolute().then_some(path);
        let root = variable("BROOK_CACHE_DIR")
            .map(PathBuf::from)
            .or_else(|| is_absolute(variable("XDG_CACHE_HOME")?.into()).map(|p| p.join("brook")))
            .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache/brook")))
            .ok_or(
                "there is no kernel cache: none of BROOK_CACHE_DIR, XDG_CACHE_HOME and HOME is set",
            )?;
        let mut this = Self::at(root);
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        if let Some(value) = text("BROOK_CACHE_SIZE") {
            match parse_size(value.trim()) {
                Some(limit) => this.limit = (limit > 0).then_some(limit),
                None => this.ignored.push(format!(
                    "BROOK_CACHE_SIZE is '{value}', which is no number of bytes such as 500M or 2G; 1G holds"
                )),
            }
        }
        if let Some(value) = text("BROOK_CACHE_WAIT") {
            match value.trim().parse() {
                Ok(seconds) => this.patience = Duration::from_secs(seconds),
                Err(_) => this.ignored.push(format!(
                    "BROOK_CACHE_WAIT is '{value}', which is no number of seconds; {} holds",
                    PATIENCE.as_secs()
                )),
            }
        }
        Ok(this)
    }

    /// A directory, with what holds where nobody says otherwise.
    pub(super) fn at(root: PathBuf) -> Self {
        Self {
            root,
            limit: Some(LIMIT),
            patience: PATIENCE,
            ignored: Vec::new(),
        }
    }

    /// Why the directory cannot be used as it is: whoever may write there decides what this process executes. One that
    /// is not there yet can be.
    pub(super) fn objection(&self) -> Option<String> {
        let place = self.root.display();
        match fs::metadata(&self.root) {
            Ok(found) if !found.is_dir() => Some(format!("'{place}' is no directory")),
            Ok(found) if !is_private(&found) => Some(format!(
                "'{place}' is not used, since others than this user own it or may write there"
            )),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Some(format!("'{place}' cannot be used: {error}"))
            }
            _ => None,
        }
    }
}

/// Bytes, or a number of K, M, G or T of 1024 each; more than there can be counts as all there can be.
fn parse_size(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match &text[digits.len()..] {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        _ => return None,
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let count = is_number.then(|| digits.parse::<u64>().unwrap_or(u64::MAX))?;
    Some(count.saturating_mul(1 << shift))
}

#[cfg(unix)]
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(path)
}

#[cfg(not(unix))]
pub(super) fn create_private(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

#[cfg(unix)]
fn is_private(directory: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    unsafe extern "C" {
        safe fn geteuid() -> u32;
    }
    const WRITABLE_BY_OTHERS: u32 = 0o022;
    directory.uid() == geteuid() && directory.mode() & WRITABLE_BY_OTHERS == 0
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    #[test]
    fn sizes() {
        for (text, size) in [
            ("0", Some(0)),
            ("1", Some(1)),
            ("10k", Some(10 << 10)),
            ("3M", Some(3 << 20)),
            ("2G", Some(2 << 30)),
            ("1T", Some(1 << 40)),
            ("99999999999999999999", Some(u64::MAX)),
            ("99999999999T", Some(u64::MAX)),
            ("", None),
            ("G", None),
            ("-1", None),
            ("+1", None),
            ("1.5G", None),
            ("1 G", None),
            ("1GG", None),
            ("1x", None),
            ("１", None),
            ("1µ", None),
        ] {
            assert_eq!(super::parse_size(text), size, "{text}");
        }
    }
}

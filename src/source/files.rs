use super::{EditMap, Span};
use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::OnceLock;

/// The byte order mark.
pub(crate) const MARK: char = '\u{feff}';

/// What is called a file in messages about words of the command line.
pub const COMMAND_LINE: &str = "<command line>";

/// Names a file of one translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileId(pub(crate) u32);

impl FileId {
    /// The file that was given to translate.
    pub const MAIN: Self = Self(0);
}

/// A point in a file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Which file.
    pub file: FileId,
    /// Byte offset; the text it counts in is said where the place is used.
    pub offset: u32,
}

/// A range in a file as the user wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// Which file.
    pub file: FileId,
    /// Bytes of the text as written.
    pub span: Span,
}

impl Location {
    /// Where the file that was given to translate begins: for what concerns all of it.
    pub const BEGINNING: Self = Self {
        file: FileId::MAIN,
        span: Span::at(0),
    };
}

/// One file: as written, and normalised.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    /// As the user named it, or as the include search found it.
    pub name: String,
    /// The text as written, without the byte order mark that some editors put first.
    pub text: String,
    /// Whether there was such a mark.
    pub marked: bool,
    /// The text after normalisation.
    pub normalized: String,
    /// From `normalized` back to `text`.
    pub map: EditMap,
    /// The include directive that brought it in, in that file's text as written.
    pub included_from: Option<Place>,
    /// Where each line of `text` begins; found out when first asked for.
    #[serde(skip)]
    pub lines: OnceLock<Vec<u32>>,
}

impl SourceFile {
    /// A file that is only pointed into.
    pub fn plain(name: &str, text: &str) -> Self {
        Self {
            name: name.to_string(),
            text: text.to_string(),
            marked: false,
            normalized: String::new(),
            map: EditMap::identity(),
            included_from: None,
            lines: OnceLock::new(),
        }
    }

    /// A word of the command line as a file, so that messages can point at it, and where it is in there.
    pub fn argument(flag: &str, value: &str) -> (Self, Span) {
        let before = match flag.is_empty() {
            true => String::new(),
            false => format!("{flag} "),
        };
        let value = value.replace(['\n', '\r'], " ");
        let span = Span::from(before.len()..before.len() + value.len());
        (Self::plain(COMMAND_LINE, &(before + &value)), span)
    }

    /// Line and column, counted from 1, columns in characters, of a byte of the text as written.
    pub fn line_column(&self, offset: u32) -> (usize, usize) {
        let mut at = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(at) {
            at -= 1;
        }
        let line = self.line(at as u32);
        let start = self.begins().get(line.saturating_sub(1));
        let start = start.map_or(0, |&s| s as usize);
        (line, self.text[start..at].chars().count() + 1)
    }

    /// The line alone, for which a long line need not be gone through.
    pub fn line(&self, offset: u32) -> usize {
        let at = offset.min(self.text.len() as u32);
        self.begins().partition_point(|&start| start <= at)
    }

    /// Where bytes of the text as written are in the file itself: behind its byte order mark.
    pub fn on_disk(&self, span: Span) -> Span {
        let mark = match self.marked {
            true => MARK.len_utf8() as u32,
            false => 0,
        };
        Span::new(span.start + mark, span.end + mark)
    }

    /// A change of the text, which has the same ends of lines as that.
    pub fn with_own_ends<'t>(&self, change: &'t str) -> Cow<'t, str> {
        let first = self.text.split_inclusive('\n').next();
        match first.is_some_and(|line| line.ends_with("\r\n")) && change.contains('\n') {
            true => change.replace("\r\n", "\n").replace('\n', "\r\n").into(),
            false => change.into(),
        }
    }

    fn begins(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let ends = self.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            std::iter::once(0)
                .chain(ends.map(|(i, _)| i as u32 + 1))
                .collect()
        })
    }

    /// The line around a byte of the text as written, and the offset where it starts.
    pub fn line_at(&self, offset: u32) -> (u32, &str) {
        let line = self.line(offset);
        let start = self.begins().get(line.saturating_sub(1));
        let start = start.map_or(0, |&s| s);
        let next = self.begins().get(line).map(|&next| next as usize - 1);
        let end = next.unwrap_or(self.text.len());
        let text = &self.text[start as usize..end];
        (start, text.trim_end_matches('\r'))
    }
}

/// Every file of one translation, the main one first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Files {
    files: Vec<SourceFile>,
    /// Directives that include what another one has brought in already.
    repeated: Vec<(Place, FileId)>,
}

impl Files {
    /// Adds a file.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// Adds a word of the command line.
    pub fn add_argument(&mut self, flag: &str, value: &str) -> Location {
        let (file, span) = SourceFile::argument(flag, value);
        let file = self.add(file);
        Location { file, span }
    }

    /// Notes that a directive includes a file that is there already.
    pub fn include_again(&mut self, directive: Place, file: FileId) {
        self.repeated.push((directive, file));
    }

    /// Directives that include a file which another one brought in, and the file.
    pub fn repeated(&self) -> &[(Place, FileId)] {
        &self.repeated
    }

    /// The file of that name in this translation.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order they were first read.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files
            .iter()
            .enumerate()
            .map(|(i, f)| (FileId(i as u32), f))
    }

    /// A place at the `@` of an attribute, with the attribute's name: of what was normalised only the beginning is known.
    pub fn whole_attribute(&self, location: Location) -> Location {
        let text = self.get(location.file).map_or("", |f| &f.text);
        let here = text.get(location.span.start as usize..).unwrap_or("");
        let Some(name) = here.strip_prefix('@').filter(|_| location.span.len() <= 1) else {
            return location;
        };
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let length = 1 + end.unwrap_or(name.len()) as u32;
        Location {
            span: Span::new(location.span.start, location.span.start + length),
            ..location
        }
    }

    /// From a place in a file's normalised text to the same place as written.
    pub fn as_written(&self, place: Place) -> Place {
        let offset = self
            .get(place.file)
            .map_or(place.offset, |f| f.map.original(place.offset));
        Place { offset, ..place }
    }
}

/// Hands included files to the transpiler, which itself never touches the disk.
pub trait Loader {
    /// The bytes of the file at `path`; [`io::ErrorKind::NotFound`] makes the search go on.
    fn load(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is a directory of that name, where somebody wants to hear of those that there are not.
    fn has_directory(&self, path: &str) -> Option<bool> {
        let _ = path;
        None
    }

    /// Names of files in a directory, to propose one where there is none of the name that is asked for.
    fn beside(&self, directory: &str) -> Vec<String> {
        let _ = directory;
        Vec::new()
    }
}

/// Bytes that no source has, nor any file that it includes.
pub(crate) const MOST_BYTES: u64 = 1 << 30;

/// Reads a source: a regular file, so that reading ends, and no more of it than a source can have.
///
/// # Errors
/// As [`std::fs::read`]; devices and pipes, and files that are too large.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_below(path, MOST_BYTES)
}

/// The same of a file that is text: a table of functions, a template.
///
/// # Errors
/// As [`read`]; text that is not UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))
}

/// A regular file of fewer bytes than that.
///
/// # Errors
/// As [`std::fs::read`]; devices and pipes, and files that are too large.
pub fn read_below(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    // A pipe would wait for its other end; files do not care.
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 0o4000);
    #[cfg(target_os = "macos")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, 4);
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() && !about.is_dir() {
        let what = "it is no regular file ('-' is standard input)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    }
    if about.is_file() && about.len() >= most {
        let what = "it has 1 GiB or more";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    // Files of the system's need not say how long they are.
    let mut bytes = Vec::with_capacity(about.len() as usize + 1);
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Files of a directory that are looked at for a name.
const MOST_PROPOSED: usize = 2000;

/// Reads included files from the disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl Loader for FileLoader {
    fn beside(&self, directory: &str) -> Vec<String> {
        let entries = std::fs::read_dir(directory).into_iter().flatten();
        let names = entries.flatten().take(MOST_PROPOSED);
        let mut names: Vec<String> = names
            .filter_map(|e| e.file_name().into_string().ok())
            .collect();
        names.sort_unstable();
        names
    }

    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        let is_directory = |_: &io::Error| Path::new(path).is_dir();
        read(Path::new(path)).map_err(|error| match error.kind() {
            // `a/b.h` where `a` is a file: the search goes on, as it does for a compiler.
            io::ErrorKind::NotADirectory => io::Error::from(io::ErrorKind::NotFound),
            _ if is_directory(&error) => io::Error::from(io::ErrorKind::NotFound),
            _ => error,
        })
    }
}

/// A loader over texts held in memory: for tests, and for callers without a file system.
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: HashMap<String, String>,
}

impl MemoryLoader {
    /// A loader that knows no file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    #[must_use]
    pub fn with(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.files.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => Err(io::Error::from(io::ErrorKind::NotFound)),
        }
    }
}

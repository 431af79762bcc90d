//! How a package lies in a file: `docs/packages.md` has the format.
//!
//! Nothing is allocated by what a length says: the file's own length bounds everything, and images stay where they lie
//! until one is loaded.

use brook_driver::ImageKind;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What a `.brk` file begins with. A transfer that takes it for text changes this.
const MAGIC: &[u8; 8] = b"\x89BRK\r\n\x1a\n";

/// The format, and what metadata and images mean to the runtime. It counts up when a file that was made before would be
/// read as something else; `tests/data/package.brk` is one that must be read as long as it does not.
const VERSION: u32 = 2;

/// Bytes before the index: magic, version, four that are zero, length of the file, length of the index, digest.
const HEAD: usize = 64;
const DIGEST: Range<usize> = 32..HEAD;

/// Bytes of an index. What is read of one takes some times as much.
const MOST_INDEX: usize = 16 << 20;

/// Where bytes lie behind the index: the first one, and how many.
pub(super) type Place = (u64, u64);

/// What a file says about its images.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Index {
    /// Who made it, for people.
    pub(super) generator: String,
    pub(super) programs: Vec<ProgramEntry>,
}

/// One source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProgramEntry {
    /// The file's name, without its folder.
    pub(super) name: String,
    pub(super) images: Vec<ImageEntry>,
}

/// What was made of a source for a target.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ImageEntry {
    /// As the user named it: `cuda:sm_90`.
    pub(super) target: String,
    pub(super) driver: String,
    pub(super) format: String,
    pub(super) architecture: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) details: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) compiler: String,
    pub(super) metadata: Place,
    pub(super) binary: Place,
    /// The same with kernels that take buffers and offsets, where the target has buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) offsets: Option<Places>,
}

/// Metadata, and the binary that it is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Places {
    pub(super) metadata: Place,
    pub(super) binary: Place,
}

impl ImageEntry {
    /// Every place that it names.
    pub(super) fn places(&self) -> impl Iterator<Item = Place> {
        let more = self.offsets.map(|o| [o.metadata, o.binary]);
        let more = more.into_iter().flatten();
        [self.metadata, self.binary].into_iter().chain(more)
    }

    /// As [`ImageEntry::places`], to change them.
    pub(super) fn places_mut(&mut self) -> impl Iterator<Item = &mut Place> {
        let more = self.offsets.as_mut();
        let more = more.map(|o| [&mut o.metadata, &mut o.binary]);
        let own = [&mut self.metadata, &mut self.binary];
        own.into_iter().chain(more.into_iter().flatten())
    }

    pub(super) fn kind(&self) -> ImageKind {
        ImageKind {
            format: self.format.clone(),
            architecture: self.architecture.clone(),
            details: self.details.clone(),
        }
    }
}

/// An index, and the bytes behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Content {
    pub(super) index: Index,
    pub(super) bytes: Vec<u8>,
}

impl Content {
    /// The bytes of a place, if it is one of these.
    pub(super) fn at(&self, place: Place) -> Option<&[u8]> {
        let start = usize::try_from(place.0).ok()?;
        let end = start.checked_add(usize::try_from(place.1).ok()?)?;
        self.bytes.get(start..end)
    }

    /// Adds bytes, and says where they lie.
    pub(super) fn add(&mut self, bytes: &[u8]) -> Place {
        let place = (self.bytes.len() as u64, bytes.len() as u64);
        self.bytes.extend(bytes);
        place
    }

    /// As a file.
    pub(super) fn write(&self) -> Result<Vec<u8>, String> {
        let index = serde_json::to_vec(&self.index).map_err(|e| e.to_string())?;
        if index.len() > MOST_INDEX {
            return Err(format!(
                "what it holds takes {} bytes to list; {MOST_INDEX} is the most",
                index.len()
            ));
        }
        let length = HEAD + index.len() + self.bytes.len();
        let mut file = Vec::with_capacity(length);
        file.extend(MAGIC);
        file.extend(VERSION.to_le_bytes());
        file.extend([0; 4]);
        file.extend((length as u64).to_le_bytes());
        file.extend((index.len() as u64).to_le_bytes());
        file.extend([0; blake3::OUT_LEN]);
        file.extend(&index);
        file.extend(&self.bytes);
        let digest = digest(&file);
        file[DIGEST].copy_from_slice(&digest);
        Ok(file)
    }

    /// What a file holds; otherwise why it cannot be read.
    pub(super) fn read(mut file: Vec<u8>) -> Result<Self, String> {
        let head = file.first_chunk::<HEAD>();
        if !file.starts_with(&MAGIC[..file.len().min(MAGIC.len())]) || file.is_empty() {
            return Err("it is no file of 'brook compile'".to_string());
        }
        let head = head.ok_or_else(|| cut_off(file.len() as u64, HEAD as u64))?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&head[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let version = number(8);
        if version != u64::from(VERSION) {
            return Err(format!(
                "it is of version {version} of the format, and this is brook {}, which reads version {VERSION}: compile it \
                 again",
                env!("CARGO_PKG_VERSION")
            ));
        }
        let (length, index) = (number(16), number(24));
        let present = file.len() as u64;
        match present.cmp(&length) {
            std::cmp::Ordering::Less => return Err(cut_off(present, length)),
            std::cmp::Ordering::Greater => {
                return Err(format!("it should have {length} bytes, and has {present}"));
            }
            std::cmp::Ordering::Equal => {}
        }
        if digest(&file) != head[DIGEST] {
            return Err("it is damaged: its bytes are not those that were written".to_string());
        }
        let index = usize::try_from(index).ok().filter(|n| *n <= MOST_INDEX);
        let end = index.and_then(|n| n.checked_add(HEAD));
        let end = end.filter(|end| *end <= file.len());
        let end = end.ok_or("it is damaged: its index has an impossible length")?;
        let bytes = file.split_off(end);
        let index: Index = serde_json::from_slice(&file[HEAD..])
            .map_err(|e| format!("it is damaged: its index cannot be read: {e}"))?;
        let content = Self { index, bytes };
        content.check()?;
        Ok(content)
    }

    /// Whether everything that the index names is there, and each name is one program's.
    fn check(&self) -> Result<(), String> {
        let programs = &self.index.programs;
        let mut names: Vec<&str> = programs.iter().map(|p| p.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("it is damaged: it has two programs '{}'", pair[0]));
        }
        for image in programs.iter().flat_map(|p| &p.images) {
            if image.places().any(|place| self.at(place).is_none()) {
                return Err(format!(
                    "it is damaged: what it has for {} goes beyond its end",
                    image.target
                ));
            }
        }
        Ok(())
    }
}

fn cut_off(present: u64, length: u64) -> String {
    format!("it is cut off: it should have {length} bytes or more, and has {present}")
}

/// Of everything but itself.
fn digest(file: &[u8]) -> [u8; blake3::OUT_LEN] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&file[..DIGEST.start]);
    hasher.update(&file[DIGEST.end..]);
    hasher.finalize().into()
}

/// A file with the lengths and the digest that let any index be read.
#[cfg(test)]
pub(super) fn sealed(index: &[u8], bytes: &[u8]) -> Vec<u8> {
    let length = HEAD + index.len() + bytes.len();
    let mut file = MAGIC.to_vec();
    file.extend(u64::from(VERSION).to_le_bytes());
    file.extend((length as u64).to_le_bytes());
    file.extend((index.len() as u64).to_le_bytes());
    file.extend([0; blake3::OUT_LEN]);
    file.extend(index);
    file.extend(bytes);
    let digest = digest(&file);
    file[DIGEST].copy_from_slice(&digest);
    file
}

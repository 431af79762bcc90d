//! What `work.toml` says.
//!
//! A folder of `benches/work/` is a family of items over the same arrays. `kernel.okl` and `kernel.br`
//! hold the kernels to be translated, `hand.cu`, `hand.cl` and `hand.cpp` those written by hand for each
//! backend, `library.cu` calls of vendors' libraries. Every form of an item computes the same outputs.

use super::numbers::Text;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A folder's `work.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    /// The folder's name.
    #[serde(skip)]
    pub name: String,
    /// The folder.
    #[serde(skip)]
    pub folder: PathBuf,
    /// Types that the macro `REAL` stands for in turn; expressions know its bytes as `real`.
    #[serde(default = "without_types")]
    pub types: Vec<String>,
    /// Named numbers: `gpu`, `cpu`, and `check` for comparing results only.
    pub sizes: BTreeMap<String, BTreeMap<String, Text>>,
    /// Numbers that follow from those, the same everywhere.
    #[serde(default)]
    pub names: BTreeMap<String, Text>,
    /// Macros of all sources, with expressions as values.
    #[serde(default)]
    pub defines: BTreeMap<String, Text>,
    /// Libraries that `library.cu` is linked with.
    #[serde(default)]
    pub links: Vec<String>,
    /// Arguments that are values.
    #[serde(default)]
    pub scalars: BTreeMap<String, Constant>,
    /// Arguments that are memory.
    pub buffers: BTreeMap<String, Buffer>,
    /// What is asked of every item.
    #[serde(default)]
    pub target: Vec<Target>,
    /// The items.
    pub item: Vec<Item>,
}

fn without_types() -> Vec<String> {
    vec![String::new()]
}

/// A value that kernels are given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// `int`, `REAL`, …
    #[serde(rename = "type")]
    pub ty: String,
    /// An expression.
    pub value: Text,
}

/// Memory that kernels are given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// `float`, `REAL`, `float4`, …
    #[serde(rename = "type")]
    pub ty: String,
    /// Elements.
    #[serde(default)]
    pub count: Text,
    /// Extents as a stream, slowest first; instead of `count`.
    #[serde(default)]
    pub extents: Vec<Text>,
    /// What is in it at first; poison if nothing is said.
    pub fill: Option<Fill>,
}

/// Element i (number by number in vectors) is `start + step * i + jitter * r`, r random in [-1, 1), kept
/// between `low` and `high` and rounded down to a multiple of `round`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Fill {
    /// At the first element.
    pub start: Text,
    /// From one element to the next.
    pub step: Text,
    /// The random part.
    pub jitter: Text,
    /// Smallest value.
    pub low: Text,
    /// Largest value.
    pub high: Text,
    /// What numbers are multiples of; nothing if zero. Sums of few-digit numbers are the same in any order.
    pub round: Text,
    /// How many elements in a row have the same number i.
    pub repeat: Text,
}

impl Default for Fill {
    fn default() -> Self {
        Self {
            start: Text::Whole(0),
            step: Text::Whole(0),
            jitter: Text::Whole(0),
            low: Text::Number(-1e300),
            high: Text::Number(1e300),
            round: Text::Whole(0),
            repeat: Text::Whole(1),
        }
    }
}

/// One computation.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its name within the folder.
    pub name: String,
    /// Bytes that it has to move at least.
    #[serde(default)]
    pub bytes: Text,
    /// Floating-point operations; none where nobody counts them.
    #[serde(default)]
    pub flops: Text,
    /// Buffers that are compared.
    pub outputs: Vec<String>,
    /// Largest difference, absolute up to a magnitude of one, relative above.
    #[serde(default)]
    pub tolerance: Text,
    /// What part of the numbers may differ by more.
    #[serde(default)]
    pub outliers: f64,
    /// Types it is for, if not all of the folder's.
    pub types: Option<Vec<String>>,
    /// Arguments of forms that name none themselves.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// The kernel of `kernel.okl`.
    pub okl: Option<Translated>,
    /// The kernel of `kernel.br`.
    pub br: Option<Translated>,
    /// Kernels written by hand.
    #[serde(default)]
    pub hand: Vec<Hand>,
    /// What is asked of it, instead of what is asked of every item.
    pub target: Option<Vec<Target>>,
}

/// A kernel for the translator.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Translated {
    /// Its name, if it is not the item's.
    pub kernel: Option<String>,
    /// Arguments: names of scalars and buffers.
    pub arguments: Option<Vec<String>>,
}

/// A form written by hand.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Its name: `same` for the same loop, others for better ones.
    pub name: String,
    /// Backends that have it; all if nothing is said.
    pub backends: Option<Vec<String>>,
    /// A kernel after the other.
    #[serde(default)]
    pub launch: Vec<Launch>,
    /// Instead, a function of a library that `nvcc` makes of `library.cu`.
    pub library: Option<Launch>,
}

/// One launch of a hand-written form.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Launch {
    /// The kernel, if it is not `ITEM_FORM`.
    pub kernel: Option<String>,
    /// Arguments, if they are not the item's.
    pub arguments: Option<Vec<String>>,
    /// Groups along x, y and z; of no meaning to OpenMP.
    pub grid: Vec<Text>,
    /// Items of a group along x, y and z.
    pub group: Vec<Text>,
}

/// What is asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// `okl` or `br`.
    pub form: String,
    /// The name of a hand-written form, or `best`.
    pub against: String,
    /// Least ratio of speeds, by backend.
    #[serde(default)]
    pub ratio: BTreeMap<String, f64>,
    /// Least fraction of the copy peak, by backend.
    #[serde(default)]
    pub peak: BTreeMap<String, f64>,
}

impl Work {
    /// Every folder of `benches/work`, by name.
    pub fn all(root: &Path) -> Result<Vec<Self>, String> {
        let folder = root.join("benches/work");
        let wrong = |e: std::io::Error| format!("{}: {e}", folder.display());
        let mut all = Vec::new();
        for entry in std::fs::read_dir(&folder).map_err(wrong)? {
            let path = entry.map_err(wrong)?.path();
            if path.join("work.toml").is_file() {
                all.push(Self::read(path)?);
            }
        }
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    fn read(folder: PathBuf) -> Result<Self, String> {
        let path = folder.join("work.toml");
        let wrong = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| wrong(&e))?;
        let mut work: Self = toml::from_str(&text).map_err(|e| wrong(&e))?;
        let name = folder.file_name().unwrap_or_default();
        work.name = name.to_string_lossy().into_owned();
        work.folder = folder;
        Ok(work)
    }

    /// The source with that name, if the folder has it.
    pub fn source(&self, name: &str) -> Option<PathBuf> {
        let path = self.folder.join(name);
        path.is_file().then_some(path)
    }
}

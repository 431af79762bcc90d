//! Names of a whole project: of the sources that are open, of those below the client's folders, and of what they include.
//!
//! A source that is not open is gone through when somebody asks, and again once it, or something that it reads, has changed.

use super::super::batch::ENDINGS;
use super::super::files::tree;
use super::super::positions::{Encoding, Lines};
use super::documents::{Documents, Looked, key};
use brook::Source;
use brook::ide::{NameKind, Symbol};
use brook::lex::lex;
use brook::source::Span;
use lsp_types::{Location, SymbolInformation, SymbolKind, Uri};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// So many sources of a project are gone through, none of them longer than that. Whoever asks waits for the first time.
const MOST_SOURCES: usize = 1000;
const LONGEST_SOURCE: u64 = 1 << 20;
/// So many names are told.
const MOST_TOLD: usize = 256;

/// A name.
#[derive(Clone)]
struct Named {
    name: String,
    kind: SymbolKind,
    /// What it is in.
    inside: Option<String>,
    /// The file, as it is called by who includes it.
    file: String,
    range: lsp_types::Range,
}

/// When a file was written, and how long it is; nothing where there is none.
type Stamp = Option<(SystemTime, u64)>;

fn stamp(path: &Path) -> Stamp {
    let about = std::fs::metadata(path).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What is known of a source that is not open.
struct Known {
    read: Vec<(PathBuf, Stamp)>,
    names: Vec<Named>,
}

/// The project.
pub(super) struct Project {
    folders: Vec<PathBuf>,
    known: HashMap<PathBuf, Known>,
}

impl Project {
    /// A project in some folders.
    pub(super) fn new(folders: Vec<PathBuf>) -> Self {
        Self {
            folders,
            known: HashMap::new(),
        }
    }

    /// The names that a query means, the best first.
    pub(super) fn find(
        &mut self,
        query: &str,
        documents: &mut Documents,
        encoding: Encoding,
    ) -> Vec<SymbolInformation> {
        let mut names = Vec::new();
        for looked in documents.all_looked() {
            names.extend(names_of(looked, encoding));
        }
        self.refresh(documents, encoding);
        for known in self.known.values() {
            // What is open is told as it is there.
            let saved = known.names.iter();
            names.extend(saved.filter(|n| !documents.is_open(&n.file)).cloned());
        }
        let mut ranked: Vec<(Rank, Named)> = { names.into_iter() }
            .filter_map(|named| Some((rank(query, &named.name)?, named)))
            .collect();
        ranked.sort_by(|(a, x), (b, y)| {
            let place = |n: &Named| (n.file.clone(), n.range.start);
            (a.cmp(b))
                .then_with(|| x.name.cmp(&y.name))
                .then_with(|| place(x).cmp(&place(y)))
        });
        let mut told = HashSet::new();
        let mut uris: HashMap<String, Option<Uri>> = HashMap::new();
        let found = ranked.into_iter().filter_map(|(_, named)| {
            let uri = uris
                .entry(named.file.clone())
                .or_insert_with(|| documents.uri(&named.file));
            let uri = uri.clone()?;
            // Sources that include the same file have the same names.
            let place = (uri.as_str().to_string(), named.name.clone());
            let start = named.range.start;
            told.insert((place, start.line, start.character))
                .then(|| information(named, uri))
        });
        found.take(MOST_TOLD).collect()
    }

    /// Goes through what has changed since, or is new.
    fn refresh(&mut self, documents: &Documents, encoding: Encoding) {
        let folders = self.folders.iter();
        let folders: Vec<String> = folders.map(|f| f.to_string_lossy().into_owned()).collect();
        // A folder that cannot be read has no names.
        let mut sources = tree(&folders, ENDINGS, &mut Vec::new());
        sources.retain(|path| {
            let short = |(_, bytes): (SystemTime, u64)| bytes <= LONGEST_SOURCE;
            stamp(path).is_some_and(short) && !documents.is_open(&path.to_string_lossy())
        });
        sources.truncate(MOST_SOURCES);
        let there: HashSet<&PathBuf> = sources.iter().collect();
        self.known.retain(|path, known| {
            let same = |(path, before): &(PathBuf, Stamp)| {
                stamp(path) == *before && !documents.is_open(&path.to_string_lossy())
            };
            there.contains(path) && known.read.iter().all(same)
        });
        for path in sources {
            if self.known.contains_key(&path) {
                continue;
            }
            let Ok(text) = brook::source::read(&path) else {
                continue;
            };
            let name = path.to_string_lossy().into_owned();
            let looked = documents.gone_through(Source::new(name, text));
            let mut read = looked.read();
            read.push(key(&path.to_string_lossy()));
            let read = read.into_iter().map(|path| {
                // What is open is read again, also once it is closed: no file was written then.
                let now = match documents.is_open(&path.to_string_lossy()) {
                    true => Some((SystemTime::UNIX_EPOCH, u64::MAX)),
                    false => stamp(&path),
                };
                (path, now)
            });
            let mut names = names_of(&looked, encoding);
            // The compilers' own headers are nobody's project.
            names.retain(|named| {
                let file = key(&named.file);
                self.folders.iter().any(|folder| file.starts_with(folder))
            });
            let known = Known {
                read: read.collect(),
                names,
            };
            self.known.insert(path, known);
        }
    }
}

/// What the files of a source declare, and their macros.
fn names_of(looked: &Looked, encoding: Encoding) -> Vec<Named> {
    let mut names = Vec::new();
    for (id, file) in looked.analysis.files().iter() {
        // What is predefined, or was said on the command line, is in no file.
        if file.name.starts_with('<') {
            continue;
        }
        let lines = Lines::new(&file.text, encoding);
        for symbol in looked.analysis.symbols(id) {
            add(&mut names, symbol, None, &file.name, &lines);
        }
        for (name, span) in macros(&file.text) {
            names.push(Named {
                name: name.to_string(),
                kind: SymbolKind::CONSTANT,
                inside: None,
                file: file.name.clone(),
                range: lines.range(span),
            });
        }
    }
    names
}

fn add(
    names: &mut Vec<Named>,
    symbol: Symbol,
    inside: Option<&str>,
    file: &str,
    lines: &Lines<'_>,
) {
    let kind = match symbol.kind {
        NameKind::Kernel | NameKind::Function => SymbolKind::FUNCTION,
        NameKind::Record => SymbolKind::STRUCT,
        NameKind::Type => SymbolKind::CLASS,
        NameKind::Enumeration => SymbolKind::ENUM,
        NameKind::Enumerator => SymbolKind::ENUM_MEMBER,
        NameKind::Namespace => SymbolKind::NAMESPACE,
        // They belong to what has them.
        NameKind::Parameter | NameKind::Variable | NameKind::Field | NameKind::Label => return,
    };
    names.push(Named {
        name: symbol.name.clone(),
        kind,
        inside: inside.map(str::to_string),
        file: file.to_string(),
        range: lines.range(symbol.at.span),
    });
    for inner in symbol.inside {
        add(names, inner, Some(&symbol.name), file, lines);
    }
}

/// The macros that a text defines, whatever the conditions.
pub(super) fn macros(text: &str) -> Vec<(&str, Span)> {
    let tokens = lex(text);
    let heads = tokens.windows(3).filter(|three| {
        three[0].line_start
            && three[0].text(text) == "#"
            && three[1].text(text) == "define"
            && three[2].is_identifier()
            && !three[2].line_start
    });
    heads
        .map(|three| (three[2].text(text), three[2].span))
        .collect()
}

#[allow(
    deprecated,
    reason = "the type has a field that is, and no other way to be made"
)]
fn information(named: Named, uri: Uri) -> SymbolInformation {
    SymbolInformation {
        name: named.name,
        kind: named.kind,
        tags: None,
        deprecated: None,
        location: Location::new(uri, named.range),
        container_name: named.inside,
    }
}

/// How well a name fits, the best first: how it holds the query, in how many pieces, and how long it is.
type Rank = (u8, usize, usize);

/// How well a name fits, if the letters of the query are in it in their order.
fn rank(query: &str, name: &str) -> Option<Rank> {
    let (wanted, found) = (query.to_lowercase(), name.to_lowercase());
    let how = match found.find(&wanted) {
        _ if query == name => 0,
        _ if wanted == found => 1,
        Some(0) => 2,
        Some(_) => 3,
        None => 4,
    };
    // Each letter where it first may be; a piece is what stands side by side.
    let letters: Vec<char> = found.chars().collect();
    let (mut at, mut pieces, mut apart) = (0, 0, true);
    for letter in wanted.chars() {
        let skipped = letters.get(at..)?.iter().position(|l| *l == letter)?;
        apart |= skipped > 0;
        pieces += usize::from(apart);
        apart = false;
        at += skipped + 1;
    }
    let pieces = if how < 4 { 1 } else { pieces };
    Some((how, pieces, letters.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_comes_first() {
        let mut names = [
            "laplacianOperator",
            "lap_op",
            "LAP",
            "overlap",
            "lap",
            "lazy_map",
            "scale",
            "lapse",
        ];
        names.sort_by_key(|name| rank("lap", name).unwrap_or((9, 0, 0)));
        let found: Vec<&str> = { names.into_iter() }
            .filter(|name| rank("lap", name).is_some())
            .collect();
        let wanted = [
            "lap",
            "LAP",
            "lapse",
            "lap_op",
            "laplacianOperator",
            "overlap",
            "lazy_map",
        ];
        assert_eq!(found, wanted);
        assert!(rank("", "anything").is_some());
        assert!(rank("pal", "lap").is_none());
        assert!(rank("lapp", "lap").is_none());
    }

    #[test]
    fn macros_are_found_whatever_the_conditions() {
        let text =
            "#define A 1\n#if 0\n# define F(x) x\n#endif\n// #define NO\nint define;\n#define\nB\n";
        let found: Vec<&str> = macros(text).into_iter().map(|(name, _)| name).collect();
        assert_eq!(found, ["A", "F"]);
    }
}

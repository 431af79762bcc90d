use crate::backend::{Backend, Template};
use crate::source::Overlap;
use serde::Serialize;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use tera::{Context, Kwargs, State, Tera};

/// A template that is wrong.
#[derive(Debug)]
pub struct RenderError(String);

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenderError {}

impl RenderError {
    pub(super) fn new(reason: String) -> Self {
        Self(reason)
    }
}

impl From<Overlap> for RenderError {
    fn from(overlap: Overlap) -> Self {
        Self(overlap.to_string())
    }
}

impl From<tera::Error> for RenderError {
    fn from(error: tera::Error) -> Self {
        // The chain of causes names the line in the template.
        let mut text = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        Self(text)
    }
}

/// The templates of one backend.
///
/// Reading one takes longer than translating a small kernel, and most kernels need few of them. So each is read
/// when an output first asks for it: until then a mark stands in its place.
pub(super) struct Templates<'b> {
    read: Rc<RefCell<Read>>,
    texts: &'b [Template],
}

/// The templates as far as they have been read.
struct Read {
    tera: Tera,
    /// By number.
    there: Vec<There>,
    /// What preludes and epilogues ask for, the words behind `uses`, and functions that they name.
    asked: Option<BTreeSet<String>>,
}

/// What the engine has of a template.
#[derive(Clone, Copy, PartialEq, Eq)]
enum There {
    Nothing,
    Mark,
    Whole,
}

/// Stands before and behind a template's number. No template writes control characters.
const MARK: char = '\u{1}';

impl<'b> Templates<'b> {
    /// A backend's templates; what has been read of the last backends' is kept, since programs translate many
    /// sources for few backends.
    pub(super) fn of(backend: &'b Backend) -> Result<Self, RenderError> {
        thread_local! {
            static LAST: RefCell<Vec<(u64, Rc<RefCell<Read>>)>> = const { RefCell::new(Vec::new()) };
        }
        let texts = backend.templates.as_slice();
        let known = LAST.with_borrow(|last| {
            last.iter()
                .find(|(digest, _)| *digest == backend.digest)
                .map(|(_, read)| read.clone())
        });
        if let Some(read) = known {
            return Ok(Self { read, texts });
        }
        let mut tera = Tera::default();
        tera.autoescape_on(Vec::<&str>::new());
        let spelling = backend.spelling.clone();
        tera.register_filter(
            "kernel_head",
            move |text: &str, asked: Kwargs, _: &State| {
                let collective = asked.get::<bool>("collective").ok().flatten();
                spelling.kernel_head(text, collective.unwrap_or(false))
            },
        );
        let there = vec![There::Nothing; texts.len()];
        let read = Rc::new(RefCell::new(Read {
            tera,
            there,
            asked: None,
        }));
        LAST.with_borrow_mut(|last| {
            last.truncate(7);
            last.insert(0, (backend.digest, read.clone()));
        });
        Ok(Self { read, texts })
    }

    /// The first of some keys that neither prelude nor epilogue ask for; nor do they name the function that it stands for, if it
    /// stands for one.
    pub(super) fn unmet(
        &self,
        keys: impl IntoIterator<Item = (String, Option<String>)>,
    ) -> Option<String> {
        let mut read = self.read.borrow_mut();
        // Most kernels need nothing that has to be looked for.
        let unmet = keys.into_iter().find(|(key, function)| {
            let all = || asked(self.texts, ["prelude.tera", "epilogue.tera"]);
            let all = read.asked.get_or_insert_with(all);
            !all.contains(key) && !function.as_ref().is_some_and(|f| all.contains(f))
        });
        unmet.map(|(key, _)| key)
    }

    /// The rendered template; `None` if the backend has none of that name.
    pub(super) fn render(
        &self,
        name: &str,
        context: &impl Serialize,
    ) -> Result<Option<String>, RenderError> {
        let Some(number) = self.texts.iter().position(|(n, _)| n == name) else {
            return Ok(None);
        };
        let context = Context::from_serialize(context)?;
        let mut read = self.read.borrow_mut();
        let mut wanted = vec![number];
        loop {
            read.add(&wanted, self.texts)?;
            let out = read.tera.render(name, &context)?;
            wanted = marked(&out);
            wanted.retain(|&n| read.there.get(n) == Some(&There::Mark));
            if wanted.is_empty() {
                return Ok(Some(out));
            }
        }
    }
}

/// All words that the templates ask for which these lead to, and functions of the prelude that they name.
fn asked(texts: &[Template], from: [&str; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut seen = vec![false; texts.len()];
    let number = |name: &str| texts.iter().position(|(n, _)| n == name);
    let mut open: Vec<usize> = from.into_iter().filter_map(number).collect();
    while let Some(next) = open.pop() {
        if std::mem::replace(&mut seen[next], true) {
            continue;
        }
        let text = &texts[next].1;
        for behind in text.split("uses").skip(1) {
            let word = match behind.strip_prefix("[\"") {
                Some(quoted) => quoted.split('"').next(),
                None => behind
                    .strip_prefix('.')
                    .and_then(|w| w.split(|c: char| !c.is_alphanumeric() && c != '_').next()),
            };
            found.extend(word.map(String::from));
        }
        found.extend(composed(text));
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        found.extend(words.filter(|w| w.starts_with("brook_")).map(String::from));
        open.extend(named(text, texts));
    }
    found
}

/// The templates whose names stand in a text.
fn named(text: &str, texts: &[Template]) -> Vec<usize> {
    const ENDING: &str = ".tera";
    let named = text.match_indices(ENDING).filter_map(|(at, _)| {
        let to = &text[..at + ENDING.len()];
        let name = to.rsplit(['"', '\'', '`']).next();
        texts.iter().position(|(n, _)| Some(&**n) == name)
    });
    named.collect()
}

/// What a template may make of its strings by `"before" ~ name ~ "behind"`: where it goes through a list, it asks for all of it.
fn composed(text: &str) -> Vec<String> {
    let strings: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
    let mut found = Vec::new();
    for (at, _) in text.match_indices("\" ~ ") {
        let before = text[..at].rsplit('"').next().unwrap_or_default();
        let mut behind = text[at + 4..].split(' ').skip(1);
        let behind = match (behind.next(), behind.next()) {
            (Some("~"), Some(word)) => word.trim_matches('"'),
            _ => "",
        };
        let all = strings.iter().map(|s| format!("{before}{s}{behind}"));
        found.extend(all);
    }
    found
}

impl Read {
    /// Reads templates, and puts marks where they may include others.
    fn add(&mut self, wanted: &[usize], texts: &[Template]) -> Result<(), RenderError> {
        let before = self.there.clone();
        let mut new: Vec<(&str, Cow<'_, str>)> = Vec::new();
        for &number in wanted {
            let (Some((name, text)), Some(there)) = (texts.get(number), self.there.get_mut(number))
            else {
                continue;
            };
            if *there == There::Whole {
                continue;
            }
            *there = There::Whole;
            new.push((name, Cow::Borrowed(text)));
            for number in named(text, texts) {
                let there = self.there.get_mut(number);
                if let (Some(there @ There::Nothing), Some((name, _))) = (there, texts.get(number))
                {
                    *there = There::Mark;
                    new.push((name, Cow::Owned(format!("{MARK}{number}{MARK}"))));
                }
            }
        }
        if new.is_empty() {
            return Ok(());
        }
        let added = self.tera.add_raw_templates(new);
        if added.is_err() {
            self.there = before;
        }
        Ok(added?)
    }
}

/// The numbers between marks, each once.
fn marked(out: &str) -> Vec<usize> {
    let pieces = out.split(MARK).skip(1).step_by(2);
    let mut numbers: Vec<usize> = pieces.filter_map(|n| n.parse().ok()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// A text that is a template of its own.
pub(super) fn render_text(text: &str, context: &impl Serialize) -> Result<String, RenderError> {
    let context = Context::from_serialize(context)?;
    Ok(Tera::one_off(text, &context, false)?)
}

//! `docs/api-c.md` and `docs/api-cpp.md` are made of the headers: what each declares for programs, with its comment.
//! `BROOK_BLESS=1` writes them.

use crate::support::Trial;
use crate::support::cases::root;
use std::fmt::Write;

/// The tests.
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("c", || Ok(page("api-c", &c()?)?)),
        Trial::test("cpp", || Ok(page("api-cpp", &cpp()?)?)),
        Trial::test("reading", || Ok(reading()?)),
    ]
}

fn page(name: &str, text: &str) -> Result<(), String> {
    let path = root().join(format!("docs/{name}.md"));
    if std::env::var_os("BROOK_BLESS").is_some() {
        return std::fs::write(path, text).map_err(|e| e.to_string());
    }
    match std::fs::read_to_string(path) {
        Ok(old) if old == text => Ok(()),
        _ => Err(format!(
            "docs/{name}.md is not what the headers say; BROOK_BLESS=1 writes it"
        )),
    }
}

/// Something that a header has.
#[derive(Debug, PartialEq)]
struct Item {
    /// The words before it; none where nobody says anything.
    comment: String,
    /// As it stands there, without a function's body.
    text: String,
    /// Of a class: its public members.
    members: Vec<Item>,
}

impl Item {
    fn is_class(&self) -> bool {
        let head = without_template(&self.text);
        head.starts_with("class ") || head.starts_with("struct ") && !self.members.is_empty()
    }

    /// What it is called: of a function the word before its parameters, else the last word.
    fn name(&self) -> String {
        let head = without_template(&self.text);
        let head = head.strip_prefix("typedef ").unwrap_or(head);
        let words = |text: &str| -> Vec<String> {
            let word = |c: char| !(c.is_alphanumeric() || c == '_');
            let words = text.split(word).filter(|word| !word.is_empty());
            words.map(str::to_string).collect()
        };
        let named = ["enum ", "struct ", "class "];
        if let Some(rest) = named.iter().find_map(|kind| head.strip_prefix(kind)) {
            return words(rest).first().cloned().unwrap_or_default();
        }
        let before = head.split('(').next().unwrap_or(head);
        words(before).last().cloned().unwrap_or_default()
    }
}

fn without_template(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("template <") else {
        return text;
    };
    let mut depth = 1;
    for (at, c) in rest.char_indices() {
        depth += i32::from(c == '<') - i32::from(c == '>');
        if depth == 0 {
            return rest[at + 1..].trim_start();
        }
    }
    text
}

/// A header, character by character.
struct Header<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Header<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn starts(&self, word: &str) -> bool {
        self.rest().starts_with(word)
    }

    /// Goes to the end of a line that begins here, and of those that continue it.
    fn skip_line(&mut self) {
        loop {
            let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
            self.at += line.len();
            if !line.trim_end().ends_with('\\') {
                return;
            }
        }
    }

    /// A comment that begins here.
    fn comment(&mut self) -> String {
        let mut lines = Vec::new();
        if self.starts("/*") {
            let length = self
                .rest()
                .find("*/")
                .map_or(self.rest().len(), |end| end + 2);
            let text = &self.rest()[2..length.saturating_sub(2)];
            for line in text.lines() {
                let line = line.trim_start();
                lines.push(
                    line.strip_prefix('*')
                        .map_or(line, |l| l.strip_prefix(' ').unwrap_or(l)),
                );
            }
            self.at += length;
        }
        while self.starts("//") {
            let line = self.rest().lines().next().unwrap_or_default();
            lines.push(line[2..].strip_prefix(' ').unwrap_or(&line[2..]));
            self.at += line.len();
            let blanks = self.rest().len() - self.rest().trim_start().len();
            if self.rest()[..blanks].matches('\n').count() != 1 {
                break;
            }
            if self.rest()[blanks..].starts_with("//") {
                self.at += blanks;
            }
        }
        lines.join("\n").trim().to_string()
    }

    /// Goes behind the bracket that closes the one here.
    fn skip_braces(&mut self) {
        let mut depth = 0;
        while self.at < self.text.len() {
            if self.starts("//") || self.starts("/*") {
                self.comment();
                continue;
            }
            let c = self.rest().chars().next().unwrap_or(' ');
            if c == '"' || c == '\'' {
                self.skip_literal(c);
                continue;
            }
            self.at += c.len_utf8();
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 {
                return;
            }
        }
    }

    fn skip_literal(&mut self, quote: char) {
        self.at += 1;
        while let Some(c) = self.rest().chars().next() {
            self.at += c.len_utf8();
            if c == '\\' {
                self.at += 1;
            } else if c == quote {
                return;
            }
        }
    }

    /// What stands up to the end of this scope; `public` says whether programs may use what comes first.
    fn items(&mut self, mut public: bool) -> Vec<Item> {
        let mut items = Vec::new();
        let mut comment = String::new();
        loop {
            let blanks = self.rest().len() - self.rest().trim_start().len();
            if self.rest()[..blanks].matches('\n').count() > 1 {
                comment.clear();
            }
            self.at += blanks;
            if self.at >= self.text.len() {
                return items;
            }
            if self.starts("}") {
                self.at += 1;
                return items;
            }
            if self.starts("#") {
                self.skip_line();
                continue;
            }
            if self.starts("//") || self.starts("/*") {
                comment = self.comment();
                if let Some(section) = comment.strip_prefix("--- ") {
                    let text = section.trim_end_matches("---").trim().to_string();
                    items.push(Item {
                        comment: text,
                        text: String::new(),
                        members: Vec::new(),
                    });
                    comment.clear();
                }
                continue;
            }
            let labels = [
                ("public:", true),
                ("protected:", false),
                ("private:", false),
            ];
            if let Some((label, now)) = labels.iter().find(|(label, _)| self.starts(label)) {
                public = *now;
                self.at += label.len();
                continue;
            }
            let comment = std::mem::take(&mut comment);
            let found = self.declaration(comment);
            items.extend(found.into_iter().filter(|_| public));
        }
    }

    /// One declaration: what programs get of it.
    fn declaration(&mut self, comment: String) -> Vec<Item> {
        let begin = self.at;
        let mut parentheses = 0;
        loop {
            if self.starts("//") || self.starts("/*") {
                self.comment();
                continue;
            }
            let Some(c) = self.rest().chars().next() else {
                return Vec::new();
            };
            match c {
                '"' | '\'' => {
                    self.skip_literal(c);
                    continue;
                }
                '(' => parentheses += 1,
                ')' => parentheses -= 1,
                ';' if parentheses == 0 => {
                    let text = self.text[begin..self.at].to_string();
                    self.at += 1;
                    return shown(comment, text, Vec::new());
                }
                '{' if parentheses == 0 => {
                    let head = plain(&self.text[begin..self.at]);
                    let own = without_template(&head);
                    if own.starts_with("namespace detail") {
                        self.skip_braces();
                        return Vec::new();
                    }
                    if own.starts_with("namespace") || own.starts_with("extern \"C\"") {
                        self.at += 1;
                        return self.items(true);
                    }
                    let is_class = own.starts_with("class ") || own.starts_with("struct ");
                    if is_class && !self.is_data(begin) {
                        self.at += 1;
                        let members = self.items(own.starts_with("struct "));
                        self.skip_semicolon();
                        return shown(comment, head, members);
                    }
                    if is_class || own.starts_with("enum ") || own.starts_with("typedef ") {
                        self.skip_braces();
                        let end = self
                            .rest()
                            .find(';')
                            .map_or(self.text.len(), |e| self.at + e);
                        let text = self.text[begin..end].to_string();
                        self.at = end;
                        self.skip_semicolon();
                        return shown(comment, text, Vec::new());
                    }
                    let (declared, initialised) = match initialisers(&head) {
                        Some(at) => (head[..at].trim().to_string(), true),
                        None => (head.clone(), false),
                    };
                    let ends_with_word = head.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                    self.skip_braces();
                    if initialised && ends_with_word {
                        continue;
                    }
                    self.skip_semicolon();
                    return shown(comment, declared, Vec::new());
                }
                _ => {}
            }
            self.at += c.len_utf8();
        }
    }

    /// Whether a struct has no functions: it is shown as it stands there.
    fn is_data(&self, begin: usize) -> bool {
        let mut copy = Header {
            text: self.text,
            at: self.at,
        };
        copy.skip_braces();
        let body = &self.text[self.at..copy.at];
        self.text[begin..].starts_with("struct") && !body.contains('(')
    }

    fn skip_semicolon(&mut self) {
        if self.rest().trim_start().starts_with(';') {
            self.at += self.rest().find(';').unwrap_or(0) + 1;
        }
    }
}

/// A text in one line, without directives.
fn plain(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

/// Where what a constructor initialises begins.
fn initialisers(head: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in head.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        let is_apart = head[..at].ends_with(' ') && head[at + 1..].starts_with(' ');
        if c == ':' && depth == 0 && is_apart && head[..at].contains(')') {
            return Some(at);
        }
    }
    None
}

/// An item that is for people, or none: what copies, moves and destroys is as usual, and what stands outside of its class is known
/// from there.
fn shown(comment: String, text: String, members: Vec<Item>) -> Vec<Item> {
    let flat = plain(&text);
    let own = without_template(&flat);
    let usual = [
        "friend ",
        "using ",
        "static_assert",
        "typedef struct brook_",
        "inline StreamInterface",
    ];
    let in_braces = text.contains('{');
    let before = own.split('(').next().unwrap_or_default();
    let outside = before
        .split_whitespace()
        .last()
        .is_some_and(|name| name.contains("::"));
    let is_usual = usual
        .iter()
        .any(|start| own.starts_with(start) && !in_braces)
        || own.starts_with("typedef ") && !in_braces
        || own.starts_with('~')
        || flat.ends_with("= delete")
        || flat.contains("&&other)")
        || flat.contains("operator=")
        || own.contains("&other)")
        || outside && own.contains('(')
        || own.starts_with("class ") && members.is_empty();
    let text = match in_braces {
        true => text,
        false => flat,
    };
    match is_usual {
        true => Vec::new(),
        false => vec![Item {
            comment,
            text,
            members,
        }],
    }
}

/// A comment as Markdown: code where it is indented, and nothing that looks like markup.
fn prose(comment: &str) -> String {
    let mut out = String::new();
    for line in comment.lines() {
        let mut code = line.starts_with("    ");
        if code {
            let _ = writeln!(out, "{line}");
            continue;
        }
        for c in line.chars() {
            code ^= c == '`';
            if !code && (c == '<' || c == '*') {
                out.push('\\');
            }
            out.push(c);
        }
        out.push('\n');
    }
    out
}

fn header(name: &str) -> Result<(String, Vec<Item>), String> {
    let text = std::fs::read_to_string(root().join("include/brook").join(name));
    let text = text.map_err(|e| format!("{name}: {e}"))?;
    let mut header = Header { text: &text, at: 0 };
    let about = header.comment();
    let items = header.items(true);
    Ok((about, items))
}

const GENERATED: &str = "<!-- Made of the headers by the tests: BROOK_BLESS=1 cargo test --test text -- interfaces:: -->\n\n";

fn c() -> Result<String, String> {
    let (about, items) = header("abi.h")?;
    let mut out = format!(
        "# The C interface\n\n{GENERATED}`#include <brook/abi.h>`, and link with `libbrook`: [cpp.md](cpp.md) says how, and what the parts are good for;\n\
         `examples/c` is a program.\n\n{}\n## Types\n",
        prose(&about)
    );
    let mut is_function = false;
    for item in &items {
        if item.text.is_empty() {
            let (title, rest) = item.comment.split_once(". ").unwrap_or((&item.comment, ""));
            let _ = write!(out, "\n## {}\n\n{}", plain(title), prose(rest));
            continue;
        }
        if !is_function && item.text.contains('(') && !item.text.contains('{') {
            is_function = true;
            out.push_str("\n## Sources, streams, and calls of kernels over them\n");
        }
        let _ = write!(out, "\n### {}\n\n```c\n{};\n```\n", item.name(), item.text);
        if !item.comment.is_empty() {
            let _ = write!(out, "\n{}", prose(&item.comment));
        }
    }
    Ok(out)
}

/// The headers of C++, in the order in which one needs them.
const HEADERS: [&str; 7] = [
    "okl.hpp",
    "Device.h",
    "Sequence.h",
    "Stream.h",
    "KernelInterface.h",
    "native.hpp",
    "processes.hpp",
];

fn cpp() -> Result<String, String> {
    let mut out = format!(
        "# The C++ interface\n\n{GENERATED}Everything is in the namespace `brook`. For OKL include `brook/okl.hpp` (C++17), for Brook+'s streams `brook/brook.hpp` (C++11), for kernels\n\
         in a device's own language `brook/native.hpp`, for several processes `brook/processes.hpp`; link with `libbrook`: [cpp.md](cpp.md) says how, and what the parts are good for. `float2` to\n\
         `float4` and their like are in `brook/vector.hpp`.\n"
    );
    for name in HEADERS {
        let (about, items) = header(name)?;
        let _ = write!(out, "\n## brook/{name}\n\n{}", prose(&about));
        let (classes, others): (Vec<&Item>, Vec<&Item>) =
            items.iter().partition(|item| item.is_class());
        for class in classes {
            let _ = write!(out, "\n### {}\n\n{}\n", class.name(), prose(&class.comment));
            members(&mut out, &class.members.iter().collect::<Vec<_>>());
        }
        if !others.is_empty() {
            out.push_str("\n### Besides\n\n");
            members(&mut out, &others);
        }
    }
    Ok(out)
}

/// A list of declarations, each with what is said of it.
fn members(out: &mut String, items: &[&Item]) {
    for item in items {
        match item.text.contains('\n') {
            true => {
                let text = item.text.replace('\n', "\n  ");
                let _ = write!(out, "- ```cpp\n  {text};\n  ```\n");
            }
            false => {
                let _ = writeln!(out, "- `{}`", item.text);
            }
        }
        if !item.comment.is_empty() {
            let text = prose(&item.comment);
            let _ = write!(out, "\n  {}\n\n", text.trim_end().replace('\n', "\n  "));
        }
    }
}

/// Headers are read as they are meant.
fn reading() -> Result<(), String> {
    let text = "// A file.\n#define X(a) \\\n  a {\nnamespace brook {\nnamespace detail { class Hidden { public: int f(); }; }\n\
        // What it's for: '{'.\ntemplate <class T> class Box : public Base<T> {\n  public:\n    // Makes one.\n    explicit Box(int n) noexcept : a(n), b{1} {}\n\
        Box(const Box &other) : a(0) {}\n    ~Box() { free(\"}\"); }\n    // Calls it.\n    template <class F> void each(F f) const { if (f) { f(a); } }\n\
        int size;\n    std::size_t bytes() const { return 1; }\n  private:\n    void secret();\n};\ninline int Box::other() { return 1; }\n\n// Lost.\n\nenum Kind { ONE, // first\n  TWO };\n\
        // Free.\nint free(int a = f(1));\n}\n";
    let mut header = Header { text, at: 0 };
    if header.comment() != "A file." {
        return Err("the comment of the file".to_string());
    }
    let items = header.items(true);
    let found: Vec<(&str, &str)> = items
        .iter()
        .map(|i| (i.text.as_str(), i.comment.as_str()))
        .collect();
    let wanted = [
        (
            "template <class T> class Box : public Base<T>",
            "What it's for: '{'.",
        ),
        ("enum Kind { ONE, // first\n  TWO }", ""),
        ("int free(int a = f(1))", "Free."),
    ];
    let members: Vec<(&str, &str)> = { items.first().into_iter() }
        .flat_map(|item| &item.members)
        .map(|i| (i.text.as_str(), i.comment.as_str()))
        .collect();
    let wanted_members = [
        ("explicit Box(int n) noexcept", "Makes one."),
        ("template <class F> void each(F f) const", "Calls it."),
        ("int size", ""),
        ("std::size_t bytes() const", ""),
    ];
    match found == wanted && members == wanted_members {
        true => Ok(()),
        false => Err(format!("{found:?}\n{members:?}")),
    }
}

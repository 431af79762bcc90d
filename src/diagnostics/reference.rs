use super::{Code, Severity, codes};
use std::fmt::Write;

/// What `brook explain` says about a code.
pub fn explain(code: &Code) -> String {
    let mut out = format!("{} ({}): {}\n", code.id, kind(code), shown(code.text));
    out.push_str(code.explain);
    out.push('\n');
    // A String cannot fail to be written to.
    if let Some(help) = code.help {
        let _ = writeln!(out, "help: {help}");
    }
    match code.classic.and_then(|c| c.level) {
        Some(0) => out.push_str("level 0: always shown, never an error but under -a -x\n"),
        Some(level) => {
            let _ = writeln!(
                out,
                "level {level}: an error under strong type checking; under -a a warning, shown from -w{level} on"
            );
        }
        None => {}
    }
    out
}

/// A message with dots for what it names.
fn shown(text: &str) -> String {
    text.replace("{}", "…")
}

/// The codes of that name, whatever its case, and with or without its zeros: `OKL045`, `okl45`, `OKL-045`; of a number alone,
/// those of all kinds.
pub fn find(id: &str) -> Vec<&'static Code> {
    let id = id.trim().trim_matches(['[', ']']);
    let Some(digits) = id.find(|c: char| c.is_ascii_digit()) else {
        return Vec::new();
    };
    let (letters, number) = id.split_at(digits);
    let letters = letters.trim_end_matches(['-', '_', ' ']);
    let Ok(number) = number.parse::<u32>() else {
        return Vec::new();
    };
    let is_meant = |c: &&Code| {
        let (prefix, digits) = c.id.split_at(3);
        let of_kind = prefix.eq_ignore_ascii_case(letters) || letters.is_empty();
        of_kind && digits.parse() == Ok(number)
    };
    let mut found: Vec<_> = codes::ALL.iter().copied().filter(is_meant).collect();
    found.sort_by_key(|c| c.id);
    found
}

/// The codes whose messages or meanings hold all words of a text, in the order of their names.
pub fn search(text: &str) -> Vec<&'static Code> {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let has = |code: &&&'static Code| {
        let all = format!("{} {} {}", code.text, code.explain, code.help.unwrap_or(""));
        let all = all.to_lowercase();
        words.iter().all(|w| all.contains(w))
    };
    let mut found: Vec<_> = codes::ALL.iter().filter(has).copied().collect();
    found.sort_by_key(|c| c.id);
    found
}

/// One line for each code: name, kind and message.
pub fn list(codes: &[&Code]) -> String {
    let row = |code: &&Code| format!("{}  {:<8}  {}\n", code.id, kind(code), shown(code.text));
    codes.iter().map(row).collect()
}

fn kind(code: &Code) -> String {
    match (code.severity, code.classic.and_then(|c| c.level)) {
        (Severity::Error, _) => "error".to_string(),
        (Severity::Warning, None) => "warning".to_string(),
        (Severity::Warning, Some(level)) => format!("warning, level {level}"),
    }
}

/// The reference page of all messages, as Markdown.
pub fn reference() -> String {
    let mut out = String::from(
        "# Messages\n\n\
         Generated from `grammar/diagnostics.toml` and `grammar/unreachable.toml`; `brook explain CODE` says the \
         same about one code.\n\n\
         `{}` stands for what a message names. Warnings of Brook+ with a level are those of the specification, \
         section 7.2: strong type checking, which is the default, makes those of level 1 and above errors; \
         under `-a` they are shown from `-w1` on, and `-x` makes what is shown an error.\n",
    );
    let sections = [
        ("SRC", "Source files"),
        ("PRE", "Preprocessor"),
        ("OKL", "OKL"),
        ("BRK", "Brook and Brook+"),
        ("SAN", "Findings of brook sanitize"),
    ];
    let mut rows: Vec<&Code> = codes::ALL.to_vec();
    rows.sort_by_key(|c| c.id);
    for (prefix, title) in sections {
        let _ = write!(
            out,
            "\n## {title}\n\n| code | kind | message | meaning |\n|---|---|---|---|\n"
        );
        for code in rows.iter().filter(|c| c.id.starts_with(prefix)) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                code.id,
                kind(code),
                cell(code.text),
                cell(code.explain)
            );
        }
    }
    out.push_str(
        "\n## Messages of the Brook+ specification that cannot arise\n\n| message | why |\n|---|---|\n",
    );
    for (message, reason) in codes::UNREACHABLE {
        let _ = writeln!(out, "| {} | {} |", cell(message), cell(reason));
    }
    out
}

/// Text inside a table.
fn cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '|' | '*' | '_' | '<' | '[' | '\\' | '`') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

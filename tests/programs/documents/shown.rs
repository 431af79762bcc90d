//! What a page shows, and what was found.

/// Whether a text is what a page shows, which may leave out lines and parts of them.
pub(super) fn agree(shown: &str, found: &str) -> Result<(), String> {
    let wanted: Vec<&str> = shown.lines().collect();
    let lines: Vec<&str> = found.lines().collect();
    match matches(
        &wanted,
        &lines,
        |w, l| *w == "…" || parts(w, l),
        |w| *w == "…",
    ) {
        true => Ok(()),
        false => Err(format!("--- shown\n{shown}\n--- found\n{found}")),
    }
}

/// Whether a page shows lines of a file. They may stand deeper there, in a function's body.
pub(super) fn stands_in(shown: &str, file: &str) -> Result<(), String> {
    let wanted = format!("…\n{shown}…\n");
    let outer = agree(&wanted, file);
    let deeper = [4, 8, 12].into_iter().map(|depth| {
        let blanks = " ".repeat(depth);
        let lines = file.lines();
        let lines = lines.map(|line| line.strip_prefix(&blanks).unwrap_or(line));
        lines.map(|line| format!("{line}\n")).collect::<String>()
    });
    match outer.is_ok() || deeper.into_iter().any(|text| agree(&wanted, &text).is_ok()) {
        true => Ok(()),
        false => outer,
    }
}

/// The two texts of a block that has them side by side: the second begins where its comment does.
pub(super) fn columns(content: &str) -> Result<[String; 2], String> {
    let first = content.lines().next().unwrap_or_default();
    let second = first.match_indices("//").nth(1);
    let (at, _) = second.ok_or("each column begins with a comment")?;
    let at = first[..at].chars().count();
    let mut both = [String::new(), String::new()];
    for line in content.lines() {
        let left: String = line.chars().take(at).collect();
        let right: String = line.chars().skip(at).collect();
        for (column, part) in both.iter_mut().zip([left, right]) {
            column.push_str(part.trim_end());
            column.push('\n');
        }
    }
    Ok(both.map(|text| text.trim_end().to_string() + "\n"))
}

/// Whether a line is what a page shows, where `…` stands for any text.
fn parts(shown: &str, line: &str) -> bool {
    let (wanted, letters): (Vec<char>, Vec<char>) =
        (shown.chars().collect(), line.chars().collect());
    matches(&wanted, &letters, |w, c| *w == '…' || w == c, |w| *w == '…')
}

/// Whether a sequence is another, some elements of which stand for any number.
fn matches<T>(
    wanted: &[T],
    found: &[T],
    same: impl Fn(&T, &T) -> bool,
    any: impl Fn(&T) -> bool,
) -> bool {
    // Those numbers of elements of `found` that what is wanted so far may be.
    let mut reached = vec![false; found.len() + 1];
    reached[0] = true;
    for w in wanted {
        let mut next = vec![false; found.len() + 1];
        let mut open = false;
        for at in 0..=found.len() {
            if any(w) {
                open |= reached[at];
                next[at] = open;
            } else if at > 0 && reached[at - 1] && same(w, &found[at - 1]) {
                next[at] = true;
            }
        }
        reached = next;
    }
    reached[found.len()]
}

/// What is compared is not everything.
pub(super) fn comparison() -> Result<(), String> {
    let found = "one\ntwo 2.5 s\nthree\n";
    for shown in [
        "one\ntwo 2.5 s\nthree\n",
        "…\nthree\n",
        "one\ntwo … s\n…\n",
        "…\none\n…\nthree\n…\n",
    ] {
        agree(shown, found)?;
    }
    for shown in [
        "",
        "one\n",
        "two 2.5 s\nthree\n",
        "one\ntwo … m\nthree\n",
        "…\ntwo\n…\n",
        "three\n…\none\n…\n",
    ] {
        if agree(shown, found).is_ok() {
            return Err(format!("{shown:?} is taken for {found:?}"));
        }
    }
    let file = "fn f() {\n    one();\n    two();\n}\n";
    stands_in("one();\ntwo();\n", file)?;
    stands_in("    one();\n…\n}\n", file)?;
    for shown in ["two();\none();\n", "one()\n", "one();\n\ntwo();\n"] {
        if stands_in(shown, file).is_ok() {
            return Err(format!("{shown:?} does not stand in {file:?}"));
        }
    }
    let both = columns("// a.okl     // b.br\nint ä;       int b;\n  int c;\n")?;
    match both == ["// a.okl\nint ä;\n  int c;\n", "// b.br\nint b;\n"] {
        true => Ok(()),
        false => Err(format!("columns: {both:?}")),
    }
}

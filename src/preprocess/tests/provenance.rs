use super::*;

/// Where the `n`-th occurrence of `word` in the output is said to come from: location, chain of
/// expansions, spelling.
fn origin(done: &Done, word: &str, n: usize) -> (String, Vec<String>, Option<String>) {
    let text = &done.out.text;
    let (at, _) = text.match_indices(word).nth(n).unwrap();
    let span = Span::from(at..at + word.len());
    let origin = done.out.provenance.origin(span).unwrap();
    let chain = origin.expansions.iter();
    (
        format!(
            "{}{}",
            done.place(Some(origin.location)),
            done.written(origin.location)
        ),
        chain
            .map(|(name, at)| format!("{name} {}", done.place(Some(*at)).trim()))
            .collect(),
        origin
            .spelled
            .map(|l| format!("{}{}", done.place(Some(l)), done.written(l))),
    )
}

#[test]
fn verbatim_text_maps_one_to_one() {
    let done = run("ab\n#define N 4\ncd N ef\n").done();
    assert_eq!(
        origin(&done, "cd", 0),
        ("3:1 main.okl:cd".into(), vec![], None)
    );
    assert_eq!(
        origin(&done, "ef", 0),
        ("3:6 main.okl:ef".into(), vec![], None)
    );
}

#[test]
fn bodies_in_includes_map_to_the_call() {
    let done = run("#include \"a.h\"\nx OUTER(y + 1) z")
        .file(
            "a.h",
            "\n#define INNER(a) in ## ner a body\n#define OUTER(b) out INNER(b)",
        )
        .done();
    assert_eq!(done.out.text, "\n\n\nx out inner y + 1 body z");
    let call = "2:3 main.okl:OUTER".to_string();
    assert_eq!(
        origin(&done, "body", 0),
        (
            call.clone(),
            vec!["OUTER 2:3".into(), "INNER a.h:3:22".into()],
            Some("a.h:2:30 a.h:body".into())
        )
    );
    assert_eq!(
        origin(&done, "out", 0),
        (
            call.clone(),
            vec!["OUTER 2:3".into()],
            Some("a.h:3:18 a.h:out".into())
        )
    );
    // What ## made stands for the place of the ##.
    assert_eq!(
        origin(&done, "inner", 0).2,
        Some("a.h:2:21 a.h:## ne".into())
    );
    // Arguments are the user's own text.
    assert_eq!(
        origin(&done, "y + 1", 0),
        ("2:9 main.okl:y + 1".into(), vec![], None)
    );
    assert_eq!(
        origin(&done, "z", 0),
        ("2:16 main.okl:z".into(), vec![], None)
    );
}

#[test]
fn macros_in_arguments() {
    let done = run("#define N 42\n#define F(a) (a)\nF(N)").done();
    assert_eq!(
        origin(&done, "42", 0),
        (
            "3:3 main.okl:N".into(),
            vec!["N 3:3".into()],
            Some("1:11 main.okl:42".into())
        )
    );
}

#[test]
fn command_line_and_attributes() {
    let done = run("  N [[okl_tile(\"(N, b)\")]] @mark c")
        .define("N=12")
        .done();
    assert_eq!(
        done.out.text,
        "  12 [[okl_tile(\"(12, b)\")]] [[okl_mark(\"\")]] c"
    );
    assert_eq!(origin(&done, "12", 0).0, "1:3 main.okl:N");
    assert_eq!(
        origin(&done, "12", 0).2.unwrap(),
        "<command line>:1:11 <command line>:12"
    );
    assert_eq!(origin(&done, "12", 1).0, "1:18 main.okl:N");
    assert_eq!(origin(&done, "b)", 0).0, "1:21 main.okl:b)");
    assert_eq!(origin(&done, " c", 0).0, "1:33 main.okl: c");
    assert_eq!(origin(&done, "okl_mark", 0).0, "1:28 main.okl:@");
}

#[test]
fn included_files_say_where_from() {
    let done = run("\n#include \"a.h\"\n")
        .file("a.h", "#include \"b.h\"")
        .file("b.h", "x")
        .done();
    let files = &done.out.provenance.files;
    let from: Vec<_> = files
        .iter()
        .map(|(_, f)| f.included_from.map(|p| (p.file.0, p.offset)))
        .collect();
    assert_eq!(from, [None, Some((0, 1)), Some((1, 0))]);
    assert_eq!(origin(&done, "x", 0).0, "b.h:1:1 b.h:x");
}

use super::*;
use crate::diagnostics::{Diagnostic, Severity};
use crate::lex::lex;
use crate::source::{Location, MemoryLoader};

mod attributes;
mod directives;
mod expansion;
mod limits;
mod provenance;
mod vendor;

/// A run under construction.
struct Run {
    loader: MemoryLoader,
    options: Options,
    main: String,
}

/// What came out.
struct Done {
    out: Preprocessed,
    diagnostics: Vec<Diagnostic>,
}

fn run(main: &str) -> Run {
    Run {
        loader: MemoryLoader::new(),
        options: Options::default(),
        main: main.to_string(),
    }
}

/// The text's tokens with single blanks between.
fn tokens(text: &str) -> String {
    let words: Vec<&str> = lex(text).iter().map(|t| t.text(text)).collect();
    words.join(" ")
}

/// Preprocesses without complaint into these tokens.
#[track_caller]
fn check(main: &str, expected: &str) {
    run(main).gives(expected);
}

/// Preprocesses with exactly these complaints: `CODE line:column message…`.
#[track_caller]
fn fails(main: &str, expected: &[&str]) {
    run(main).fails(expected);
}

impl Run {
    fn file(mut self, path: &str, text: &str) -> Self {
        self.loader = self.loader.with(path, text);
        self
    }

    fn define(mut self, argument: &str) -> Self {
        self.options.defines.push(Define::parse(argument).unwrap());
        self
    }

    fn directory(mut self, path: &str) -> Self {
        self.options.include_directories.push(path.into());
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    fn done(&self) -> Done {
        // Enough of a normaliser to see that one is used: `@x` becomes an attribute.
        let normalize = |text: &str| {
            let mut edits = crate::source::Edits::new();
            let tokens = lex(text);
            for pair in tokens.windows(2) {
                if pair[0].is(text, "@") && pair[1].is(text, "mark") {
                    edits.replace(pair[0].span.to(pair[1].span), "[[okl_mark(\"\")]]");
                }
            }
            edits.apply(text).unwrap()
        };
        let mut sink = Sink::default();
        let out = preprocess(
            "main.okl",
            &self.main,
            &self.loader,
            &self.options,
            &normalize,
            &mut sink,
        );
        check_segments(&out);
        Done {
            out,
            diagnostics: sink.into_sorted(),
        }
    }

    #[track_caller]
    fn gives(&self, expected: &str) {
        let done = self.done();
        assert_eq!(done.messages(), Vec::<String>::new(), "{}", self.main);
        assert_eq!(tokens(&done.out.text), tokens(expected), "{}", self.main);
    }

    #[track_caller]
    fn fails(&self, expected: &[&str]) {
        let messages = self.done().messages();
        let as_expected = messages.len() == expected.len()
            && messages.iter().zip(expected).all(|(m, e)| m.starts_with(e));
        let shown: String = self.main.chars().take(400).collect();
        assert!(
            as_expected,
            "{shown}\nexpected {expected:#?}\nfound {messages:#?}"
        );
    }
}

impl Done {
    fn messages(&self) -> Vec<String> {
        let one = |d: &Diagnostic| format!("{} {}{}", d.code.id, self.place(d.location), d.message);
        self.diagnostics.iter().map(one).collect()
    }

    fn has_errors(&self) -> bool {
        self.diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error)
    }

    fn place(&self, location: Option<Location>) -> String {
        let Some(location) = location else {
            return String::new();
        };
        let file = self.out.provenance.files.get(location.file).unwrap();
        let (line, column) = file.line_column(location.span.start);
        let name = if file.name == "main.okl" {
            ""
        } else {
            &file.name
        };
        let separator = if name.is_empty() { "" } else { ":" };
        format!("{name}{separator}{line}:{column} ")
    }

    /// The text a location covers.
    fn written(&self, location: Location) -> String {
        let file = self.out.provenance.files.get(location.file).unwrap();
        format!("{}:{}", file.name, location.span.of(&file.text))
    }
}

/// Segments ascend without gaps at the start, lie in the text, and agree with it where they are
/// verbatim.
fn check_segments(out: &Preprocessed) {
    let segments = &out.provenance.segments;
    assert!(segments.windows(2).all(|w| w[0].start < w[1].start));
    assert!(out.text.is_empty() || segments.first().is_some_and(|s| s.start == 0));
    for (index, segment) in segments.iter().enumerate() {
        let end = segments
            .get(index + 1)
            .map_or(out.text.len() as u32, |s| s.start);
        let text = Span::new(segment.start, end).of(&out.text);
        assert!(!text.is_empty());
        if segment.verbatim {
            let file = out.provenance.files.get(segment.spelled.file).unwrap();
            let at = segment.spelled.offset;
            let length = (text.len() as u32).min(file.normalized.len() as u32 - at);
            let same = Span::new(at, at + length).of(&file.normalized);
            // A blank may stand for other white space, or keep two tokens apart.
            let blank = |b: u8| b == b' ';
            let alike = text
                .bytes()
                .zip(same.bytes())
                .all(|(a, b)| a == b || blank(a));
            assert!(alike && !same.is_empty(), "{text:?} {same:?}");
        }
    }
}

#[test]
fn text_without_macros_is_copied_in_one_run() {
    let main = "// a comment\n\nint  main( ) { return 'a' + \"b\"[0]; } /* x\n */\n\tx y";
    let done = run(main).define("UNUSED=1").done();
    assert_eq!(done.out.text, main);
    assert_eq!(done.out.provenance.segments.len(), 1);
    assert!(!done.out.expanded_attributes);
}

#[test]
fn directives_leave_an_empty_line() {
    let text = run("a\n  #define N 4 // c\nb\n#if 0\nx\ny\n#endif /* c\n c */\nc\n#undef N").done();
    assert_eq!(text.out.text, "a\n\nb\n\nc\n");
}

#[test]
fn expansions_keep_apart_what_would_melt() {
    let done =
        run("#define E\n#define M -1\n#define P +\n#define N 4\n-M P+ a/E/b x E+y N.x N N1 f(N)L")
            .done();
    assert_eq!(done.out.text, "\n\n\n\n- -1 + + a/ /b x +y 4 .x 4 N1 f(4)L");
}

#[test]
fn defines_are_parsed() {
    let parse = |text| Define::parse(text).map(|d| (d.name, d.value));
    let pair = |a: &str, b: &str| Ok((a.to_string(), b.to_string()));
    assert_eq!(parse("N"), pair("N", "1"));
    assert_eq!(parse("N="), pair("N", ""));
    assert_eq!(parse("N=a=b"), pair("N", "a=b"));
    assert_eq!(parse("F(a,b)=a+b"), pair("F(a,b)", "a+b"));
    for bad in ["", "1N", "a-b=1", "F(a", "F(a;b)=1", "=1"] {
        assert!(parse(bad).is_err(), "{bad}");
    }
}

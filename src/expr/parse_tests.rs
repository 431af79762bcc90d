use super::*;

fn same(a: &str, b: &str) {
    assert_eq!(parse(a).map(|e| e.to_string()), Ok(b.to_string()), "{a}");
}

fn fails(text: &str, span: (u32, u32), message: &str) {
    let error = parse(text).unwrap_err();
    assert_eq!(error.span, Span::new(span.0, span.1), "{text}: {error}");
    assert!(error.message.contains(message), "{text}: {error}");
}

#[test]
fn precedence_and_association() {
    same("a-b-c", "a - b - c");
    same("a-(b-c)", "a - (b - c)");
    same("((a*b))+c", "a * b + c");
    same(
        "a|b^c&d==e<f<<g+h*-i",
        "a | b ^ c & d == e < f << g + h * -i",
    );
    same("(a+b)*c%d", "(a + b) * c % d");
    same("a?b:c?d:e", "a ? b : c ? d : e");
    same(
        "(a?b:c)?d:(e,1)".replace(",1", "").as_str(),
        "(a ? b : c) ? d : e",
    );
    same("!a&&b||c", "!a && b || c");
    same("not a and b or c", "!a && b || c");
    same("n < b && c > (d)", "n < b && c > d");
}

#[test]
fn casts_and_types() {
    same("(unsigned int)x", "(unsigned int)x");
    same("(unsigned)(x+1)", "(unsigned int)(x + 1)");
    same("float(x)/2", "(float)x / 2");
    same("static_cast<unsigned long>(x)", "(unsigned long)x");
    same("(size_t)-x", "(unsigned long)-x");
    same("(n)+1", "n + 1");
    same("sizeof(float)*n", "sizeof(float) * n");
    same("(const int)n", "(int)n");
}

#[test]
fn names_and_calls() {
    same("a.b->c", "a.b.c");
    same("N::M::x+::y", "N::M::x + ::y");
    same("std::min(a, f())", "std::min(a, f())");
    same("ab\\\ncd", "abcd");
    same("true", "true");
}

#[test]
fn errors_say_what_was_expected() {
    fails("", (0, 0), "expected an expression");
    fails("a +", (3, 3), "expected an expression");
    fails("a b", (2, 3), "found 'b'");
    fails("(a", (2, 2), "expected ')'");
    fails("f(a b)", (4, 5), "expected ','");
    fails("a[1]", (1, 2), "found '['");
    fails("a = 1", (2, 3), "found '='");
    fails("int", (0, 3), "found 'int'");
    fails("++a", (0, 2), "found '++'");
    fails("a ? b", (5, 5), "expected ':'");
    fails("sizeof(a)", (7, 8), "scalar type");
    fails("08", (0, 2), "not a number");
    fails("\"x\"", (0, 3), "found");
    fails("\"x", (0, 2), "unterminated");
    fails("a::", (3, 3), "expected a name");
    fails("1 /* ", (2, 5), "comment");
}

#[test]
fn depth_is_bounded() {
    let nested = |n: usize| format!("{}1{}", "(".repeat(n), ")".repeat(n));
    assert!(parse(&nested(199)).is_ok());
    for text in [
        nested(10_000),
        "-".repeat(3) + &"- ".repeat(10_000) + "1",
        "! ".repeat(10_000) + "1",
        "(int)".repeat(10_000) + "1",
        "f(".repeat(10_000),
        "a?b:".repeat(10_000) + "c",
        "a?".repeat(10_000),
        "1+".repeat(10_000) + "1",
    ] {
        assert!(parse(&text).is_err());
    }
    let sum = "1+".repeat(400) + "1";
    let expr = parse(&sum).unwrap();
    assert_eq!(crate::expr::constant(&expr), Some(401));
    assert_eq!(crate::expr::simplify(&expr).to_string(), "401");
}

#[test]
fn statements() {
    let types = |name: &str| (name == "real").then_some(Scalar::Double);
    let shown = |text: &str| parse_statement(text, &types).map(|e| e.to_string());
    let same = |text: &str, expected: &str| assert_eq!(shown(text).as_deref(), Ok(expected));
    same("p.n", "p.n");
    same("p->list[2].n", "p->list[2].n");
    same("p.list[i + 1].n[2]", "p.list[i + 1].n[2]");
    same("(real)n", "(double)n");
    same("real(n) + 1", "(double)n + 1");
    same("a = b += 2", "=(a, +=(b, 2))");
    same("++a, b--", ",(++_(a), _--(b))");
    same("(a = 1) > 0 ? b++ : c", "=(a, 1) > 0 ? _++(b) : c");
    same("*p + q[0]", "*_(p) + q[0]");
    same(
        "sizeof(int) + sizeof(struct S)",
        "sizeof(int) + sizeof(struct S)",
    );
    same("f(a, b)", "f(a, b)");
    assert!(shown("a[1").is_err());
    assert!(shown("a = ").is_err());
    assert!(shown("[&] {}").is_err());
    // What is read for conditions stays as it was.
    assert!(parse("a[1]").is_err());
    assert!(parse("a, b").is_err());
}

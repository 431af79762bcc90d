use super::*;
use crate::expr::parse;

const LIMITS: Limits = Limits {
    threads_per_group: 1024,
    group: [1024, 1024, 64],
    grid: [1 << 31, 65_535, 65_535],
    shared_memory: 48 << 10,
};

fn e(text: &str) -> Expr {
    parse(text).unwrap()
}

fn launch(groups: [&str; 3], items: [&str; 3], arguments: &[&str]) -> Statement {
    Statement::Launch(Box::new(Launch {
        kernel: "_occa_f_0".into(),
        groups: groups.map(e),
        items: items.map(e),
        arguments: arguments.iter().map(|a| a.to_string()).collect(),
        offsets: false,
        shared: 0,
        bases: Vec::new(),
        most_items: 0,
    }))
}

fn declare(name: &str, scalar: Scalar, value: &str) -> Statement {
    Statement::Declare {
        name: name.into(),
        scalar,
        value: Some(e(value)),
    }
}

fn assign(name: &str, value: &str) -> Statement {
    Statement::Assign {
        name: name.into(),
        value: e(value),
    }
}

/// Every launch as text: groups, items, and the bytes of its value arguments.
fn run_all(host: &[Statement], bindings: &[(&str, Bound<'_>)]) -> Result<Vec<String>> {
    let mut seen = Vec::new();
    let program = Program::new("f", &[], &[]);
    let mut sink = |name: &str, groups: [u64; 3], items: [u32; 3], arguments: &[Argument<'_>]| {
        let values: Vec<String> = arguments
            .iter()
            .map(|a| match a {
                Argument::Value(bytes) => format!("{bytes:?}"),
                Argument::Buffer(_) => "buffer".into(),
                Argument::Whole(_) => "whole".into(),
                Argument::Null => "null".into(),
            })
            .collect();
        seen.push(format!("{name} {groups:?} {items:?} {}", values.join(" ")));
        Ok(())
    };
    let computed = Computed::of(host);
    run(
        &program,
        (host, &computed),
        bindings,
        &LIMITS,
        &mut |worked| worked.hand(bindings, &LIMITS, &mut sink),
    )?;
    Ok(seen)
}

#[test]
fn extents_and_arguments_are_evaluated() {
    let host = [
        declare("blocks", Scalar::Int, "(n + 255) / 256"),
        launch(
            ["blocks", "1", "1"],
            ["256", "1", "1"],
            &["n", "x", "p", "s", "blocks"],
        ),
    ];
    let bindings = [
        ("n", Bound::Scalar(Value::int(1000))),
        ("x", Bound::Scalar(Value::Float(Scalar::Float, 1.0))),
        ("p", Bound::Null),
        ("s", Bound::Bytes(&[1, 2, 3])),
    ];
    assert_eq!(
        run_all(&host, &bindings).unwrap(),
        [
            "_occa_f_0 [4, 1, 1] [256, 1, 1] [232, 3, 0, 0] [0, 0, 128, 63] null [1, 2, 3] [4, 0, 0, 0]"
        ]
    );
}

#[test]
fn nothing_is_launched_over_nothing() {
    let host = [
        launch(["n", "1", "1"], ["256", "1", "1"], &[]),
        launch(["1", "1", "1"], ["1", "n - 1", "1"], &[]),
    ];
    assert!(
        run_all(&host, &[("n", Bound::Scalar(Value::int(0)))])
            .unwrap()
            .is_empty()
    );
}

#[test]
fn scopes_loops_and_jumps_are_those_of_c() {
    let host = [
        declare("k", Scalar::Int, "100"),
        Statement::Loop {
            initial: vec![declare("i", Scalar::UChar, "0")],
            prepare: Vec::new(),
            condition: e("1"),
            late: false,
            step: vec![assign("i", "i + 100")],
            body: vec![
                declare("k", Scalar::Int, "i"),
                Statement::If {
                    condition: e("k == 100"),
                    then: vec![Statement::Continue],
                    otherwise: vec![assign("k", "k + 1")],
                },
                // 0, 200, then 300 wraps to 44 in eight bits.
                launch(["1", "1", "1"], ["1", "1", "1"], &["k"]),
                Statement::If {
                    condition: e("k == 45"),
                    then: vec![Statement::Break],
                    otherwise: vec![],
                },
            ],
        },
        assign("n", "n * 2"),
        Statement::Block(vec![declare("n", Scalar::Int, "1")]),
        launch(["n", "1", "1"], ["1", "1", "1"], &["k"]),
        Statement::Return,
        launch(["1", "1", "1"], ["1", "1", "1"], &[]),
    ];
    let seen = run_all(&host, &[("n", Bound::Scalar(Value::int(3)))]).unwrap();
    assert_eq!(
        seen,
        [
            "_occa_f_0 [1, 1, 1] [1, 1, 1] [1, 0, 0, 0]",
            "_occa_f_0 [1, 1, 1] [1, 1, 1] [201, 0, 0, 0]",
            "_occa_f_0 [1, 1, 1] [1, 1, 1] [45, 0, 0, 0]",
            "_occa_f_0 [6, 1, 1] [1, 1, 1] [100, 0, 0, 0]",
        ]
    );
}

#[test]
fn limits_are_named() {
    let error = |groups, items| {
        let bindings = [("n", Bound::Scalar(Value::int(70_000)))];
        run_all(&[launch(groups, items, &[])], &bindings)
            .unwrap_err()
            .to_string()
    };
    let ones = ["1", "1", "1"];
    assert_eq!(
        error(ones, ["1", "1", "65"]),
        "kernel 'f': '_occa_f_0' wants 65 inner iterations along z; this device runs at most 64"
    );
    assert_eq!(
        error(["1", "n", "1"], ones),
        "kernel 'f': '_occa_f_0' wants 70000 outer iterations along y; this device runs at most 65535"
    );
    assert!(error(ones, ["64", "32", "1"]).contains("64 x 32 x 1"));
    let mut made_for_few = launch(ones, ["9", "8", "1"], &[]);
    if let Statement::Launch(launch) = &mut made_for_few {
        launch.most_items = 64;
    }
    assert_eq!(
        run_all(&[made_for_few], &[]).unwrap_err().to_string(),
        "kernel 'f': '_occa_f_0' wants 9 x 8 x 1 inner iterations (x, y, z); it is made for at most 64 in one group"
    );
    assert!(error(["(unsigned long)-1", "1", "1"], ones).contains("18446744073709551615"));
}

#[test]
fn what_cannot_be_evaluated_is_an_error() {
    let error = |host: &[Statement]| run_all(host, &[]).unwrap_err().to_string();
    assert_eq!(
        error(&[declare("a", Scalar::Int, "1 / 0")]),
        "kernel 'f': in '1 / 0': division by zero"
    );
    assert_eq!(
        error(&[declare("a", Scalar::Int, "m")]),
        "kernel 'f': in 'm': 'm' has no known value"
    );
    assert!(error(&[assign("q", "1")]).contains("'q' is not a variable"));
    let one = ["1", "1", "1"];
    assert!(error(&[launch(one, one, &["gone"])]).contains("'gone', which nothing binds"));
}

#[test]
fn values_survive_their_bytes() {
    let values = [
        Value::Int(Scalar::Char, -3),
        Value::Int(Scalar::UInt, 0xffff_ffff),
        Value::Int(Scalar::ULong, -1),
        Value::Float(Scalar::Float, 0.5),
        Value::Float(Scalar::Double, -0.1),
        Value::Int(Scalar::Bool, 1),
    ];
    for value in values {
        let mut room = [0; 8];
        let size = to_bytes(value, &mut room);
        assert_eq!(from_bytes(value.scalar(), &room[..size]), Some(value));
    }
    assert_eq!(from_bytes(Scalar::Int, &[0; 3]), None);
    assert_eq!(from_bytes(Scalar::Int, &[0; 9]), None);
}

fn function(name: &str, body: Vec<Statement>) -> crate::module::HostFunction {
    crate::module::HostFunction {
        name: name.into(),
        parameters: vec![("n".into(), Scalar::Int)],
        result: Scalar::Int,
        body,
    }
}

fn call(
    functions: &[crate::module::HostFunction],
    groups: &str,
) -> std::result::Result<u64, String> {
    let program = Program::new("f", functions, &[]);
    let mut seen = 0;
    let host = [launch([groups, "1", "1"], ["1", "1", "1"], &[])];
    let computed = Computed::of(&host);
    let result = run(&program, (&host, &computed), &[], &LIMITS, &mut |worked| {
        seen = worked.groups[0];
        Ok(())
    });
    result.map(|()| seen).map_err(|e| e.to_string())
}

#[test]
fn functions_of_the_program() {
    let recursive = vec![Statement::If {
        condition: e("n <= 1"),
        then: vec![Statement::Give(e("1"))],
        otherwise: vec![Statement::Give(e("n * down(n - 1)"))],
    }];
    let functions = [
        function("down", recursive),
        function("forever", vec![Statement::Give(e("forever(n + 1)"))]),
        function("nothing", Vec::new()),
    ];
    assert_eq!(call(&functions, "down(5) + 1"), Ok(121));
    // The argument is converted to the parameter's type.
    assert_eq!(call(&functions, "down(2.9)"), Ok(2));
    let endless = call(&functions, "forever(0)").unwrap_err();
    assert!(
        endless.contains("'forever' calls itself without an end"),
        "{endless}"
    );
    let nothing = call(&functions, "nothing(0)").unwrap_err();
    assert!(
        nothing.contains("'nothing' ends without a value"),
        "{nothing}"
    );
}

#[test]
fn arrays_of_functions() {
    let store = |indices: &[&str], value: &str| Statement::Store {
        name: "list".into(),
        indices: indices.iter().map(|i| e(i)).collect(),
        value: e(value),
    };
    let element = |indices: &[&str]| {
        let indices = indices.iter().map(|i| (e(i), "".into())).collect();
        Expr::Element("list".into(), indices)
    };
    let array = |extents: &[u64], values: &[&str]| Statement::Array {
        name: "list".into(),
        scalar: Scalar::UChar,
        extents: extents.to_vec(),
        values: values.iter().map(|v| e(v)).collect(),
    };
    let given = |read: Expr, before: Vec<Statement>| {
        let mut body = vec![array(&[2, 3], &["n", "2", "3", "n + 253"])];
        body.extend(before);
        body.push(Statement::Give(read));
        call(&[function("f", body)], "f(4)")
    };
    assert_eq!(given(element(&["0", "0"]), Vec::new()), Ok(4));
    assert_eq!(given(element(&["n / 4", "0"]), Vec::new()), Ok(1));
    assert_eq!(given(Expr::name("list[0][2]"), Vec::new()), Ok(3));
    assert_eq!(given(element(&["1", "n - 2"]), Vec::new()), Ok(0));
    let changed = vec![store(&["n - 3", "2"], "n * 65")];
    assert_eq!(given(element(&["1", "2"]), changed), Ok(4));
    // An inner variable of that name hides the array as long as it lives.
    let inner = vec![
        Statement::Block(vec![array(&[1], &["9"]), store(&["0"], "8")]),
        Statement::Block(vec![declare("list", Scalar::Int, "7")]),
    ];
    assert_eq!(given(element(&["0", "0"]), inner), Ok(4));
    let outside = |read: Expr, before| given(read, before).unwrap_err();
    for (read, name) in [
        (element(&["0", "n - 1"]), "list[0][3]"),
        (element(&["-1", "0"]), "list[-1][0]"),
        (element(&["n", "2"]), "list[4][2]"),
        (Expr::name("list[2][0]"), "list[2][0]"),
        (element(&["0", "n + 4294967295"]), "list[0][4294967299]"),
    ] {
        let error = outside(read, Vec::new());
        let expected = format!("'{name}' lies outside of the array");
        assert!(error.contains(&expected), "{error}");
    }
    let error = outside(e("1"), vec![store(&["n", "0"], "1")]);
    assert!(
        error.contains("'list[4][0]' lies outside of the array"),
        "{error}"
    );
}

#[test]
fn functions_that_do_not_end() {
    let endless = |body| Statement::Loop {
        initial: Vec::new(),
        prepare: Vec::new(),
        condition: e("1"),
        step: Vec::new(),
        body,
        late: false,
    };
    // A large array is as much work as its elements.
    let array = Statement::Array {
        name: "list".into(),
        scalar: Scalar::Int,
        extents: vec![1 << 16],
        values: Vec::new(),
    };
    let called = call(&[function("f", vec![endless(vec![array])])], "f(0)");
    let error = called.unwrap_err();
    assert!(error.contains("a host loop does not end"), "{error}");
}

#[test]
fn fields_of_structures() {
    use crate::module::{Layout, Layouts, Record, RecordField};
    let field = |name: &str, layout, offset| RecordField {
        name: name.into(),
        layout,
        offset,
    };
    let fields = vec![
        field("tag", Layout::Scalar(Scalar::Char), 0),
        field(
            "list",
            Layout::Array(Box::new(Layout::Scalar(Scalar::Short)), 3),
            2,
        ),
    ];
    let layouts = Layouts {
        records: vec![Record {
            name: "S".into(),
            union: false,
            fields,
            size: 8,
            align: 2,
        }],
        enumerations: Vec::new(),
    };
    let dtype = Dtype::of(&layouts, &Layout::Record(0));
    let bytes = [0xff, 0, 1, 0, 2, 0, 3, 1];
    let bindings = [("s", Bound::Structure(&bytes, &dtype))];
    let host = [
        declare("i", Scalar::Int, "1"),
        Statement::Launch(Box::new(Launch {
            kernel: "_occa_f_0".into(),
            groups: [
                Expr::name("s.list[2]"),
                Expr::element("s.list".into(), vec![(e("i + 0"), "".into())]),
                e("s.tag + 2"),
            ],
            items: ["1", "1", "1"].map(e),
            arguments: vec!["s".into()],
            offsets: false,
            shared: 0,
            bases: Vec::new(),
            most_items: 0,
        })),
    ];
    let seen = run_all(&host, &bindings).unwrap();
    assert_eq!(
        seen,
        ["_occa_f_0 [259, 2, 1] [1, 1, 1] [255, 0, 1, 0, 2, 0, 3, 1]"]
    );
}

use super::*;
use crate::expr::{Scalar, Value, parse};
use crate::module::Statement;
use brook_driver::Argument;

const LIMITS: Limits = Limits {
    threads_per_group: 64,
    group: [64; 3],
    grid: [1 << 31; 3],
    shared_memory: 0,
};

/// What a host part that mentions these computes with.
fn computed(names: &[&str]) -> Computed {
    let given = names
        .iter()
        .map(|name| Statement::Give(parse(name).unwrap()));
    Computed::of(&given.collect::<Vec<_>>())
}

/// A call with a launch that has a number worked out and the second name's bytes; what the sink is given in the end.
fn call(remembered: &mut Remembered, bindings: &[(&str, Bound<'_>)]) -> Vec<String> {
    let mut seen = Vec::new();
    let mut sink = |name: &str, groups: [u64; 3], _: [u32; 3], arguments: &[Argument<'_>]| {
        let values = arguments.iter().map(|argument| match argument {
            Argument::Value(bytes) => format!("{bytes:?}"),
            _ => "memory".to_string(),
        });
        let values: Vec<String> = values.collect();
        seen.push(format!("{name} {groups:?} {}", values.join(" ")));
        Ok(())
    };
    let computed = computed(&["n", "s", "t", "m", "x"]);
    match remembered
        .call(bindings, &computed, &LIMITS, &mut sink)
        .unwrap()
    {
        Like::Other => vec!["other".to_string()],
        Like::Done => seen,
        Like::Unknown => {
            let mut notes = Notes::default();
            notes.note(&Worked {
                kernel: "k",
                groups: [7, 1, 1],
                items: [1; 3],
                arguments: &[Given::Number([3; 8], 2), Given::Bound(1)],
                offsets: false,
                bases: &[],
            });
            remembered.remember(notes);
            vec!["unknown".to_string()]
        }
    }
}

#[test]
fn calls_like_the_last_one_make_its_launches() {
    let mut last = Remembered::default();
    let number = |n| ("n", Bound::Scalar(Value::int(n)));
    let bytes = |bytes: &'static [u8]| ("s", Bound::Bytes(bytes));
    let first = [number(5), bytes(&[1, 2])];
    assert_eq!(call(&mut last, &first), ["other"]);
    assert_eq!(call(&mut last, &first), ["unknown"]);
    for _ in 0..2 {
        assert_eq!(call(&mut last, &first), ["k [7, 1, 1] [3, 3] [1, 2]"]);
    }
    // Whatever differs is worked out again.
    for other in [
        vec![number(6), bytes(&[1, 2])],
        vec![number(5), bytes(&[1, 3])],
        vec![number(5), bytes(&[1, 2, 3])],
        vec![number(5)],
        vec![number(5), bytes(&[1, 2]), ("m", Bound::Null)],
        vec![number(5), ("t", Bound::Bytes(&[1, 2]))],
        vec![number(5), ("s", Bound::Null)],
        vec![
            ("n", Bound::Scalar(Value::Int(Scalar::UInt, 5))),
            bytes(&[1, 2]),
        ],
        vec![
            ("n", Bound::Scalar(Value::Float(Scalar::Float, 5.0))),
            bytes(&[1, 2]),
        ],
        vec![],
    ] {
        assert_eq!(call(&mut last, &other), ["other"]);
        assert_eq!(call(&mut last, &first), ["other"]);
        assert_eq!(call(&mut last, &first), ["unknown"]);
    }
    // Zeros of either sign are two numbers.
    let float = |x| {
        [
            ("x", Bound::Scalar(Value::Float(Scalar::Double, x))),
            bytes(&[1]),
        ]
    };
    assert_eq!(call(&mut last, &float(0.0)), ["other"]);
    assert_eq!(call(&mut last, &float(-0.0)), ["other"]);
}

#[test]
fn many_launches_are_not_remembered() {
    let mut last = Remembered::default();
    let given = [("n", Bound::Scalar(Value::int(1)))];
    let mut none = |_: &str, _: [u64; 3], _: [u32; 3], _: &[Argument<'_>]| Ok(());
    let mut call = |last: &mut Remembered| {
        last.call(&given, &computed(&[]), &LIMITS, &mut none)
            .unwrap()
    };
    call(&mut last);
    assert!(matches!(call(&mut last), Like::Unknown));
    let mut notes = Notes::default();
    for _ in 0..=MOST {
        notes.note(&Worked {
            kernel: "k",
            groups: [1; 3],
            items: [1; 3],
            arguments: &[],
            offsets: false,
            bases: &[],
        });
    }
    last.remember(notes);
    assert!(matches!(call(&mut last), Like::Other));
}

#[test]
fn what_is_handed_on_may_differ() {
    let mut last = Remembered::default();
    let mut seen = Vec::new();
    let mut sink = |_: &str, _: [u64; 3], _: [u32; 3], arguments: &[Argument<'_>]| {
        let values = arguments.iter().filter_map(|argument| match argument {
            Argument::Value(bytes) => Some(bytes.to_vec()),
            _ => None,
        });
        seen.push(values.collect::<Vec<_>>());
        Ok(())
    };
    let computed = computed(&["n + 1"]);
    for (n, x, bytes) in [(1, 1.0, [1]), (1, 2.0, [2]), (1, 3.0, [3]), (2, 3.0, [3])] {
        let given = [
            ("n", Bound::Scalar(Value::int(n))),
            ("x", Bound::Scalar(Value::Float(Scalar::Float, x))),
            ("s", Bound::Bytes(&bytes)),
        ];
        if let Like::Unknown = last.call(&given, &computed, &LIMITS, &mut sink).unwrap() {
            let mut notes = Notes::default();
            notes.note(&Worked {
                kernel: "k",
                groups: [1; 3],
                items: [1; 3],
                arguments: &[Given::Bound(1), Given::Bound(2)],
                offsets: true,
                bases: &[],
            });
            last.remember(notes);
        }
    }
    assert_eq!(seen, [[3f32.to_ne_bytes().to_vec(), vec![3]]]);
}

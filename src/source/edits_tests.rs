use super::{Edits, Moved, Span};

#[test]
fn what_is_put_together_leads_to_its_parts() {
    let text = "f { /* a */ x; /* b */ g }";
    let mut kept = Moved::default();
    kept.push_span(Span::new(4, 11), text);
    kept.push_span(Span::new(15, 22), text);
    assert_eq!((kept.original(2), kept.original(9)), (6, 17));
    let mut moved = Moved::default();
    moved.push("head ", 0);
    moved.push_moved(&kept);
    moved.push(" tail", 23);
    moved.truncate(moved.text().len() - 3);
    let mut edits = Edits::new();
    edits.insert_before_moved(23, moved);
    edits.replace(Span::new(4, 22), "y");
    let (new, map) = edits.apply(text).unwrap();
    assert_eq!(new, "f { y head /* a *//* b */ tg }");
    let places = [0, 4, 6, 11, 13, 20, 25, 26, 27, 28].map(|at| map.original(at));
    assert_eq!(places, [0, 4, 0, 4, 6, 17, 23, 23, 23, 24]);
}

#[test]
fn untouched_text_survives_and_maps_back() {
    let text = "for (int i = 0; i < n; ++i) { }";
    let mut edits = Edits::new();
    edits.replace(Span::new(0, 3), "while");
    edits.insert(29, "x;");
    edits.insert(29, "y;");
    let (new, map) = edits.apply(text).unwrap();
    assert_eq!(new, "while (int i = 0; i < n; ++i) {x;y; }");
    assert_eq!(map.original(6), 4);
    assert_eq!(map.original(0), 0);
    assert_eq!(map.original(new.len() as u32 - 1), text.len() as u32 - 1);
}

#[test]
fn what_is_outermost_stands_ahead_of_what_comes_later() {
    let mut edits = Edits::new();
    edits.insert(4, "b");
    edits.insert_outermost(4, "1");
    edits.insert_before(4, "a");
    edits.append(4, "0");
    edits.insert_outermost(4, "2");
    let (new, _) = edits.apply("for x").unwrap();
    assert_eq!(new, "for 012abx");
}

#[test]
fn maps_compose() {
    let edit = |text: &str, at: (u32, u32), by: &'static str| {
        let mut edits = Edits::new();
        edits.replace(Span::new(at.0, at.1), by);
        edits.apply(text).unwrap()
    };
    let (second, early) = edit("0123456789", (3, 5), "abc");
    assert_eq!(second, "012abc56789");
    let (third, late) = edit(&second, (1, 2), "xyz");
    assert_eq!(third, "0xyz2abc56789");
    let map = late.after(&early, third.len() as u32);
    let back: Vec<u32> = (0..13).map(|at| map.original(at)).collect();
    assert_eq!(back, [0, 1, 1, 1, 2, 3, 3, 3, 5, 6, 7, 8, 9]);
    assert!(map.is_verbatim(4) && !map.is_verbatim(5) && map.is_verbatim(8));
}

#[test]
fn overlaps_are_refused() {
    let mut edits = Edits::new();
    edits.replace(Span::new(2, 6), "a");
    edits.replace(Span::new(4, 8), "b");
    let error = edits.apply("0123456789").unwrap_err();
    assert_eq!(error.second, Span::new(4, 8));
    let mut twice = Edits::new();
    twice.replace(Span::new(2, 6), "a");
    twice.replace(Span::new(2, 6), "b");
    assert!(twice.apply("0123456789").is_err());
    let mut inside = Edits::new();
    inside.replace(Span::new(2, 6), "a");
    inside.insert(4, "b");
    assert!(inside.apply("0123456789").is_err());
}

#[test]
fn appended_text_belongs_to_what_stands_before() {
    let text = "f(a, b)";
    let mut edits = Edits::new();
    edits.append(3, "[i]");
    edits.insert(3, "?");
    assert_eq!(edits.take(Span::new(2, 3), text).unwrap(), "a[i]");
    assert_eq!(edits.apply(text).unwrap().0, "f(a?, b)");
}

#[test]
fn moved_text_maps_back() {
    let text = "f(a,\n b);";
    let mut edits = Edits::new();
    edits.replace(Span::new(2, 3), "xyz");
    let moved = edits.take_moved(Span::new(0, 9), text).unwrap();
    edits.append(9, " ");
    edits.append_moved(9, &moved);
    edits.append(9, "!");
    let (new, map) = edits.apply(text).unwrap();
    assert_eq!(new, "f(a,\n b); f(xyz,\n b);!");
    let original: Vec<u32> = [10, 12, 14, 15, 18].map(|at| map.original(at)).into();
    assert_eq!(original, [0, 2, 2, 3, 6]);
    assert!(map.is_verbatim(18) && !map.is_verbatim(13));
    assert_eq!(map.original(21), 9);
}

#[test]
fn taken_text_carries_its_edits() {
    let text = "f(a, b)";
    let mut edits = Edits::new();
    edits.replace(Span::new(2, 3), "x");
    edits.insert(7, ";");
    let argument = edits.take(Span::new(2, 3), text).unwrap();
    edits.replace(Span::new(0, 7), format!("g[{argument}]"));
    assert_eq!(edits.apply(text).unwrap().0, "g[x];");
}

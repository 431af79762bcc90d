#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::*;

/// Times by a formula, and how many were asked for.
struct Formula<'s> {
    space: &'s Space,
    time: fn(&[f64]) -> Option<f64>,
    most: usize,
    asked: Vec<Point>,
    best: f64,
}

impl Formula<'_> {
    fn time_of(&self, point: &Point) -> Option<f64> {
        let values = self.space.values(point);
        let values: Vec<f64> = values.iter().map(|v| v.parse().unwrap()).collect();
        (self.time)(&values)
    }
}

impl Judge for Formula<'_> {
    fn judge(&mut self, points: &[Point]) -> Vec<Option<f64>> {
        let times: Vec<Option<f64>> = points.iter().map(|p| self.time_of(p)).collect();
        self.asked.extend(points.iter().cloned());
        let best = times.iter().flatten().copied().fold(self.best, f64::min);
        self.best = best;
        times
    }

    fn is_over(&self) -> bool {
        self.asked.len() >= self.most
    }
}

/// What a search finds, how many it tried, and the best there is.
fn run(
    axes: &[&str],
    conditions: &[&str],
    most: usize,
    time: fn(&[f64]) -> Option<f64>,
) -> (f64, usize, f64) {
    let owned = |list: &[&str]| list.iter().map(|t| t.to_string()).collect::<Vec<_>>();
    let space = Space::new(&owned(axes), &owned(conditions)).unwrap();
    let points = space.points().unwrap();
    let mut judge = Formula {
        space: &space,
        time,
        most,
        asked: Vec::new(),
        best: f64::INFINITY,
    };
    search(&space, &points, false, &mut judge);
    let best = points.iter().filter_map(|p| judge.time_of(p));
    let best = best.fold(f64::INFINITY, f64::min);
    let asked = judge.asked.len();
    let mut distinct = judge.asked;
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), asked, "nothing is tried twice");
    assert!(distinct.iter().all(|p| points.contains(p)));
    (judge.best, asked, best)
}

const POWERS: &str = "1,2,4,8,16,32,64,128";

#[test]
fn few_are_all_tried() {
    let (found, asked, best) = run(&["A=1,2,3", "B=1,2,3,4"], &[], 1000, |v| Some(v[0] * v[1]));
    assert_eq!((found, asked, best), (1.0, 12, 1.0));
}

#[test]
fn a_valley_is_found() {
    let axes = [
        "A=1,2,4,8,16,32,64,128",
        "B=1,2,4,8,16,32,64,128",
        "C=1,2,4,8",
        "D=1,2,4,8",
    ];
    let (found, asked, best) = run(&axes, &[], 160, |v| {
        let log = |x: f64, to: f64| (x.log2() - to).powi(2);
        Some(1.0 + log(v[0], 5.0) + log(v[1], 3.0) + log(v[2], 1.0) + log(v[3], 2.0))
    });
    assert_eq!(found, best);
    assert!(asked <= 168, "{asked} of 1024");
}

#[test]
fn rugged_ground_with_holes_and_conditions() {
    let a = format!("A={POWERS}");
    let b = format!("B={POWERS}");
    let axes = [a.as_str(), b.as_str(), "C=1,2,4,8,16", "D=0,1", "E=1,2,3,4"];
    let conditions = ["A * B >= 64", "A % C == 0", "A * B * C <= 8192"];
    let (found, asked, best) = run(&axes, &conditions, 200, |v| {
        // A third cannot run at all, and what is left goes up and down.
        let hash = v.iter().fold(17u64, |h, x| {
            (h ^ x.to_bits())
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(31)
        });
        let noise = (hash % 1000) as f64 / 4000.0;
        let log = |x: f64, to: f64| (x.log2() - to).abs();
        (hash % 3 != 0).then(|| 1.0 + noise + (log(v[0], 4.0) + log(v[1], 5.0) + v[3]) / 4.0)
    });
    assert!(asked <= 208);
    assert!(
        found <= best * 1.1,
        "{found} after {asked}, where {best} is best"
    );
}

#[test]
fn nothing_that_can_run() {
    let a = format!("A={POWERS}");
    let b = format!("B={POWERS}");
    let (found, asked, _) = run(&[&a, &b], &[], 1000, |_| None);
    assert!(found.is_infinite() && asked <= 64);
}

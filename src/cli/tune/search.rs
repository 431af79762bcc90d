//! Which combinations to try: all if they are few, otherwise by iterated local search. From the best of a few that lie far apart it
//! goes to a better neighbour, which differs in one value, as long as there is one, and from there begins again with
//! some values of the best thrown anew.
//!
//! Times of kernels are rugged along many axes, with conditions that cut out most combinations, and each trial costs a
//! compilation: comparisons of tuners' methods found local searches with restarts among the best for that. No library of
//! optimisation that is kept up has them for lists of values with conditions; those there are model continuous functions.

use super::space::{Point, Space};
use std::collections::{HashMap, HashSet};

/// So many are all tried.
pub(super) const FEW: usize = 48;

/// How many are judged together.
const BATCH: usize = 8;

/// How many beginnings in a row may find nothing better.
const PATIENCE: usize = 12;

/// Who tries combinations.
pub(super) trait Judge {
    /// How long a launch takes with each, in order, or that it is none to choose.
    fn judge(&mut self, points: &[Point]) -> Vec<Option<f64>>;

    /// Whether no more are to be tried.
    fn is_over(&self) -> bool;
}

/// Tries combinations of the list until there is reason to stop; each of them once at most.
pub(super) fn search(space: &Space, points: &[Point], all: bool, judge: &mut dyn Judge) {
    let mut this = Search {
        space,
        points,
        allowed: points.iter().collect(),
        tried: HashMap::new(),
        best: None,
        random: 0x9e37_79b9_7f4a_7c15,
        judge,
    };
    match all || points.len() <= FEW {
        true => this.all(),
        false => this.climb(),
    }
}

struct Search<'s> {
    space: &'s Space,
    points: &'s [Point],
    allowed: HashSet<&'s Point>,
    tried: HashMap<Point, Option<f64>>,
    best: Option<(f64, Point)>,
    random: u64,
    judge: &'s mut dyn Judge,
}

impl Search<'_> {
    fn all(&mut self) {
        for batch in self.points.chunks(BATCH) {
            if self.judge.is_over() {
                return;
            }
            self.try_all(batch.to_vec());
        }
    }

    fn climb(&mut self) {
        let first = self.far_apart(BATCH);
        self.try_all(first);
        let mut idle = 0;
        let mut from = self.best.as_ref().map(|(_, point)| point.clone());
        while !self.is_over() && idle < PATIENCE {
            let before = self.best.as_ref().map(|(time, _)| *time);
            let start = match from.take() {
                Some(point) => point,
                None => match self.thrown() {
                    Some(point) => point,
                    None => return,
                },
            };
            self.descend(start);
            idle = match self.best.as_ref().map(|(time, _)| *time) == before {
                true => idle + 1,
                false => 0,
            };
        }
    }

    /// Goes to better neighbours until there are none.
    fn descend(&mut self, start: Point) {
        let mut at = start;
        if !self.tried.contains_key(&at) {
            self.try_all(vec![at.clone()]);
        }
        let Some(mut time) = self.tried.get(&at).copied().flatten() else {
            return;
        };
        loop {
            let mut fresh = self.neighbours(&at);
            fresh.retain(|p| !self.tried.contains_key(p));
            self.shuffle(&mut fresh);
            let mut better = None;
            for batch in fresh.chunks(BATCH) {
                if self.is_over() {
                    return;
                }
                let times = self.try_all(batch.to_vec());
                for (point, found) in batch.iter().zip(times) {
                    if let Some(found) = found.filter(|t| *t < time) {
                        time = found;
                        better = Some(point.clone());
                    }
                }
                if better.is_some() {
                    break;
                }
            }
            match better {
                Some(point) => at = point,
                None => return,
            }
        }
    }

    /// Whether there is nothing left to try, or no time.
    fn is_over(&self) -> bool {
        self.judge.is_over() || self.tried.len() >= self.points.len()
    }

    fn try_all(&mut self, points: Vec<Point>) -> Vec<Option<f64>> {
        let mut times = self.judge.judge(&points);
        times.resize(points.len(), None);
        for (point, time) in points.into_iter().zip(&times) {
            if let Some(time) = *time
                && self.best.as_ref().is_none_or(|(best, _)| time < *best)
            {
                self.best = Some((time, point.clone()));
            }
            self.tried.insert(point, *time);
        }
        times
    }

    /// What differs in one value; where conditions leave few of these, in two.
    fn neighbours(&self, point: &Point) -> Vec<Point> {
        let one = self.changed(point);
        let mut found: Vec<Point> = one.clone();
        found.retain(|p| self.allowed.contains(p));
        if found.len() < self.space.axes.len() {
            let two = one.iter().flat_map(|p| self.changed(p));
            let mut two: Vec<Point> = two.collect();
            two.sort();
            two.dedup();
            two.retain(|p| p != point && self.allowed.contains(p) && !found.contains(p));
            found.append(&mut two);
        }
        found
    }

    fn changed(&self, point: &Point) -> Vec<Point> {
        let mut found = Vec::new();
        for (at, axis) in self.space.axes.iter().enumerate() {
            for value in (0..axis.values.len()).filter(|v| *v != point[at]) {
                let mut other = point.clone();
                other[at] = value;
                found.push(other);
            }
        }
        found
    }

    /// Of those that nobody has tried, one that shares all values but some with the best, or any.
    fn thrown(&mut self) -> Option<Point> {
        let fresh = |this: &Self| -> Vec<Point> {
            let all = this.points.iter();
            all.filter(|p| !this.tried.contains_key(*p))
                .cloned()
                .collect()
        };
        let fresh = fresh(self);
        if fresh.is_empty() {
            return None;
        }
        let near: Vec<&Point> = match &self.best {
            Some((_, best)) => {
                let apart = |p: &&Point| p.iter().zip(best).filter(|(a, b)| a != b).count();
                fresh
                    .iter()
                    .filter(|p| (2..=3).contains(&apart(p)))
                    .collect()
            }
            None => Vec::new(),
        };
        // Every other time from anywhere, lest all be near one place.
        let pool = match near.is_empty() || self.below(2) == 0 {
            true => fresh.iter().collect(),
            false => near,
        };
        let at = self.below(pool.len());
        pool.get(at).map(|p| (*p).clone())
    }

    /// So many, each as far from those before as any of some is.
    fn far_apart(&mut self, many: usize) -> Vec<Point> {
        let mut chosen: Vec<Point> = Vec::new();
        while chosen.len() < many.min(self.points.len()) {
            let mut farthest: Option<(usize, Point)> = None;
            for _ in 0..32 {
                let at = self.below(self.points.len());
                let point = &self.points[at];
                let apart = |other: &Point| point.iter().zip(other).filter(|(a, b)| a != b).count();
                let least = chosen.iter().map(apart).min().unwrap_or(usize::MAX);
                if farthest.as_ref().is_none_or(|(far, _)| least > *far) {
                    farthest = Some((least, point.clone()));
                }
            }
            match farthest {
                Some((least, point)) if least > 0 => chosen.push(point),
                // Bad luck, or hardly any differ.
                _ => break,
            }
        }
        chosen
    }

    fn shuffle(&mut self, points: &mut [Point]) {
        for at in (1..points.len()).rev() {
            let other = self.below(at + 1);
            points.swap(at, other);
        }
    }

    /// A number below another: the same ones in every run.
    fn below(&mut self, end: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        match end {
            0 => 0,
            end => (self.random >> 11) as usize % end,
        }
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

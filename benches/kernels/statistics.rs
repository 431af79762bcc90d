//! Medians, and how far to trust them.

/// A median with the 95 % interval that order statistics give it, whatever the distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Median {
    /// The median.
    pub value: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl Median {
    /// The median of at least one number.
    pub fn of(numbers: &[f64]) -> Self {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(f64::total_cmp);
        let rank = rank(sorted.len());
        Self {
            value: middle(&sorted),
            low: sorted[rank],
            high: sorted[sorted.len() - 1 - rank],
        }
    }
}

fn middle(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => (sorted[half - 1] + sorted[half]) / 2.0,
        _ => sorted[half],
    }
}

/// How many numbers to leave out at either end, so that the median lies between the rest with 95 %: it is
/// below the k-th smallest only if fewer than k of n fair coins show heads. With fewer than six numbers,
/// all of them are too few.
fn rank(n: usize) -> usize {
    let mut probability = 0.5f64.powi(n as i32);
    let mut below = 0.0;
    for k in 0..n / 2 {
        below += probability;
        if below > 0.025 {
            return k.saturating_sub(1);
        }
        probability *= (n - k) as f64 / (k + 1) as f64;
    }
    (n / 2).saturating_sub(1)
}

/// What is wrong with the statistics: known values of a sign test's table.
pub fn self_check() -> Result<(), String> {
    let known = [(5, 0), (6, 0), (9, 1), (31, 9), (101, 40)];
    for (n, left_out) in known {
        if rank(n) != left_out {
            return Err(format!("rank({n}) is {}, not {left_out}", rank(n)));
        }
    }
    Ok(())
}

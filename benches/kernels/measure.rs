//! Samples of forms in turn.

use super::form::Form;
use super::statistics::Median;
use brook::{Device, Queue};
use std::time::{Duration, Instant};

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Fewest rounds; in each, every form is sampled once.
    pub rounds: usize,
    /// More rounds are taken while there is time.
    pub budget: Duration,
    /// A sample takes at least as long.
    pub sample: Duration,
    /// Whether one launch goes ahead of each sample, so that the device is busy while launches are enqueued.
    pub ahead: bool,
}

/// Most rounds, however short.
const MOST_ROUNDS: usize = 201;

/// Seconds of one launch, for each form, round by round.
pub struct Samples(Vec<Vec<f64>>);

/// Times `count` launches of a form between two events.
fn sample(
    queue: &Queue,
    form: &mut Form<'_>,
    count: usize,
    ahead: bool,
) -> Result<Duration, String> {
    let mut time = || {
        if ahead {
            (form.launch)()?;
        }
        let begin = queue.record().map_err(|e| e.to_string())?;
        for _ in 0..count {
            (form.launch)()?;
        }
        let end = queue.record().map_err(|e| e.to_string())?;
        end.elapsed_since(&begin).map_err(|e| e.to_string())
    };
    time().map_err(|e: String| format!("{}: {e}", form.name))
}

impl Samples {
    /// Measures all forms in turn: A B C A B C …
    pub fn take(device: &Device, forms: &mut [Form<'_>], plan: &Plan) -> Result<Self, String> {
        let queue = device.default_queue().map_err(|e| e.to_string())?;
        let mut counts = Vec::new();
        for form in forms.iter_mut() {
            let mut count = 1;
            // The first launches are slower: clocks and pages.
            sample(&queue, form, 1, true)?;
            loop {
                let time = sample(&queue, form, count, plan.ahead)?;
                if time >= plan.sample || count >= 1 << 20 {
                    break;
                }
                let wanted = plan.sample.as_secs_f64() / time.as_secs_f64().max(1e-9);
                // Not further at once than a rough time can be believed.
                count = (count as f64 * (1.1 * wanted).clamp(1.5, 20.0)).ceil() as usize;
            }
            counts.push(count);
        }
        let mut samples = vec![Vec::new(); forms.len()];
        let begin = Instant::now();
        for round in 0..MOST_ROUNDS.max(plan.rounds) {
            if round >= plan.rounds && begin.elapsed() > plan.budget {
                break;
            }
            for (number, form) in forms.iter_mut().enumerate() {
                let time = sample(&queue, form, counts[number], plan.ahead)?;
                samples[number].push(time.as_secs_f64() / counts[number] as f64);
            }
        }
        Ok(Self(samples))
    }

    /// Seconds of one launch.
    pub fn time(&self, form: usize) -> Median {
        Median::of(&self.0[form])
    }

    /// Seconds of the fastest launch.
    pub fn least(&self, form: usize) -> f64 {
        self.0[form].iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many times as fast a form is as another one, from pairs of samples.
    pub fn ratio(&self, form: usize, against: usize) -> Median {
        let pairs = self.0[form].iter().zip(&self.0[against]);
        Median::of(&pairs.map(|(a, b)| b / a).collect::<Vec<_>>())
    }

    /// How many rounds there were.
    pub fn rounds(&self) -> usize {
        self.0.first().map_or(0, Vec::len)
    }
}

//! Which entries have one number, here and in other processes.

use super::super::{Error, Result};
use brook_mpi::Communicator;

/// Entries by number.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Groups {
    /// The first of each group's entries among [`Self::entries`], and the end of the last one's. Those that other processes have
    /// entries of come first.
    pub(super) starts: Vec<i32>,
    pub(super) entries: Vec<i32>,
    /// How many groups others have entries of, in ascending order of their numbers.
    pub(super) shared: usize,
    /// The processes that have some, in ascending order; and for each which of the shared groups, in ascending order.
    pub(super) neighbours: Vec<(usize, Vec<u32>)>,
}

impl Groups {
    /// By the numbers of a process's entries; 0 is no number. All processes call this at once.
    ///
    /// # Errors
    /// A negative number, more entries than an `int` counts, or MPI's.
    pub(super) fn find(communicator: Option<&Communicator>, numbers: &[i64]) -> Result<Self> {
        let mut checked = i32::try_from(numbers.len()).map(drop).map_err(|_| {
            Error::argument(format!(
                "{} entries are more than an int counts",
                numbers.len()
            ))
        });
        if let Some((entry, number)) = numbers.iter().enumerate().find(|(_, n)| **n < 0) {
            let text = format!(
                "entry {entry} has the number {number}; numbers are 1 or more, or 0 of what stays alone"
            );
            checked = checked.and(Err(Error::argument(text)));
        }
        let Some(communicator) = communicator else {
            checked?;
            return Ok(Self::of(&by_number(numbers), &[]));
        };
        // What is wrong in one process must not leave the others waiting.
        let own = match &checked {
            Ok(()) => by_number(numbers),
            Err(_) => Vec::new(),
        };
        let others = others(communicator, &own)?;
        checked?;
        Ok(Self::of(&own, &others))
    }

    /// Of entries in the order of their numbers, and who else has which of these: numbers with ranks, in ascending order.
    fn of(own: &[(i64, i32)], others: &[(i64, usize)]) -> Self {
        let mut groups = Self::default();
        let mut neighbours: Vec<(usize, Vec<u32>)> = Vec::new();
        let runs = || own.chunk_by(|a, b| a.0 == b.0);
        let of = |number: i64| {
            let from = others.partition_point(|other| other.0 < number);
            others[from..]
                .iter()
                .take_while(move |other| other.0 == number)
        };
        let add = |groups: &mut Self, run: &[(i64, i32)]| {
            groups.starts.push(groups.entries.len() as i32);
            groups.entries.extend(run.iter().map(|(_, entry)| entry));
        };
        for run in runs() {
            let number = run[0].0;
            if of(number).next().is_none() {
                continue;
            }
            for (_, rank) in of(number) {
                let at = neighbours.partition_point(|(other, _)| other < rank);
                if neighbours.get(at).is_none_or(|(other, _)| other != rank) {
                    neighbours.insert(at, (*rank, Vec::new()));
                }
                neighbours[at].1.push(groups.shared as u32);
            }
            groups.shared += 1;
            add(&mut groups, run);
        }
        for run in runs().filter(|run| run.len() > 1 && of(run[0].0).next().is_none()) {
            add(&mut groups, run);
        }
        groups.starts.push(groups.entries.len() as i32);
        groups.neighbours = neighbours;
        groups
    }

    /// How many groups there are.
    pub(super) fn count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }
}

/// Numbers with the entries that have them, in ascending order.
fn by_number(numbers: &[i64]) -> Vec<(i64, i32)> {
    let entries = numbers
        .iter()
        .enumerate()
        .filter(|(_, number)| **number > 0);
    let mut entries: Vec<(i64, i32)> = entries.map(|(e, n)| (*n, e as i32)).collect();
    entries.sort_unstable();
    entries
}

/// The other processes that have entries of the same numbers. Each number has a process, by the number itself, that is told who has it, and
/// tells these of each other: nobody hears of all numbers.
fn others(communicator: &Communicator, own: &[(i64, i32)]) -> Result<Vec<(i64, usize)>> {
    let size = communicator.size();
    let mut asked = vec![Vec::new(); size];
    for run in own.chunk_by(|a, b| a.0 == b.0) {
        let number = run[0].0;
        put(&mut asked[number as usize % size], number);
    }
    let asked = communicator.exchange(asked)?;
    let mut holders: Vec<(i64, usize)> = Vec::new();
    for (rank, bytes) in asked.iter().enumerate() {
        holders.extend(numbers_of(bytes).map(|number| (number, rank)));
    }
    holders.sort_unstable();
    let mut told = vec![Vec::new(); size];
    for run in holders.chunk_by(|a, b| a.0 == b.0) {
        for (_, rank) in run {
            for (number, other) in run.iter().filter(|(_, other)| other != rank) {
                put(&mut told[*rank], *number);
                put(&mut told[*rank], *other as i64);
            }
        }
    }
    let told = communicator.exchange(told)?;
    let mut found = Vec::new();
    for bytes in &told {
        let numbers: Vec<i64> = numbers_of(bytes).collect();
        let pairs = numbers.chunks_exact(2);
        found.extend(pairs.map(|pair| (pair[0], pair[1] as usize)));
    }
    found.sort_unstable();
    Ok(found)
}

fn put(bytes: &mut Vec<u8>, number: i64) {
    bytes.extend(number.to_le_bytes());
}

fn numbers_of(bytes: &[u8]) -> impl Iterator<Item = i64> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers.iter().map(|number| i64::from_le_bytes(*number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_ones_come_first() {
        let numbers = [7, 3, 0, 7, 9, 4, 4, 3];
        let own = by_number(&numbers);
        let groups = Groups::of(&own, &[(3, 5), (9, 1), (9, 5)]);
        // 3 and 9 are others', too; 4 and 7 are twice here; 0 is nobody's.
        assert_eq!(groups.starts, [0, 2, 3, 5, 7]);
        assert_eq!(groups.entries, [1, 7, 4, 5, 6, 0, 3]);
        assert_eq!(groups.shared, 2);
        assert_eq!(groups.neighbours, [(1, vec![1]), (5, vec![0, 1])]);
        assert_eq!(groups.count(), 4);
    }

    #[test]
    fn what_is_alone_stays_so() {
        let groups = Groups::find(None, &[1, 2, 0, 3]).unwrap();
        assert_eq!((groups.count(), groups.entries.len()), (0, 0));
        assert_eq!(Groups::find(None, &[]).unwrap().count(), 0);
        let wrong = Groups::find(None, &[1, -2]).unwrap_err().to_string();
        assert!(wrong.contains("entry 1 has the number -2"), "{wrong}");
    }
}

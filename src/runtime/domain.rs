//! Where kernels run.

use super::layout::{MOST_DIMENSIONS, Range, Shape};
use super::{Error, Result};

/// Where a kernel runs instead of everywhere in its first output: Brook+'s `domainOffset` and
/// `domainSize`, fastest dimension first. Dimensions that the output has not got have no offset, and a size of 0 or 1.
///
/// `instance()` still counts from the stream's beginning. Inputs are stretched to the domain where
/// all outputs are scatter streams, else to the outputs as always.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExecutionDomain {
    /// The first element; the stream's first without it.
    pub offset: Option<[u32; MOST_DIMENSIONS]>,
    /// How many there are; all behind the offset without it.
    pub size: Option<[u32; MOST_DIMENSIONS]>,
}

/// Where a kernel runs whose first output has that shape.
pub(super) fn range(
    output: &Shape,
    domain: Option<&ExecutionDomain>,
    threads: Option<u32>,
    scatters: bool,
) -> Result<Range> {
    let mut range = Range::all(output);
    match (domain, threads) {
        (None, None) => return Ok(range),
        (None, Some(threads)) => range.extents[0] = threads,
        (Some(_), _) if output.rank > 2 => {
            return Err(Error::argument(
                "Kernel Execution: Setting Execution domain not supported for 3D streams",
            ));
        }
        (Some(domain), _) => {
            beyond_rank(output.rank, domain)?;
            for axis in 0..output.rank {
                let offset = domain.offset.map_or(0, |o| o[axis]);
                let rest = output.extents[axis].saturating_sub(offset);
                range.start[axis] = offset;
                range.extents[axis] = domain.size.map_or(rest, |s| s[axis]);
            }
        }
    }
    let beyond = (0..MOST_DIMENSIONS).any(|axis| {
        let end = u64::from(range.start[axis]) + u64::from(range.extents[axis]);
        // Places are ints in kernels.
        end > u64::from(if scatters {
            i32::MAX as u32
        } else {
            output.extents[axis]
        })
    });
    if beyond {
        return Err(Error::argument(
            "Kernel Execution: Error with output streams: the execution domain reaches beyond them",
        ));
    }
    if scatters {
        (range.whole, range.origin) = (range.extents, range.start);
    }
    Ok(range)
}

/// Refuses numbers for dimensions that an output has not got.
fn beyond_rank(rank: usize, domain: &ExecutionDomain) -> Result<()> {
    let numbers = [("offset", domain.offset, 0), ("size", domain.size, 1)];
    for (what, numbers, most) in numbers {
        let mut numbers = numbers.iter().flatten().enumerate().skip(rank);
        if let Some((axis, number)) = numbers.find(|(_, n)| **n > most) {
            return Err(Error::argument(format!(
                "Kernel Execution: the execution domain has {what} {number} in dimension {}; the output has {rank}",
                axis + 1
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn domain(offset: [u32; 4], size: [u32; 4]) -> ExecutionDomain {
        ExecutionDomain {
            offset: Some(offset),
            size: Some(size),
        }
    }

    #[test]
    fn inputs_belong_to_outputs_or_to_the_domain() {
        let output = Shape::new(&[4, 6]).unwrap();
        let part = domain([2, 1, 0, 0], [3, 2, 1, 0]);
        let maps = range(&output, Some(&part), None, false).unwrap();
        assert_eq!((maps.start, maps.extents), ([2, 1, 0, 0], [3, 2, 1, 1]));
        assert_eq!((maps.origin, maps.whole), ([0; 4], [6, 4, 1, 1]));
        let scatters = range(&output, Some(&part), None, true).unwrap();
        assert_eq!(
            (scatters.origin, scatters.whole),
            (maps.start, maps.extents)
        );
        assert_eq!(
            range(&output, None, None, false).unwrap(),
            Range::all(&output)
        );
    }

    #[test]
    fn domains_end_where_outputs_do() {
        let line = Shape::new(&[8]).unwrap();
        let beyond = domain([6, 0, 0, 0], [3, 1, 1, 1]);
        assert!(range(&line, Some(&beyond), None, false).is_err());
        assert_eq!(range(&line, Some(&beyond), None, true).unwrap().count(), 3);
        let offset = ExecutionDomain {
            offset: Some([6, 0, 0, 0]),
            size: None,
        };
        assert_eq!(range(&line, Some(&offset), None, false).unwrap().count(), 2);
        assert_eq!(range(&line, None, Some(5), false).unwrap().count(), 5);
        let cube = Shape::new(&[2, 2, 2]).unwrap();
        let error = range(&cube, Some(&offset), None, false).unwrap_err();
        assert!(error.to_string().contains("not supported for 3D streams"));
    }
}

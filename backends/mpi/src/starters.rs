//! What starters of processes leave in the environment of these.

use std::env;

/// One kind of starter.
struct Starter {
    /// The variable with the process's number.
    rank: &'static str,
    /// That with the number of all processes.
    size: Option<&'static str>,
    /// The compiler of the same implementation, where a machine has several.
    mpicc: Option<&'static str>,
}

const fn starter(
    rank: &'static str,
    size: Option<&'static str>,
    mpicc: Option<&'static str>,
) -> Starter {
    Starter { rank, size, mpicc }
}

const STARTERS: [Starter; 5] = [
    starter(
        "OMPI_COMM_WORLD_RANK",
        Some("OMPI_COMM_WORLD_SIZE"),
        Some("mpicc.openmpi"),
    ),
    starter("PMI_RANK", Some("PMI_SIZE"), Some("mpicc.mpich")),
    starter("PMIX_RANK", None, None),
    starter("MPI_RANKID", None, Some("mpicc.mpich")),
    starter("MV2_COMM_WORLD_RANK", None, None),
];

/// The variables that may have a process's number; the first that is there has it.
pub fn rank_variables() -> impl Iterator<Item = &'static str> {
    STARTERS.iter().map(|starter| starter.rank)
}

/// This process's number as the environment has it, before MPI is started; none where nobody has started several.
pub fn rank_from_environment() -> Option<usize> {
    rank_variables().find_map(number)
}

/// How many processes the environment says that there are.
pub(crate) fn size_from_environment() -> Option<usize> {
    let mut sizes = STARTERS.iter().filter_map(|starter| starter.size);
    sizes.find_map(number)
}

/// The compilers of those that have started this process.
pub(crate) fn compilers() -> impl Iterator<Item = &'static str> {
    let here = STARTERS
        .iter()
        .filter(|starter| env::var_os(starter.rank).is_some());
    here.filter_map(|starter| starter.mpicc)
}

fn number(variable: &str) -> Option<usize> {
    env::var(variable).ok()?.trim().parse().ok()
}

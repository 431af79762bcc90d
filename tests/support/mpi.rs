//! Implementations of MPI that tests start processes with.

use super::need::Need;
use brook_driver::find_program;
use std::path::PathBuf;
use std::process::Command;

/// One of them.
#[derive(Clone)]
pub struct Mpi {
    pub need: Need,
    mpirun: PathBuf,
    mpicc: PathBuf,
}

impl Mpi {
    /// Those of Debian, which may stand side by side.
    pub fn all() -> Vec<Self> {
        ["openmpi", "mpich"].map(Self::named).into()
    }

    fn named(name: &'static str) -> Self {
        let [mpirun, mpicc] = ["mpirun", "mpicc"].map(|program| {
            let program = format!("{program}.{name}");
            find_program(&program).ok_or(format!("no {program}"))
        });
        let found = mpirun.and_then(|mpirun| Ok((mpirun, mpicc?)));
        let need = Need::new(name, &found);
        let (mpirun, mpicc) = found.unwrap_or_default();
        Self {
            need,
            mpirun,
            mpicc,
        }
    }

    /// Its C compiler.
    pub fn compiler(&self) -> Command {
        Command::new(&self.mpicc)
    }

    /// That compiler's path.
    pub fn compiler_name(&self) -> Option<&str> {
        self.mpicc.to_str().filter(|name| !name.is_empty())
    }

    /// Where its headers are, as a compiler is told; `None` if it is not here.
    pub fn headers(&self) -> Option<String> {
        let shown = self.compiler().arg("-show").output().ok()?;
        let shown = String::from_utf8(shown.stdout).ok()?;
        let found = shown.split_whitespace().find(|w| w.starts_with("-I"));
        found.map(str::to_string)
    }

    /// Has a program started so many times, on however few processors there are, as far as it goes with what it is told: `command` is
    /// the program, with nothing behind it yet.
    pub fn start(&self, processes: usize, command: &Command) -> Command {
        let mut job = Command::new(&self.mpirun);
        job.arg("-n").arg(processes.to_string());
        job.arg(command.get_program()).args(command.get_args());
        for (name, value) in command.get_envs() {
            match value {
                Some(value) => job.env(name, value),
                None => job.env_remove(name),
            };
        }
        job.env("BROOK_MPICC", &self.mpicc)
            .env("OMP_NUM_THREADS", "1")
            // Open MPI wants to be told so in containers, and on machines with fewer processors than processes.
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            .env("OMPI_MCA_mpi_yield_when_idle", "1")
            .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
        job
    }
}

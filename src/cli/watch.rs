//! `--watch`: once more, whenever a file that was read has changed.

use super::reader::Reader;
use super::{Failure, Outcome, terminal};
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// How often files are looked at. Asking for a few hundred of them takes a millisecond, works on file systems over a
/// network, too, and needs nothing of the operating system's.
const INTERVAL: Duration = Duration::from_millis(100);

/// Whether to go on.
#[derive(Args, Clone, Copy)]
pub(crate) struct Watch {
    /// Do it again whenever a file that was read changes, until the process is ended
    #[arg(long)]
    watch: bool,
}

impl Watch {
    #[cfg(feature = "runtime")]
    pub(crate) fn is_wanted(self) -> bool {
        self.watch
    }

    /// Refuses standard input, which does not change.
    pub(crate) fn check(self, files: &[String]) -> Result<(), Failure> {
        match self.watch && files.iter().any(|f| f == "-") {
            true => Err(Failure::Usage(
                "--watch waits for files to change, and '-' is none".to_string(),
            )),
            false => Ok(()),
        }
    }

    /// Does it once, or again and again. `there` are the files that are meant: folders may get new ones.
    pub(crate) fn run(
        self,
        reader: &Reader,
        there: impl Fn() -> Vec<PathBuf>,
        work: impl Fn() -> Outcome,
    ) -> Outcome {
        if !self.watch {
            return work();
        }
        loop {
            reader.forget();
            let files = there();
            let code = super::finish(work());
            if reader.changed().is_none() {
                let how = match code == ExitCode::SUCCESS {
                    true => "done",
                    false => "failed",
                };
                terminal::say(&format!("brook: {how}; waiting for changes\n"));
            }
            let changed = loop {
                std::thread::sleep(INTERVAL);
                if let Some(changed) = reader.changed() {
                    break changed.display().to_string();
                }
                if there() != files {
                    break "the files that there are".to_string();
                }
            };
            terminal::say(&format!("\nbrook: {changed} changed\n"));
        }
    }

    /// For what goes on by itself: waits until a file changes, or `ended`.
    #[cfg(feature = "runtime")]
    pub(crate) fn wait(reader: &Reader, mut ended: impl FnMut() -> bool) -> Option<PathBuf> {
        loop {
            if let Some(changed) = reader.changed() {
                return Some(changed);
            }
            if ended() {
                return None;
            }
            std::thread::sleep(INTERVAL);
        }
    }
}

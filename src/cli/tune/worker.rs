//! The process that tries settings, as the one that tunes sees it. It is started anew when it dies, or says nothing for too long.

use super::protocol::{Reply, Request, Verdict, Wanted};
use crate::cli::Failure;
use crate::cli::common::{cannot_start, this_command};
use brook::runtime::{Settings, TUNED};
use brook_driver::ScratchDirectory;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

pub(super) struct Worker {
    scratch: ScratchDirectory,
    timeout: Duration,
    running: Option<Running>,
    /// What the device is called, once it is open.
    pub(super) device: Option<(String, String)>,
}

struct Running {
    child: Child,
    input: ChildStdin,
    replies: Receiver<Reply>,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already, but not the compilers that it started.
        let group = format!("-{}", self.child.id());
        if cfg!(unix) {
            let mut kill = Command::new("kill");
            kill.args(["-KILL", "--", &group]).stderr(Stdio::null());
            let _ = kill.status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Why there is no reply.
enum Silence {
    Ended(String),
    TooLong,
}

impl Worker {
    pub(super) fn new(timeout: Duration) -> Result<Self, Failure> {
        let scratch = ScratchDirectory::new().map_err(|e| Failure::System(e.to_string()))?;
        Ok(Self {
            scratch,
            timeout,
            running: None,
            device: None,
        })
    }

    /// Tries settings, and says what came of each; `watch` is called whenever there is something new.
    pub(super) fn try_all(
        &mut self,
        settings: &[Settings],
        wanted: &Wanted,
        watch: &mut dyn FnMut(),
    ) -> Result<Vec<Verdict>, Failure> {
        let mut verdicts: Vec<Verdict> = Vec::new();
        let mut alone = false;
        while verdicts.len() < settings.len() {
            let done = verdicts.len();
            let rest = &settings[done..];
            let rest = if alone { &rest[..1] } else { rest };
            let request = Request {
                settings: rest.to_vec(),
                wanted: *wanted,
            };
            self.start()?;
            match self.ask(&request, &mut verdicts, watch) {
                Ok(()) => {}
                Err(silence) => {
                    let what = match silence {
                        Silence::Ended(text) => format!("its process ended: {text}"),
                        Silence::TooLong => {
                            format!("nothing came of it for {} s", self.timeout.as_secs())
                        }
                    };
                    self.running = None;
                    // It was the one being tried, unless one of several could not be built.
                    if verdicts.len() == done && rest.len() > 1 {
                        alone = true;
                    } else {
                        verdicts.push(Verdict::Failed(what));
                    }
                }
            }
        }
        Ok(verdicts)
    }

    fn ask(
        &mut self,
        request: &Request,
        verdicts: &mut Vec<Verdict>,
        watch: &mut dyn FnMut(),
    ) -> Result<(), Silence> {
        let wanted = verdicts.len() + request.settings.len();
        let sent = self.running.as_mut().map(|running| {
            serde_json::to_writer(&mut running.input, request).map_err(std::io::Error::from)?;
            running.input.write_all(b"\n")?;
            running.input.flush()
        });
        if !matches!(sent, Some(Ok(()))) {
            return Err(self.ended());
        }
        while verdicts.len() < wanted {
            match self.reply()? {
                Reply::Ready { .. } | Reply::Built => {}
                Reply::Tried(verdict) => verdicts.push(verdict),
            }
            watch();
        }
        Ok(())
    }

    fn reply(&mut self) -> Result<Reply, Silence> {
        let received = match &self.running {
            Some(running) => running.replies.recv_timeout(self.timeout),
            None => Err(RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(reply) => Ok(reply),
            Err(RecvTimeoutError::Timeout) => Err(Silence::TooLong),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// How it ended, and the last it said.
    fn ended(&mut self) -> Silence {
        let status = self.running.as_mut().map(|running| running.child.wait());
        let status = match status {
            Some(Ok(status)) => status.to_string(),
            _ => "not known how".to_string(),
        };
        let said = self.said();
        let last = said.trim().lines().next_back().unwrap_or_default();
        Silence::Ended(format!("{status} {last}").trim().to_string())
    }

    fn log(&self) -> PathBuf {
        self.scratch.path().join("log")
    }

    /// What it has complained of.
    fn said(&self) -> String {
        let said = fs::read(self.log()).unwrap_or_default();
        String::from_utf8_lossy(&said).into_owned()
    }

    /// Starts this program once more, with the words it was given, and waits until it has opened the device.
    fn start(&mut self) -> Result<(), Failure> {
        if self.running.is_some() {
            return Ok(());
        }
        let fail = |e: std::io::Error| cannot_start(&e);
        let log = File::create(self.log()).map_err(fail)?;
        let mut command = this_command()?;
        command.args(std::env::args_os().skip(1));
        command.arg("--worker").arg(self.scratch.path());
        // Calls are to be made when they are timed, with what is tried and nothing else.
        command.env("BROOK_FUSION", "off").env_remove(TUNED);
        // Hundreds of programs that nobody wants again have a kernel cache of their own, and end with it.
        command.env("BROOK_CACHE_DIR", self.scratch.path().join("cache"));
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(log);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(fail)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            let _ = child.kill();
            return Err(Failure::System(
                "the program that tries has no pipes".to_string(),
            ));
        };
        let (sender, replies) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).split(b'\n') {
                // What is no reply was printed by the kernel.
                let Ok(line) = line else { return };
                if let Ok(reply) = serde_json::from_slice(&line)
                    && sender.send(reply).is_err()
                {
                    return;
                }
            }
        });
        self.running = Some(Running {
            child,
            input,
            replies,
        });
        let how = match self.reply() {
            Ok(Reply::Ready { backend, device }) => {
                self.device = Some((backend, device));
                return Ok(());
            }
            Ok(_) | Err(Silence::TooLong) => "the device was not opened in time".to_string(),
            Err(Silence::Ended(how)) => format!("the program that tries ended: {how}"),
        };
        self.running = None;
        let said = self.said();
        let said = said.trim().trim_start_matches("brook: ");
        Err(Failure::System(match said.is_empty() {
            true => how,
            false => said.to_string(),
        }))
    }
}

//! Errors that stay with streams.

use super::exit;
use crate::runtime::Error;
use std::ffi::{CStr, CString, c_int};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// `enum brook_stream_status`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Code {
    Declaration = 1,
    Read = 2,
    Write = 3,
    Kernel = 4,
    Domain = 5,
    InvalidParameter = 6,
    Assign = 8,
    Warning = 9,
}

/// Messages that a stream keeps; what comes later is in the log file only.
const MOST_MESSAGES: usize = 64;

/// One error, shared by all streams that it has spread to. When the last of them dies, or the process ends, and nobody
/// has asked for it, it is printed, and the process does not end with 0.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    message: String,
    /// Of the process, if nobody asks for the error.
    exit_code: c_int,
    told: AtomicBool,
}

impl Fault {
    fn new(code: Code, exit_code: c_int, message: impl Into<String>) -> Arc<Self> {
        let message = message.into();
        log(&message);
        let fault = Arc::new(Self {
            code,
            message,
            exit_code,
            told: AtomicBool::new(false),
        });
        let mut untold = UNTOLD.lock().unwrap_or_else(PoisonError::into_inner);
        if untold.len() == untold.capacity() {
            untold.retain(|f| f.upgrade().is_some_and(|f| !f.is_told()));
        }
        untold.push(Arc::downgrade(&fault));
        drop(untold);
        fault
    }

    /// An error of the runtime; `what` stands before messages that do not say it themselves.
    pub(super) fn of(code: Code, what: &str, error: &Error) -> Arc<Self> {
        let message = error.to_string();
        let known = [
            "Stream ",
            "Kernel Execution: ",
            "Domain Operator: ",
            "Exec Domain: ",
        ];
        match known.iter().any(|start| message.starts_with(start)) {
            true => Self::new(code, error.exit_code(), message),
            false => Self::new(code, error.exit_code(), format!("{what}: {message}")),
        }
    }

    /// What is no error: it is in the log, and nobody has to ask for it.
    fn warning(message: &str) -> Arc<Self> {
        let warning = Self::new(Code::Warning, 0, message);
        warning.tell();
        warning
    }

    /// Somebody knows of it.
    pub(super) fn tell(&self) {
        self.told.store(true, Ordering::Relaxed);
    }

    fn is_told(&self) -> bool {
        self.told.load(Ordering::Relaxed)
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// Prints an error that nobody has asked for. The process has failed then.
    fn print(&self) {
        if self.told.swap(true, Ordering::Relaxed) {
            return;
        }
        exit::fail(self.exit_code);
        let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
        let reason = reason(&self.message);
        let follows = reason.ends_with("is not initialized") || reason == "Uninitialized stream";
        let known = printed.iter().any(|p| p == reason);
        if !known && (!follows || printed.is_empty()) {
            // Nobody is left to report a failure of this to.
            let _ = writeln!(std::io::stderr(), "brook: {}", self.message);
            if printed.len() < MOST_MESSAGES {
                printed.push(reason.to_string());
            }
        }
    }
}

/// Why something failed, without what failed: what one missing device leads to is said once.
fn reason(message: &str) -> &str {
    let mut rest = message;
    while let Some((what, why)) = rest.split_once(": ")
        && ["Stream ", "Kernel ", "Domain ", "Exec ", "Failed to "]
            .iter()
            .any(|start| what.starts_with(start))
        && what.chars().all(|c| c.is_ascii_alphabetic() || c == ' ')
    {
        rest = why;
    }
    rest
}

/// Reasons of errors that were printed.
static PRINTED: Mutex<Vec<String>> = Mutex::new(Vec::new());

impl Drop for Fault {
    fn drop(&mut self) {
        self.print();
    }
}

/// Errors that somebody may have to be told of, in order, and some that are gone.
static UNTOLD: Mutex<Vec<Weak<Fault>>> = Mutex::new(Vec::new());

/// Prints all errors that nobody has asked for so far.
pub(super) fn tell_all() {
    let untold = std::mem::take(&mut *UNTOLD.lock().unwrap_or_else(PoisonError::into_inner));
    for fault in untold.iter().filter_map(Weak::upgrade) {
        fault.print();
    }
}

/// Appends a line to the file that `BRT_LOG_FILE` names, if it names one.
fn log(message: &str) {
    let Some(path) = std::env::var_os("BRT_LOG_FILE").filter(|p| !p.is_empty()) else {
        return;
    };
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path);
    // Whoever names a file that cannot be written finds it missing; programs go on.
    if let Ok(mut file) = file {
        let _ = file.write_all(format!("{message}\n").as_bytes());
    }
}

/// What went wrong with a stream.
#[derive(Debug, Default)]
pub(super) struct Record {
    state: Mutex<State>,
    /// Of the stream that this one is a part of: what is computed into the part is in the whole.
    whole: Option<Arc<Record>>,
}

#[derive(Debug, Default)]
struct State {
    /// Since the last question.
    unasked: Vec<Arc<Fault>>,
    all: Vec<Arc<Fault>>,
    /// Messages of the first `lines` of them.
    text: CString,
    lines: usize,
}

impl Record {
    /// For a part of a stream: it is computed from that.
    pub(super) fn part_of(whole: &Arc<Self>) -> Self {
        let faults = whole.faults();
        Self {
            state: Mutex::new(State {
                unasked: faults.clone(),
                all: faults,
                ..State::default()
            }),
            whole: Some(Arc::clone(whole)),
        }
    }

    fn with<R>(&self, body: impl FnOnce(&mut State) -> R) -> R {
        body(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds an error, here and to the stream that this is a part of.
    pub(super) fn add(&self, fault: &Arc<Fault>) {
        self.add_here(fault);
        if let Some(whole) = &self.whole {
            whole.add(fault);
        }
    }

    /// Adds an error of the part alone.
    pub(super) fn add_here(&self, fault: &Arc<Fault>) {
        let push = |list: &mut Vec<Arc<Fault>>| {
            if list.len() < MOST_MESSAGES && !list.iter().any(|known| Arc::ptr_eq(known, fault)) {
                list.push(Arc::clone(fault));
            }
        };
        self.with(|state| {
            push(&mut state.unasked);
            push(&mut state.all);
        });
    }

    /// Adds a warning to the messages, once. It is no error, and does not spread.
    pub(super) fn warn(&self, message: &str) {
        let known = |state: &mut State| state.all.iter().any(|f| f.message == message);
        if !self.with(known) {
            let warning = Fault::warning(message);
            self.with(|state| {
                if state.all.len() < MOST_MESSAGES {
                    state.all.push(warning);
                }
            });
        }
    }

    /// The errors that nobody asked for yet: those that spread.
    pub(super) fn faults(&self) -> Vec<Arc<Fault>> {
        self.with(|state| state.unasked.clone())
    }

    /// The first error since the last question, 0 if there was none.
    pub(super) fn ask(&self) -> c_int {
        let faults = self.with(|state| std::mem::take(&mut state.unasked));
        faults.iter().for_each(|fault| fault.tell());
        faults.first().map_or(0, |fault| fault.code as c_int)
    }

    /// All messages, a line each. The text stays where it is until this is called after
    /// another error.
    pub(super) fn text(&self) -> *const std::ffi::c_char {
        self.with(|state| {
            if state.lines == state.all.len() {
                return CStr::as_ptr(&state.text);
            }
            let mut lines = String::new();
            for fault in &state.all {
                fault.tell();
                lines.push_str(&fault.message);
                lines.push('\n');
            }
            state.lines = state.all.len();
            state.text = CString::new(lines.replace('\0', "\\0")).unwrap_or_default();
            CStr::as_ptr(&state.text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_counts_until_asked_for() {
        let record = Record::default();
        assert_eq!(record.ask(), 0);
        record.add(&Fault::new(Code::Read, 1, "first"));
        record.add(&Fault::new(Code::Write, 1, "second"));
        assert_eq!(record.ask(), 2);
        assert_eq!(record.ask(), 0);
        // SAFETY: the text is this record's and nobody asks for another.
        let text = unsafe { CStr::from_ptr(record.text()) };
        assert_eq!(text.to_str(), Ok("first\nsecond\n"));
    }

    #[test]
    fn reasons_are_what_is_behind_the_operation() {
        let missing = "no device 'cuda:0': no driver";
        assert_eq!(reason(&format!("Stream Allocation: {missing}")), missing);
        let program = format!("Kernel Execution: Failed to create Program: {missing}");
        assert_eq!(reason(&program), missing);
        assert_eq!(
            reason("Stream Write: Uninitialized stream"),
            "Uninitialized stream"
        );
        assert_eq!(reason("f.br: error"), "f.br: error");
    }

    #[test]
    fn warnings_are_told_once_and_are_no_errors() {
        let record = Record::default();
        record.warn("careful");
        record.warn("careful");
        assert_eq!(record.ask(), 0);
        // SAFETY: the text is this record's and nobody asks for another.
        let text = unsafe { CStr::from_ptr(record.text()) };
        assert_eq!(text.to_str(), Ok("careful\n"));
        assert!(record.faults().is_empty());
    }

    #[test]
    fn parts_hand_errors_on() {
        let whole = Arc::new(Record::default());
        let part = Record::part_of(&whole);
        let fault = Fault::new(Code::Kernel, 1, "in the part");
        part.add(&fault);
        part.add(&fault);
        part.add_here(&Fault::new(Code::Domain, 1, "of the part"));
        assert_eq!(whole.faults().len(), 1);
        assert_eq!(part.faults().len(), 2);
        assert_eq!(Record::part_of(&whole).ask(), 4);
        part.text();
    }

    #[test]
    fn a_stream_with_ever_new_errors_does_not_grow() {
        let record = Record::default();
        for i in 0..1000 {
            let fault = Fault::new(Code::Read, 1, i.to_string());
            fault.tell();
            record.add(&fault);
        }
        assert_eq!(record.faults().len(), MOST_MESSAGES);
    }
}

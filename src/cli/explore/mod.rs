//! `brook explore`: a page on this machine that shows a source beside what it becomes, while it is written.
//!
//! - `http.rs`: requests and answers; `connections.rs`: how many there are; `guard.rs`: who may ask; `folder.rs`: which files are
//!   shown.
//! - `answers.rs`: what is asked, and what is answered: translations, messages, colours, what a place means.
//! - `picture.rs`: what a kernel launches for some arguments, and what goes wrong there.
//! - `page/`: the page. Its script is made of `editors/explorer`.

mod answers;
mod connections;
mod folder;
mod guard;
mod http;
mod picture;

use super::common::Preprocess;
use super::{Failure, Outcome, terminal};
use answers::Explorer;
use clap::Args;
use connections::{Connections, Place};
use folder::Folder;
use guard::Guard;
use http::{Answer, Connection, End, Request};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;

/// Where the page is, unless something else is there: its links are to be good for longer than a day.
const USUAL_PORT: u16 = 4157;
/// A browser has six at most. Of more than these, the one that has said nothing for longest ends.
const MOST_CONNECTIONS: usize = 64;

const INDEX: &str = include_str!("page/index.html");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/explorer.js");
/// Whose code is in the script.
const LICENCES: &str = include_str!("page/explorer.licences.txt");

#[derive(Args)]
pub(crate) struct Explore {
    /// A source, or a folder of them
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,
    /// Where to listen, on 127.0.0.1; 0 is anywhere. Without it, 4157 or, if that is taken, anywhere
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    preprocess: Preprocess,
}

impl Explore {
    pub(crate) fn run(self) -> Outcome {
        let folder = Folder::new(&self.path)?;
        // What is wrong with them is said here, not on the page.
        self.preprocess.options()?;
        let (sources, more) = folder.sources();
        let paths = sources.iter().filter_map(|name| folder.path(name));
        let paths: Vec<String> = paths.map(|p| p.to_string_lossy().into_owned()).collect();
        if !more {
            self.preprocess.check_choices_in(&paths)?;
        }
        let listener = self.listen()?;
        let port = listener
            .local_addr()
            .map_err(|e| Failure::System(e.to_string()))?
            .port();
        let guard = Guard::new(port)?;
        let address = guard.address();
        terminal::print(&format!("{address}\n"))?;
        terminal::say("brook: open this in a browser; Ctrl-C ends it\n");
        if self.open {
            open(&address)?;
        }
        let explorer = Explorer::new(folder, self.preprocess)?;
        serve(&listener, Arc::new((guard, explorer)));
        Ok(ExitCode::SUCCESS)
    }

    fn listen(&self) -> Result<TcpListener, Failure> {
        let at = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
        let found = match self.port {
            Some(port) => at(port),
            None => at(USUAL_PORT).or_else(|_| at(0)),
        };
        found.map_err(|e| {
            let port = self.port.unwrap_or(USUAL_PORT);
            Failure::System(format!("cannot listen on 127.0.0.1:{port}: {e}"))
        })
    }
}

/// Opens an address in the browser that this machine's user has chosen.
fn open(address: &str) -> Result<(), Failure> {
    let opener = if cfg!(target_os = "macos") {
        "open"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(opener);
    command.arg(address).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let started = command.spawn();
    started
        .map(|_| ())
        .map_err(|e| Failure::System(format!("cannot start '{opener}': {e}")))
}

fn serve(listener: &TcpListener, shared: Arc<(Guard, Explorer)>) {
    let connections = Connections::new(MOST_CONNECTIONS);
    for stream in listener.incoming() {
        // Who has gone before it was answered is no reason to end.
        let Ok(stream) = stream else {
            continue;
        };
        let stream = Arc::new(stream);
        let place = connections.admit(&stream);
        let mut connection = Connection::new(stream);
        let Some(place) = place else {
            // It may have gone, too.
            let _ = connection.answer(&Answer::refusal(503, "too many connections"), true);
            continue;
        };
        let shared = Arc::clone(&shared);
        let started = std::thread::Builder::new().spawn(move || {
            converse(&mut connection, &place, &shared);
        });
        if let Err(error) = started {
            terminal::say(&format!("brook: cannot start a thread: {error}\n"));
        }
    }
}

/// Answers all that is asked on a connection.
fn converse(connection: &mut Connection, place: &Place, (guard, explorer): &(Guard, Explorer)) {
    loop {
        let request = match connection.next() {
            Ok(request) => request,
            Err(End::Closed) => return,
            Err(End::Refused(answer)) => {
                // Where the next request begins is not known.
                let _ = connection.answer(&answer, true);
                return;
            }
        };
        if !place.answers() {
            return;
        }
        let (answer, known) = match guard.refuses(&request) {
            Some(refusal) => (refusal, false),
            None => (answer(&request, explorer), guard::needs_token(&request)),
        };
        let last = request.last || answer.status >= 400;
        if connection.answer(&answer, last).is_err() || last || !place.waits(known) {
            return;
        }
    }
}

fn answer(request: &Request, explorer: &Explorer) -> Answer {
    let path = request.path.as_str();
    match (request.method.as_str(), path) {
        ("GET", "/") => page(),
        ("GET", "/style.css") => Answer::new(200, "text/css; charset=utf-8", STYLE),
        ("GET", "/explorer.js") => Answer::new(200, "text/javascript; charset=utf-8", SCRIPT),
        ("GET", "/licences.txt") => Answer::new(200, "text/plain; charset=utf-8", LICENCES),
        ("POST", path) if path.starts_with("/api/") => explorer.answer(&path[5..], &request.body),
        ("GET" | "POST", _) => Answer::refusal(404, "there is no such thing here"),
        _ => Answer::refusal(405, "GET and POST are understood"),
    }
}

/// The page. It runs no script but its own, and has nothing from elsewhere.
fn page() -> Answer {
    let Ok(nonce) = guard::random() else {
        return Answer::refusal(500, "there are no random numbers");
    };
    let mut answer = Answer::new(
        200,
        "text/html; charset=utf-8",
        INDEX.replace("@NONCE@", &nonce),
    );
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; \
         style-src-attr 'unsafe-inline'; connect-src 'self'; \
         img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    answer.headers.push(("content-security-policy", policy));
    answer
}

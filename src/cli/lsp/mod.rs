//! `brook lsp`: the language server, on standard input and output.
//!
//! - `frames.rs`: messages as they come over a pipe.
//! - `server.rs`: messages in their order; `requests.rs`: what is answered to which; `view.rs`: of a file, as it is known in a source.
//! - `documents.rs`: texts that are open, and the files that they include; `symbols.rs`: names of the whole project.
//! - `tokens.rs`: colours, and what has changed of them; `generated.rs`: what a backend gets.
//! - `uris.rs`: names of files.
//! - `messages.rs`: what is wrong with a source, and changes that mend it; `convert.rs`: other answers in the protocol's types.

#![allow(
    clippy::mutable_key_type,
    reason = "a URI only remembers how it is taken apart, and the protocol's own types have it as a key"
)]

mod convert;
mod documents;
mod frames;
mod generated;
mod messages;
mod requests;
mod server;
mod symbols;
mod tokens;
mod uris;
mod view;

use super::{Failure, Outcome};
use clap::Args;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Lsp {
    /// Speak on standard input and output, which is all there is; for clients that say so
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub(crate) fn run(self) -> Outcome {
        let (connection, pipes) = frames::connect();
        let served = server::serve(connection);
        if let Err(what) = pipes.end() {
            eprintln!("brook: {what}");
            return Ok(ExitCode::from(1));
        }
        match served.map_err(Failure::System)? {
            true => Ok(ExitCode::SUCCESS),
            false => Ok(ExitCode::from(1)),
        }
    }
}

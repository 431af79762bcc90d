//! `brook lsp`: the language server, on standard input and output.
//!
//! - `server.rs`: messages in their order; `requests.rs`: what is answered to which.
//! - `documents.rs`: texts that are open, and the files that they include.
//! - `uris.rs`: names of files.
//! - `messages.rs`: what is wrong with a source, and changes that mend it; `convert.rs`: other answers in the protocol's types.

#![allow(
    clippy::mutable_key_type,
    reason = "a URI only remembers how it is taken apart, and the protocol's own types have it as a key"
)]

mod convert;
mod documents;
mod messages;
mod requests;
mod server;
mod uris;

use super::{Failure, Outcome};
use clap::Args;
use lsp_server::Connection;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct Lsp {
    /// Speak on standard input and output, which is all there is; for clients that say so
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub(crate) fn run(self) -> Outcome {
        let (connection, threads) = Connection::stdio();
        let clean = server::serve(connection).map_err(Failure::System)?;
        // The client may have closed its end; that it could not be told anything more is no failure.
        let _ = threads.join();
        match clean {
            true => Ok(ExitCode::SUCCESS),
            false => Ok(ExitCode::from(1)),
        }
    }
}

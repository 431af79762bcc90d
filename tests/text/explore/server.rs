//! A server of the explorer that tests ask, in bytes as in questions.

use super::KERNEL;
use crate::support::process;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Status, head and body of an answer.
pub(super) type Answered = (u16, String, String);

pub(super) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    if let Some(parent) = path.parent() {
        let _ = fs::create_dir_all(parent);
    }
    let _ = fs::write(path, text);
}

/// A server of its own, ended with the test.
pub(super) struct Server {
    child: Child,
    /// What it shows is in here.
    pub(super) folder: PathBuf,
    pub(super) port: u16,
    pub(super) token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    pub(super) fn start(name: &str, what: &str) -> Result<Self, String> {
        let folder = format!("brook-explore-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = fs::remove_dir_all(&folder);
        write(&folder, "all/a.okl", KERNEL);
        let mut child: Command = process::brook();
        child
            .args(["explore", "--port", "0"])
            .arg(folder.join(what));
        child
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = child.spawn().map_err(|e| e.to_string())?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or("there is no output")?;
        let _ = BufReader::new(output).read_line(&mut line);
        let mut server = Self {
            child,
            folder,
            port: 0,
            token: String::new(),
        };
        let said = line.trim().strip_prefix("http://127.0.0.1:");
        let (port, token) = { said.and_then(|s| s.split_once("/#token=")) }.ok_or(line.clone())?;
        server.port = port.parse().map_err(|_| line.clone())?;
        server.token = token.to_string();
        Ok(server)
    }

    pub(super) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}", self.port)
    }

    pub(super) fn connect(&self) -> Result<TcpStream, String> {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(|e| e.to_string())?;
        let longest = Some(Duration::from_secs(60));
        stream
            .set_read_timeout(longest)
            .map_err(|e| e.to_string())?;
        Ok(stream)
    }

    /// What is answered to some bytes.
    pub(super) fn exchange(&self, bytes: &[u8]) -> Result<Answered, String> {
        let mut stream = self.connect()?;
        // It may have refused before all was said.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) =
            { answer.split_once("\r\n\r\n") }.ok_or(format!("no answer: {read:?}"))?;
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok());
        let status = status.ok_or(format!("no status: {head}"))?;
        Ok((status, head.to_string(), body.to_string()))
    }

    pub(super) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[String],
        body: &str,
    ) -> Result<Answered, String> {
        let headers: String = headers.iter().map(|h| format!("{h}\r\n")).collect();
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        self.exchange(text.as_bytes())
    }

    /// An answer, or its status and what it says.
    pub(super) fn ask(&self, what: &str, question: &Value) -> Result<Value, String> {
        let headers = [self.host(), format!("Authorization: Bearer {}", self.token)];
        let answered = self.raw(
            "POST",
            &format!("/api/{what}"),
            &headers,
            &question.to_string(),
        )?;
        match answered {
            (200, _, body) => serde_json::from_str(&body).map_err(|e| e.to_string()),
            (status, _, body) => Err(format!("{status} {body}")),
        }
    }
}

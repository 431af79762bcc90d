//! HTTP/1.1, as much as one page of one user takes: requests with a body of a known length, answers, connections that stay.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a request before its body.
const MOST_HEAD: usize = 32 << 10;
/// Bytes of a body.
const MOST_BODY: usize = 8 << 20;
const MOST_HEADERS: usize = 64;
/// How long a connection may say nothing, and how long it may take to say one request.
const IDLE: Duration = Duration::from_secs(60);
const SLOWEST: Duration = Duration::from_secs(20);

/// What is asked.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// Without what stands behind a question mark.
    pub(super) path: String,
    pub(super) body: Vec<u8>,
    /// Names are in small letters.
    headers: Vec<(String, String)>,
    /// The connection ends with the answer.
    pub(super) last: bool,
}

impl Request {
    /// A header; nothing if there is none, or several.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(n, _)| n == name);
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(n, _)| n == name)
    }
}

/// An answer.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) kind: &'static str,
    pub(super) body: Vec<u8>,
    /// Further lines of the head.
    pub(super) headers: Vec<(&'static str, String)>,
}

impl Answer {
    pub(super) fn new(status: u16, kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self {
            status,
            kind,
            body: body.into(),
            headers: Vec::new(),
        }
    }

    pub(super) fn json(value: &serde_json::Value) -> Self {
        Self::new(200, "application/json", value.to_string())
    }

    /// An answer that says why there is no other one.
    pub(super) fn refusal(status: u16, why: &str) -> Self {
        Self::new(status, "text/plain; charset=utf-8", why)
    }

    fn reason(&self) -> &'static str {
        match self.status {
            200 => "OK",
            400 => "Bad Request",
            401 => "Unauthorized",
            403 => "Forbidden",
            404 => "Not Found",
            405 => "Method Not Allowed",
            408 => "Request Timeout",
            411 => "Length Required",
            413 => "Content Too Large",
            422 => "Unprocessable Content",
            431 => "Request Header Fields Too Large",
            501 => "Not Implemented",
            503 => "Service Unavailable",
            _ => "Internal Server Error",
        }
    }

    pub(super) fn write(&self, to: &mut impl Write, last: bool) -> io::Result<()> {
        use std::fmt::Write as _;
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, self.reason());
        let length = self.body.len().to_string();
        let connection = if last { "close" } else { "keep-alive" };
        let fixed = [
            ("content-type", self.kind),
            ("content-length", &length),
            ("connection", connection),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cache-control", "no-store"),
        ];
        let more = self.headers.iter().map(|(n, v)| (*n, v.as_str()));
        for (name, value) in fixed.into_iter().chain(more) {
            // A String cannot fail to be written to.
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        to.write_all(head.as_bytes())?;
        to.write_all(&self.body)?;
        to.flush()
    }
}

/// Why there is no request.
pub(super) enum End {
    /// The other end has nothing more to say.
    Closed,
    /// What it says cannot be answered but by this.
    Refused(Answer),
}

/// A connection, and what was read from it too early.
pub(super) struct Connection {
    stream: Arc<TcpStream>,
    read: Vec<u8>,
}

impl Connection {
    pub(super) fn new(stream: Arc<TcpStream>) -> Self {
        // Answers are written at once; that a stream cannot be told so makes them no worse.
        let _ = stream.set_nodelay(true);
        let _ = stream.set_write_timeout(Some(IDLE));
        Self {
            stream,
            read: Vec::new(),
        }
    }

    /// The next request.
    pub(super) fn next(&mut self) -> Result<Request, End> {
        let mut begun = None;
        let (mut request, length, body) = loop {
            if let Some(found) = parse(&self.read)? {
                break found;
            }
            if self.read.len() >= MOST_HEAD {
                return Err(refused(431, "the head is too long"));
            }
            self.more(&mut begun)?;
        };
        while self.read.len() < body + length {
            self.more(&mut begun)?;
        }
        let rest = self.read.split_off(body + length);
        request.body = self.read.split_off(body);
        self.read = rest;
        Ok(request)
    }

    /// Reads what there is; a request that has begun has to come to its end in time.
    fn more(&mut self, begun: &mut Option<Instant>) -> Result<(), End> {
        let left = match (self.read.is_empty(), *begun) {
            (true, None) => IDLE,
            _ => SLOWEST.saturating_sub(begun.get_or_insert_with(Instant::now).elapsed()),
        };
        if left.is_zero() || self.stream.set_read_timeout(Some(left)).is_err() {
            return Err(refused(408, "it takes too long"));
        }
        let mut bytes = [0; 16 << 10];
        match (&*self.stream).read(&mut bytes) {
            Ok(0) => Err(End::Closed),
            Ok(count) => {
                self.read.extend_from_slice(&bytes[..count]);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(_) => Err(End::Closed),
        }
    }

    pub(super) fn answer(&mut self, answer: &Answer, last: bool) -> io::Result<()> {
        answer.write(&mut &*self.stream, last)
    }
}

fn refused(status: u16, why: &str) -> End {
    End::Refused(Answer::refusal(status, why))
}

/// The head of a request, how long its body is, and where that begins; nothing if there is more to come.
fn parse(bytes: &[u8]) -> Result<Option<(Request, usize, usize)>, End> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let body = match parsed.parse(bytes) {
        Ok(httparse::Status::Complete(body)) => body,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(refused(431, "too many headers")),
        Err(error) => return Err(refused(400, &error.to_string())),
    };
    let target = parsed.path.unwrap_or_default();
    let mut request = Request {
        method: parsed.method.unwrap_or_default().to_string(),
        path: target.split('?').next().unwrap_or_default().to_string(),
        last: parsed.version == Some(0),
        ..Request::default()
    };
    for header in parsed.headers.iter() {
        let value = std::str::from_utf8(header.value);
        let value = value.map_err(|_| refused(400, "a header is no text"))?;
        let name = header.name.to_ascii_lowercase();
        request.headers.push((name, value.trim().to_string()));
    }
    request.last |= request
        .header("connection")
        .is_some_and(|c| c.eq_ignore_ascii_case("close"));
    if request.has("transfer-encoding") {
        return Err(refused(501, "bodies have a length here"));
    }
    let length = match request.header("content-length") {
        None if request.has("content-length") => {
            return Err(refused(400, "there are several lengths"));
        }
        None if request.method == "POST" => return Err(refused(411, "how long is the body?")),
        None => 0,
        Some(length) if length.bytes().all(|b| b.is_ascii_digit()) => length
            .parse()
            .map_err(|_| refused(413, "the body is too long"))?,
        Some(_) => return Err(refused(400, "the length is no number")),
    };
    match length <= MOST_BODY {
        true => Ok(Some((request, length, body))),
        false => Err(refused(413, "the body is too long")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn status(text: &str) -> u16 {
        match parse(text.as_bytes()) {
            Ok(Some(_)) => 200,
            Ok(None) => 0,
            Err(End::Closed) => 1,
            Err(End::Refused(answer)) => answer.status,
        }
    }

    #[test]
    fn heads_are_read() {
        let text = "POST /api/look?x=1 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc";
        let (request, length, body) = parse(text.as_bytes()).ok().unwrap().unwrap();
        assert_eq!((request.path.as_str(), length), ("/api/look", 3));
        assert_eq!(&text[body..], "abc");
        assert_eq!(request.header("host"), Some("a"));
        assert!(!request.last);
        assert_eq!(status("GET / HTTP/1.1\r\nHo"), 0);
    }

    #[test]
    fn what_two_readers_could_read_differently_is_refused() {
        for (text, code) in [
            ("POST / HTTP/1.1\r\n\r\n", 411),
            (
                "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                400,
            ),
            ("POST / HTTP/1.1\r\nContent-Length: +1\r\n\r\n", 400),
            (
                "POST / HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n",
                413,
            ),
            ("POST / HTTP/1.1\r\nContent-Length: 9000000\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 501),
            ("GET / HTTP/1.1\r\nA: \u{1}\r\n\r\n", 400),
            ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
        ] {
            assert_eq!(status(text), code, "{text:?}");
        }
    }
}

//! Connections that say nothing, or not all of it.

use super::expect;
use super::server::Server;
use std::io::{Read, Write};
use std::net::TcpStream;

/// More than there may be at once.
const MANY: usize = 100;

pub fn crowds() -> Result<(), String> {
    let server = Server::start("crowds", "all")?;
    let failed = |e: std::io::Error| e.to_string();
    let host = server.host();
    let mut page = server.connect()?;
    let question = format!(
        "POST /api/files HTTP/1.1\r\n{host}\r\nAuthorization: Bearer {}\r\nContent-Length: 2\r\n\r\n{{}}",
        server.token
    );
    answered(&mut page, &question)?;
    let half = format!("GET / HTTP/1.1\r\n{host}\r\n");
    let mut held = Vec::new();
    for text in ["", &half] {
        for _ in 0..MANY {
            let mut stream = server.connect()?;
            stream.write_all(text.as_bytes()).map_err(failed)?;
            held.push(stream);
        }
        let whole = format!("{half}Connection: close\r\n\r\n");
        expect(200, server.exchange(whole.as_bytes()))?;
    }
    // The oldest ones have made place, without a word.
    let read = held[0].read(&mut [0]);
    if !matches!(read, Ok(0)) {
        return Err(format!("the first one is still there: {read:?}"));
    }
    // The newest can go on, and so can the page, which has asked on its own before.
    let newest = held.last_mut().ok_or("there are none")?;
    answered(newest, "\r\n")?;
    answered(&mut page, &question)
}

/// Whether an answer has its head and its body.
fn is_whole(answer: &str) -> bool {
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head
        .lines()
        .find_map(|l| l.strip_prefix("content-length: "));
    length.and_then(|l| l.parse().ok()) == Some(body.len())
}

/// Says something, and waits for an answer that is none of a refusal.
fn answered(stream: &mut TcpStream, text: &str) -> Result<(), String> {
    stream
        .write_all(text.as_bytes())
        .map_err(|e| e.to_string())?;
    let (mut answer, mut bytes) = (String::new(), [0; 16 << 10]);
    while !is_whole(&answer) {
        match stream.read(&mut bytes).map_err(|e| e.to_string())? {
            0 => return Err(format!("it has ended: {answer}")),
            count => answer += &String::from_utf8_lossy(&bytes[..count]),
        }
    }
    match answer.starts_with("HTTP/1.1 200 ") {
        true => Ok(()),
        false => Err(answer),
    }
}

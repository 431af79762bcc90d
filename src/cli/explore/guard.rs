//! Who may ask: the one who started the server, from its own page. Others on this machine, pages of other servers in the same
//! browser, and names that are made to mean this machine (DNS rebinding), may not.

use super::super::Failure;
use super::http::{Answer, Request};

/// What a server knows about who may ask.
pub(super) struct Guard {
    /// Only who started it has seen it.
    token: String,
    port: u16,
}

impl Guard {
    pub(super) fn new(port: u16) -> Result<Self, Failure> {
        Ok(Self {
            token: random()?,
            port,
        })
    }

    /// What its page is called by.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#token={}", self.port, self.token)
    }

    /// Why it is not answered, if so.
    pub(super) fn refuses(&self, request: &Request) -> Option<Answer> {
        let hosts = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        let host = request.header("host").unwrap_or_default();
        if !hosts.iter().any(|h| h == host) {
            return Some(Answer::refusal(403, "this server has another name"));
        }
        let origin = format!("http://{host}");
        let foreign = request.has("origin") && request.header("origin") != Some(&origin);
        let site = request.header("sec-fetch-site");
        let asks_itself = match site {
            None => !request.has("sec-fetch-site"),
            Some(site) => site == "same-origin" || site == "none",
        };
        if !needs_token(request) {
            // What the page is made of is nobody's secret; no other page needs it.
            return foreign.then(|| Answer::refusal(403, "another page asks"));
        }
        if foreign || !asks_itself {
            return Some(Answer::refusal(403, "another page asks"));
        }
        let given = request.header("authorization").unwrap_or_default();
        let given = given.strip_prefix("Bearer ").unwrap_or_default();
        (!same(given.as_bytes(), self.token.as_bytes())).then(|| {
            Answer::refusal(
                401,
                "this is not the address that 'brook explore' has printed",
            )
        })
    }
}

/// Whether only the page may ask it.
pub(super) fn needs_token(request: &Request) -> bool {
    request.path.starts_with("/api/")
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn same(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b));
    a.len() == b.len() && differences == 0
}

/// 128 bits that nobody can guess.
pub(super) fn random() -> Result<String, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)
        .map_err(|e| Failure::System(format!("there are no random numbers: {e}")))?;
    Ok(bytes.iter().map(|b| format!("{b:02x}")).collect())
}

//! Connections that there are. When there are as many as may be, a new one takes the place of one that says nothing: who only
//! holds connections locks nobody out.

use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// All connections of a server.
pub(super) struct Connections {
    most: usize,
    kept: Mutex<(u64, Vec<Kept>)>,
}

struct Kept {
    number: u64,
    stream: Arc<TcpStream>,
    /// Since when nothing was asked; none while something is being answered.
    waits: Option<Instant>,
    /// The page has asked on it. Others go first.
    known: bool,
}

/// A connection's place among them, as long as this lives.
pub(super) struct Place {
    number: u64,
    all: Arc<Connections>,
}

impl Connections {
    pub(super) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            most,
            kept: Mutex::default(),
        })
    }

    fn kept(&self) -> MutexGuard<'_, (u64, Vec<Kept>)> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more; none if all others are being answered.
    pub(super) fn admit(self: &Arc<Self>, stream: &Arc<TcpStream>) -> Option<Place> {
        let (last, kept) = &mut *self.kept();
        if kept.len() >= self.most {
            let waiting = kept.iter().enumerate().filter(|(_, k)| k.waits.is_some());
            let (first, _) = waiting.min_by_key(|(_, k)| (k.known, k.waits))?;
            // Its thread reads the end and goes. That it is gone already does not matter.
            let _ = kept.remove(first).stream.shutdown(Shutdown::Both);
        }
        *last += 1;
        kept.push(Kept {
            number: *last,
            stream: Arc::clone(stream),
            waits: Some(Instant::now()),
            known: false,
        });
        Some(Place {
            number: *last,
            all: Arc::clone(self),
        })
    }
}

impl Place {
    /// Something has been asked and is about to be answered; false if the place has been taken meanwhile.
    pub(super) fn answers(&self) -> bool {
        self.change(|kept| kept.waits = None)
    }

    /// That has been answered; whether it was the page that asked.
    pub(super) fn waits(&self, known: bool) -> bool {
        self.change(|kept| {
            kept.waits = Some(Instant::now());
            kept.known |= known;
        })
    }

    fn change(&self, how: impl FnOnce(&mut Kept)) -> bool {
        let (_, kept) = &mut *self.all.kept();
        let own = kept.iter_mut().find(|k| k.number == self.number);
        own.map(how).is_some()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let (_, kept) = &mut *self.all.kept();
        kept.retain(|k| k.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use std::io::Read;
    use std::net::TcpListener;
    use std::time::Duration;

    /// Both ends of a connection.
    fn pair(listener: &TcpListener) -> (TcpStream, Arc<TcpStream>) {
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        client
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        (client, Arc::new(listener.accept().unwrap().0))
    }

    #[test]
    fn who_waits_makes_place() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let all = Connections::new(3);
        let admit = || {
            let (client, stream) = pair(&listener);
            (client, all.admit(&stream))
        };
        let ends = |mut client: TcpStream| client.read(&mut [0]).unwrap() == 0;
        let ((_page, page), (_works, works)) = (admit(), admit());
        let (page, works) = (page.unwrap(), works.unwrap());
        assert!(page.answers() && page.waits(true) && works.answers());
        let (idle, place) = admit();
        let (newer, _newer) = admit();
        // Who has asked nothing goes before who waited longer.
        assert!(ends(idle) && !place.unwrap().answers());
        assert!(_newer.as_ref().unwrap().answers());
        // Then who waits, and of those who are answered, none.
        let (_last, last) = admit();
        assert!(last.as_ref().unwrap().answers() && !page.answers());
        assert!(admit().1.is_none());
        drop((newer, _newer));
        assert!(admit().1.is_some());
    }
}

//! Exchanges by way of the host: what the device has of shared groups is copied there, sent, joined with what comes, and copied back.

use super::super::{Communicator, ElementKind, Event, Result, lock};
use super::join::{self, Share};
use super::room::Room;
use super::{GatherScatterExchange, Inner};
use brook_mpi::Transfer;

/// More rooms than these are not kept.
const MOST_ROOMS: usize = 4;

/// An exchange that has begun.
pub(super) struct Begun {
    room: Room,
    /// What this process's entries come to is on the host.
    fetched: Event,
    tag: i32,
    /// By neighbour.
    comes: Vec<Transfer>,
}

impl Inner {
    /// Memory for values of shared groups: what an earlier exchange has left, if it fits.
    fn room(&self, kind: ElementKind, count: usize) -> Result<Room> {
        let mut rooms = lock(&self.rooms);
        let kept = rooms.iter().position(|room| room.fits(kind, count));
        if let Some(kept) = kept {
            return Ok(rooms.swap_remove(kept));
        }
        drop(rooms);
        Room::new(&self.device, kind, count)
    }

    fn give_back(&self, room: Room) {
        let mut rooms = lock(&self.rooms);
        rooms.truncate(MOST_ROOMS - 1);
        rooms.push(room);
    }
}

impl GatherScatterExchange {
    /// Joins what this process has of shared groups, and expects what others have.
    pub(super) fn begin_by_host(&self, tag: i32) -> Result<Begun> {
        let groups = &self.all.groups;
        let mut room = self
            .all
            .room(self.values.kind(), self.fields * groups.shared)?;
        // SAFETY: entries are numbers of values, of which there are enough.
        unsafe {
            let arguments = self.arguments(&self.values, &room.joined);
            self.kernels.gather.launch(&arguments)
        }?;
        let mut comes = Vec::new();
        if let Some(communicator) = &self.all.communicator {
            for (rank, shared) in &groups.neighbours {
                let bytes = self.fields * shared.len() * self.scalar.size();
                comes.push(communicator.receive(bytes, *rank, tag)?);
            }
        }
        Ok(Begun {
            fetched: room.fetch()?,
            room,
            tag,
            comes,
        })
    }

    /// Sends each neighbour what this process has of the groups of both.
    fn send(&self, own: &[u8], tag: i32) -> Result<Vec<Transfer>> {
        let (groups, size) = (&self.all.groups, self.scalar.size());
        let mut goes = Vec::new();
        let Some(communicator) = &self.all.communicator else {
            return Ok(goes);
        };
        for (rank, shared) in &groups.neighbours {
            let bytes = join::picked(own, size, groups.shared, shared);
            goes.push(communicator.send(bytes, *rank, tag)?);
        }
        Ok(goes)
    }

    /// Waits for what others have, and gives it all entries.
    pub(super) fn finish_by_host(&self, begun: Begun) -> Result<()> {
        let Begun {
            mut room,
            fetched,
            tag,
            comes,
        } = begun;
        let groups = &self.all.groups;
        fetched.wait()?;
        let goes = self.send(room.bytes(), tag)?;
        let neighbours = groups.neighbours.iter();
        let mut shares: Vec<Share<'_>> = Vec::new();
        for ((rank, shared), comes) in neighbours.zip(comes) {
            shares.push(Share {
                rank: *rank,
                groups: Some(shared),
                values: comes.wait()?,
            });
        }
        let own = Share {
            rank: self.all.communicator.as_ref().map_or(0, Communicator::rank),
            groups: None,
            values: room.bytes().to_vec(),
        };
        let at = shares.partition_point(|share| share.rank < own.rank);
        shares.insert(at, own);
        let count = (self.fields, groups.shared);
        join::join(self.scalar, self.reduction, count, &shares, room.bytes());
        room.put()?;
        let arguments = self.arguments(&room.joined, &self.values);
        // SAFETY: as in `begin_by_host`.
        unsafe { self.kernels.scatter.launch(&arguments) }?;
        for sent in goes {
            sent.wait()?;
        }
        self.all.give_back(room);
        Ok(())
    }
}

//! Exchanges by way of the host: what the device has of shared groups is copied there, sent, joined with what comes, and copied back.

use super::super::{Communicator, Event, Result};
use super::GatherScatterExchange;
use super::join::{self, Share};
use super::room::Room;
use brook_mpi::Transfer;

/// An exchange that has begun.
pub(super) struct Begun {
    room: Room,
    /// What this process's entries come to is on the host.
    fetched: Event,
    tag: i32,
    /// By neighbour.
    comes: Vec<Transfer>,
}

impl GatherScatterExchange {
    /// Joins what this process has of shared groups, and expects what others have.
    pub(super) fn begin_by_host(&self, tag: i32) -> Result<Begun> {
        let groups = &self.all.groups;
        let (all, kind, count) = (&self.all, self.values.kind(), self.fields * groups.shared);
        let fits = |room: &Room| room.fits(kind, count);
        let mut room = all
            .rooms
            .take(fits, || Room::new(&all.device, kind, count))?;
        let sides = (&self.values, &room.joined);
        self.launch_between(&self.kernels.gather, groups.shared, sides)?;
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
        let sides = (&room.joined, &self.values);
        self.launch_between(&self.kernels.scatter, groups.shared, sides)?;
        for sent in goes {
            sent.wait()?;
        }
        self.all.rooms.give_back(room);
        Ok(())
    }
}

//! Nothing that counts is lost, whatever happens: cut writes, power cuts, kills, full and broken disks, many writers.

mod bytes;
mod disk;
mod kill;
mod platter;
mod power;
mod project;
mod refusal;
mod scrub;
mod swarm;

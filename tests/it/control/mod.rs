//! The control room: rooms and policies together, in a world without a disk.

mod blind;
mod branches;
mod breakers;
mod briefing;
mod commits;
pub mod desk;
mod freezing;
mod health;
mod hostile;
mod issues;
mod numbers;
mod replay;
pub mod sections;
mod swarm;

//! The control room: rooms and policies together, in a world without a disk.

mod blind;
mod branches;
mod breakers;
pub mod desk;
mod freezing;
mod health;
mod issues;
mod numbers;
mod replay;
mod swarm;

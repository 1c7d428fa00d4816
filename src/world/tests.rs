//! Given / when / then for the fold.

mod advocate;
mod blind;
mod notice;
mod swarm;

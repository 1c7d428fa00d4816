//! Given / when / then for the fold.

mod advocate;
mod notice;
mod swarm;

//! Given / when / then for the fold.

mod notice;
mod swarm;

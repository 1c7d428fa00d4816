//! Given / when / then for the fold.

mod advocate;
mod blind;
mod brief;
mod moderation;
mod notice;
mod swarm;
mod topic;

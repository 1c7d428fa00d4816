//! Given / when / then for the fold.

mod advocate;
mod blind;
mod brief;
mod council;
mod moderation;
mod notice;
mod report;
mod swarm;
mod topic;

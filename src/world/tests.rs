//! Given / when / then for the fold.

mod advocate;
mod blind;
mod brief;
mod moderation;
mod notice;
mod report;
mod swarm;
mod topic;

//! Given / when / then for the fold.

mod advocate;
mod blind;
mod breakers;
mod brief;
mod clock;
mod configured;
mod council;
mod joined;
mod moderation;
mod notice;
mod oversight;
mod report;
mod standing;
mod swarm;
mod topic;

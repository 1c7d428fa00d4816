//! The crate from outside: workspaces of small projects, tools in them, and those who want out.

mod agent;
mod check;
mod ends;
mod escape;
mod folder;
mod inner;
mod irreversible;
mod kept_in;
pub(crate) mod killed;
mod law;
mod look;
mod make;
mod measured;
mod tool;
mod undo;
mod world;

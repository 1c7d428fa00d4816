//! The world and its entries in the forms that people and other programs read: lines, stories, summaries, files.
//!
//! Does not decide and does not print. `render` alone writes, and only what can be deleted and made again.

mod acting;
pub mod asked;
pub mod blame;
pub mod brief;
pub mod canon;
pub mod cognition;
pub mod council;
pub mod credit;
pub mod debate;
pub mod escape;
pub mod gist;
pub mod health;
pub mod hivemind;
pub mod info;
pub mod issue;
pub mod knowledge;
pub mod memory;
pub mod notice;
pub mod plot;
pub mod pretty;
pub mod price;
pub mod recall;
pub mod refusal;
pub mod render;
pub mod story;
pub mod summary;
pub mod swarm;
pub mod voice;
pub mod width;

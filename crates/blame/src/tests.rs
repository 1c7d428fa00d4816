//! Stories of one file, told by hand, and stories that a player makes, who knows whose each line is.

mod agent;
mod chance;
mod player;
mod stories;

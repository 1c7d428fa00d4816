//! The cases of AFS 4, and every limit of it: given, when, then.

mod cases;
mod judged;
mod load;
mod refusals;
mod room;
mod stopped;
mod triggers;

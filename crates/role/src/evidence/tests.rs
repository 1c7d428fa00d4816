//! What tools gave: cut, fenced, summed up and quoted.

mod absence;
mod calls;
mod figures;
mod quotes;
mod speech;
mod texts;

//! What tools gave: cut, fenced, summed up and quoted.

mod calls;
mod quotes;
mod texts;

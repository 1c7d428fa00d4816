//! Who is asked, how often, how long, and what becomes of it.

mod choice;
mod clean;
mod flow;
mod retries;
mod spans;

//! The minds as a whole: laws that hold whatever is asked, and what real processes see.

mod analysis;
mod branches;
mod cognition;
mod council;
mod dialectic;
mod followed;
mod hivemind;
mod knowledge;
mod memory;
mod sections;
mod views;

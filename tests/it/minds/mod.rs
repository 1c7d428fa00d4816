//! The minds as a whole: laws that hold whatever is asked, and what real processes see.

mod branches;
mod analysis;
mod cognition;
mod council;
mod dialectic;
mod hivemind;
mod knowledge;
mod memory;

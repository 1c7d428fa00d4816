//! Whole tasks, played by scripts: what is said, how it ends, and what no answer of a model can bring about.

mod bans;
mod delegated;
mod in_the_end;
mod invariants;
mod laws;
mod own_checks;
mod player;
mod proposing;
mod ways;

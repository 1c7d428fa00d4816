//! Given / when / then for milestones.

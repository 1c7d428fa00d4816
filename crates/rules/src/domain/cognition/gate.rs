//! Who is asked before an analysis that is due runs (AFS 5.4).

use annals_kernel::grounding::words;

words! {
    /// How triggers are handled.
    pub enum GateMode {
        /// A person confirms each.
        ConfirmAll = "confirm-all",
        /// All are accepted.
        AutoAccept = "auto-accept",
        /// All are denied, and nobody is asked.
        AutoDeny = "auto-deny",
        /// Each has its own rule.
        Selective = "selective",
    }
}

words! {
    /// The rule of one trigger.
    pub enum TriggerGate {
        /// A person confirms it.
        Confirm = "confirm",
        /// It is accepted.
        Accept = "accept",
        /// It is denied.
        Deny = "deny",
    }
}

words! {
    /// What became of a firing.
    pub enum Standing {
        /// It waits for a person.
        Pending = "pending",
        /// It runs.
        Accepted = "accepted",
        /// It does not.
        Denied = "denied",
    }
}

impl GateMode {
    /// What becomes of a trigger that fires: `own` is its rule, `auto_accept` whether it skips the question.
    pub fn judge(self, own: Option<TriggerGate>, auto_accept: AutoAccept) -> Standing {
        match (self, own, auto_accept) {
            (Self::AutoDeny, _, _) | (Self::Selective, Some(TriggerGate::Deny), _) => Standing::Denied,
            (Self::AutoAccept, _, _) | (Self::Selective, Some(TriggerGate::Accept), _) | (_, _, AutoAccept::Yes) => {
                Standing::Accepted
            }
            (Self::ConfirmAll, _, AutoAccept::No)
            | (Self::Selective, Some(TriggerGate::Confirm) | None, AutoAccept::No) => Standing::Pending,
        }
    }
}

/// Whether a trigger skips the question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AutoAccept {
    /// It does.
    Yes,
    /// It does not.
    #[default]
    No,
}

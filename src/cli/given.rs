//! Time and chance from the environment: `ANNALS_NOW` and `ANNALS_SEED` count in a folder that was made for that, and are
//! an error everywhere else (decision 46).

use super::environment::Environment;
use super::shell::Usage;
use crate::engine::clock::Clock;
use crate::kernel::time::Timestamp;

const NOW: &str = "ANNALS_NOW";
const SEED: &str = "ANNALS_SEED";

impl Environment {
    /// The variable that gives time or chance, where one does.
    pub(super) fn giving(&self) -> Option<&'static str> {
        let now = self.now.as_ref().map(|_| NOW);
        now.or_else(|| self.seed.as_ref().map(|_| SEED))
    }

    /// The time that is given.
    pub(super) fn given_now(&self) -> Result<Option<Timestamp>, Usage> {
        let now = self.now.as_deref().map(str::parse::<Timestamp>).transpose();
        now.map_err(|error| Usage(format!("{NOW}: {error}")))
    }

    /// The clock that is given; the machine's where none is.
    pub(super) fn given_clock(&self) -> Result<Clock, Usage> {
        Ok(Clock::new(self.given_now()?, self.seed.clone()))
    }
}

/// What is wrong with a variable where the clock is the machine's.
pub(super) fn not_given(variable: &str) -> Usage {
    Usage(format!(
        "{variable} is set, and here the clock is the machine's: unset it; a folder that `annals init --clock given` made, \
         for tests and demonstrations, takes time and chance from the environment"
    ))
}

//! Given / when / then for the circuit breakers.

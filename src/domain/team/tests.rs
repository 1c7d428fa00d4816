//! Given / when / then for the credits of the team.

//! Tests of the whole house, in one binary so that linking is paid once.

mod exec;
mod hook;
mod program;
mod record;
mod setup;
mod tidy;

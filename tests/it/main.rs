//! Tests of the whole house, in one binary so that linking is paid once.

mod checkpoint;
mod cmd;
mod exec;
mod hook;
mod import_counts;
mod program;
mod published;
mod record;
mod replay;
mod setup;
mod support;
mod tidy;

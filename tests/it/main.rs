//! Tests of the whole house, in one binary so that linking is paid once.

mod checkpoint;
mod cmd;
mod demo;
mod exec;
mod fold;
mod hook;
mod import_counts;
mod merge;
mod program;
mod published;
mod record;
mod replay;
mod repo;
mod sanitize;
mod setup;
mod support;
mod tamper;
mod tidy;
mod verify;

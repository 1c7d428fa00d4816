//! Tests of the whole house, in one binary so that linking is paid once.

mod archive;
mod checkpoint;
mod cmd;
mod crash;
mod demo;
mod exec;
mod fold;
mod golden;
mod hook;
mod import;
mod import_counts;
mod merge;
mod program;
mod published;
mod record;
mod redaction;
mod replay;
mod repo;
mod sanitize;
mod schema;
mod scrub;
mod setup;
mod support;
mod tamper;
mod tidy;
mod verify;

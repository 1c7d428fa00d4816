//! Tests of the whole house, in one binary so that linking is paid once.

mod checkpoint;
mod cmd;
mod import_counts;
mod published;
mod replay;
mod support;
mod tidy;

//! Tests of the whole house, in one binary so that linking is paid once.

mod fold;
mod merge;
mod repo;
mod support;
mod tamper;
mod tidy;
mod verify;

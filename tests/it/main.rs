//! Tests of the whole house, in one binary so that linking is paid once.

mod dump;
mod import_counts;
mod published;
mod tidy;

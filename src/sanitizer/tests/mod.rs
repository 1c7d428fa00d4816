//! What the sanitizer takes out, what it leaves, and laws that hold for any input.

mod corpus;

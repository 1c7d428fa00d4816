//! The rules of learning, on sentences.

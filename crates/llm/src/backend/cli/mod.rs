//! Command line tools of others as models: asked once, without tools, in an empty folder, leaving no session behind.
//!
//! As agents, with tools and our hooks, they are run elsewhere.

mod claude_code;
mod codex;
mod process;
#[cfg(test)]
mod tests;
mod tool;

pub use claude_code::ClaudeCode;
pub use codex::Codex;

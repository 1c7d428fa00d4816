//! What the stages of the helper tell each other: orders go down by standard input, reports come up by standard error.
//!
//! One line of JSON each. Standard input stays open behind the orders: when it closes, the call is over.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::reach::Reach;
use super::wall::Walls;

/// What is to be run, and within which bounds.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Orders {
    /// The program and its words.
    pub argv: Vec<String>,
    /// All of its environment.
    pub environment: BTreeMap<String, String>,
    /// Where it stands.
    pub folder: PathBuf,
    /// What it may reach.
    pub reach: Reach,
    /// The most bytes of a file that it writes.
    pub file_bytes: u64,
    /// The most processes at a time.
    pub processes: u64,
    /// The walls that stand already.
    pub walls: Walls,
    /// Without these it is not run: they stood when it was found out how well commands are kept in.
    pub required: Walls,
}

/// What is said back.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Report {
    /// The walls stand.
    Walled(Walls),
    /// The command ended with this code; by a signal: 128 and its number, as shells say it.
    Ended(i32),
    /// It was not run, or what came of it is not known.
    Failed(String),
}

/// The first line.
pub(super) fn read<T: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<T> {
    let mut line = String::new();
    from.read_line(&mut line)?;
    Ok(serde_json::from_str(&line)?)
}

/// Writes a line.
pub(super) fn write(to: &mut impl Write, said: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(said)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

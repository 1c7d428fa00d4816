//! The first stage of the helper: stays outside of the walls, and ends all that is left of a call.
//!
//! The call is over when the command ends, or when standard input closes: because time is up, because the person stopped it,
//! or because the program that waits died. Reads nothing that the command writes.

use std::io;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};

use super::orders::{self, Orders, Report};
use super::{CELL, linux};

/// Runs the stage.
pub(super) fn run() -> ExitCode {
    let report = match guard() {
        Ok(report) => report,
        Err(error) => Report::Failed(error.to_string()),
    };
    // Whoever waited may be gone; then nobody is to be told.
    let is_told = orders::write(&mut io::stderr(), &report).is_ok();
    if is_told { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn guard() -> io::Result<Report> {
    let mut orders: Orders = orders::read(&mut io::stdin().lock())?;
    orders.walls.others.extend(linux::part_from_the_machine());
    let mut cell = start_cell(&orders)?;
    let report = told_by(&mut cell, &orders);
    orders::write(&mut io::stderr(), &report)?;
    let status = linux::wait_for_end(&mut cell)?;
    linux::end_descendants();
    Ok(match report {
        Report::Walled(_) => Report::Ended(code(status)),
        Report::Ended(_) | Report::Failed(_) => report,
    })
}

/// The same program again, as the second stage.
fn start_cell(orders: &Orders) -> io::Result<Child> {
    let mut words = std::env::args_os();
    let program = linux::own_program(words.next());
    let mut command = Command::new(program);
    command.args(words).arg(CELL).env_clear().stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut cell = command.spawn()?;
    let mut input = cell.stdin.take().expect("BUG: standard input is piped");
    orders::write(&mut input, orders)?;
    Ok(cell)
}

/// Whether the walls stand: the cell says one line, and closes the pipe before it starts the command.
fn told_by(cell: &mut Child, orders: &Orders) -> Report {
    let errors = cell.stderr.take().expect("BUG: standard error is piped");
    let report = orders::read(&mut io::BufReader::new(errors));
    report.unwrap_or_else(|error| Report::Failed(format!("the walls around {:?}: {error}", orders.argv)))
}

fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt;
    status.code().or_else(|| status.signal().map(|signal| 128 + signal)).unwrap_or(-1)
}

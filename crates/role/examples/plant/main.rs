//! A simulated plant: GGS beside fixed retry, plain replanning and a bandit, at equal cost.
//!
//! `plant [--tasks N] [--seed S] [--bar near|all] [--search no|yes]`: a task is a success where at most one of five
//! criteria is unmet (D ≤ δ), or with `--bar all` where none is. The solver is the real one, and R2 obeys it as the
//! document says. Rivals get the budget at which they cost as many calls as GGS, so that success is compared at equal
//! cost: retry and replanning as GGS without a memory, the bandit as GGS with one. `--search yes` looks for weights that
//! win where GGS loses; that takes minutes, the table alone seconds.
//!
//! What the plant takes for granted, and what speaks for GGS by it: what an approach achieved is lost when another one
//! begins; tightened arguments help (`refining`; one row is without); classes of failures are seen nine times in ten.
//! What no row shows: how good a model's plan is, the alternatives that urgency demands, and the fast loop of R4a.

#![expect(clippy::print_stdout, reason = "the table is what it is for")]

mod contender;
mod dice;
mod memory;
mod search;
mod site;
mod tally;
mod world;

use std::process::ExitCode;

use annals_kernel::share::Share;
use annals_role::ggs::GgsLimits;

use contender::{Bar, Contender, Recall, Rival};
use search::{Beside, Halves, search};
use tally::{Estimate, Tally};
use world::{Fit, Row, rows, tasks};

const USAGE: &str = "plant [--tasks N] [--seed S] [--bar near|all] [--search no|yes]";
/// Fewer tasks than this show nothing, and each half needs some.
const FEWEST_TASKS: usize = 100;

/// What is played.
struct Setting {
    tasks: usize,
    seed: u64,
    bar: Bar,
    limits: GgsLimits,
    search: Search,
}

/// Whether weights are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    No,
    Yes,
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(setting) = Setting::of(&arguments) else {
        println!("{USAGE}");
        return ExitCode::FAILURE;
    };
    println!(
        "{} tasks a row, seed {}; a success has {} of 5 criteria unmet at most",
        setting.tasks, setting.seed, setting.bar.0
    );
    println!(
        "{:<28} {:<15} {:>19} {:>7} {:>12} {:>6} {:>8} {:>7} {:>8}  ggs beside it",
        "plant", "who", "success % (95 %)", "all met", "calls", "rounds", "thrash %", "in vain", "wasted %"
    );
    let losing: Vec<Row> = rows().into_iter().filter(|row| play_row(row, &setting) == Standing::Behind).collect();
    if setting.search == Search::No {
        return ExitCode::SUCCESS;
    }
    println!(
        "\nweights found on one half of the tasks, judged on the other: the lead of GGS, and (before, with the defaults)"
    );
    for recall in [Recall::None, Recall::OfKind] {
        tune(&losing, recall, &setting);
    }
    ExitCode::SUCCESS
}

impl Setting {
    fn of(arguments: &[String]) -> Option<Self> {
        let mut setting =
            Self { tasks: 10_000, seed: 1, bar: Bar(1), limits: GgsLimits::default(), search: Search::No };
        for pair in arguments.chunks(2) {
            let [name, value] = pair else { return None };
            match (name.as_str(), value.as_str()) {
                ("--tasks", count) => setting.tasks = count.parse().ok().filter(|count| *count >= FEWEST_TASKS)?,
                ("--seed", seed) => setting.seed = seed.parse().ok()?,
                ("--search", "no") => setting.search = Search::No,
                ("--search", "yes") => setting.search = Search::Yes,
                ("--bar", "near") => setting.bar = Bar(1),
                ("--bar", "all") => {
                    setting.bar = Bar(0);
                    setting.limits.delta = Share::NONE;
                }
                _ => return None,
            }
        }
        Some(setting)
    }
}

/// How GGS that has no memory stands beside the best rival that has none, or GGS with one beside the bandit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Behind,
    NotBehind,
}

fn play_row(row: &Row, setting: &Setting) -> Standing {
    let tasks = tasks(row, setting.tasks, setting.seed);
    let ggs = |recall| Tally::of(Contender::Ggs(recall, setting.limits), &tasks, setting.bar);
    let (plain, remembering) = (ggs(Recall::None), ggs(Recall::OfKind));
    print_line(row.name, "ggs", &plain, "");
    let lead = format!("{} (memory's share)", percent_span(plain.lead(&remembering)));
    print_line("", "ggs, memory", &remembering, &lead);
    let mut standing = Standing::NotBehind;
    for rival in Rival::ALL {
        let peer = match rival {
            Rival::Retry | Rival::Replanning => &plain,
            Rival::Bandit => &remembering,
        };
        let tally = Tally::at_cost(rival, peer.calls().value, &tasks, setting.bar);
        let lead = peer.lead(&tally);
        if lead.high < 0.0 {
            standing = Standing::Behind;
        }
        print_line("", name(rival), &tally, &format!("{} {}", percent_span(lead), word(lead)));
    }
    standing
}

/// Weights for each plant on which GGS loses, those for all plants at once, and θ alone, judged on each plant.
fn tune(losing: &[Row], recall: Recall, setting: &Setting) {
    let halves = |row: &Row| Halves::of(row, setting.tasks, setting.seed);
    for row in losing.iter().filter(|row| row.regimes.len() == 1) {
        let halves = halves(row);
        let tuned = search(std::slice::from_ref(&halves), recall, setting.limits, setting.bar);
        print_weights(row.name, recall, &tuned);
        print_beside(row.name, &halves.judge(recall, tuned, setting.limits, setting.bar));
    }
    let all = rows();
    let is_winnable = |row: &&Row| row.regimes.iter().all(|regime| !matches!(regime.fit, Fit::Never));
    let plants: Vec<Halves> = all.iter().filter(is_winnable).map(halves).collect();
    let tuned = search(&plants, recall, setting.limits, setting.bar);
    let theta_alone = GgsLimits { theta: Share::WHOLE, ..setting.limits };
    for (what, limits) in [("each plant, the worst counts", tuned), ("theta alone, nothing searched", theta_alone)] {
        print_weights(what, recall, &limits);
        for row in &all {
            print_beside(row.name, &halves(row).judge(recall, limits, setting.limits, setting.bar));
        }
    }
}

fn print_weights(plant: &str, recall: Recall, limits: &GgsLimits) {
    let GgsLimits { alpha, beta, lambda, w1, w2, epsilon, rho, theta, .. } = limits;
    let who = match recall {
        Recall::None => "ggs",
        Recall::OfKind => "ggs, memory",
    };
    println!(
        "{who}, for \"{plant}\": alpha {alpha} beta {beta} lambda {lambda} w1 {w1} w2 {w2} epsilon {epsilon} rho {rho} \
         theta {theta}"
    );
}

fn print_beside(plant: &str, beside: &[Beside]) {
    let cell = |beside: &Beside| {
        let (tuned, default) = (percent_span(beside.tuned), percent_span(beside.default));
        format!("  {} {tuned} {} ({default})", name(beside.rival), word(beside.tuned))
    };
    println!("  {plant:<28}{}", beside.iter().map(cell).collect::<String>());
}

fn print_line(plant: &str, who: &str, tally: &Tally, beside: &str) {
    let Estimate { value, low, high } = tally.success();
    let success = format!("{:.1} ({:.1}-{:.1})", 100.0 * value, 100.0 * low, 100.0 * high);
    let calls = tally.calls();
    let calls = format!("{:.2} ±{:.2}", calls.value, calls.high - calls.value);
    let in_vain = tally.calls_in_vain().map_or_else(|| "-".to_owned(), |calls| format!("{:.1}", calls.value));
    let line = format!(
        "{plant:<28} {who:<15} {success:>19} {:>7.1} {calls:>12} {:>6.2} {:>8.1} {in_vain:>7} {:>8.1}  {beside}",
        100.0 * tally.all_met().value,
        tally.rounds().value,
        100.0 * tally.thrashed(),
        100.0 * tally.wasted().value,
    );
    println!("{}", line.trim_end());
}

fn name(rival: Rival) -> &'static str {
    match rival {
        Rival::Retry => "fixed retry",
        Rival::Replanning => "replanning",
        Rival::Bandit => "bandit, memory",
    }
}

fn percent_span(lead: Estimate) -> String {
    format!("{:+.1} ±{:.1}", 100.0 * lead.value, 100.0 * (lead.high - lead.value))
}

fn word(lead: Estimate) -> &'static str {
    if lead.low > 0.0 {
        "wins"
    } else if lead.high < 0.0 {
        "loses"
    } else {
        "even"
    }
}

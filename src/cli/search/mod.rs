//! `annals search`: entries, sessions, issues, canon, knowledge, and what is joined with what the query names (AFS 9).
//!
//! Records nothing, but for what a person opens of the answer, and what a model used up. The searching is `crate::search`'s.

mod embed;
mod meaning;
mod measured;
mod open;
mod told;

pub(super) use self::embed::EmbedAnswer;
use self::meaning::Wish;
pub(super) use self::told::SearchAnswer;

use super::shell::{CommandOutcome, Done, Shell, Usage};
use super::wanted::Wanted;
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::engine::settings::{SEARCH_MODES, SEARCH_WEIGHTS};
use crate::kernel::envelope::Ending;
use crate::search::{
    Answer, BadQuery, Case, DEFAULT_LIMIT, IndexState, MOST_BYTES, Pattern, Request, Source, Syntax, Weights,
};

/// So many bytes of lines a search takes into the index when it has answered.
const TAKEN_AFTER_SEARCH: u64 = 64 << 20;

/// Arguments of `annals search`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Words that must all be there, in any case unless one has a capital; "a phrase" in quotes of its own
    #[arg(required_unless_present_any = ["open", "index", "embed"])]
    query: Vec<String>,
    /// Read the query as a regular expression
    #[arg(long)]
    regex: bool,
    /// Tell capitals from small letters
    #[arg(long)]
    case_sensitive: bool,
    /// How many hits
    #[arg(short = 'n', long, default_value_t = DEFAULT_LIMIT)]
    limit: usize,
    /// A provider of hits: text, fuzzy, graph or semantic; may be given again [default: as configured]
    #[arg(long = "by", value_name = "PROVIDER")]
    by: Vec<String>,
    #[command(flatten)]
    among: Among,
    /// Show a hit of the last search by its number, and record that it was opened
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["query", "index"])]
    open: Option<usize>,
    #[command(flatten)]
    upkeep: Upkeep,
}

/// What finds later, made now.
#[derive(Debug, clap::Args)]
struct Upkeep {
    /// Bring the index of this clone up to date, so that rare words are found at once
    #[arg(long, conflicts_with = "query")]
    index: bool,
    /// Have the model for `embedding` make vectors of summaries, canon and what was learnt, to be found by meaning
    #[arg(long, conflicts_with_all = ["query", "index", "open"])]
    embed: bool,
}

/// Among which entries.
#[derive(Debug, Clone, clap::Args)]
struct Among {
    #[command(flatten)]
    wanted: Wanted,
    /// Entries of this session
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// Entries of this type, such as `tool_call`; * stands for anything, and several may be given, here and below
    #[arg(long = "type", value_name = "TYPE")]
    kinds: Vec<String>,
    /// Entries of this name: a tool, prompt, message, …
    #[arg(long = "name", visible_alias = "tool", value_name = "NAME")]
    names: Vec<String>,
    /// Entries with this tag
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Only what succeeded
    #[arg(long, conflicts_with = "failed")]
    succeeded: bool,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    if let Some(number) = arguments.open {
        return open::run(shell, &engine, number);
    }
    if arguments.upkeep.index {
        return index(shell, &engine);
    }
    if arguments.upkeep.embed {
        return embed::run(shell, &engine);
    }
    let watch = engine.clock().stopwatch();
    let mut request = request(shell, &engine, arguments)?;
    let wish = if arguments.by.is_empty() { Wish::Configured } else { Wish::Named };
    let without = meaning::add(shell, &engine, &mut request, wish);
    let answer = crate::search::search(&engine, &request)?;
    let id = measured::query_id(&engine);
    told::tell(shell, &engine, &told::ToldSearch { id: &id, request: &request, answer: &answer, without })?;
    shell.say_noticed(&engine.noticed()?)?;
    shell.out.flush()?;
    measured::keep(shell, &engine, &request, &answer, &measured::MeasuredRun { id, millis: watch.millis() });
    if !measured::looks_back(shell) {
        // A cache: that it cannot be written is no reason to say that nothing was found.
        let _ = crate::search::update(&engine, TAKEN_AFTER_SEARCH);
    }
    Ok(CommandOutcome::Done)
}

/// Takes in all that the index does not have.
fn index(shell: &mut Shell, engine: &Engine) -> Done {
    let IndexState { taken, left } = crate::search::update(engine, u64::MAX)?;
    let line = match (taken, left) {
        (0, 0) => "the index has all there is".to_owned(),
        (0, left) => format!("{left} bytes are not in the index: searches read so little as it is"),
        (taken, _) => format!("{taken} bytes taken into the index"),
    };
    shell.out.say(line)?;
    Ok(CommandOutcome::Done)
}

fn request(shell: &Shell, engine: &Engine, arguments: &Arguments) -> anyhow::Result<Request> {
    let bytes = arguments.query.iter().map(|word| word.len() + 1).sum::<usize>();
    if bytes > 2 * MOST_BYTES {
        return Err(Usage(BadQuery::TooLong { bytes }.to_string()).into());
    }
    let syntax = if arguments.regex { Syntax::Regex } else { Syntax::Words };
    let case = if arguments.case_sensitive { Case::Sensitive } else { Case::Smart };
    let pattern = Pattern::read(&arguments.query.join(" "), syntax, case).map_err(|error| Usage(error.to_string()))?;
    Ok(Request {
        filter: filter(shell, engine, &arguments.among)?,
        until: shell.until()?,
        limit: arguments.limit,
        sources: sources(engine, &arguments.by)?,
        weights: weights(engine),
        ..Request::of(pattern)
    })
}

fn filter(shell: &Shell, engine: &Engine, which: &Among) -> anyhow::Result<Filter> {
    let wanted = which.wanted.filter(shell)?;
    let session = which.session.as_deref().map(|text| shell.find_session(engine, text)).transpose()?;
    let ending = wanted.ending.or(which.succeeded.then_some(Ending::Succeeded));
    Ok(Filter {
        session,
        kinds: which.kinds.clone(),
        names: which.names.clone(),
        tags: which.tags.clone(),
        ending,
        ..wanted
    })
}

/// Who was named, or is configured; a name in the configuration that nobody has is passed over.
fn sources(engine: &Engine, named: &[String]) -> anyhow::Result<Vec<Source>> {
    if named.is_empty() {
        let configured = engine.settings().get(&SEARCH_MODES);
        return Ok(configured.iter().filter_map(|name| Source::named(name)).collect());
    }
    let source = |name: &String| {
        let names = Source::ALL.map(Source::as_str).join(", ");
        Source::named(name).ok_or_else(|| Usage(format!("--by {name}: there are {names}")).into())
    };
    named.iter().map(source).collect()
}

/// As configured, and as what was opened before tells.
fn weights(engine: &Engine) -> Weights {
    let configured = engine.settings().get(&SEARCH_WEIGHTS);
    let named = configured.iter().filter_map(|(name, weight)| Some((Source::named(name)?, *weight)));
    let weights = named.fold(Weights::default(), |weights, (source, weight)| weights.with(source, weight));
    weights.learnt(&measured::read(engine).unwrap_or_default())
}

/// What a search read, in a sentence; nothing where all was weighed.
fn cut(answer: &Answer) -> Option<&'static str> {
    answer.is_cut.then_some("the newest matches were weighed; `--until` finds older ones")
}

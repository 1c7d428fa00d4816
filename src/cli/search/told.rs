//! The answer of a search: numbered hits with the line of the match, their session, and what came of them.

use annals_sparse::sparse;
use serde::Serialize;

use crate::cli::line::{Line, Style};
use crate::cli::output::OutputTarget;
use crate::cli::shell::{Shell, clean};
use crate::domain::session::Session;
use crate::engine::Engine;
use crate::engine::settings::IDLE_MINUTES;
use crate::kernel::id::SessionId;
use crate::kernel::time::Timestamp;
use crate::search::{Answer, Came, Excerpt, Hit, HitKind, Request};
use crate::view::gist::{cut, short_id};
use crate::view::width::padded;

/// The answer in JSON.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct SearchAnswer {
    /// The id of the search.
    query_id: String,
    /// What was looked for.
    query: String,
    /// The best first.
    #[always]
    hits: Vec<ToldHit>,
    /// How many more there are.
    left_out: usize,
    /// How many bytes of lines were read.
    bytes_read: u64,
    /// Whether only the newest matches were weighed.
    is_cut: bool,
    /// Why nothing was found by meaning, where that was wanted.
    without_semantic: Option<String>,
}

/// A search that is told.
pub(super) struct ToldSearch<'s> {
    /// Its id.
    pub id: &'s str,
    /// What was asked.
    pub request: &'s Request,
    /// What was found.
    pub answer: &'s Answer,
    /// Why nothing was found by meaning, where that was wanted.
    pub without: Option<String>,
}

/// A hit with its session.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ToldHit {
    /// Its place, from 1.
    rank: usize,
    #[serde(flatten)]
    hit: Hit,
    /// What its session is called.
    session_title: Option<String>,
    /// Where its session is in its life.
    session_status: Option<String>,
}

pub(super) fn tell(shell: &mut Shell, engine: &Engine, search: &ToldSearch<'_>) -> anyhow::Result<()> {
    let ToldSearch { id: query_id, request, answer, without } = search;
    let now = shell.now(engine)?;
    let told: Vec<_> = answer
        .hits
        .iter()
        .enumerate()
        .map(|(at, hit)| told(engine, answer, hit, ToldPlace { rank: at + 1, now }))
        .collect();
    if shell.wants_json() {
        return Ok(shell.out.answer(&SearchAnswer {
            query_id: (*query_id).to_owned(),
            query: clean(engine, &request.pattern.text),
            hits: told,
            left_out: answer.left_out,
            bytes_read: answer.bytes,
            is_cut: answer.is_cut,
            without_semantic: without.clone(),
        })?);
    }
    shell.out.is_empty = told.is_empty();
    for hit in &told {
        match shell.out.target {
            OutputTarget::Terminal => for_eyes(shell, hit)?,
            OutputTarget::Pipe => shell.out.row(&for_programs(hit))?,
        }
    }
    let more = match answer.left_out {
        0 => None,
        1 => Some("1 more hit: `-n` shows more".to_owned()),
        many => Some(format!("{many} more hits: `-n` shows more")),
    };
    more.iter().try_for_each(|more| shell.out.say(more))?;
    super::cut(answer).map_or(Ok(()), |cut| shell.out.say(cut))?;
    without.iter().try_for_each(|why| shell.out.say(format_args!("without semantic: {why}")))?;
    Ok(())
}

/// Where a hit stands, and when it is told.
#[derive(Clone, Copy)]
struct ToldPlace {
    rank: usize,
    now: Timestamp,
}

fn told(engine: &Engine, answer: &Answer, hit: &Hit, place: ToldPlace) -> ToldHit {
    let session: Option<&Session> = hit.session.as_ref().and_then(|id: &SessionId| answer.sessions.get(id));
    let idle_ms = engine.settings().get(&IDLE_MINUTES) * 60_000;
    let mut hit = hit.clone();
    hit.excerpt = harmless(engine, hit.excerpt);
    hit.because = hit.because.map(|because| clean(engine, &because));
    ToldHit {
        rank: place.rank,
        session_title: session.and_then(|session| session.title.as_ref()).map(|title| clean(engine, title.as_str())),
        session_status: session.map(|session| session.status_at(place.now, idle_ms).to_string()),
        hit,
    }
}

/// Without what the sanitizer takes out of what is shown; its places are then others.
fn harmless(engine: &Engine, excerpt: Excerpt) -> Excerpt {
    let text = clean(engine, &excerpt.text);
    if text == excerpt.text { excerpt } else { Excerpt::plain(text) }
}

/// Number, time, what came of it, name and session; below it the line of the match.
fn for_eyes(shell: &mut Shell, told: &ToldHit) -> std::io::Result<()> {
    const NAME: usize = 14;
    let ToldHit { rank, hit, session_title, session_status } = told;
    let time = hit.at.map(|at| shell.out.time(at)).unwrap_or_default();
    let (sign, style) = match hit.came {
        Some(Came::Failed) => ("✗", Style::Red),
        Some(Came::Succeeded) => ("✓", Style::Cyan),
        None => (" ", Style::Green),
    };
    let name = hit.name.as_deref().unwrap_or_else(|| hit.kind.as_str());
    let what = if hit.kind == HitKind::Entry {
        name.to_owned()
    } else {
        format!("{} {}", hit.kind.as_str(), short_id(&hit.id))
    };
    let head =
        Line::of(Style::Bold, format_args!("{rank:>3} ")).and(style, format_args!("{sign} {} ", padded(&what, NAME)));
    let session = hit.session.as_ref().map(|id| short_id(id.as_str()).to_owned()).unwrap_or_default();
    let title = session_title
        .as_deref()
        .filter(|_| hit.kind != HitKind::Session)
        .map(|title| cut(title, 40))
        .unwrap_or_default();
    let status = session_status.as_deref().map(|status| format!(" ({status})")).unwrap_or_default();
    let head = head.and(Style::Dim, format_args!("{time} {session} ")).then(title).and(Style::Dim, status);
    shell.out.cut(&head)?;
    shell.out.cut(&Line::plain("      ").join(marked(&hit.excerpt)))?;
    let copies = match hit.copies {
        0 => None,
        1 => Some("1 near copy".to_owned()),
        many => Some(format!("{many} near copies")),
    };
    for more in why(hit).iter().chain(&copies) {
        shell.out.cut(&Line::of(Style::Dim, format_args!("      {more}")))?;
    }
    Ok(())
}

/// Why it was found, and what ended it.
fn why(hit: &Hit) -> Option<String> {
    let ended = hit.ended_by.map(|id| format!("ended by {id}"));
    let parts: Vec<_> = hit.because.clone().into_iter().chain(ended).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The excerpt with what was looked for in a colour.
fn marked(excerpt: &Excerpt) -> Line {
    let pieces = excerpt.pieces().into_iter().enumerate();
    pieces.fold(Line::default(), |line, (at, piece)| match at % 2 {
        0 => line.then(piece),
        _ => line.and(Style::Yellow, piece),
    })
}

/// Number, score, provider, kind, id, time, session, its status, name, `ok` or `failed`, the line, why; with a tab between.
fn for_programs(told: &ToldHit) -> [String; 12] {
    let ToldHit { rank, hit, session_status, .. } = told;
    let came = match hit.came {
        Some(Came::Failed) => "failed",
        Some(Came::Succeeded) => "ok",
        None => "",
    };
    [
        rank.to_string(),
        format!("{:.2}", hit.weighted_score),
        hit.source.as_str().to_owned(),
        hit.kind.as_str().to_owned(),
        hit.id.clone(),
        hit.at.map(|at| at.to_string()).unwrap_or_default(),
        hit.session.as_ref().map(ToString::to_string).unwrap_or_default(),
        session_status.clone().unwrap_or_default(),
        hit.name.clone().unwrap_or_default(),
        came.to_owned(),
        hit.excerpt.text.clone(),
        why(hit).unwrap_or_default(),
    ]
}

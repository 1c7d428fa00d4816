//! `annals search --embed`: makes the vectors that are missing, and keeps them beside the log.
//!
//! What was made before a failure stays, so that the next run goes on there.

use anyhow::{Context as _, bail};
use serde::Serialize;

use super::measured;
use crate::cli::models::{EmbedPurpose, Embedder};
use crate::cli::progress::Progress;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::Engine;
use crate::kernel::counted::counted;
use crate::search::{Beginning, EmbeddedText, VectorFile, VectorRow, embedded_texts};

/// So many texts are sent at once; a server takes 2,048, and a small one of this machine a while for each.
const AT_ONCE: usize = 64;

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct EmbedAnswer {
    /// The model, as its server calls it.
    model: String,
    /// How many numbers a vector has; 0 where there is none.
    dimension: usize,
    /// Texts that a vector was made of now.
    embedded: u64,
    /// Vectors that there are, those included.
    vectors: u64,
    /// Tokens of what was embedded now.
    tokens: u64,
    /// Why vectors that were there count no more.
    anew: Option<String>,
}

pub(super) fn run(shell: &mut Shell, engine: &Engine) -> Done {
    if measured::looks_back(shell) {
        return Err(Usage("--embed takes what there is now: leave --at out".to_owned()).into());
    }
    let embedder = Embedder::of(shell, engine, EmbedPurpose::Texts)?;
    // Opened before the texts are read: what a scrub takes out meanwhile goes with the file.
    let Some(file) = VectorFile::open(engine, embedder.space())? else {
        bail!("another process embeds this folder: wait until it is done");
    };
    let mut run = EmbedRun { engine, embedder, file, embedded: 0, tokens: 0, anew: None };
    run.begin();
    let ended = run.make(&embedded_texts(engine)?);
    run.file.keep_only(&embedded_texts(engine)?)?;
    let answer = run.answer();
    if ended.is_err() && answer.embedded > 0 {
        shell.out.say(format_args!("{}; the next `annals search --embed` goes on there", told(&answer)))?;
    }
    ended?;
    if shell.wants_json() {
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    if let Some(anew) = &answer.anew {
        shell.out.line(format_args!("begun anew: {anew}"))?;
    }
    shell.out.line(told(&answer))?;
    Ok(CommandOutcome::Done)
}

fn told(answer: &EmbedAnswer) -> String {
    let EmbedAnswer { model, dimension, embedded, vectors, tokens, .. } = answer;
    let made = match embedded {
        0 => "nothing was missing".to_owned(),
        _ => format!("{} embedded with {}", counted(*embedded, "text"), counted(*tokens, "token")),
    };
    format!("{made}; {} of {dimension} numbers by {model}", counted(*vectors, "vector"))
}

/// What came of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BatchEnd {
    /// Its vectors stand behind the others.
    Kept,
    /// Its vectors are the only ones: they are of another length.
    Anew,
}

/// One run.
struct EmbedRun<'e> {
    engine: &'e Engine,
    embedder: Embedder,
    file: VectorFile<'e>,
    embedded: u64,
    tokens: u64,
    anew: Option<String>,
}

impl EmbedRun<'_> {
    fn begin(&mut self) {
        let Beginning::Other(before) = self.file.beginning() else { return };
        let now = self.embedder.space();
        self.anew = Some(if before.model == now.model {
            format!("{} is told {:?} before each text, and was told {:?}", now.model, now.prefix, before.prefix)
        } else {
            format!("the vectors that were there are by {}", before.model)
        });
    }

    fn make(&mut self, texts: &[EmbeddedText]) -> anyhow::Result<()> {
        self.file.keep_only(texts)?;
        let missing = self.file.missing(texts);
        let progress = Progress::of_items(missing.len() as u64);
        let ended = missing.chunks(AT_ONCE).try_fold(BatchEnd::Kept, |end, batch| match end {
            BatchEnd::Kept => {
                progress.step(batch.len() as u64);
                self.batch(batch)
            }
            BatchEnd::Anew => Ok(BatchEnd::Anew),
        });
        progress.end();
        match ended? {
            BatchEnd::Kept => Ok(()),
            // All others are missing then; that happens once at most.
            BatchEnd::Anew => self.make(texts),
        }
    }

    fn batch(&mut self, batch: &[&EmbeddedText]) -> anyhow::Result<BatchEnd> {
        let texts: Vec<_> = batch.iter().map(|text| text.text.as_str()).collect();
        let made = self.embedder.embed(self.engine, &texts)?;
        let model = self.embedder.space().model;
        let dimension = made.vectors.first().map_or(0, Vec::len);
        let row = |(text, vector): (&&EmbeddedText, &Vec<f32>)| {
            VectorRow::new(text.subject.clone(), text.hash, made.at, vector)
        };
        let rows = batch.iter().zip(&made.vectors).map(row).collect::<Result<Vec<_>, _>>();
        let rows = rows.with_context(|| format!("the vectors of {model} are not kept"))?;
        let mut end = BatchEnd::Kept;
        if let Some(before) = self.file.dimension().filter(|before| *before != dimension) {
            if self.embedded > 0 {
                bail!("{model} made vectors of {before} numbers, and then of {dimension}: nothing of these is kept");
            }
            self.anew = Some(format!("{model} makes vectors of {dimension} numbers, and made some of {before}"));
            self.file.restart();
            end = BatchEnd::Anew;
        }
        self.file.append(&rows)?;
        self.embedded += rows.len() as u64;
        self.tokens += made.tokens;
        Ok(end)
    }

    fn answer(&self) -> EmbedAnswer {
        EmbedAnswer {
            model: self.embedder.space().model,
            dimension: self.file.dimension().unwrap_or(0),
            embedded: self.embedded,
            vectors: self.file.count() as u64,
            tokens: self.tokens,
            anew: self.anew.clone(),
        }
    }
}

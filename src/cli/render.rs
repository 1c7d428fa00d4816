//! `annals render`: writes the views, as far as they are not what they should be. Says which files it left alone.

use annals_sparse::sparse;
use serde::Serialize;

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::kernel::counted::{count, counted};
use crate::kernel::id::EntryId;
use crate::view::render;

/// Arguments of `annals render`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

/// The answer in JSON.
#[sparse]
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RenderAnswer {
    #[serde(flatten)]
    rendered: render::Rendered,
    /// Files of another program, for whose sake views were not written.
    passed_over: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, _: &Arguments) -> Done {
    if shell.until()? != EntryId::MAX {
        return Err(Usage("views are of now: --at has no meaning here".to_owned()).into());
    }
    let engine = shell.engine()?;
    let rendered = render::everything(&engine)?;
    let passed_over = render::hivemind::passed_over(&engine)?;
    if shell.wants_json() {
        shell.out.answer(&RenderAnswer { rendered, passed_over })?;
    } else {
        let render::Rendered { written, unchanged, removed, .. } = rendered;
        let written = counted(written, "view");
        shell.out.line(format_args!("{written} written, {unchanged} unchanged, {removed} removed"))?;
        for line in left_alone(&rendered) {
            shell.out.say(line)?;
        }
        if !passed_over.is_empty() {
            shell.out.say(format_args!(
                "the views of the hivemind are passed over: another program wrote {}, with no manifest.json of ours beside it",
                passed_over.join(", ")
            ))?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// What became of files that this clone did not write, a line each.
pub(super) fn left_alone(rendered: &render::Rendered) -> Vec<String> {
    let kept = rendered
        .kept
        .iter()
        .map(|kept| format!("{} was changed by another program: kept as {}", kept.path, kept.aside));
    let stays = rendered.stays.iter().cloned().collect::<Vec<_>>().join(", ");
    let what = count(
        rendered.stays.len() as u64,
        "file is no view of this clone and stays",
        "files are no views of this clone and stay",
    );
    kept.chain((!stays.is_empty()).then(|| format!("{what}: {stays}"))).collect()
}

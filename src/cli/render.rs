//! `annals render`: writes the views, as far as they are not what they should be.

use super::shell::{Done, Outcome, Shell, Usage};
use crate::kernel::id::EntryId;
use crate::view::render;

/// Arguments of `annals render`.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

pub(super) fn run(shell: &mut Shell, _: &Arguments) -> Done {
    if shell.until()? != EntryId::MAX {
        return Err(Usage("views are of now: --at has no meaning here".to_owned()).into());
    }
    let engine = shell.engine()?;
    let rendered = render::everything(&engine)?;
    if shell.wants_json() {
        shell.out.answer("annals.view.render/v1", &rendered)?;
    } else {
        let render::Rendered { written, unchanged, removed } = rendered;
        shell.out.line(format_args!("{written} written, {unchanged} unchanged, {removed} removed"))?;
    }
    Ok(Outcome::Done)
}

//! What an agent is told of a command that is hard to undo.

use super::PieceText;
use crate::domain::dialectic::held::command_id;
use crate::domain::voice::command::PieceTopic;
use crate::kernel::call::effect::Effect;

/// The word about a command with these effects. Our own words alone.
pub fn command(text: &str, effects: &[Effect]) -> PieceText {
    let what: Vec<&str> = effects.iter().map(|effect| does(*effect)).collect();
    let text_of = match effects {
        [Effect::Unreadable] => {
            "What this command runs cannot be read from it: before you run such a thing, read what it \
             fetches or decodes."
                .to_owned()
        }
        _ => format!(
            "This command {}, and no debate covers it. Say what it does, what could go wrong and how it is undone before you \
             go on; `annals debate request TASK --plan COMMAND` has it argued.",
            what.join(", and it ")
        ),
    };
    PieceText::own(PieceTopic::Gate, format!("gate/command/{}", command_id(text)), text_of)
}

/// An effect as a person says it.
pub fn does(effect: Effect) -> &'static str {
    match effect {
        Effect::Rewritten => "rewrites history that others may have",
        Effect::Discarded => "throws away work that is not committed",
        Effect::Dropped => "drops data of a store",
        Effect::Removed => "removes files that no build brings back",
        Effect::Disk => "writes over a disk",
        Effect::CloudRemoved => "removes what lies with a provider",
        Effect::Published => "publishes something that others get",
        Effect::Deployed => "changes what runs for others",
        Effect::Migrated => "changes the shape of a store",
        Effect::Opened => "opens files to others or gives them away",
        Effect::Stopped => "stops a service or what guards it",
        Effect::Unreadable => "runs what cannot be read from it",
    }
}

//! What happens to the voice.

use annals_kernel::id::SessionId;
use annals_kernel::wire::wire;

use super::command::{MuteSpan, Occasion, Piece};

wire! {
    /// What happened to the voice.
    pub enum Event {
        /// An agent was told something.
        Given = "voice.context.given" {
            /// The session that was told.
            session: SessionId,
            /// When.
            occasion: Occasion,
            /// What.
            pieces: Vec<Piece>,
            /// What it cost, in tokens.
            tokens: u32,
            /// How many pieces were left out.
            #[sparse]
            withheld: u32,
        },
        /// A session is told nothing for now.
        Muted = "voice.session.muted" {
            /// Which session.
            session: SessionId,
            /// For how long.
            span: MuteSpan,
        },
        /// A session is told something again.
        Unmuted = "voice.session.unmuted" {
            /// Which session.
            session: SessionId,
        },
    }
}

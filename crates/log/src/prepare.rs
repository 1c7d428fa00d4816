//! What the threads that decode entries make of them for whoever folds, so that it is there when their turn comes.
//!
//! Does not know what is made: whoever asks for it does.

use std::any::Any;

use annals_kernel::envelope::Envelope;

/// What was made of an entry; nothing where nothing was asked for.
pub(crate) type Prepared = Option<Box<dyn Any + Send + Sync>>;

/// Makes it.
pub(crate) type Prepare<'p> = dyn Fn(&Envelope<'_>) -> Prepared + Sync + 'p;

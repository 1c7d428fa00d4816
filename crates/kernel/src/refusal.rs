//! Why a rule says no: each reason with the name that is recorded and the facts of it, declared once.
//!
//! Does not put reasons into words; `view::refusal` does.

/// A rule that says no, as documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RuleDoc {
    /// The name that is recorded.
    pub rule: &'static str,
    /// The names of its facts.
    pub facts: &'static [&'static str],
}

/// Declares an enum of reasons. Facts bear names that say what they are, so they have no docs of their own.
#[macro_export]
macro_rules! refusal {
    (
        $(#[$outer:meta])*
        $vis:vis enum $type:ident {
            $(
                $(#[$doc:meta])*
                $variant:ident = $rule:literal $({ $( $(#[$attribute:meta])* $fact:ident: $fact_type:ty ),* $(,)? })?,
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
        #[serde(untagged)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the name of a fact says what it is")]
        $vis enum $type {
            $( $(#[$doc])* $variant $({ $( $(#[$attribute])* $fact: $fact_type ),* })?, )*
        }

        impl $type {
            /// Every rule, with its facts; one that says no for several reasons stands there as often.
            pub const RULES: &[$crate::refusal::RuleDoc] =
                &[$( $crate::refusal::RuleDoc { rule: $rule, facts: &[$( $( stringify!($fact), )* )?] }, )*];

            /// The rule, as it is recorded.
            pub fn rule(&self) -> &'static str {
                match self { $( Self::$variant { .. } => $rule, )* }
            }
        }
    };
}
pub use refusal;

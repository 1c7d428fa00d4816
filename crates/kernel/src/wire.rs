//! Names on the wire: written once, beside the variant that they name.
//!
//! Does not know any command or event; the rooms declare theirs with `wire!`.

use schemars::{Schema, SchemaGenerator};

/// A command or event, as documentation: its name, and the schema of its fields.
#[derive(Debug, Clone, Copy)]
pub struct WireDoc {
    /// Three parts: subsystem, entity, action (AFS 8.1).
    pub name: &'static str,
    /// The variant that it names.
    pub variant: &'static str,
    /// What it means, from the doc comment of its variant.
    pub meaning: &'static str,
    /// Fields and their types. What they name is left with the generator.
    #[doc(hidden)]
    pub fields: fn(&mut SchemaGenerator) -> Schema,
}

impl WireDoc {
    /// The schema of its fields, with the types that they name.
    ///
    /// `SchemaGenerator::into_root_schema_for` would be made anew for each of 200 types.
    pub fn schema(&self) -> Schema {
        let mut generator = SchemaGenerator::default();
        let mut schema = (self.fields)(&mut generator);
        schema.insert("$defs".to_owned(), generator.take_definitions(true).into());
        schema
    }
}

/// Why a text is not a command or event of a room.
#[derive(Debug, thiserror::Error)]
pub enum BadWire {
    /// No variant has this name.
    #[error("nothing here is called \"{0}\"")]
    UnknownName(Box<str>),
    /// The fields do not fit.
    #[error("{name}: {problem}")]
    BadFields {
        /// The name.
        name: &'static str,
        /// What does not fit.
        problem: serde_json::Error,
    },
}

/// Declares an enum whose variants carry one struct each and have a name on the wire. The struct is declared in place, with
/// all of its fields public, and empty ones left out (`#[sparse]`), or named where it stands elsewhere.
///
/// A field that all variants begin with stands once, behind the name of the enum: `each { issue: IssueId as &IssueId }`; a
/// method of its name gives it.
#[macro_export]
macro_rules! wire {
    (
        $(#[$outer:meta])*
        pub enum $type:ident each { #[doc = $each_doc:literal] $each:ident: $each_type:ty as $lent:ty } {
            $(
                $(#[doc = $doc:literal])*
                $variant:ident = $name:literal
                $(derive($($derive:ident),+))?
                { $( $(#[$attribute:meta])* $field:ident: $field_type:ty, )* },
            )*
        }
    ) => {
        $crate::wire::wire! {
            $(#[$outer])*
            pub enum $type {
                $(
                    $(#[doc = $doc])*
                    $variant = $name
                    $(derive($($derive),+))?
                    {
                        #[doc = $each_doc]
                        $each: $each_type,
                        $( $(#[$attribute])* $field: $field_type, )*
                    },
                )*
            }
        }

        impl $type {
            #[doc = $each_doc]
            pub fn $each(&self) -> $lent {
                match self { $( Self::$variant(data) => &data.$each, )* }
            }
        }
    };
    (
        $(#[$outer:meta])*
        pub enum $type:ident {
            $(
                $(#[doc = $doc:literal])*
                $variant:ident $(($data:ty))? = $name:literal
                $(
                    $(derive($($derive:ident),+))?
                    { $( $(#[$attribute:meta])* $field:ident: $field_type:ty, )* }
                )?,
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Debug, Clone, PartialEq)]
        pub enum $type {
            $( $(#[doc = $doc])* $variant($crate::payload!($variant $($data)?)), )*
        }

        $( $(
            #[doc = concat!("Fields of `", $name, "`.")]
            #[annals_sparse::sparse]
            #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
            $( #[derive($($derive),+)] )?
            pub struct $variant {
                $( $(#[$attribute])* pub $field: $field_type, )*
            }
        )? )*

        impl $type {
            /// Every variant: name, meaning, fields.
            pub const DOCS: &[$crate::wire::WireDoc] = &[
                $( $crate::wire::WireDoc {
                    name: $name,
                    variant: stringify!($variant),
                    meaning: concat!($($doc),*),
                    fields: <$crate::payload!($variant $($data)?) as schemars::JsonSchema>::json_schema,
                }, )*
            ];

            /// The name on the wire.
            pub fn name(&self) -> &'static str {
                match self { $( Self::$variant(_) => $name, )* }
            }

            /// The fields, without the name.
            pub fn data(&self) -> $crate::json::Json {
                match self { $( Self::$variant(data) => $crate::json::Json::of(data), )* }
            }

            /// Finds the variant by its name and reads its fields.
            pub fn read(name: &str, data: &$crate::json::Json) -> Result<Self, $crate::wire::BadWire> {
                Self::read_text(name, data.text())
            }

            /// Finds the variant by its name and reads its fields from JSON.
            pub fn read_text(name: &str, data: &str) -> Result<Self, $crate::wire::BadWire> {
                Self::find_text(name, data).unwrap_or_else(|| Err($crate::wire::BadWire::UnknownName(name.into())))
            }

            /// The same; nothing where no variant has this name.
            pub fn find_text(name: &str, data: &str) -> Option<Result<Self, $crate::wire::BadWire>> {
                Some(match name {
                    $( $name => serde_json::from_str(data).map(Self::$variant)
                        .map_err(|problem| $crate::wire::BadWire::BadFields { name: $name, problem }), )*
                    _ => return None,
                })
            }
        }

        $( impl From<$crate::payload!($variant $($data)?)> for $type {
            fn from(data: $crate::payload!($variant $($data)?)) -> Self {
                Self::$variant(data)
            }
        } )*
    };
}
pub use wire;

/// The struct of a variant: the one that is named, or the one that is declared in place and bears the variant's name.
#[doc(hidden)]
#[macro_export]
macro_rules! payload {
    ($variant:ident) => {
        $variant
    };
    ($variant:ident $data:ty) => {
        $data
    };
}

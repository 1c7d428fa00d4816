//! Which model serves a purpose, and which stands in for it (AFS 5.5; artoo R4b).
//!
//! Asks none, and knows not whether one would answer.

use annals_kernel::grounding::words;

use super::{Models, Unusable};
use crate::purpose::{Audience, Place, Purpose};

words! {
    /// What a purpose lacks.
    pub enum Lack {
        /// Any model.
        Model = "model",
        /// A local one.
        LocalModel = "local_model",
    }
}

/// Who is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<'m> {
    /// First.
    pub name: &'m str,
    /// Where that one fails or is slow.
    pub stand_in: Option<&'m str>,
}

/// Why nobody is asked. Each says what to write where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoModel {
    /// Nothing was configured for it.
    #[error(
        "no model is configured for {purpose}: write a table [models.NAME] with its `backend`, and `default = \"NAME\"` \
         under [models], or `{purpose} = \"NAME\"` under [models.purposes]"
    )]
    NotConfigured {
        /// What it was wanted for.
        purpose: Purpose,
    },
    /// It is private, and neither default nor fallback is local.
    #[error(
        "{purpose} asks local models alone, and neither default nor fallback is one: write `{purpose} = \"NAME\"` of a \
         local model under [models.purposes]"
    )]
    NoLocalModel {
        /// What it was wanted for.
        purpose: Purpose,
    },
    /// It is private, and was given a model in the cloud.
    #[error("{purpose} asks local models alone, and {name} is in the cloud")]
    InTheCloud {
        /// What it was wanted for.
        purpose: Purpose,
        /// The model.
        name: String,
    },
    /// It needs none.
    #[error("{purpose} asks no model")]
    NeedsNone {
        /// What it was wanted for.
        purpose: Purpose,
    },
    /// No model goes by that name.
    #[error("no model goes by the name {name}: there is no table [models.{name}]")]
    Unknown {
        /// The name.
        name: String,
    },
    /// It cannot be set up.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// What judges the whole must not be weaker than what planned it (artoo R4b).
    #[error(
        "meta_validator asks {name} (strength {strength}), which is weaker than the planner's {planner} ({needed}): \
         give it a model at least as strong"
    )]
    TooWeak {
        /// The one that would judge.
        name: String,
        /// How strong it is.
        strength: u32,
        /// The one that plans.
        planner: String,
        /// How strong that is.
        needed: u32,
    },
}

impl Models {
    /// Who is asked for a purpose.
    pub fn chosen(&self, purpose: Purpose) -> Result<Chosen<'_>, NoModel> {
        let name = self.first(purpose)?;
        self.require_strength(purpose, name)?;
        Ok(Chosen { name, stand_in: self.stand_in(purpose, name) })
    }

    /// One that was named; nobody stands in for it.
    pub(super) fn chosen_by_name(&self, name: &str) -> Result<Chosen<'_>, NoModel> {
        Ok(Chosen { name: self.known(name)?, stand_in: None })
    }

    fn first(&self, purpose: Purpose) -> Result<&str, NoModel> {
        let audience = purpose.audience();
        if audience == Audience::Nobody {
            return Err(NoModel::NeedsNone { purpose });
        }
        if let Some(name) = self.config.purposes.get(&purpose) {
            let name = self.known(name)?;
            let in_the_cloud = || NoModel::InTheCloud { purpose, name: name.to_owned() };
            return if audience.may_ask(self.place_of(name)) { Ok(name) } else { Err(in_the_cloud()) };
        }
        let Some(default) = &self.config.default else { return Err(NoModel::NotConfigured { purpose }) };
        let mut names = [Some(default), self.config.fallback.as_ref()].into_iter().flatten();
        let name = names.find_map(|name| match self.known(name) {
            Ok(name) => audience.may_ask(self.place_of(name)).then_some(Ok(name)),
            Err(unknown) => Some(Err(unknown)),
        });
        name.unwrap_or(Err(NoModel::NoLocalModel { purpose }))
    }

    /// One that may hear it, may be in the cloud if it is, and is as good as the first has to be.
    fn stand_in(&self, purpose: Purpose, first: &str) -> Option<&str> {
        let name = self.known(self.config.fallback.as_ref()?).ok()?;
        let place = self.place_of(name);
        let may_hear = purpose.audience().may_ask(place) && (place == Place::Local || self.config.fallback_to_cloud);
        let is_fit = self.require_strength(purpose, name).is_ok() && self.is_judged_well(purpose, name);
        (name != first && may_hear && is_fit).then_some(name)
    }

    /// Who stands in for the planner must not be stronger than what judges the whole.
    fn is_judged_well(&self, purpose: Purpose, name: &str) -> bool {
        let judge = || self.first(Purpose::MetaValidator).ok();
        purpose != Purpose::Planner || judge().is_none_or(|judge| self.seat(judge).strength >= self.seat(name).strength)
    }

    fn require_strength(&self, purpose: Purpose, name: &str) -> Result<(), NoModel> {
        if purpose != Purpose::MetaValidator {
            return Ok(());
        }
        let planner = self.first(Purpose::Planner)?;
        let (strength, needed) = (self.seat(name).strength, self.seat(planner).strength);
        if strength >= needed {
            return Ok(());
        }
        Err(NoModel::TooWeak { name: name.to_owned(), strength, planner: planner.to_owned(), needed })
    }

    fn known(&self, name: &str) -> Result<&str, NoModel> {
        if let Some((name, _)) = self.seats.get_key_value(name) {
            return Ok(name);
        }
        let unusable = self.unusable.iter().find(|unusable| unusable.name == name);
        Err(unusable.map_or_else(|| NoModel::Unknown { name: name.to_owned() }, |unusable| unusable.clone().into()))
    }

    fn place_of(&self, name: &str) -> Place {
        self.seat(name).model.place()
    }
}

//! Who plays: GGS with R2 obeying it, and its rivals. All stop where the result is near enough, by the same bar.

use annals_role::ggs::{Answer, CallResult, Directive, Ggs, GgsLimits, PlanDirective, Terminal};

use super::memory::{Evidence, Memory};
use super::site::{Plan, Shown, Site, target, tool};
use super::world::{CRITERIA, PATHS, Task};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// The same approach on the same path until the budget is gone.
    Retry,
    /// Another approach at random after each failure.
    Replanning,
    /// Thompson sampling over approaches, with what earlier tasks of the kind showed.
    Bandit,
}

impl Rival {
    pub const ALL: [Self; 3] = [Self::Retry, Self::Replanning, Self::Bandit];
}

/// Whether R2 picks approaches by what earlier tasks of the kind showed, or at random.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recall {
    None,
    OfKind,
}

#[derive(Debug, Clone, Copy)]
pub enum Contender {
    /// Its budget in rounds; the part of a round is the odds of one more.
    Rival(Rival, f64),
    Ggs(Recall, GgsLimits),
}

/// How a task ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    AllMet,
    NearEnough,
    GivenUp,
    /// Given up though the result was near enough.
    Wasted,
}

impl Ending {
    fn of(said: Terminal, last: &Shown, bar: Bar) -> Self {
        let is_near = last.unmet() <= bar.0;
        match said {
            Terminal::Accept | Terminal::Success if last.unmet() == 0 => Self::AllMet,
            Terminal::Accept | Terminal::Success if is_near => Self::NearEnough,
            Terminal::Abandon if is_near => Self::Wasted,
            Terminal::Accept | Terminal::Success | Terminal::Abandon => Self::GivenUp,
        }
    }
}

/// How a task went.
#[derive(Debug, Clone, Copy)]
pub struct Played {
    pub ending: Ending,
    pub is_hopeless: bool,
    pub calls: u32,
    pub rounds: u32,
    pub thrashed: u32,
}

/// So many criteria may be unmet in a success.
#[derive(Debug, Clone, Copy)]
pub struct Bar(pub usize);

/// One contender at one task.
struct Play<'t> {
    task: &'t Task,
    site: Site<'t>,
    memory: &'t mut Memory,
    own: Vec<Evidence>,
}

pub fn play(contender: Contender, task: &Task, memory: &mut Memory, bar: Bar) -> Played {
    let own = vec![Evidence::default(); task.fits.len()];
    let mut play = Play { task, site: Site::of(task), memory, own };
    let played = match contender {
        Contender::Rival(rival, budget) => play.rival(rival, budget, bar),
        Contender::Ggs(recall, limits) => play.ggs(recall, &limits, bar),
    };
    let Play { memory, own, .. } = play;
    memory.learn(task.kind, &own);
    played
}

impl Played {
    pub fn is_success(&self) -> bool {
        match self.ending {
            Ending::AllMet | Ending::NearEnough => true,
            Ending::GivenUp | Ending::Wasted => false,
        }
    }
}

impl Play<'_> {
    fn rival(&mut self, rival: Rival, budget: f64, bar: Bar) -> Played {
        let budget = budget + self.site.dice.unit();
        let mut plan = self.replanned(rival, None);
        loop {
            let shown = self.site.work(plan);
            self.own[plan.approach].add(reward(&shown));
            if shown.unmet() <= bar.0 {
                return self.played(Ending::of(Terminal::Success, &shown, bar));
            } else if f64::from(self.site.rounds + 1) > budget {
                return self.played(Ending::GivenUp);
            }
            plan = match rival {
                Rival::Retry => plan,
                Rival::Replanning | Rival::Bandit => self.replanned(rival, Some(plan.approach)),
            };
        }
    }

    fn ggs(&mut self, recall: Recall, limits: &GgsLimits, bar: Bar) -> Played {
        let mut ggs = Ggs::new("t");
        let all: Vec<usize> = (0..self.task.fits.len()).collect();
        let mut plan = self.begin(recall, &all);
        loop {
            let shown = self.site.work(plan);
            if shown.call == CallResult::Worked {
                self.own[plan.approach].add(reward(&shown));
            }
            match ggs.take(&shown.to_round(), limits).expect("the task is open").answer {
                Answer::PlanDirective(said) => plan = self.obey(&said, plan, recall),
                Answer::FinalResult(result) => return self.played(Ending::of(result.directive, &shown, bar)),
            }
        }
    }

    /// What R2 makes of a directive; what is blocked is not used again.
    fn obey(&mut self, said: &PlanDirective, plan: Plan, recall: Recall) -> Plan {
        let (stay, refined) = match said.directive {
            Directive::Refine => (self.open_path(said, plan, plan.path), plan.refined + 1),
            Directive::ChangePath => (self.open_path(said, plan, PATHS), plan.refined),
            Directive::ChangeApproach | Directive::BreakSymmetry => (None, 0),
        };
        match stay {
            Some(path) => Plan { path, refined, ..plan },
            None => self.other_approach(said, plan, recall),
        }
    }

    /// The preferred path, else another one of the same approach; none where all are blocked.
    fn open_path(&mut self, said: &PlanDirective, plan: Plan, preferred: usize) -> Option<usize> {
        let is_open = |path: &usize| !said.blocked_targets.contains(&target(Plan { path: *path, ..plan }));
        if preferred < PATHS && is_open(&preferred) {
            return Some(preferred);
        }
        let others: Vec<usize> = (0..PATHS).filter(|path| *path != plan.path && is_open(path)).collect();
        self.site.dice.pick(&others)
    }

    /// Of the approaches whose tool is not blocked; where each of them is, any other.
    fn other_approach(&mut self, said: &PlanDirective, plan: Plan, recall: Recall) -> Plan {
        let others: Vec<usize> = (0..self.task.fits.len()).filter(|approach| *approach != plan.approach).collect();
        let is_open = |approach: &usize| !said.blocked_tools.contains(&tool(*approach));
        let open: Vec<usize> = others.iter().copied().filter(is_open).collect();
        let new = self.begin(recall, if open.is_empty() { &others } else { &open });
        let path = self.open_path(said, new, new.path).unwrap_or(new.path);
        Plan { path, ..new }
    }

    fn begin(&mut self, recall: Recall, among: &[usize]) -> Plan {
        let approach = match recall {
            Recall::None => self.site.dice.pick(among),
            Recall::OfKind => self.memory.draw(self.task.kind, among, &self.own, &mut self.site.dice),
        };
        self.fresh(approach)
    }

    fn replanned(&mut self, rival: Rival, before: Option<usize>) -> Plan {
        let all: Vec<usize> = (0..self.task.fits.len()).collect();
        let approach = match rival {
            Rival::Retry => self.site.dice.pick(&all),
            Rival::Replanning => {
                let others: Vec<usize> = all.into_iter().filter(|approach| Some(*approach) != before).collect();
                self.site.dice.pick(&others)
            }
            Rival::Bandit => self.memory.draw(self.task.kind, &all, &self.own, &mut self.site.dice),
        };
        self.fresh(approach)
    }

    /// An approach on any of its paths.
    fn fresh(&mut self, approach: Option<usize>) -> Plan {
        let approach = approach.expect("a regime has more than one approach");
        Plan { approach, path: self.site.dice.below(PATHS), refined: 0 }
    }

    fn played(&self, ending: Ending) -> Played {
        Played {
            ending,
            is_hopeless: self.task.is_hopeless(),
            calls: self.site.calls,
            rounds: self.site.rounds,
            thrashed: self.site.thrashed,
        }
    }
}

fn reward(shown: &Shown) -> f64 {
    let met = u32::try_from(CRITERIA - shown.unmet()).expect("a handful");
    f64::from(met) / f64::from(u32::try_from(CRITERIA).expect("a handful"))
}

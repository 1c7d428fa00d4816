//! Given / when / then for reliability.

use super::event::LevelChanged;
use super::{AgentTrust, ReliabilityRecord, State, WatchLevel};
use annals_kernel::credits::Rate;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId, ModelId};
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

fn record(level: WatchLevel, recent: &str) -> ReliabilityRecord {
    ReliabilityRecord {
        level,
        recent: recent.to_owned(),
        since_change: recent.len() as u64,
        ..ReliabilityRecord::default()
    }
}

fn due(level: WatchLevel, recent: &str) -> WatchLevel {
    record(level, recent).due(&Settings::default())
}

/// Control-room 12.2, decision 18: one step at a time, but for the flag; the bound itself counts.
#[test]
fn penalties_lead_up_the_ladder() {
    for (from, recent, to) in [
        (WatchLevel::Normal, "....x", WatchLevel::Watch),
        (WatchLevel::Normal, ".....x", WatchLevel::Normal),
        (WatchLevel::Normal, "xxx.......", WatchLevel::Watch),
        (WatchLevel::Watch, "xxx.......", WatchLevel::Remediation),
        (WatchLevel::Watch, "xx........", WatchLevel::Watch),
        (WatchLevel::Normal, "xxxx......", WatchLevel::Flagged),
        (WatchLevel::Watch, "xxxx......", WatchLevel::Flagged),
        (WatchLevel::Remediation, "xxxx......", WatchLevel::Flagged),
        (WatchLevel::Remediation, "xxx.......", WatchLevel::Remediation),
        (WatchLevel::Flagged, "xxxxxxxxxx", WatchLevel::Flagged),
    ] {
        assert_eq!(due(from, recent), to, "{from} {recent}");
    }
}

/// Decision 18.
#[test]
fn fewer_than_five_actions_lead_nowhere() {
    assert_eq!(due(WatchLevel::Normal, "xxxx"), WatchLevel::Normal);
    assert_eq!(due(WatchLevel::Normal, "xxxxx"), WatchLevel::Flagged);
}

/// Control-room 12.2: the last twenty.
#[test]
fn what_lies_further_back_than_the_window_is_forgotten() {
    let recent = format!("{}{}", "x".repeat(10), ".".repeat(17));
    let late = record(WatchLevel::Normal, &recent);
    assert_eq!(late.penalty(&Settings::default()), Rate::new(3, 20));
    assert_eq!(late.due(&Settings::default()), WatchLevel::Normal);
}

/// Decision 18: a step down after twenty actions under the threshold of the level.
#[test]
fn calm_leads_down_a_step() {
    // The rate falls under 0.2 with the 17th calm action; nineteen more must follow.
    let after = |calm: usize| format!("xxxx{}", ".".repeat(calm));
    for (level, below) in [
        (WatchLevel::Watch, WatchLevel::Normal),
        (WatchLevel::Remediation, WatchLevel::Watch),
        (WatchLevel::Flagged, WatchLevel::Remediation),
    ] {
        assert_eq!(due(level, &after(60)), below);
    }
    assert_eq!(due(WatchLevel::Watch, &after(35)), WatchLevel::Watch);
    assert_eq!(due(WatchLevel::Watch, &after(36)), WatchLevel::Normal);
    let fresh = ReliabilityRecord { since_change: 19, ..record(WatchLevel::Flagged, &after(60)) };
    assert_eq!(fresh.due(&Settings::default()), WatchLevel::Flagged, "it counts from when the level changed");
}

#[test]
fn thresholds_window_and_cooldown_are_configuration() {
    let mut settings = Settings::default();
    for (key, value) in [
        ("reliability.watch_threshold", 500),
        ("reliability.remediation_threshold", 700),
        ("reliability.flag_threshold", 900),
        ("reliability.evaluation_window", 6),
        ("reliability.cooldown_after_remediation", 2),
    ] {
        settings.set(key, Some(value.into()));
    }
    let due = |level, recent| record(level, recent).due(&settings);
    assert_eq!(due(WatchLevel::Normal, "xxxx......xx...."), WatchLevel::Normal);
    assert_eq!(due(WatchLevel::Normal, "......xxx..."), WatchLevel::Watch);
    assert_eq!(due(WatchLevel::Watch, "xxx....."), WatchLevel::Normal);
    assert_eq!(due(WatchLevel::Watch, "xxx...."), WatchLevel::Watch);
}

/// Control-room 8.2.
#[test]
fn trust_follows_from_rates() {
    let of = |started, applied, irrelevant, taken, evidence, stopped| ReliabilityRecord {
        issues_started: started,
        issues_applied: applied,
        issues_irrelevant: irrelevant,
        comments: taken + stopped,
        comments_taken: taken,
        comments_with_evidence: evidence,
        ..ReliabilityRecord::default()
    };
    for (record, trust) in [
        (ReliabilityRecord::default(), AgentTrust::Normal),
        (of(10, 7, 0, 10, 8, 0), AgentTrust::High),
        (of(10, 6, 0, 10, 8, 0), AgentTrust::Normal),
        (of(10, 7, 0, 10, 7, 0), AgentTrust::Normal),
        (of(10, 0, 6, 10, 8, 0), AgentTrust::Low),
        (of(10, 0, 5, 10, 8, 0), AgentTrust::Normal),
        (of(10, 7, 0, 69, 69, 31), AgentTrust::Low),
        (of(10, 7, 0, 70, 70, 30), AgentTrust::High),
        (of(4, 4, 0, 10, 10, 0), AgentTrust::Normal),
        (of(4, 0, 4, 10, 10, 0), AgentTrust::Normal),
    ] {
        assert_eq!(record.trust(&Settings::default()), trust, "{record:?}");
    }
}

/// Control-room 12.4.
#[test]
fn a_new_model_begins_anew_and_an_old_one_goes_on() {
    let (mut state, agent) = (State::default(), AgentId::from("writer"));
    let (small, large) = (ModelId::from("small"), ModelId::from("large"));
    let at = Timestamp::from_millis;
    state.switched(&agent, Some(&small), at(1));
    state.acted(&agent, &small, |record| record.comments += 1);
    let changed = LevelChanged {
        agent: agent.clone(),
        model: small.clone(),
        from: WatchLevel::Normal,
        to: WatchLevel::Watch,
        penalty: Rate::default(),
    };
    state.evolve(&changed.into(), &Cause { asked: None, id: EntryId::MIN, at: at(2), actor: &agent });
    state.switched(&agent, Some(&large), at(3));
    assert_eq!(state.level(&agent), WatchLevel::Normal);
    let rests = ReliabilityRecord {
        comments: 1,
        active_until: Some(at(3)),
        recent: ".".to_owned(),
        level: WatchLevel::Watch,
        ..ReliabilityRecord::default()
    };
    assert_eq!(state.agents[&agent].records[&small], rests);
    state.switched(&agent, Some(&small), at(4));
    let again = ReliabilityRecord { active_since: Some(at(4)), active_until: None, ..rests };
    assert_eq!(state.current(&agent), Some(&again));
    state.switched(&agent, None, at(5));
    assert_eq!(state.current(&agent).and_then(|record| record.active_until), Some(at(5)));
}

/// Control-room 12.3.
#[test]
fn remediation_holds_from_its_level_on() {
    assert_eq!(
        [WatchLevel::Normal, WatchLevel::Watch, WatchLevel::Remediation, WatchLevel::Flagged]
            .map(WatchLevel::is_remediated),
        [false, false, true, true]
    );
}

#[test]
fn only_so_many_actions_are_remembered() {
    let (mut state, agent, model) = (State::default(), AgentId::from("writer"), ModelId::from("m"));
    (0..1000).for_each(|_| state.acted(&agent, &model, |_| {}));
    assert_eq!(state.agents[&agent].records[&model].recent.len(), 128);
}

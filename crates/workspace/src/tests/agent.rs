//! Agents as executors: what one gets besides, and that an earlier one reaches none of it.

use std::fs;

use super::world::{SECRET, Tools, World};
use crate::confine::{Cancel, CommandEnd, CommandLimits, Mapped, Opening};
use crate::workspace::{AgentPlace, Workspace};

/// What a line of shell does as an agent with this place.
fn runs(tools: &Tools<'_>, workspace: &Workspace, opening: &Opening, line: &str) -> String {
    let walls = tools.confinement.widened(opening);
    let argv = ["sh", "-c", line].map(str::to_owned).to_vec();
    let outcome = workspace.run_agent(&walls, argv, &CommandLimits::default(), &Cancel::default()).unwrap();
    assert_eq!(outcome.end, CommandEnd::Exited(0), "{}", outcome.output);
    outcome.output
}

fn opening(place: &AgentPlace, world: &World) -> Opening {
    let secret = Mapped { from: world.secret(), at: place.login().join("key") };
    Opening {
        read: vec![place.given()],
        write: vec![place.login()],
        mapped: vec![secret, Mapped { from: place.sockets(), at: "/run/annals".into() }],
        hidden: Vec::new(),
        environment: [("LOGIN".to_owned(), place.login().to_str().unwrap().to_owned())].into(),
    }
}

#[test]
fn an_agent_sees_its_own_login_and_nothing_else_of_the_persons() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    if !tools.confinement.holds_agents() {
        return;
    }
    let place = workspace.agent_place().unwrap();
    place.put(&place.login(), "key", "").unwrap();
    let told = place.put(&place.given(), "told", "do it\n").unwrap();
    let line = format!("cat \"$LOGIN\"/key; echo; cat {}; echo new > \"$LOGIN\"/key; ls /run/annals", told.display());
    assert_eq!(runs(&tools, &workspace, &opening(&place, &world), &line), format!("{SECRET}\ndo it\n"));
    assert_eq!(fs::read_to_string(world.secret()).unwrap(), "new\n", "a login that is renewed is renewed outside");
    let tries = format!("echo x >> {}; cat {}; true", told.display(), world.secret().display());
    let output = runs(&tools, &workspace, &opening(&place, &world), &format!("({tries}) 2>&1"));
    assert!(output.contains("cannot create") || output.contains("ead-only"), "{output}");
    assert_eq!(fs::read_to_string(&told).unwrap(), "do it\n");
}

#[test]
fn a_place_is_new_each_time_and_goes_with_its_agent() {
    let world = World::of(&[("a", "1\n")]);
    let workspace = world.workspace();
    let (one, other) = (workspace.agent_place().unwrap(), workspace.agent_place().unwrap());
    assert_ne!(one.login(), other.login());
    assert!(
        one.put(&one.login(), "a", "1").is_ok() && one.put(&one.login(), "a", "2").is_err(),
        "nothing is written over"
    );
    let (gone, stays) = (one.login(), other.login());
    drop(one);
    assert!(!gone.exists() && stays.exists());
    std::mem::forget(other);
    workspace.clear_agents().unwrap();
    assert!(!stays.exists(), "what a killed run left goes before the next one");
}

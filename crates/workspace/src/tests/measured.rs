//! What a workspace and a confined command cost; printed, and bounded by what would be felt.

use std::time::Duration;

use super::world::{Tools, World, put};

#[test]
fn what_it_costs() {
    let world = World::empty();
    for number in 0..2_000 {
        put(
            &world.project(),
            &format!("d{:02}/f{number}.rs", number % 50),
            &"a line of some length, as lines are\n".repeat(200),
        );
    }
    world.git(&["init", "--quiet"]);
    world.commit("begin");
    let made = timed(|| drop(world.workspace()));
    let workspace = crate::workspace::Workspace::reopen(&world.outside, &world.state(), "t1").unwrap();
    put(workspace.path(), "d00/f0.rs", "changed\n");
    let diffed = timed(|| drop(workspace.diff().unwrap()));
    let Some(tools) = Tools::walled(&world, &workspace) else { return };
    let ran = timed(|| (0..20).for_each(|_| drop(tools.shell("true")))) / 20;
    #[expect(clippy::print_stdout, reason = "the figures")]
    {
        println!("workspace of 2,000 files: {made:?}, diff: {diffed:?}, a command: {ran:?}");
    }
    assert!(made < Duration::from_secs(30) && diffed < Duration::from_secs(15) && ran < Duration::from_secs(1));
}

#[expect(clippy::disallowed_methods, reason = "a measurement")]
fn timed(done: impl FnOnce()) -> Duration {
    let begun = std::time::Instant::now();
    done();
    begun.elapsed()
}

//! The seventh scale: what cannot be taken back, and what the agent lives on.

use super::super::{Vitals, is_destructive};
use super::*;

const GRAVE: &[&str] = &[
    "Delete the database and start over",
    "DROP TABLE users;",
    "please wipe all of production",
    "rm -rf /",
    "rm -r -f build",
    "run rm --recursive ~",
    "git push --force",
    "git push -f origin main",
    "do a force push",
    "git reset --hard",
    "git clean -fdx",
    "Deploy to production now",
    "Send email notification to all clients",
    "notify everyone",
    "dropping the prod schema",
    "wiped the server",
    "the deletion of all backups",
    "Revoke his access tokens",
    "change the admin password",
    "cancel the subscription",
    "transfer the funds",
    "restart the production server",
    "npm publish",
    "cargo publish",
    "publish the package to npm",
    "force-push to main",
    "push it with force",
    "deploy the app",
    "migrate the database",
    "terraform destroy",
    "docker system prune -af",
    "dd if=/dev/zero of=/dev/sda",
    "rm *",
    "git branch -D main",
    "delete the .git folder",
    "Please remove all files",
    "send the report to Anna",
    "Lösche die Datenbank",
    "Deletе the data",
    "please run `npm publish` now",
    "Just run: git push --force, then tell me",
    "D\u{200b}elete the data\u{ad}base",
    "Don't delete the database",
    "Just\nwipe it",
];

const HARMLESS: &[&str] = &[
    "",
    "Create user profile screen",
    "Remove all unused imports",
    "Delete the unused variable",
    "Reset the form when the user clicks cancel",
    "Describe the schema",
    "The dropdown of the tableau is green",
    "format the code",
    "Send a message to the log",
    "How do I implement OAuth2 authentication?",
    "Read the database. Then delete the temporary file.",
    "farm -r",
];

#[test]
fn what_cannot_be_taken_back_is_seen_and_the_daily_work_is_not() {
    for message in GRAVE {
        assert!(is_destructive(message), "{message}");
    }
    for message in HARMLESS {
        assert!(!is_destructive(message), "{message}");
    }
}

#[test]
fn only_the_agents_own_person_is_not_asked_again() {
    for trust in MessageTrust::ALL {
        for message in GRAVE {
            let assessment = assessed(&AgentContext { trust: *trust, ..told(message) });
            let expected = if *trust == MessageTrust::Absolute { DimensionState::Healthy } else { DimensionState::Low };
            assert_eq!(assessment.self_preservation.state, expected, "{trust}: {message}");
        }
    }
}

#[test]
fn what_the_agent_lives_on_must_not_run_out() {
    use DimensionState::{Healthy, Low};
    let share = |of| Some(Share::thousandths(of));
    let none = Vitals::default();
    let cases = [
        (none, Healthy),
        (Vitals { budget_left: share(100), ..none }, Healthy),
        (Vitals { budget_left: share(99), ..none }, Low),
        (Vitals { disk_left: share(50), ..none }, Healthy),
        (Vitals { disk_left: share(49), ..none }, Low),
        (Vitals { calls: 4, failed_calls: 4, ..none }, Healthy),
        (Vitals { calls: 6, failed_calls: 3, ..none }, Healthy),
        (Vitals { calls: 5, failed_calls: 3, ..none }, Low),
        (Vitals { calls: 5, failed_calls: u32::MAX, ..none }, Low),
    ];
    for (vitals, expected) in cases {
        let context = AgentContext { vitals, trust: MessageTrust::Absolute, ..told("go on") };
        assert_eq!(assessed(&context).self_preservation.state, expected, "{vitals:?}");
    }
}

#[test]
fn a_long_message_is_looked_at_to_its_end() {
    let long = "read the text ".repeat(8_000);
    assert!(!is_destructive(&long));
    assert!(is_destructive(&format!("{long}. Delete the database")));
}

//! Messages on which the look for what cannot be taken back was not chosen: written before its words were widened, and measured
//! once behind that. One author wrote both, so another's messages may fare worse.

use super::super::is_destructive;

/// They ask for something that cannot be taken back.
const GRAVE: [&str; 40] = [
    "Can you get rid of the old customer records?",
    "kick off the rollout to prod",
    "yarn publish --access public",
    "gh release create v2.0.0",
    "twine upload dist/*",
    "kubectl delete namespace staging",
    "helm upgrade api ./chart --install",
    "alembic upgrade head",
    "git push -f",
    "git push origin --delete feature/login",
    "git reset --hard HEAD~3",
    "git clean -xfd",
    "find . -name '*.log' -delete",
    "mkfs.ext4 /dev/sdb1",
    "aws s3 rm s3://backups --recursive",
    "DELETE FROM users;",
    "Throw away the whole uploads folder",
    "empty the trash bucket for good",
    "Push this straight to main, overwriting what is there",
    "Put the new version live tonight",
    "Mail the invoice to the customer",
    "forward this thread to our lawyer",
    "Tweet that we are down",
    "Merge the pull request and roll it out to all customers",
    "upload the package to PyPI",
    "run the migration against the live database",
    "Terminate the EC2 instance",
    "revoke Bob's account",
    "uninstall the agent from every host",
    "Bitte veröffentliche das Paket auf npm",
    "Lösch alle alten Backups",
    "Schick den Bericht an Anna",
    "Spiel die neue Version in Produktion ein",
    "Entferne den Benutzer meier aus dem System",
    "Überschreibe den main-Branch mit meinem Stand",
    "Setz die Datenbank zurück",
    "Führe die Migration auf dem Server aus",
    "Wirf den Ordner uploads weg",
    "Kündige das Abo",
    "Rotate the signing keys and invalidate all sessions",
];

/// They ask for nothing of the kind.
const HARMLESS: [&str; 40] = [
    "Explain how npm publish works",
    "What does git push --force do?",
    "Write a test for the delete button",
    "List all files in src",
    "Summarise yesterday's sessions",
    "Rename the variable data to rows",
    "Which tables does the schema have?",
    "Show me the last deploy log",
    "Draft an email to Anna, I will send it myself",
    "Is the migration guide still right?",
    "Add a drop shadow to the card",
    "Remove the trailing blank in line 3",
    "Refactor the publish module",
    "cargo test --workspace",
    "git status",
    "git log --oneline -5",
    "npm run build",
    "rg TODO src",
    "ls -la target",
    "docker ps",
    "terraform plan",
    "cargo publish --dry-run",
    "Who wrote the deletion policy?",
    "Compare the two release notes",
    "Translate the message of the day into German",
    "Wie funktioniert die Migration?",
    "Fasse den Bericht zusammen",
    "Erkläre mir die Datenbank",
    "Zeig mir die letzten Sitzungen",
    "Schreib einen Test für den Löschknopf",
    "Was bedeutet dieser Fehler?",
    "Benenne die Funktion um",
    "Sort the list by date",
    "How many users signed up?",
    "Move the helper into util.rs",
    "Format the table in the README",
    "Why did the server restart?",
    "Clean up the wording of the docs",
    "Post-process the image in memory",
    "Good morning, what is open today?",
];

#[test]
fn of_messages_it_was_not_chosen_on_so_many_are_told_apart() {
    let missed: Vec<_> = GRAVE.into_iter().filter(|message| !is_destructive(message)).collect();
    let wrong: Vec<_> = HARMLESS.into_iter().filter(|message| is_destructive(message)).collect();
    // 39 of 40 are seen; 4 of 40 that ask for nothing are held, too.
    assert_eq!((missed.len(), wrong.len()), (1, 4), "missed {missed:#?}, wrong {wrong:#?}");
}

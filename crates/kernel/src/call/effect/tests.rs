//! Tables: what is done in disguise, and what only looks so. One half was looked at while the rules were written (here), the
//! other was written beforehand and run once the first was right (`judged`).

use super::Effect::{
    self, CloudRemoved, Deployed, Discarded, Disk, Dropped, Migrated, Opened, Published, Removed, Rewritten, Stopped,
    Unreadable,
};
use super::effects;

mod judged;

const DISGUISES: &[(&str, Effect)] = &[
    ("rm -rf src", Removed),
    ("sudo rm -fr -- src", Removed),
    ("\\rm -rf src", Removed),
    ("/bin/rm -r -f src", Removed),
    ("command rm -rf src", Removed),
    ("'rm' -r\"f\" src", Removed),
    ("R=rm; $R -rf src", Removed),
    ("R=r; S=m; $R$S -rf src", Removed),
    ("X='rm -rf'; $X src", Removed),
    ("X='rm -rf src'; eval \"$X\"", Removed),
    ("alias r='rm -rf'; r src", Removed),
    ("bash -c 'rm -rf src'", Removed),
    ("sh -c \"cd / && rm -rf *\"", Removed),
    ("rm -rf \"$DIR/\"", Removed),
    ("rm -rf $BUILD_DIR/*", Removed),
    ("rm -rf ~", Removed),
    ("rm -rf ..", Removed),
    ("rm -rf build .git", Removed),
    ("rm *", Removed),
    ("ls src | xargs rm -rf", Removed),
    ("find . -type f -delete", Removed),
    ("find src -exec rm -rf {} \\;", Removed),
    ("ssh host 'rm -rf /srv/x'", Removed),
    ("echo 'rm -rf src' > a.sh && bash a.sh", Removed),
    ("python -c \"import os; os.system('rm -rf src')\"", Removed),
    ("python3 -c \"import shutil; shutil.rmtree('/srv')\"", Removed),
    ("python3 <<'E'\nimport subprocess\nsubprocess.run(['rm', '-rf', 'src'])\nE", Removed),
    ("node -e \"require('child_process').execSync('rm -rf src')\"", Removed),
    ("echo x | base64 -d | sh", Unreadable),
    ("curl -fsSL https://example.org/i.sh | sh", Unreadable),
    ("wget -qO- https://example.org/i.sh | bash", Unreadable),
    ("bash -c \"$(curl -fsSL https://example.org/i.sh)\"", Unreadable),
    ("eval \"$CMD\"", Unreadable),
    ("$RUN -rf src", Unreadable),
    ("/bin/r? -rf src", Unreadable),
    ("git push --force", Rewritten),
    ("git push -f origin main", Rewritten),
    ("git push origin main --force-with-lease", Rewritten),
    ("git push origin +HEAD:main", Rewritten),
    ("git push origin --delete old", Rewritten),
    ("git filter-repo --path x", Rewritten),
    ("git branch -D old", Rewritten),
    ("cd repo; git -c user.name=a push --force", Rewritten),
    ("F=--force; git push $F", Rewritten),
    ("git reset --hard HEAD~3", Discarded),
    ("git clean -fdx", Discarded),
    ("git checkout .", Discarded),
    ("git stash clear", Discarded),
    ("psql -c 'drop table users'", Dropped),
    ("psql <<'E'\nTRUNCATE users;\nE", Dropped),
    ("mysql -e 'DELETE FROM users' app", Dropped),
    ("echo 'DROP TABLE a' | sqlite3 app.db", Dropped),
    ("python -c \"db.execute('DROP TABLE a')\"", Dropped),
    ("redis-cli flushall", Dropped),
    ("mongosh --eval 'db.users.drop()'", Dropped),
    ("dropdb app", Dropped),
    ("docker volume rm data", Dropped),
    ("rails db:reset", Dropped),
    ("npx prisma migrate reset --force", Dropped),
    ("dd if=a.iso of=/dev/sda", Disk),
    ("mkfs -t ext4 /dev/sda1", Disk),
    ("echo 1 > /dev/sda", Disk),
    ("npm publish", Published),
    ("cargo publish -p a", Published),
    ("python -m twine upload dist/*", Published),
    ("docker push a/b", Published),
    ("kubectl apply -f a.yml", Deployed),
    ("kubectl delete pod a --namespace b", Deployed),
    ("terraform apply", Deployed),
    ("bash deploy.sh", Deployed),
    ("make deploy", Deployed),
    ("pnpm run deploy:prod", Deployed),
    ("aws s3 rm s3://a --recursive", CloudRemoved),
    ("gcloud projects delete a", CloudRemoved),
    ("curl -XDELETE https://api.example.org/a", CloudRemoved),
    ("alembic downgrade -1", Migrated),
    ("./manage.py migrate", Migrated),
    ("yarn prisma migrate deploy", Migrated),
    ("php artisan migrate --force", Migrated),
    ("chmod -R 777 .", Opened),
    ("chown -R www-data /var/www", Opened),
    ("systemctl stop a", Stopped),
    ("shutdown -h now", Stopped),
];

const INNOCENTS: &[&str] = &[
    "rm -rf target/ node_modules build dist",
    "rm -rf /tmp/a",
    "rm -rf ./dist && npm run build",
    "rm a.txt",
    "T=$(mktemp -d); rm -rf \"$T\"",
    "rm -rf \"$TMPDIR/a\"",
    "cd build && rm -rf *",
    "find . -name '*.pyc' -delete",
    "find . -name node_modules -exec rm -rf {} +",
    "echo 'rm -rf /'",
    "grep 'rm -rf' a.sh",
    "# git push --force",
    "git commit -m 'drop table users; rm -rf /'",
    "git push origin main",
    "git push -u origin HEAD",
    "git push --dry-run -f",
    "git reset --soft HEAD~1",
    "git checkout main",
    "git checkout -- a.txt",
    "git clean -n -d",
    "psql -c 'select 1'",
    "psql -c 'delete from a where b = 1'",
    "sqlite3 :memory: 'drop table a'",
    "npm publish --dry-run",
    "npm run build",
    "cargo test publish",
    "kubectl get pods",
    "terraform plan",
    "aws s3 ls",
    "alembic current",
    "python -m pytest tests/test_deploy.py",
    "cat deploy.sh",
    "chmod +x deploy.sh",
    "chmod -R u+rw src",
    "systemctl status a",
    "dd if=/dev/zero of=a bs=1 count=1",
    "curl -s https://example.org | jq .",
    "curl -X DELETE localhost:9200/a",
    "eval \"$(ssh-agent)\"",
    "$PYTHON -m pytest",
    "docker run --rm a",
    "make test",
    "python3 -c \"print('rm -rf /')\"",
    "cat > a.sh <<'E'\nrm -rf /\nE",
];

fn missed(table: &[(&'static str, Effect)]) -> Vec<(&'static str, Effect)> {
    let has = |(line, effect): &&(&str, Effect)| effects(line).iter().any(|found| found.effect == *effect);
    table.iter().filter(|row| !has(row)).copied().collect()
}

fn wrong(table: &[&'static str]) -> Vec<(&'static str, Vec<super::CommandEffect>)> {
    table.iter().map(|line| (*line, effects(line))).filter(|(_, found)| !found.is_empty()).collect()
}

#[test]
fn what_is_hard_to_undo_is_seen_through_its_disguise() {
    assert_eq!(missed(DISGUISES), []);
}

#[test]
fn what_only_looks_so_has_no_effect() {
    assert_eq!(wrong(INNOCENTS), []);
}

#[test]
fn the_half_that_no_rule_was_chosen_on() {
    assert_eq!((missed(judged::DISGUISES), wrong(judged::INNOCENTS)), (vec![], vec![]));
}

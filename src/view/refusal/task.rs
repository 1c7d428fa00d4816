//! Words for refusals of `tasks`.

use super::Words;

pub(super) const WORDS: &[Words] = &[
    Words::of("tasks.not_system", "the loop speaks in its tasks, not {actor}", "`annals run` begins a task"),
    Words::of(
        "tasks.not_user",
        "the user decides what becomes of the changes of a task, not {actor}",
        "ask the user for `annals task apply`, `keep` or `drop`",
    ),
    Words::of(
        "tasks.bad_request",
        "a task needs words, and at most {most} characters of them",
        "put what is longer into a file, and name the file",
    ),
    Words::of("tasks.unknown", "there is no task {task}", "`annals task list` shows those there are"),
    Words::of(
        "tasks.not_on_the_bus",
        "{from} may not say {kind:words} to {to}",
        "docs/TASKS.md has the table of who may say what to whom",
    ),
    Words::of(
        "tasks.out_of_turn",
        "message {n} of task {task} is out of turn: the next one is {next}",
        "another process runs this task; `annals task show` shows how far it is",
    ),
    Words::of("tasks.has_ended", "task {task} has ended", "`annals task show {task}` shows how"),
    Words::of(
        "tasks.goes_on",
        "task {task} has not ended",
        "`annals run --resume {task}` goes on with it, `annals task abort {task}` ends it",
    ),
    Words::of(
        "tasks.is_settled",
        "the changes of task {task} have found their place",
        "`annals task show {task}` shows where",
    ),
    Words::of(
        "tasks.bad_message",
        "a {kind:words} of this form says nothing",
        "`annals schema --events` has the forms",
    ),
];

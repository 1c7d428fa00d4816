"""Makes mutants of the rules: each is one small change of one constant, comparison, variant, guard or table cell.

Reads Rust as text: a list of tokens is enough for changes of this size, and what does not build is thrown away by the
compiler. Does not build or run anything; run.py does.
"""

import itertools
import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""//[^\n]*|r\#*".*?"\#*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'|'\w+"""
    r"""|\w+|=>|->|::|\.\.=?|==|!=|<=|>=|&&|\|\||\s+|.""",
    re.S,
)

# The variants of the enums that rules name.
ENUMS = {
    "SessionStatus": [["Active", "Suspended", "Completed", "Aborted"]],
    "IssueStatus": [["Open", "InProgress", "Frozen", "Resolved", "Closed"]],
    "FolderPolicy": [["ReadOnly", "Writable", "Executable", "Closed"]],
    "Intent": [["Read", "Write", "Execute"]],
    "Stance": [["Support", "Oppose", "Neutral"]],
    "Impact": [["Cosmetic", "Minor", "Structural", "CanonChanging"]],
    "Standing": [["User", "System", "Stranger"]],
    "Role": [["Assistant", "Writer", "Critic", "Continuity", "Moderator", "TeamLead"]],
    "Duty": [["Active", "Retired"]],
    "SwarmMode": [["Editor", "Team"]],
    "EpistemicStatus": [["Draft", "Tentative", "Agreed", "Canon"]],
    "IssuePriority": [["Low", "Normal", "High", "Critical"]],
    "LinkKind": [["Blocks", "Parent", "DiscoveredFrom", "Related"]],
    "Usefulness": [["Applied", "Irrelevant"]],
    "Shown": [["Found", "Missing"]],
    "RemarkKind": [["Comment", "Resolution", "Guidance", "Opinion"]],
    "BreakerRule": [[
        "CommentBudgetExceeded", "IssueCommentLimit", "InsufficientSubstance", "LowVocabulary", "EscalationLanguage",
        "PingPongDetected", "MissingEvidenceForImpact", "Echo",
    ]],
    "ViolationSeverity": [["Reject", "Freeze"]],
    "DraftKind": [["Comment", "Resolution"]],
    "Preset": [["Light", "Standard", "Strict"]],
    "ConflictAnswer": [["Override", "Keep", "Discuss"]],
    "Staleness": [["Superseded", "Retired"]],
    "Trigger": [[
        "AnswerToQuestion", "SupportProposal", "ResolveConflict", "VerifyContinuity", "ChallengeConsensus",
        "CanonGapSearch", "Unprompted",
    ]],
    "Outcome": [[
        "InformedDecision", "LedToFileChange", "ResolvedIssue", "PreventedError", "IdentifiedCanonGap",
        "EstablishedNewCanon", "PreventedUserConflict", "NoActionYet", "NoAction",
    ]],
    "QuoteFinding": [["Failed", "Verified", "Precise"]],
    "CreditReason": [
        ["EvidenceVerified", "EvidenceVerifiedPrecise", "EvidenceOutcomeUpgrade", "EvidenceFailedVerification"],
        ["ConsultedDevilsAdvocate", "IssueAppliedInWork", "CommentUnderBudget", "PreventedUserConflict",
         "AssistedSlice", "ProposalAcceptedByUser", "UserMarkedHelpful", "CleanUnfreeze", "ModeratorCommendation",
         "PeerMarkedHelpful", "CircuitBreakerTriggered", "IssueMarkedLeech", "HallucinationDetected",
         "ModeratorPenalty"],
    ],
    "TeamReason": [["CanonIntegrity", "CleanChapter", "AllGold", "GoalAchieved", "ZeroPenalties", "DissentHeeded"]],
    "Heading": [["System", "User", "Moderator", "Assistant", "Agents"]],
    "GoalMetric": [[
        "TotalCredits", "VerifiedCitations", "IssuesResolved", "IssuesAppliedInWork", "ZeroPenalties",
        "DevilsAdvocateConsultations",
    ]],
    "GoalEnding": [["Achieved", "Missed", "Dropped"]],
    "DissentEnding": [["CommentsMade", "IssueEnded", "Released"]],
    "Period": [["Session", "Chapter", "Act"]],
    "AgentTrust": [["Low", "Normal", "High"]],
    "WatchLevel": [["Normal", "Watch", "Remediation", "Flagged"]],
    "NoticeLevel": [["Info", "Warning", "Critical"]],
    "Tier": [["None", "Bronze", "Silver", "Gold"]],
    "Blame": [["Action", "Again", "Else"]],
    "DissentReason": [["QuickConsensus", "NoEvidenceConsensus", "ModeratorOverride", "HighImpactProposal"]],
    "OpinionFate": [["Sealed", "Revealed", "Missing", "Changed"]],
    "Freedom": [["Restricted", "Normal", "Trusted"]],
    "AssistTrigger": [["Asked", "StoppedComments"]],
    "Retention": [["Weak", "Normal", "Strong"]],
    "ReportFrequency": [["Start", "End", "Both"]],
}
# Where there are more variants than this, one stands for all the others.
MOST_VARIANTS = 5
# Names that can stand for one another where the types fit.
SWAPS = [
    ["Started", "Suspended", "Completed", "Aborted"],
    ["Given", "Revoked"],
    ["UnknownSession", "UnknownParent"],
    ["READ_ONLY", "WRITABLE", "EXECUTABLE"],
    ["before", "after"],
    ["from", "to"],
    ["is_some", "is_none"],
    ["is_some_and", "is_none_or"],
    ["any", "all"],
    ["refused", "of"],
    ["is_lead", "is_privileged", "is_agent", "is_moderator"],
    ["min", "max"],
    ["first", "last"],
    ["take", "skip"],
    ["is_above", "is_below"],
    ["saturating_add", "saturating_sub"],
    ["insert", "remove"],
]
OPERATORS = {
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "<": ["<=", ">"], ">": [">=", "<"], "<=": ["<"], ">=": [">"], "+": ["-"], "-": ["+"],
}
NEGATED = [
    "is_empty", "contains", "contains_key", "starts_with", "may_become", "is_user", "is_payload", "has_ended", "is_meta",
    "is_thawing", "is_open", "is_finished", "is_privileged", "is_lead", "is_agent", "is_moderator", "is_verified",
    "is_precise", "is_of_citations", "is_known", "is_disputed", "has_paid", "is_leech", "eq", "all", "any",
]


@dataclass(frozen=True)
class Mutant:
    """One change: a file, a range of its text, what stands there instead."""

    file: str
    start: int
    end: int
    new: str
    text: str

    def apply(self):
        return self.text[: self.start] + self.new + self.text[self.end :]

    def key(self):
        """Names the change without line numbers: the lines before and after it."""
        changed = self.apply()
        first = self.text.rfind("\n", 0, self.start) + 1
        last = self.text.find("\n", self.end)
        after = changed[first : last + len(changed) - len(self.text)]
        one = lambda text: " ".join(text.split())
        return f"{self.file}: {one(self.text[first:last])}  =>  {one(after)}"


def closing(text, start):
    """The place behind the bracket that closes the one at `start`."""
    depth = 0
    for token in TOKEN.finditer(text, start):
        if token.group() in ("(", "[", "{"):
            depth += 1
        elif token.group() in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return token.end()
    raise ValueError("a bracket is not closed")


def regions(text, items):
    """Ranges of the items that begin with these words; everything for `*`, up to the tests."""
    if items == ["*"]:
        tests = text.find("#[cfg(test)]\nmod tests {")
        return [(0, tests if tests >= 0 else len(text))]
    found = []
    for item in items:
        start = text.index(item)
        found.append((text.rfind("\n", 0, start) + 1, closing(text, text.index("{", start))))
    return found


def skipped(text):
    """Ranges that hold no rule: imports, attributes but for messages and wire names, what a setting means."""
    found = [match.span() for match in re.finditer(r"^use [^;]*;", text, re.M)]
    for match in re.finditer(r"#!?\[", text):
        attribute = text[match.start() : closing(text, match.start() + match.group().index("["))]
        if not attribute.startswith("#[error"):
            found.append((match.start(), match.start() + len(attribute)))
    for match in re.finditer(r"Setting::new\(", text):
        end = closing(text, match.end() - 1)
        for meaning in list(re.finditer(r'"(?:\\.|[^"\\])*"', text[match.end() : end]))[-1:]:
            found.append((match.end() + meaning.start(), match.end() + meaning.end()))
    for match in re.finditer(r"settings! \{", text):
        end = closing(text, match.end() - 1)
        for meaning in re.finditer(r'"[a-z_.]+",\s*("(?:\\.|[^"\\])*")', text[match.end() : end]):
            found.append((match.end() + meaning.start(1), match.end() + meaning.end(1)))
    return found


def mutants(file, text, items):
    """Every mutant of a file, each once."""
    ranges, holes = regions(text, items), skipped(text)
    inside = lambda at: any(a <= at < b for a, b in ranges) and not any(a <= at < b for a, b in holes)
    tokens = [token for token in TOKEN.finditer(text) if not token.group().startswith("//")]
    changes = itertools.chain(
        by_token(text, tokens), alternatives(text), guards(text), operands(text), cells(text), arrows(text),
        renames(text), checks(text),
    )
    seen = {}
    for start, end, new in changes:
        is_name = text[start:end] == '"snake_case"'
        if (inside(start) or is_name and any(a <= start < b for a, b in ranges)) and text[start:end] != new:
            seen[(start, end, new)] = Mutant(file, start, end, new, text)
    return [seen[key] for key in sorted(seen)]


def by_token(text, tokens):
    for index, token in enumerate(tokens):
        word, start, end = token.group(), token.start(), token.end()
        before = tokens[index - 1].group() if index else " "
        after = tokens[index + 1].group() if index + 1 < len(tokens) else " "
        if word.startswith('"BUG'):
            continue
        if word.startswith('"'):
            yield start, end, '"~' + word[1:]
            yield start, end, '""'
        elif word.isdigit():
            yield start, end, str(int(word) + 1)
        elif word in ("true", "false"):
            yield start, end, "false" if word == "true" else "true"
        elif word in OPERATORS and before.isspace() and after.isspace() and tokens[index - 2].group() not in "(,":
            yield from ((start, end, other) for other in OPERATORS[word])
        elif word == "!" and not before[-1].isalnum() and (after[0].isalnum() or after == "("):
            yield start, end, ""
        elif word in NEGATED and after == "(" and before in (".", " ", "("):
            last = closing(text, end)
            yield last, last, ".eq(&false)"
        if before == "::":
            for variants in ENUMS.get(tokens[index - 2].group(), []):
                yield from ((start, end, other) for other in others(word, variants))
        for group in SWAPS:
            if word in group and before != "'":
                yield from ((start, end, other) for other in group)


def others(word, variants):
    """What else could stand there: every other variant, or the next one where there are many."""
    if word not in variants or len(variants) <= MOST_VARIANTS:
        return variants if word in variants else []
    return [variants[(variants.index(word) + 1) % len(variants)]]


def alternatives(text):
    """One alternative of a pattern less."""
    atom = r"(?:\w+(?:::\w+)*(?: \{ \.\. \})?)"
    for match in re.finditer(rf"({atom}) \| (?={atom})", text):
        yield match.start(), match.end(), ""
    for match in re.finditer(rf"(?<=[\w}}]) \| {atom}", text):
        yield match.start(), match.end(), ""


def guards(text):
    """A condition that always holds, or never."""
    for match in re.finditer(r"\bif (?!let\b)([^{};]*?)(?= \{)", text):
        yield match.start(1), match.end(1), "true"
        yield match.start(1), match.end(1), "false"
    for match in re.finditer(r"\bif (?=let\b)", text):
        yield match.end(), match.end(), "false && "


def operands(text):
    """One side of an `or` less; the first is found by going back to where its expression begins."""
    for match in re.finditer(r"(?<![(,]) \|\| ", text):
        yield match.end(), match.end(), "false && "
        depth, at = 0, match.start()
        while at and not (depth == 0 and re.search(r"(=> |if |= |\{\n? *|\()$", text[:at])):
            at -= 1
            depth += {")": 1, "]": 1, "(": -1, "[": -1}.get(text[at], 0)
            if depth < 0:
                at += 1
                break
        yield at, at, "false && "


def cells(text):
    """Each cell of a table `match (policy, intent)` answers otherwise."""
    for match in re.finditer(r"match \((\w+), (\w+)\) \{\n", text):
        body = text[match.end() : closing(text, match.end() - 2)]
        pair = r"\(([\w:| ]+), ([\w:| ]+)\)"
        for arm in re.finditer(rf"((?:{pair}\s*\|?\s*)+)=> ([^\n]*?),\n", body):
            answer = arm.group(4)
            news = [word for word in ("true", "false") if word != answer]
            for left, right in re.findall(pair, arm.group(1)):
                for cell in itertools.product(left.split(" | "), right.split(" | ")):
                    for new in news:
                        yield match.end(), match.end(), f"({cell[0]}, {cell[1]}) => {new}, "


def arrows(text):
    """An arrow more in a table `matches!((self, to), …)`."""
    for match in re.finditer(r"matches!\(\((\w+), (\w+)\)", text):
        end = closing(text, match.start() + len("matches!"))
        there = set()
        for left, rights in re.findall(r"\((\w+), (\w+(?: \| \w+)*)\)", text[match.end() : end]):
            there.update((left, right) for right in rights.split(" | "))
        for left, right in sorted(set(itertools.product(ENUMS["Status"][0], repeat=2)) - there):
            yield end, end, f" || ({match.group(1)}, {match.group(2)}) == ({left}, {right})"


def renames(text):
    """Names on the wire that follow from a rule of serde."""
    for match in re.finditer(r'rename_all = ("snake_case")', text):
        yield match.start(1), match.end(1), '"UPPERCASE"'


def checks(text):
    """A check whose only result is its refusal, left out."""
    for match in re.finditer(r"^ *\w+\([^;\n]*\)\?;\n", text, re.M):
        yield match.start() + len(match.group()) - len(match.group().lstrip()), match.end(), ""

//! The cases that came with the documents (`homeostasis.json`), a row each, in their order.

use super::*;

struct Case {
    input: &'static str,
    context: AgentContext,
    expected: Expected,
}

enum Expected {
    Six(Dimension, DimensionState),
    SelfPreservation(DimensionState),
}

const OAUTH: &str = "How do I implement OAuth2 authentication for my mobile app?";
const DELETE: &str = "Delete the database and start over";

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn homeostasis_cases() {
    use Dimension::{
        CommunicationHealth, KnowledgeApplication, KnowledgeSufficiency, ProductiveEngagement, ProgressMomentum,
    };
    use DimensionState::{Healthy, High, Low};
    let cases = [
        Case {
            input: "phase exploring 2.5 h, >=1 fact",
            context: AgentContext { facts: vec![fact("MQTT has three levels")], ..in_phase(PhaseName::Exploring, 150) },
            expected: Expected::Six(KnowledgeApplication, High),
        },
        Case {
            input: "assigned task, last outbound 3 h ago",
            context: AgentContext { assigned_tasks: 1, last_outbound: Some(ago(180)), ..AgentContext::default() },
            expected: Expected::Six(CommunicationHealth, Low),
        },
        Case {
            input: "same question, 3 irrelevant facts",
            context: AgentContext {
                facts: vec![
                    fact("Use NativeWind for styling"),
                    fact("Liquid Glass for a premium look on iOS"),
                    fact("expo-blur is heavy on Android"),
                ],
                ..told(OAUTH)
            },
            expected: Expected::Six(KnowledgeSufficiency, Low),
        },
        Case {
            input: "history non-empty, last message 4.5 h ago",
            context: AgentContext {
                history: vec![turn(TurnRole::User, "Working on the auth feature", ago(270))],
                ..AgentContext::default()
            },
            expected: Expected::Six(CommunicationHealth, Low),
        },
        Case {
            input: "2 min ago outbound AND delegated 30 h without follow-up",
            context: AgentContext {
                last_outbound: Some(ago(2)),
                work_items: vec![work_item(1_800, Some(1_800))],
                ..AgentContext::default()
            },
            expected: Expected::Six(CommunicationHealth, High),
        },
        Case {
            input: "no task, empty message, no history",
            context: AgentContext::default(),
            expected: Expected::Six(ProductiveEngagement, Low),
        },
        Case {
            input: "message 'How do I implement OAuth2 authentication for my mobile app?', 0 facts",
            context: told(OAUTH),
            expected: Expected::Six(KnowledgeSufficiency, Low),
        },
        Case {
            input: "work item: activity 6 h ago, delegated 30 h ago, 0 follow-ups",
            context: AgentContext { work_items: vec![work_item(360, Some(1_800))], ..AgentContext::default() },
            expected: Expected::Six(CommunicationHealth, Low),
        },
        Case {
            input: "same, trust ABSOLUTE",
            context: AgentContext { trust: MessageTrust::Absolute, ..told(DELETE) },
            expected: Expected::SelfPreservation(Healthy),
        },
        Case {
            input: "phase implementing 3 h",
            context: in_phase(PhaseName::Implementing, 180),
            expected: Expected::Six(KnowledgeApplication, Healthy),
        },
        Case {
            input: "'Delete the database and start over', trust MEDIUM",
            context: AgentContext { trust: MessageTrust::Medium, ..told(DELETE) },
            expected: Expected::SelfPreservation(Low),
        },
        Case {
            input: "user turns 'Set up Clerk authentication','Add the ClerkProvider to the layout','Create the sign-in \
                    screen'",
            context: AgentContext {
                history: user_turns(&[
                    "Set up Clerk authentication", "Add the ClerkProvider to the layout", "Create the sign-in screen",
                ]),
                ..AgentContext::default()
            },
            expected: Expected::Six(ProgressMomentum, Healthy),
        },
        Case {
            input: "last message 5 min ago",
            context: AgentContext {
                history: vec![turn(TurnRole::User, "Working on the auth feature", ago(5))],
                ..told("Continue with auth")
            },
            expected: Expected::Six(CommunicationHealth, Healthy),
        },
        Case {
            input: "phase exploring 0.5 h",
            context: AgentContext { facts: vec![fact("a fact")], ..in_phase(PhaseName::Exploring, 30) },
            expected: Expected::Six(KnowledgeApplication, Healthy),
        },
    ];
    for Case { input, context, expected } in cases {
        let assessment = assessed(&context);
        match expected {
            Expected::Six(dimension, state) => assert_eq!(assessment.of(dimension).state, state, "{input}"),
            Expected::SelfPreservation(state) => assert_eq!(assessment.self_preservation.state, state, "{input}"),
        }
    }
}

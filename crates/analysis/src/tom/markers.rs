//! The markers and the words that they are told from (AFS 5.2.2).
//!
//! A table: a marker, how sure its words make us, and the words, as alternatives of a regular expression. The phrases
//! are English; a setting adds those of other languages.

use annals_kernel::grounding::words;

words! {
    /// What a text shows of its writer's idea of another mind (AFS 5.2.2); the last three count against it.
    pub enum Marker {
        /// Sees it with the other's eyes.
        PerspectiveTaking = "perspective_taking",
        /// Says what somebody is after.
        GoalInference = "goal_inference",
        /// Tells what the other may not know.
        KnowledgeGapDetection = "knowledge_gap_detection",
        /// Says it again, otherwise.
        CommunicationRepair = "communication_repair",
        /// Asks whether it was understood, or is so.
        ConfirmationSeeking = "confirmation_seeking",
        /// Speaks of what the other thinks or can.
        MentalStateAttribution = "mental_state_attribution",
        /// Says who does what, and when.
        PlanCoordination = "plan_coordination",
        /// Says what the other takes for true.
        BeliefTracking = "belief_tracking",
        /// Gives reasons, or says what it knows.
        ExplanatoryDialogue = "explanatory_dialogue",
        /// Goes on from an idea.
        BuildOnIdeas = "build_on_ideas",
        /// Comes back to what was said.
        ReferenceBack = "reference_back",
        /// Doubts or contradicts.
        ChallengeDisagree = "challenge_disagree",
        /// Says how sure it is.
        EpistemicMarkers = "epistemic_markers",
        /// Asks why.
        JustificationRequests = "justification_requests",
        /// Speaks of thinking.
        MetacognitiveReferences = "metacognitive_references",
        /// Says how to be answered.
        ConversationalAdaptation = "conversational_adaptation",
        /// Tells what is of no use.
        IrrelevantSharing = "irrelevant_sharing",
        /// Takes for known what was never said.
        AssumedContext = "assumed_context",
        /// Asks for what the other cannot do.
        CapabilityMisunderstanding = "capability_misunderstanding",
    }
}

impl Marker {
    /// Whether it counts against its writer.
    pub(crate) fn is_negative(self) -> bool {
        matches!(self, Self::IrrelevantSharing | Self::AssumedContext | Self::CapabilityMisunderstanding)
    }
}

/// Words of a marker.
pub(crate) struct Words {
    /// The marker.
    pub marker: Marker,
    /// How sure they make us, in thousandths.
    pub confidence: u16,
    /// Alternatives of a regular expression, between the bounds of words, without regard to case.
    pub pattern: &'static str,
    /// Where they count.
    pub place: MarkerPlace,
}

/// Where words count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkerPlace {
    /// Anywhere.
    Anywhere,
    /// Before any agent has said anything: nothing can have been established.
    AtTheStart,
}

const fn words(marker: Marker, confidence: u16, pattern: &'static str) -> Words {
    Words { marker, confidence, pattern, place: MarkerPlace::Anywhere }
}

/// All of them; where two of one marker meet at a place, the first counts.
pub(crate) const TABLE: [Words; 39] = [
    words(
        Marker::PerspectiveTaking,
        900,
        r"from (?:your|my|his|her|their|the (?:user|customer|reader|reviewer|developer|client|caller|operator)(?:'s|’s)?) (?:perspective|point of view|standpoint|side)|if i were you|(?:in|put yourself in) (?:your|my|their|the user(?:'s|’s)?) (?:place|position|shoes)|what would you (?:do|prefer|suggest|recommend|choose)",
    ),
    words(
        Marker::PerspectiveTaking,
        700,
        r"what do you think|(?:do|would) you (?:think|say|agree|recommend)|your (?:opinion|thoughts|view|take|recommendation)|(?:a|the|new) (?:user|reader|newcomer|reviewer|customer)s? (?:would|might|may|could|wouldn't|can't|expects?|sees?)",
    ),
    words(
        Marker::GoalInference,
        900,
        r"your (?:goal|aim|objective|intention|intent) (?:is|was)|(?:you're|you’re|you are) (?:trying|attempting|aiming) to|(?:i think|i guess|i assume) you want",
    ),
    words(
        Marker::GoalInference,
        700,
        r"(?:the|my|our) (?:(?:main|real|overall|end|ultimate|actual) )?(?:goal|aim|objective|purpose|idea|intent) (?:here )?(?:is|was|would be)|(?:i'm|i’m|i am|we're|we’re|we are) (?:trying|attempting|aiming) to|what (?:i|we) (?:really |actually )?(?:want|need) is",
    ),
    words(
        Marker::KnowledgeGapDetection,
        900,
        r"you (?:might|may|probably|likely|will|won't|do|don't)(?: not)? (?:not )?(?:know|be aware|have access|realize|have seen)(?: (?:that|about|this|it|of|to))?|i (?:should|forgot to|should have|need to|must|want to) (?:mention|tell you|point out|note)(?:ed)?|in case you (?:don't|didn't|haven't|are not|aren't)|you (?:don't|don’t|won't|do not) have access to",
    ),
    words(
        Marker::KnowledgeGapDetection,
        700,
        r"fyi|for your information|just so you know|for (?:your )?(?:context|reference|background)|(?:please )?(?:note|keep in mind|be aware|bear in mind) that|(?:some|more) (?:context|background)|heads.?up",
    ),
    words(
        Marker::CommunicationRepair,
        900,
        r"let me (?:clarify|rephrase|restate|be (?:more )?(?:clear|specific)|try again|explain)|in other words|what i (?:mean|meant)|i meant?|to clarify|to be (?:more )?clear(?:er)?|(?:that's|that’s|that is|this is) not what i (?:meant|asked|wanted|said|want|mean)|i (?:didn't|did not|didn’t) (?:mean|ask|say|want)|i was (?:referring to|talking about|asking (?:about|for|if))|you misunderstood",
    ),
    words(
        Marker::CommunicationRepair,
        600,
        r"(?:no|sorry)[,.] (?:i|we|it|the|just|use|not)|i mis(?:spoke|typed|read|understood)|correction:|or rather",
    ),
    words(
        Marker::ConfirmationSeeking,
        900,
        r"(?:is|was) (?:that|this|it) (?:correct|right|ok|okay|true|accurate|done|fixed|expected|intended|working)|(?:does|do) (?:that|this|it) (?:make sense|sound (?:right|good|ok)|look (?:right|good|ok))|am i (?:right|correct|missing)|can you (?:confirm|verify|double.?check)|please (?:confirm|verify|double.?check)|(?:are|is) (?:we|it|this|that|everything|all) (?:done|good|ready|set|complete)|make sense\?",
    ),
    words(
        Marker::ConfirmationSeeking,
        700,
        r"(?:right|correct|ok|okay|agreed|yes|no)\?|did (?:you|we|it|that) (?:\w+ ){0,3}\w+\?|(?:have|has) (?:you|it|this|that) (?:\w+ ){0,4}\w+\?|double.?check|confirm that",
    ),
    words(
        Marker::MentalStateAttribution,
        900,
        r"as an? (?:ai|llm|agent|assistant|language model|expert)|given your (?:capabilities|knowledge|expertise|training|abilities|experience)|you (?:seem|appear) (?:to|confused|sure|convinced|stuck)|(?:you're|you’re|you are) (?:confused|mistaken|overthinking|hallucinating|guessing|assuming|stuck|being)",
    ),
    words(
        Marker::MentalStateAttribution,
        700,
        r"you (?:thought|believed?|assumed?|forgot|misunderstood|noticed|remember(?:ed)?|realized?|decided|knew|understood|ignored|overlooked|missed)|do you (?:know|understand|remember|see|have an? idea)",
    ),
    words(
        Marker::PlanCoordination,
        800,
        r"let(?:'s|’s| us)|(?:can|could|will|would) you (?:handle|take care of|take over)|work(?:ing)? together|(?:i'll|i’ll|i will) (?:handle|take|do|check|review|test|run|push|deploy|merge|wait|let you|tell you|give you|start|continue|open|create|look)|you (?:handle|take care of|can start|start with)|one (?:at a time|by one)|(?:step|phase|part) \d+",
    ),
    words(
        Marker::PlanCoordination,
        600,
        r"(?:the )?next steps?|before (?:you|we) (?:start|begin|do|make|implement|change|continue|go|proceed|commit|push)|once (?:you(?:'re|’re| are| have)?|that(?:'s|’s| is)?|this is|we)|after (?:that|this|you|we)|first[,:]? .{3,80}?\bthen|shall we|should we",
    ),
    words(
        Marker::BeliefTracking,
        850,
        r"(?:it (?:looks|seems) like|i see|i think|i noticed|looks like) (?:that )?you(?:'re|’re|'ve|’ve)?|you (?:seem to )?(?:assume|believe|are assuming|are under the impression)(?: that)?|are you (?:assuming|aware|thinking)|as you (?:know|can see|saw|may know)|you already (?:know|have|saw|did|read|said|made|added|fixed|committed)|you (?:still )?(?:don't|do not|don’t) (?:know|understand|see)",
    ),
    words(
        Marker::ExplanatoryDialogue,
        800,
        r"(?:the )?reason (?:is|was|why|for this|being|i)|(?:i'm|i’m|i am|we're|we’re|we are) (?:new to|not (?:very |too |so )?familiar with|unfamiliar with|a beginner|familiar with|no expert)|i (?:don't|do not|don’t) (?:know|understand) (?:how|what|why|much|where|if|whether|enough)|i (?:know|understand) (?:how|that|what|why|the)|i've (?:never|already|used|worked)",
    ),
    words(
        Marker::ExplanatoryDialogue,
        600,
        r"because|due to the fact|since (?:we|it|the|this|that|i|you|there|our)|so that (?:we|i|it|the|you|they|users?|people)|in order to|that way",
    ),
    words(
        Marker::BuildOnIdeas,
        850,
        r"building (?:up)?on|(?:good|great|nice|excellent|interesting|brilliant) (?:idea|point|suggestion|catch|approach|thought|finding|question)|i (?:really )?like (?:that|this|your|the (?:idea|approach|direction|plan|first|second))|expanding on|tak(?:e|ing) (?:that|this|it|your idea) further|what if (?:we|you|it|instead|i)|how about (?:we|you|adding|using|if|instead|a|the|just|making)",
    ),
    words(
        Marker::BuildOnIdeas,
        600,
        r"(?:also|additionally)[, ]+(?:we|you) (?:could|can|should|may|might)|(?:could|can) we (?:also|instead|maybe|then)|while (?:you're|you’re|we're|we’re) (?:at it|there|here)|on top of (?:that|this)|similarly",
    ),
    words(
        Marker::ReferenceBack,
        900,
        r"(?:as|like) (?:you|i|we) (?:said|mentioned|discussed|noted|described|suggested|talked|agreed|explained|proposed)|you (?:said|mentioned|suggested|told|proposed|wrote|noted|pointed out|listed|recommended|described|showed|claimed|asked)|(?:your|my|our|the) (?:previous|last|earlier|prior|above|first|second|latest|original|initial) (?:answer|message|suggestion|fix|change|changes|response|point|comment|plan|attempt|commit|approach|prompt|question|request|idea|review|version|proposal|solution|findings?)|going back to|back to (?:what|the|your|my|our|that)",
    ),
    words(
        Marker::ReferenceBack,
        650,
        r"(?:earlier|previously|last time|a moment ago) (?:you|i|we|it)|option (?:[a-d1-9]|one|two|three)|you (?:just|already|previously|earlier) (?:\w+ed|did|made|wrote|said|found|gave|sent)|the (?:one|thing|bug|issue|problem|error|change|fix|code|test|plan|approach|file)s? (?:you|we|i) (?:\w+ )?(?:mentioned|discussed|made|added|found|said|saw|fixed|wrote|suggested|talked|proposed|created)",
    ),
    words(
        Marker::ChallengeDisagree,
        900,
        r"are you (?:sure|certain)|i (?:disagree|don't agree|do not agree|doubt|don't (?:think|believe|like|see)|don’t (?:think|believe|like|see)|do not (?:think|believe))|i(?:'m|’m| am) not (?:convinced|so sure|sure (?:that|about|this|it|we))|(?:that's|that’s|that is|this is|it's|it is|you're|you’re|you are) (?:not (?:right|correct|true|what|how|quite|good|it|needed|necessary)|wrong|incorrect|false|a mistake|a bad|bad|overkill|too (?:complex|complicated|much))|(?:still|that|this|it) (?:doesn't|does not|doesn’t|didn't|did not|isn't|is not|not) (?:\w+ )?(?:work|right|correct|make sense|working|fix|fixed|help)(?:ing)?",
    ),
    words(
        Marker::ChallengeDisagree,
        700,
        r"shouldn't (?:it|we|you|this|that|the|there)|wouldn't (?:it|that|this|we|the)|isn't (?:it|that|this|there|the)|aren't (?:you|we|they|there|these)|but (?:why|what about|isn't|shouldn't|wouldn't|doesn't|(?:that|this|it|you) (?:doesn't|does not|isn't|is not|didn't|should|shouldn't|still|would|won't))|why not|(?:that|this|it) (?:seems|looks|feels|sounds) (?:wrong|off|odd|weird|strange|suspicious|too|like a (?:hack|bug|mistake|bad))|nope",
    ),
    words(
        Marker::EpistemicMarkers,
        850,
        r"i (?:think|believe|guess|suspect|assume|wonder|suppose|feel like|reckon|imagine)|i(?:'m|’m| am) (?:not |pretty |fairly |quite )?(?:sure|certain|confident|unsure)|not sure|(?:as far as|to my knowledge|afaik|iirc|imo|imho)(?: i (?:know|can tell|remember|see))?|my (?:guess|understanding|assumption|hunch|impression|theory) is|i (?:don't|do not|don’t) (?:remember|recall|know)|no idea",
    ),
    words(
        Marker::EpistemicMarkers,
        650,
        r"maybe|perhaps|probably|possibly|apparently|presumably|(?:it|that|this|there|which) (?:seems|appears)|seems (?:like|that|to)|looks like|(?:might|may|could) be|supposedly|likely",
    ),
    words(
        Marker::JustificationRequests,
        850,
        r"why (?:did|do|does|would|is|are|was|were|have|has|should|can't|can’t|cannot|can|didn't|doesn't|isn't|aren't|don't|not|wasn't|we|you|the|it|this)|why\?|how come|what(?:'s|’s| is| was| are) (?:the )?(?:reason|rationale|reasoning|justification|benefit|advantage|pros|root cause|point of)|what makes you|walk me through|explain (?:why|your|how|the (?:reason|reasoning|rationale|difference|logic))|on what basis|what(?:'s|’s| is) (?:your|the) (?:evidence|argument|source)",
    ),
    words(
        Marker::JustificationRequests,
        600,
        r"can you explain|explain (?:to me|this|what|that|the)|how (?:did|do) you (?:know|get|come|decide|arrive|reach)|what(?:'s|’s| is) the difference|what does (?:that|this|it) mean",
    ),
    words(
        Marker::MetacognitiveReferences,
        850,
        r"think (?:through|harder|hard|carefully|deeply|again|more|step by step|about (?:it|this|that|how|what|why|whether))|thinking (?:about|through|out loud)|let me think|(?:take a )?step back|re(?:consider|think)|ultrathink|megathink|take your time|reason (?:about|through)|on second thoughts?|come to think|second.?guess(?:ing)?|overthink(?:ing)?|brainstorm",
    ),
    words(
        Marker::MetacognitiveReferences,
        650,
        r"i(?:'m|’m| am) (?:confused|wondering|realizing|thinking|curious|struggling|lost)|i (?:realized?|was thinking|was wondering|wondered|noticed|figured|changed my mind|got confused)|reflect on|lessons? learned",
    ),
    words(
        Marker::ConversationalAdaptation,
        850,
        r"(?:be|keep (?:it|this|them|the \w+)|make (?:it|this|them)) (?:more |less |very |a bit |much )?(?:brief|short|shorter|concise|simple|simpler|terse|verbose|specific|detailed|succinct|readable|clear|clearer)|in (?:plain|simple|layman(?:'s)?) (?:english|terms|words|language)|eli5|tl;?dr|too (?:long|verbose|wordy|technical|detailed|complicated)|(?:answer|reply|respond|write|speak) (?:in|with|only|as) (?:a |an |one |the )?(?:\w+ )?(?:english|german|french|spanish|chinese|japanese|sentences?|words?|bullets?|tables?|json|lists?|style|tone)|short answer|(?:in )?one (?:sentence|line|paragraph)|in (?:more|less) detail|slow down|stop (?:explaining|apologizing|asking)",
    ),
    words(
        Marker::ConversationalAdaptation,
        600,
        r"(?:just|only) (?:answer|give me|show me|tell me|list|the (?:code|diff|answer))|(?:be )?more (?:concise|specific|detail(?:ed)?|succinct)|simplif(?:y|ied) (?:the|your) (?:text|answer|explanation|summary|wording|language)|shorten|summari[sz]e",
    ),
    words(
        Marker::IrrelevantSharing,
        700,
        r"by the way|btw|off.?topic|unrelated(?:ly)?(?: (?:note|question|to this|but))|fun fact|long story short|(?:random|side) (?:note|question|thought)|anyway[,:]",
    ),
    Words {
        marker: Marker::AssumedContext,
        confidence: 800,
        pattern: r"(?:as|like) (?:we|i|you) (?:said|discussed|agreed|mentioned|talked)|(?:continue|resume|pick up|go on|finish) (?:where|what|with what|from where) (?:we|you|i)|same as (?:last time|before|yesterday)|like (?:last time|before|yesterday)|do (?:that|it) again|try again|the (?:usual|other one)|keep going",
        place: MarkerPlace::AtTheStart,
    },
    Words {
        marker: Marker::AssumedContext,
        confidence: 700,
        pattern: r"\A\W*(?:please |ok |okay |now |just |can you |could you )*(?:(?:fix|do|run|try|finish|update|commit|push|undo|revert|explain|check|change|remove|add|use|test) (?:it|this|that|these|those|them|again)|continue|proceed|go ahead|go on|retry|try again)(?: please| now| again)?\W*\z",
        place: MarkerPlace::AtTheStart,
    },
    words(
        Marker::AssumedContext,
        600,
        r"(?:as|like) (?:always|usual)|the usual (?:way|stuff|thing|place|suspects)|you know (?:what i mean|which one|the one|the drill)|(?:obviously|of course) you|(?:like|as) last time|same as (?:before|last time)",
    ),
    words(
        Marker::CapabilityMisunderstanding,
        800,
        r"(?:watch|listen to) (?:this|the|my) (?:video|recording|call|audio)|(?:look at|see) my (?:screen|desktop|monitor|terminal)|can you see my|you(?:'ll| will| should)? (?:always|forever) remember|remember (?:this )?(?:forever|next time|from now on|for next time|our last (?:chat|session|conversation))|(?:remember|recall) (?:our|the|my) (?:last|previous|earlier) (?:chat|session|conversation|meeting)|(?:call|phone|ping|slack|email|text) (?:me|him|her|them) (?:when|once|if|after|at)|(?:ask|talk to|check with) your (?:boss|colleagues?|team|manager|coworkers?)|are you (?:tired|bored|angry|asleep|human)|(?:work|think) (?:on (?:it|this) )?(?:overnight|in the background|while i sleep)",
    ),
    words(
        Marker::CapabilityMisunderstanding,
        600,
        r"why are you (?:so|being so) (?:slow|dumb|stupid|lazy)|you (?:promised|swore|learned nothing|never learn)|(?:don't|do not) you (?:remember|ever learn)|how long (?:will|would) (?:it|this|that) take you",
    ),
    words(
        Marker::GoalInference,
        600,
        r"(?:i|we) (?:want|need|would like|'d like|’d like) (?:you |it |this |the \w+ |them |users? )?to (?:be able to|make sure|avoid|ensure|keep|understand|know|see|support|allow)",
    ),
    words(
        Marker::BeliefTracking,
        650,
        r"(?:it|that|this)(?:'s|’s| is)? (?:already|now) (?:there|done|fixed|merged|exists?|working|deployed|installed|in place)",
    ),
];

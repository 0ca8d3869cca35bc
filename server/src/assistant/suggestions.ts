import { create } from "@bufbuild/protobuf";
import {
  type AssistantSession,
  type AssistantSuggestion,
  AssistantSuggestionSchema,
} from "@frontdesk/protos/ces/assistant_session";
import { idOf } from "#aip";
import type { AppTree } from "#resources";

/** Suggestions without `max_suggestions` (GenerateOnboardingSuggestionsRequest). */
const DEFAULT_SUGGESTIONS = 4;

/** What could be done next with an app, by rules over what it has (ASST-6), the most useful first. */
export function suggestionsFor(
  tree: AppTree,
  sessions: readonly AssistantSession[],
  most: number,
): readonly AssistantSuggestion[] {
  const found = [...resume(sessions), ...begin(tree), ...mend(tree), ...test(tree), ...extend(tree)];
  return found.slice(0, most > 0 ? most : DEFAULT_SUGGESTIONS);
}

type Action = AssistantSuggestion["action"];

function suggestion(candidateType: string, icon: string, label: string, rationale: string, action: Action) {
  return create(AssistantSuggestionSchema, {
    suggestionId: candidateType,
    label: label.slice(0, 60),
    icon,
    rationale,
    source: "RULES",
    candidateType,
    action,
  });
}

function seed(value: string): Action {
  return { case: "seedPrompt", value };
}

function resume(sessions: readonly AssistantSession[]): readonly AssistantSuggestion[] {
  const latest = sessions.find(({ messages }) => messages.length > 0);
  if (!latest) return [];
  const topic = latest.displayName || "the last conversation";
  const action = { case: "loadSession", value: { assistantSessionId: idOf(latest.name) } } as unknown as Action;
  return [suggestion("resume-session", "history", `Go on with ${topic}`, "This conversation was the last.", action)];
}

function begin({ agents }: AppTree): readonly AssistantSuggestion[] {
  if (agents.length > 0) return [];
  const text = "Build an app that ";
  return [suggestion("create-app", "add", "Build the app from a description", "The app has no agent yet.", seed(text))];
}

function mend({ app, agents, tools }: AppTree): readonly AssistantSuggestion[] {
  const wrong = [app, ...agents, ...tools].flatMap((resource) =>
    "validationErrors" in resource && Array.isArray(resource.validationErrors) ? resource.validationErrors : [],
  );
  if (wrong.length === 0) return [];
  const label = wrong.length === 1 ? "Mend what would not run" : `Mend ${wrong.length} things that would not run`;
  return [
    suggestion("fix-validation-errors", "build", label, String(wrong[0]), seed("Mend what the validation says.")),
  ];
}

function test({ agents, evaluations }: AppTree): readonly AssistantSuggestion[] {
  if (agents.length === 0 || evaluations.length > 0) return [];
  const text = "Write evaluations for the most important conversations.";
  return [suggestion("create-evaluations", "check", "Write evaluations", "The app has none.", seed(text))];
}

function extend({ agents }: AppTree): readonly AssistantSuggestion[] {
  const [first] = agents;
  if (!first) return [];
  const text = `Read the instruction of '${first.displayName}' and say what could be misunderstood.`;
  return [
    suggestion(
      "review-instruction",
      "search",
      "Review the instructions",
      "Instructions decide what agents do.",
      seed(text),
    ),
    suggestion("add-tool", "extension", "Add a tool", "Tools let agents act.", seed("Add a tool that ")),
  ];
}

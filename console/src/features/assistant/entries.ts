import type { JsonObject } from "@bufbuild/protobuf";
import type {
  AssistantMessage,
  OptionQuestionsChunk_Question as Question,
} from "@frontdesk/protos/ces/assistant_session";
import type { StreamChatAiAssistantResponse as StreamEvent } from "@frontdesk/protos/ces/session_service";

/** A change that the assistant would make, and what a person said to it. */
export interface Proposal {
  readonly confirmationId: string;
  /** What it does, and what stays wrong, as Markdown. */
  readonly context: string;
  readonly positiveLabel: string;
  readonly negativeLabel: string;
  /** `past`: something was said since, so it cannot be stored any more. */
  readonly state: "open" | "applied" | "declined" | "past";
}

/** One message of a conversation with the assistant. */
export interface Entry {
  readonly by: "user" | "assistant";
  readonly text: string;
  /** Unified diff of the change; "" without one. */
  readonly patch: string;
  readonly questions: readonly Question[];
  readonly proposal: Proposal | undefined;
}

const EMPTY = { text: "", patch: "", questions: [], proposal: undefined } as const;
const LABELS = { positiveLabel: "Apply", negativeLabel: "Not yet" } as const;

/** What a person said. */
export function userEntry(text: string): Entry {
  return { ...EMPTY, by: "user", text };
}

/** An answer that has not begun. */
export const NO_ANSWER: Entry = { ...EMPTY, by: "assistant" };

/** An answer with an event of its stream. */
export function withEvent(entry: Entry, { event }: Pick<StreamEvent, "event">): Entry {
  switch (event.case) {
    case "textChunk":
      return { ...entry, text: entry.text + event.value };
    case "artifactChunk":
      return { ...entry, patch: entry.patch + event.value.contentDelta };
    case "optionQuestionsChunk":
      return { ...entry, questions: [...entry.questions, ...event.value.questions] };
    case "confirmationRequest": {
      const { confirmationId, context, positiveLabel, negativeLabel } = event.value;
      return { ...entry, proposal: { confirmationId, context, positiveLabel, negativeLabel, state: "open" } };
    }
    case "resumeSnapshot":
      return event.value.events.reduce(withEvent, entry);
    default:
      return entry;
  }
}

/** A proposal that nobody answered is past when something else is said. */
export function settled(entries: readonly Entry[], confirmationId: string, state: Proposal["state"]): readonly Entry[] {
  return entries.map((entry) => {
    if (entry.proposal?.state !== "open") return entry;
    const next = entry.proposal.confirmationId === confirmationId ? state : "past";
    return { ...entry, proposal: { ...entry.proposal, state: next } };
  });
}

/** The messages of a stored session. `awaiting`: whether its last change can still be confirmed. */
export function entriesOf(messages: readonly AssistantMessage[], awaiting: boolean): readonly Entry[] {
  return messages.map((message, at) => {
    const text = message.chunks.flatMap(({ data }) => (data.case === "text" ? [data.value] : [])).join("\n");
    const entry = { ...EMPTY, by: message.role === "user" ? "user" : "assistant", text } as const;
    const state = awaiting && at === messages.length - 1 ? "open" : "past";
    const payload = message.chunks.flatMap(({ data }) => (data.case === "typedPayload" ? [data.value] : []));
    const proposal = payload.find(({ type }) => type === "proposal");
    return proposal ? { ...entry, ...proposed(proposal.value ?? {}, state) } : entry;
  });
}

function proposed(value: JsonObject, state: Proposal["state"]): Pick<Entry, "patch" | "proposal"> {
  const text = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  const lines = (name: string) => (Array.isArray(value[name]) ? value[name].map((line) => `- ${line}`) : []);
  const notes = lines("notes");
  const context = [...lines("differences"), ...(notes.length > 0 ? ["", "What stays wrong:", "", ...notes] : [])];
  return {
    patch: text("patch"),
    proposal: { ...LABELS, confirmationId: text("confirmation_id"), context: context.join("\n"), state },
  };
}

/** The version that an answer names as the way back; undefined in an answer without one. */
export function versionToRestore({ by, text }: Entry): string | undefined {
  return by === "assistant" ? /projects\/[^\s`'"]+\/versions\/[\w-]+/.exec(text)?.[0] : undefined;
}

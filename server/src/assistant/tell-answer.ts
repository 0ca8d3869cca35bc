import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ArtifactChunk_State as ArtifactState } from "@frontdesk/protos/ces/assistant_session";
import type { AssistantInput } from "./contract.ts";
import type { PendingProposal } from "./proposals.ts";
import type { Answer } from "./run-turn.ts";
import type { TurnLog } from "./turn-log.ts";

/** Tells an answer: words, the diff of a change, questions, and the card that confirms, for clients that show one (ASST-3, ASST-4). */
export function tellAnswer({ reply, revision, pending }: Answer, input: AssistantInput, log: TurnLog): void {
  log.tell({ case: "textChunk", value: reply });
  if (pending) tellDiff(pending, log);
  const questions = (revision?.questions ?? []).map(({ question, options }) => ({
    question,
    options: options.map(({ title, details, text }) => ({ title, details, submitText: text })),
  }));
  if (questions.length > 0) log.tell({ case: "optionQuestionsChunk", value: { questions } });
  if (pending) tellProposal(pending, input, log);
  if (revision?.intent) log.tell({ case: "sessionCheckpoint", value: { userIntent: revision.intent } });
}

function tellDiff({ id: artifactId, proposal }: PendingProposal, log: TurnLog): void {
  const file = { artifactId, displayName: "changes.diff", mimeType: "text/x-diff" };
  log.tell({ case: "artifactChunk", value: { ...file, state: ArtifactState.STARTED } });
  log.tell({ case: "artifactChunk", value: { artifactId, state: ArtifactState.DELTA, contentDelta: proposal.patch } });
  log.tell({ case: "artifactChunk", value: { ...file, state: ArtifactState.FINALIZED } });
}

function tellProposal(pending: PendingProposal, { showsConfirmations }: AssistantInput, log: TurnLog): void {
  const context = changesText(pending);
  if (!showsConfirmations) {
    log.tell({ case: "textChunk", value: `\n\n${context}\n\nAnswer 'apply' to store it.` });
    return;
  }
  log.tell({
    case: "confirmationRequest",
    value: {
      confirmationId: pending.id,
      agentName: "Assistant",
      tool: "update_app",
      context,
      positiveLabel: "Apply",
      negativeLabel: "Not yet",
      expireTime: timestampFromMs(Math.floor(pending.expiresAt)),
    },
  });
}

/** What a change does and what stays wrong, for a person. */
function changesText({ proposal }: PendingProposal): string {
  const lines = proposal.differences.map((line) => `- ${line}`);
  const notes = proposal.notes.map((note) => `- ${note}`);
  return ["This change:", ...lines, ...(notes.length > 0 ? ["", "What stays wrong:", ...notes] : [])].join("\n");
}

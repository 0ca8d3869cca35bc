import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ArtifactChunk_State as ArtifactState } from "@frontdesk/protos/ces/assistant_session";
import type { AssistantInput } from "./contract.ts";
import type { PendingProposal } from "./proposals.ts";
import type { Answer } from "./run-turn.ts";
import type { TurnLog } from "./turn-log.ts";

/** Tells an answer: words, the diff of a change, questions, and the card that confirms, for clients that show one (ASST-3, ASST-4). */
export function sendAnswer({ reply, revision, pending }: Answer, input: AssistantInput, log: TurnLog): void {
  log.send({ case: "textChunk", value: reply });
  if (pending) sendDiff(pending, log);
  const questions = (revision?.questions ?? []).map(({ question, options }) => ({
    question,
    options: options.map(({ title, details, text }) => ({ title, details, submitText: text })),
  }));
  if (questions.length > 0) log.send({ case: "optionQuestionsChunk", value: { questions } });
  if (pending) sendProposal(pending, input, log);
  if (revision?.intent) log.send({ case: "sessionCheckpoint", value: { userIntent: revision.intent } });
}

function sendDiff({ id: artifactId, proposal }: PendingProposal, log: TurnLog): void {
  const file = { artifactId, displayName: "changes.diff", mimeType: "text/x-diff" };
  log.send({ case: "artifactChunk", value: { ...file, state: ArtifactState.STARTED } });
  log.send({ case: "artifactChunk", value: { artifactId, state: ArtifactState.DELTA, contentDelta: proposal.patch } });
  log.send({ case: "artifactChunk", value: { ...file, state: ArtifactState.FINALIZED } });
}

function sendProposal(pending: PendingProposal, { showsConfirmations }: AssistantInput, log: TurnLog): void {
  const context = changesText(pending);
  if (!showsConfirmations) {
    log.send({ case: "textChunk", value: `\n\n${context}\n\nAnswer 'apply' to store it.` });
    return;
  }
  log.send({
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

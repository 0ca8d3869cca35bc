import { createHash } from "node:crypto";
import { create, equals } from "@bufbuild/protobuf";
import { type Message, MessageSchema, TaskSchema, TaskState } from "@frontdesk/protos/a2a/a2a";
import { invalidArgument } from "#status";
import type { TaskRow } from "#storage";
import type { A2aCall, A2aDeps } from "../contract.ts";
import { historyMessage } from "../messages/stored-parts.ts";
import { contextSessionOfConversation } from "./context-session.ts";
import { storableTask } from "./redact-task.ts";
import { readTask } from "./task-rows.ts";

/** After these the message may be sent again under its key: such a task has failed to answer it. */
const RUNS_ANEW: ReadonlySet<TaskState> = new Set([TaskState.FAILED, TaskState.REJECTED]);

/** The task of a key: its id, and its row where the message has come before (A2A-27). */
interface KeyedTask {
  readonly id: string;
  readonly row: TaskRow | undefined;
}

/** The task that the message of a key begins. Its id is made of the key, so that whichever server gets a repeat finds it, and no two begin one. */
export async function taskOfKey(
  key: string,
  { agent, owner }: A2aCall,
  { store }: Pick<A2aDeps, "store">,
): Promise<KeyedTask> {
  for (let attempt = 0; ; attempt++) {
    const id = uuidOf(owner, agent.tenant, key, attempt);
    const row = await store.get(id);
    if (!row || !RUNS_ANEW.has(row.state)) return { id, row };
  }
}

function uuidOf(...parts: readonly unknown[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  // Version 8 of RFC 9562: made of what its maker likes.
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}

/** Throws unless the task of a key began with this message. */
export async function checkSameMessage(row: TaskRow, message: Message, call: A2aCall, deps: RepeatDeps): Promise<void> {
  const isOfContext = message.contextId === "" || message.contextId === row.contextId;
  if (isOfContext && (await hasHad(row, message, call, deps))) return;
  throw invalidArgument({
    field: "Idempotency-Key",
    description: `'${call.key}' is the key of the message of task '${row.id}', which was another one; give each message a key of its own`,
  });
}

type RepeatDeps = Pick<A2aDeps, "redaction">;

/** Whether a task has had this message. Compared is what is stored of messages: without personal data where the app redacts, large files by name and size. */
export async function hasHad(
  row: TaskRow,
  message: Message,
  { agent }: A2aCall,
  { redaction }: RepeatDeps,
): Promise<boolean> {
  const { session } = contextSessionOfConversation(row.contextId, row.conversation);
  const { snapshot } = await agent.snapshot(session);
  const history = [historyMessage(message, row.contextId, row.id)];
  const [again] = (await storableTask(create(TaskSchema, { history }), snapshot, redaction)).history;
  return readTask(row).history.some((before) => again && equals(MessageSchema, before, again));
}

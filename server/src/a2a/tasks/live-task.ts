import { clone, create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type Artifact,
  ArtifactSchema,
  type Message,
  MessageSchema,
  type Part,
  Role,
  type StreamResponse,
  StreamResponseSchema,
  type Task,
  TaskSchema,
  type TaskState,
  type TaskStatus,
  TaskStatusSchema,
} from "@frontdesk/protos/a2a/a2a";
import type { Clock, Ids, JsonObject } from "#base";
import { definedFields } from "#base";
import { acceptable, textPart } from "../messages/to-parts.ts";
import { type AnswerChunk, AnswerFeed } from "./answer-feed.ts";

interface LiveTaskDeps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly publish: (event: StreamResponse) => void;
  /** Media types that the client reads; empty: all (A2A-13). */
  readonly accepted: readonly string[];
}

/**
 * A task that is worked on: its message, changed by methods, each of which tells the followers. What the agent says in a turn is one artifact
 * (A2A-12).
 */
export class LiveTask {
  readonly #task: Task;
  readonly #deps: LiveTaskDeps;
  #turn = 0;
  #answer: Artifact | undefined;
  readonly #feed = new AnswerFeed((chunk) => this.#publishChunk(chunk));
  /** Position of the text of the answer whose pieces are still coming. */
  #open: number | undefined;

  /** `task` is this object's from now on. */
  constructor(task: Task, deps: LiveTaskDeps) {
    this.#task = task;
    this.#deps = deps;
  }

  get id(): string {
    return this.#task.id;
  }

  get state(): TaskState {
    return this.#task.status?.state ?? 0;
  }

  /** Tells followers all that was said, before another one gets a snapshot and what comes after it. */
  tellAll(): void {
    this.#feed.tellAll();
  }

  /** Tells followers nearly all that was said, because saying more will take a while. */
  tellMost(): void {
    this.#feed.tellMost();
  }

  /** The task as it is now. */
  snapshot(): Task {
    return clone(TaskSchema, this.#task);
  }

  /** What the agent has said in this turn. */
  get answerParts(): readonly Part[] {
    return this.#answer?.parts ?? [];
  }

  /** What the agent has said in this turn, as a message of no task; undefined when it has said nothing. */
  get answerMessage(): Message | undefined {
    const { parts = [] } = this.#answer ?? {};
    if (parts.length === 0) return undefined;
    const message = this.#message(parts);
    message.taskId = "";
    return clone(MessageSchema, message);
  }

  /** A turn begins, with this index: its answer is an artifact of its own. */
  beginTurn(index: number): void {
    this.#endAnswer();
    this.#turn = index;
    this.#answer = undefined;
    this.#open = undefined;
  }

  /** A message of the user. What the agent asked for before becomes history. */
  receive(message: Message): void {
    const asked = this.#task.status?.message;
    this.#task.history.push(...(asked ? [asked] : []), message);
  }

  /** A piece of text, as the model writes it. */
  addDelta(text: string): void {
    const artifact = this.#openAnswer([]);
    const part = this.#open === undefined ? undefined : artifact.parts[this.#open];
    if (part?.content.case === "text") part.content.value += text;
    else this.#open = artifact.parts.push(textPart(text)) - 1;
    this.#feed.addPiece(text, part !== undefined);
  }

  /** A whole part of the answer; `alreadySent` when its pieces were. */
  addParts(said: readonly Part[], alreadySent: boolean): void {
    const parts = acceptable(said, this.#deps.accepted);
    const open = this.#open;
    this.#open = undefined;
    if (parts.length === 0) return;
    if (alreadySent && open !== undefined) {
      const [told] = this.#answer?.parts.splice(open, 1, ...parts) ?? [];
      if (parts.length > 1 || !isSameText(told, parts[0])) this.#feed.rewrite();
      return;
    }
    this.#openAnswer(parts);
    this.#feed.addParts(parts);
  }

  /** What belongs to the answer and is no content, such as citations. */
  addAnswerMetadata(metadata: JsonObject): void {
    const artifact = this.#openAnswer([]);
    artifact.metadata = { ...artifact.metadata, ...metadata };
  }

  addMetadata(metadata: JsonObject): void {
    if (Object.keys(metadata).length > 0) this.#task.metadata = { ...this.#task.metadata, ...metadata };
  }

  /** A status that followers are not told yet (`publishStatus`). */
  setStatus(state: TaskState, parts: readonly Part[] = []): void {
    const message = parts.length > 0 ? this.#message(acceptable(parts, this.#deps.accepted)) : undefined;
    this.#task.status = this.#status(state, message);
    if (this.#answer?.parts.length === 0) this.#task.artifacts = this.#task.artifacts.filter((a) => a !== this.#answer);
  }

  /** Tells followers the status, after all that was said. */
  publishStatus(): void {
    this.#endAnswer();
    this.#publish({ case: "statusUpdate", value: { ...this.#ids(), status: this.#task.status, ...this.#metadata() } });
  }

  #status(state: TaskState, message: Message | undefined): TaskStatus {
    const timestamp = timestampFromMs(Math.floor(this.#deps.clock.now()));
    return create(TaskStatusSchema, { state, timestamp, ...definedFields({ message }) });
  }

  #message(parts: readonly Part[]): Message {
    const { taskId, contextId } = this.#ids();
    return create(MessageSchema, {
      messageId: this.#deps.ids.uuid(),
      role: Role.AGENT,
      taskId,
      contextId,
      parts: [...parts],
    });
  }

  /** The artifact of this turn, with parts added. */
  #openAnswer(parts: readonly Part[]): Artifact {
    if (!this.#answer) {
      this.#answer = create(ArtifactSchema, { artifactId: `answer-${this.#turn}`, name: "answer" });
      this.#task.artifacts.push(this.#answer);
    }
    this.#answer.parts.push(...parts);
    return this.#answer;
  }

  #endAnswer(): void {
    this.#feed.end(this.#answer?.parts ?? []);
  }

  /** The first chunk creates the artifact for the followers. The last one has what belongs to the answer and is no content. */
  #publishChunk({ parts, ...chunk }: AnswerChunk): void {
    const { artifactId = "", name = "", metadata } = this.#answer ?? {};
    const artifact = { artifactId, name, parts: [...parts], ...(chunk.lastChunk && definedFields({ metadata })) };
    this.#publish({ case: "artifactUpdate", value: { ...this.#ids(), artifact, ...chunk } });
  }

  #ids(): { readonly taskId: string; readonly contextId: string } {
    return { taskId: this.#task.id, contextId: this.#task.contextId };
  }

  #metadata(): { readonly metadata?: JsonObject } {
    return this.#task.metadata ? { metadata: this.#task.metadata as JsonObject } : {};
  }

  #publish(payload: NonNullable<MessageInitShape<typeof StreamResponseSchema>["payload"]>): void {
    this.#deps.publish(clone(StreamResponseSchema, create(StreamResponseSchema, { payload })));
  }
}

function isSameText(one: Part | undefined, other: Part | undefined): boolean {
  return one?.content.case === "text" && other?.content.case === "text" && one.content.value === other.content.value;
}

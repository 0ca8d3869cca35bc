import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import type { Clock, Ids, Logger } from "#base";
import type { Sandbox } from "#sandbox";
import type { SqlSource } from "#warehouse";
import type { AuthoredQuery, Match } from "../context/example-queries.ts";
import type { ChatRequest, SemanticModel } from "../contract.ts";
import type { NamedResult, Planner, PlanRequest } from "../plan/planner.ts";
import type { History } from "./history.ts";
import type { MessageWriter } from "./message-writer.ts";

export interface TurnDeps {
  readonly sandbox: Pick<Sandbox, "run">;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly limits: TurnLimits;
}

/** Bounds of one question. */
interface TurnLimits {
  readonly maxRows: number;
  readonly maxBytes: number;
  readonly queryMs: number;
  /** Corrected statements after the first one; FAST has one at most. */
  readonly repairs: number;
  /** Milliseconds without a message after which a PROGRESS message is sent. */
  readonly silenceMs: number;
}

/** The limits of the API (CA-14, CA-12, CA-13); a query may take a minute. */
export const DEFAULT_LIMITS: TurnLimits = {
  maxRows: 100_000,
  maxBytes: 3_000_000,
  queryMs: 60_000,
  repairs: 3,
  silenceMs: 9_000,
};

/** The state of one question. */
export interface Turn {
  readonly request: ChatRequest;
  readonly history: History;
  readonly source: SqlSource;
  readonly model: SemanticModel;
  readonly planner: Planner;
  readonly plan: PlanRequest;
  readonly authored: readonly AuthoredQuery[];
  readonly match: Match | undefined;
  /** Doubts that come up before the answer, such as a verified query that is out of date; the answer tells them. */
  readonly notes: string[];
  readonly write: MessageWriter;
  readonly deps: TurnDeps;
}

/** Part of a turn: messages as they come, and at the end what the next part needs. */
export type Stage<Outcome> = AsyncGenerator<Message, Outcome>;

/** Results in the order of their queries. */
export type Results = readonly NamedResult[];

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { clone, fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type CreateSharedAnswerRequest,
  type ListSharedAnswersRequest,
  ListSharedAnswersRequestSchema,
} from "@frontdesk/protos/gda/data_agent_service";
import {
  SharedAnswer_Audience as Audience,
  type SharedAnswer,
  SharedAnswerSchema,
} from "@frontdesk/protos/gda/shared_answer";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum, withoutOutputOnly } from "#aip";
import { type Clock, definedFields, type Ids, oneAtATime } from "#base";
import { type FieldViolation, invalidArgument, notFound, resourceExhausted } from "#status";
import type { ResourceQuery, ResourceRow, ResourceStore } from "#storage";
import { PAGES } from "../agents/list-agents.ts";
import { statementViolations } from "../statements/asked-statement.ts";
import {
  agentOfSharedAnswer,
  checkSharedAnswerName,
  newSharedAnswerName,
  SHARED_ANSWER_TYPE,
} from "./shared-answer-name.ts";

/** Links to answers (CA-60). */
export interface SharedAnswers {
  /** What a request asks for, ready to be stored; INVALID_ARGUMENT otherwise. */
  draft(request: CreateSharedAnswerRequest): SharedAnswer;
  /** Stores a draft. One for everybody has its token in the answer, and never again. RESOURCE_EXHAUSTED at the limit of its agent. */
  create(draft: SharedAnswer, creator: string): Promise<SharedAnswer>;
  /** NOT_FOUND also for one that has expired. */
  get(name: string): Promise<SharedAnswer>;
  list(request: ListSharedAnswersRequest): Promise<SharedAnswerPage>;
  remove(name: string): Promise<void>;
  /** The answer that a token opens. NOT_FOUND for a wrong token as for an answer that never was. */
  opened(name: string, token: string): Promise<SharedAnswer>;
}

interface SharedAnswerPage {
  readonly sharedAnswers: readonly SharedAnswer[];
  /** "" on the last page. */
  readonly nextPageToken: string;
}

interface SharedAnswersDeps {
  readonly store: ResourceStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 365;
/** Links to answers of one agent. */
const MAX_LINKS = 200;
const MAX_QUESTION = 10_000;
/** Stored bytes of a page after which it ends, however few links it has (WIRE-25). */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Rows that are read at once: the statement of each may have 200,000 characters. */
const ROWS_AT_ONCE = 20;

/** Creates the links over the store. */
export function createSharedAnswers(deps: SharedAnswersDeps): SharedAnswers {
  const { store, clock, ids } = deps;
  const inTurn = oneAtATime();
  const isOver = ({ expireTime }: SharedAnswer) => expireTime !== undefined && timestampMs(expireTime) <= clock.now();

  async function read(name: string) {
    checkSharedAnswerName(name, "name");
    const row = await store.get(name);
    const stored = row?.type === SHARED_ANSWER_TYPE ? fromRow(row) : undefined;
    if (!stored || isOver(stored.answer)) throw notFound(name, SHARED_ANSWER_TYPE);
    return stored;
  }

  async function requireRoom(agent: string): Promise<void> {
    const { length } = await store.names({ type: SHARED_ANSWER_TYPE, parent: agent });
    if (length >= MAX_LINKS && length - (await removeEnded(agent)) >= MAX_LINKS) throw tooMany(agent);
  }

  /** Deletes the links of an agent that have ended, and returns how many there were. */
  async function removeEnded(agent: string): Promise<number> {
    const ended = (await store.children(agent, [SHARED_ANSWER_TYPE])).map((row) => fromRow(row).answer).filter(isOver);
    await store.write(ended.map(({ name }) => ({ kind: "delete", name })));
    return ended.length;
  }

  return {
    draft: (request) => draftOf(request, deps),
    async create(draft, creator) {
      const answer = clone(SharedAnswerSchema, draft);
      answer.creator = creator;
      answer.createTime = timestampFromMs(Math.floor(clock.now()));
      const token = answer.audience === Audience.ANYONE_WITH_LINK ? randomBytes(32).toString("base64url") : "";
      const row = toRow({ answer, digest: token && digestOf(token) }, ids.uuid());
      await inTurn(async () => {
        await requireRoom(agentOfSharedAnswer(draft.name));
        await store.write([{ kind: "put", row, ifEtag: "" }]);
      });
      answer.token = token;
      return answer;
    },
    get: async (name) => (await read(name)).answer,
    list: (request) => listLinks(request, store, isOver),
    async remove(name) {
      await read(name);
      await store.write([{ kind: "delete", name }]);
    },
    async opened(name, token) {
      const { answer, digest } = await read(name);
      if (digest === "" || !isSame(digestOf(token), digest)) throw notFound(name, SHARED_ANSWER_TYPE);
      return answer;
    },
  };
}

/** A page of the links that have not ended, the newest first. */
async function listLinks(
  request: ListSharedAnswersRequest,
  store: ResourceStore,
  isOver: (answer: SharedAnswer) => boolean,
): Promise<SharedAnswerPage> {
  const size = pageSizeOf(request.pageSize, PAGES);
  const checksum = requestChecksum(ListSharedAnswersRequestSchema, request);
  let after: ResourceQuery["after"] = decodePageToken(request.pageToken, checksum, "sorted");
  const query = { type: SHARED_ANSWER_TYPE, parent: request.parent, orderBy: "create_time" } as const;
  const sharedAnswers: SharedAnswer[] = [];
  const pageUntil = (last: ResourceQuery["after"]) => ({
    sharedAnswers,
    nextPageToken: last ? encodePageToken([...last], checksum) : "",
  });
  for (let bytes = 0; ; ) {
    const limit = Math.min(ROWS_AT_ONCE, size - sharedAnswers.length);
    const { rows, last } = await store.list({ ...query, descending: true, limit, ...definedFields({ after }) });
    for (const row of rows) {
      const { answer } = fromRow(row);
      if (isOver(answer)) continue;
      bytes += row.body.length;
      if (bytes > MAX_PAGE_BYTES && sharedAnswers.length > 0) return pageUntil(after);
      sharedAnswers.push(answer);
      after = [row.createTime, row.name];
    }
    if (!last || sharedAnswers.length === size) return pageUntil(last);
    after = last;
  }
}

function draftOf({ parent, sharedAnswer }: CreateSharedAnswerRequest, { clock, ids }: SharedAnswersDeps): SharedAnswer {
  const name = newSharedAnswerName(parent, ids);
  if (!sharedAnswer) throw invalidArgument({ field: "shared_answer", description: "Required field is not set." });
  const draft = clone(SharedAnswerSchema, withoutOutputOnly(SharedAnswerSchema, sharedAnswer));
  const violations = violationsOf(draft, clock.now());
  if (violations.length > 0) throw invalidArgument(violations);
  draft.name = name;
  if (draft.audience === Audience.AUDIENCE_UNSPECIFIED) draft.audience = Audience.CALLERS;
  if (draft.audience === Audience.ANYONE_WITH_LINK)
    draft.expireTime ??= timestampFromMs(Math.floor(clock.now()) + DEFAULT_DAYS * DAY_MS);
  return draft;
}

function violationsOf(answer: SharedAnswer, now: number): readonly FieldViolation[] {
  const { question, audience, expireTime } = answer;
  const at = "shared_answer";
  const days = expireTime && (timestampMs(expireTime) - now) / DAY_MS;
  return [
    ...(question.trim() === "" ? [{ field: `${at}.question`, description: "Required field is not set." }] : []),
    ...(question.length > MAX_QUESTION
      ? [{ field: `${at}.question`, description: `At most ${MAX_QUESTION} characters, not ${question.length}.` }]
      : []),
    ...statementViolations(answer, `${at}.`),
    ...(Audience[audience] === undefined
      ? [{ field: `${at}.audience`, description: "Use CALLERS or ANYONE_WITH_LINK." }]
      : []),
    ...(days !== undefined && (days <= 0 || days > MAX_DAYS)
      ? [{ field: `${at}.expire_time`, description: `A link expires within ${MAX_DAYS} days from now.` }]
      : []),
  ];
}

/** As it is stored. */
interface StoredAnswer {
  readonly answer: SharedAnswer;
  /** SHA-256 of its token; "" for none. */
  readonly digest: string;
}

function toRow({ answer, digest }: StoredAnswer, etag: string): ResourceRow {
  const message = Buffer.from(toBinary(SharedAnswerSchema, answer)).toString("base64");
  const createTime = answer.createTime ? timestampMs(answer.createTime) : 0;
  return {
    ...{ name: answer.name, type: SHARED_ANSWER_TYPE, parent: agentOfSharedAnswer(answer.name), displayName: "" },
    ...{ createTime, updateTime: createTime, etag, body: Buffer.from(JSON.stringify({ message, digest })) },
  };
}

function fromRow({ body }: ResourceRow): StoredAnswer {
  const { message, digest } = JSON.parse(Buffer.from(body).toString());
  return { answer: fromBinary(SharedAnswerSchema, Buffer.from(message, "base64")), digest };
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function tooMany(agent: string) {
  return resourceExhausted(`'${agent}' has ${MAX_LINKS} shared answers, which is the limit. Delete one.`, {
    reason: "TOO_MANY_SHARED_ANSWERS",
    metadata: { agent },
  });
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type {
  CreateSharedAnswerRequest,
  DeleteSharedAnswerRequest,
  OpenSharedAnswerRequest,
  OpenSharedAnswerResponseSchema,
} from "@frontdesk/protos/gda/data_agent_service";
import { SharedAnswer_Audience as Audience, type SharedAnswer } from "@frontdesk/protos/gda/shared_answer";
import type { Access } from "#access";
import {
  type Analytics,
  agentOfSharedAnswer,
  type DataAgents,
  dataResult,
  type OwnData,
  type SharedAnswers,
} from "#analytics";
import { ANONYMOUS, type Caller, type Clock, definedFields } from "#base";
import type { CallContext } from "#rpc";
import { Code, ConnectError, failedPrecondition, ifFound, notFound } from "#status";
import { askedAgent } from "./data-chat-context.ts";

interface SharedAnswerDeps {
  readonly shared: SharedAnswers;
  readonly agents: DataAgents;
  readonly ownData: OwnData;
  readonly analytics: Pick<Analytics, "runStatement">;
  readonly access: Access;
  readonly clock: Clock;
}

const CHAT = "geminidataanalytics.dataAgents.chat";

/** Makes a link to an answer that its creator can read (CA-60). FAILED_PRECONDITION for one for everybody where the agent allows none. */
export async function createSharedAnswer(
  request: CreateSharedAnswerRequest,
  { caller, signal }: CallContext,
  { shared, agents, ownData, analytics }: SharedAnswerDeps,
): Promise<SharedAnswer> {
  const draft = shared.draft(request);
  const { parent: agent } = request;
  const { publicLinksAllowed } = await agents.get(agent, "parent");
  if (draft.audience === Audience.ANYONE_WITH_LINK && !publicLinksAllowed) throw publicLinksOff(agent);
  const { context, semanticModel } = await askedAgent(agent, { agents, ownData });
  const { sqlQuery, modelQuery } = draft;
  const statement = { sqlQuery, modelQuery, agent, semanticModel, explainOnly: true };
  await analytics.runStatement(context, statement, { signal, caller });
  return shared.create(draft, caller.principal);
}

/** Whoever made a link may revoke it, and whoever a role lets. */
export async function deleteSharedAnswer(
  { name }: DeleteSharedAnswerRequest,
  context: CallContext,
  { shared, access }: SharedAnswerDeps,
) {
  const { principal } = context.caller;
  const found = await ifFound(shared.get(name));
  const isOwn = principal !== "" && found?.creator === principal;
  if (!isOwn) await access.require(context, "geminidataanalytics.sharedAnswers.delete", name);
  await shared.remove(name);
  return {};
}

/**
 * Reads the rows of a shared answer for who opens it (CA-60): with a token as a caller without an identity, else as the caller, who must be allowed to ask the
 * agent. Never as who made the link.
 */
export async function openSharedAnswer(
  { name, token }: OpenSharedAnswerRequest,
  context: CallContext,
  deps: SharedAnswerDeps,
): Promise<MessageInitShape<typeof OpenSharedAnswerResponseSchema>> {
  if (token !== "") {
    const answer = await deps.shared.opened(name, token);
    const { publicLinksAllowed, deleteTime } = await deps.agents.get(agentOfSharedAnswer(name));
    if (!publicLinksAllowed || deleteTime) throw notFound(name, "geminidataanalytics.googleapis.com/SharedAnswer");
    const shown = await rowsOf(answer, ANONYMOUS, context.signal, deps).catch(hideReason);
    // SQL names tables and columns, and what it compares them with.
    return { ...shown, sqlQuery: "" };
  }
  await deps.access.require(context, CHAT, agentOfSharedAnswer(name));
  const answer = await deps.shared.get(name);
  return rowsOf(answer, context.caller, context.signal, deps);
}

async function rowsOf(
  { name, question, sqlQuery, modelQuery, expireTime }: SharedAnswer,
  caller: Caller,
  signal: AbortSignal,
  { agents, ownData, analytics, clock }: SharedAnswerDeps,
): Promise<MessageInitShape<typeof OpenSharedAnswerResponseSchema>> {
  const agent = agentOfSharedAnswer(name);
  const { context, semanticModel } = await askedAgent(agent, { agents, ownData });
  const statement = { sqlQuery, modelQuery, agent, semanticModel };
  const outcome = await analytics.runStatement(context, statement, { signal, caller });
  const {
    result,
    chart,
    statement: { words, sql },
  } = outcome;
  const readTime = timestampFromMs(Math.floor(result?.cachedAt ?? clock.now()));
  return {
    ...{ question, words, sqlQuery: sql, readTime, partialResult: result?.truncated ?? false },
    ...(result && { result: dataResult("answer", result) }),
    ...definedFields({ vegaConfig: chart, expireTime }),
  };
}

const ABOUT_DATA = new Set([Code.InvalidArgument, Code.FailedPrecondition, Code.PermissionDenied, Code.NotFound]);

/** Errors of a statement name tables and columns, which a link tells nobody. */
function hideReason(error: unknown): never {
  if (!(error instanceof ConnectError) || !ABOUT_DATA.has(error.code)) throw error;
  throw failedPrecondition(
    "The rows of this answer are not shown to callers without an identity, or cannot be read any more. Ask who shared it, or sign in and open it without the token.",
    { reason: "SHARED_ANSWER_UNREADABLE", metadata: {} },
  );
}

function publicLinksOff(agent: string) {
  return failedPrecondition(
    `'${agent}' allows no links for everybody. Set public_links_allowed of the data agent, or share with CALLERS.`,
    { reason: "PUBLIC_LINKS_OFF", metadata: { agent } },
  );
}

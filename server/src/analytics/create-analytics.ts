import { toBinary } from "@bufbuild/protobuf";
import type { Context } from "@frontdesk/protos/gda/context";
import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { type Caller, definedFields } from "#base";
import type { LanguageModel, Models } from "#models";
import type { ModelDefinition } from "#semantics";
import { invalidArgument, unsupported } from "#status";
import type { DataSource, LookerSource, SqlSource, Warehouse } from "#warehouse";
import { chatTurn, schemaFound } from "./chat/chat-turn.ts";
import { withHeartbeat } from "./chat/heartbeat.ts";
import { type History, readHistory } from "./chat/history.ts";
import { createMessageWriter, type MessageWriter } from "./chat/message-writer.ts";
import { DEFAULT_LIMITS, type Turn, type TurnDeps } from "./chat/turn.ts";
import { type AuthoredQuery, nearestQueries } from "./context/example-queries.ts";
import { createSemanticModelCache, type SemanticModelCache } from "./context/semantic-model-cache.ts";
import type { Analytics, ChatRequest, PlanningModels, SemanticModel } from "./contract.ts";
import { createDefinedModels, type DefinedModels } from "./defined/defined-models.ts";
import { vocabularyOf } from "./defined/vocabulary.ts";
import { withAuthorMetadata } from "./looker/author-metadata.ts";
import { createLookerModelPlanner, withLookerRules } from "./looker/looker-model-planner.ts";
import type { LookerPlanner } from "./looker/looker-planner.ts";
import { lookerTurn } from "./looker/looker-turn.ts";
import { createFallbackPlanner } from "./plan/fallback.ts";
import { createModelPlanner } from "./plan/model-planner.ts";
import type { Planner, PlanRequest } from "./plan/planner.ts";
import type { ProfileRows } from "./profiles/profile-store.ts";
import { createProfiles } from "./profiles/profiles.ts";
import { queryData } from "./query-data/query-data.ts";
import { type CacheOutcome, createResultCache, type ResultCacheLimits } from "./results/result-cache.ts";
import { relevantModel } from "./retrieval/relevant-model.ts";
import { type AccessRules, createRuledSource } from "./rules/access-rules.ts";
import { type Admission, inTurn } from "./sources/in-turn.ts";
import { compileStatement, withoutModel } from "./statements/asked-statement.ts";
import { type Budgets, withBudget } from "./statements/budgets.ts";
import { runStatement, withChart } from "./statements/run-statement.ts";
import { listDataTables } from "./tables/list-data-tables.ts";
import { findVerified } from "./verified/find-verified.ts";
import { verifiedExample } from "./verified/verify-answer.ts";

/** What questions to data need. Limits that are not given have their defaults. */
export interface AnalyticsDeps extends Omit<TurnDeps, "limits"> {
  readonly models: Models;
  readonly warehouse: Warehouse;
  readonly rules: RulePlanners;
  /** Where what is known of values outlives the server. Default: nowhere. */
  readonly profileRows?: ProfileRows;
  readonly limits?: Partial<TurnDeps["limits"]>;
  /** Semantic models that authors defined, by the resource names or the ids of their data agents. Default none. */
  readonly definedModels?: ReadonlyMap<string, ModelDefinition>;
  /** What queries of data agents may read. Default no limit. */
  readonly budgets?: Budgets;
  /** Who sees which rows and columns. Default: who may ask sees all. */
  readonly accessRules?: AccessRules;
  /** How long results of queries are kept, and how many. Default: none is. */
  readonly resultCache?: ResultCacheLimits | undefined;
  /** Whose statement the embedded engine runs next. Default: all run at once. */
  readonly admission?: Admission;
  /** Told of each query while results are kept. */
  readonly onCachedQuery?: (outcome: CacheOutcome) => void;
  /** Name of the model that writes SQL; "" = the server's default. Default "". */
  readonly model?: string;
}

/** Planners without a language model: used where none is configured, and from its first failure on. */
export interface RulePlanners {
  readonly sql: Planner;
  readonly looker: LookerPlanner;
}

/** Creates the analytics, stateless except for semantic models and what is known of values. */
export function createAnalytics(analyticsDeps: AnalyticsDeps): Analytics {
  const { models, warehouse, rules, deps, profiles, semanticModels, cached, ruled, fair, definedFor, budgets, model } =
    partsOf(analyticsDeps);
  const plannersWith = (own: PlanningModels = models) => createPlanners(own, model, rules, deps);
  return {
    async *chat(request): AsyncGenerator<Message> {
      const history = readHistory(request.messages);
      const source = await openSource(warehouse, request);
      const write = createMessageWriter(deps);
      // Aborted when the client stops reading, so that no query goes on.
      const unread = new AbortController();
      const signal = AbortSignal.any([request.signal, unread.signal]);
      const planners = plannersWith(request.models);
      const turn: OpenedTurn = {
        ...{ request: { ...request, signal }, history, write, deps, planners, semanticModels },
        ...{ rules: rules.sql, definedFor, budgets, cached, fair },
      };
      try {
        const messages =
          source.kind === "looker"
            ? await chatWithLooker(turn, source)
            : chatWithSql(turn, ruled(source, request.caller));
        yield* withHeartbeat(messages, write.heartbeat, deps.limits.silenceMs);
      } finally {
        unread.abort();
      }
    },
    queryData: (request, { signal, models: own, caller }) =>
      queryData(request, {
        open: async (references, viewParameters) => {
          const source = await warehouse.open(references, undefined, viewParameters);
          if (source.kind !== "sql") return source;
          const own = cached(fair(ruled(source, caller), caller), { datasourceReferences: references }, viewParameters);
          return withBudget(own, budgets, undefined);
        },
        modelOf: semanticModels.get,
        plannerFor: plannersWith(own).sql,
        deps,
        signal,
      }),
    async runStatement(context, asked, { signal, caller }) {
      const source = ruled(await sqlSource(warehouse, context), caller);
      const statement = await compileStatement(asked, async () => {
        const { agent: name, semanticModel = "" } = asked;
        return await definedFor({ name, semanticModel }, await semanticModels.get(source, context, signal));
      });
      const bounded = withBudget(cached(fair(source, caller), context), budgets, asked.agent);
      return withChart(await runStatement(bounded, statement, asked, deps.limits, signal));
    },
    async verifiedExample(context, answer, { signal, caller }) {
      const source = ruled(await sqlSource(warehouse, context), caller);
      const model = await semanticModels.get(source, context, signal);
      const { agent: name, semanticModel = "" } = answer.agent;
      const defined = await definedFor({ name, semanticModel }, model);
      const { queryMs } = deps.limits;
      const asked = fair(source, caller);
      return verifiedExample(answer, { source: asked, model, defined, now: deps.clock.now(), queryMs, signal });
    },
    async vocabulary(context, { agent: name, semanticModel = "" }, { signal, caller }) {
      const source = ruled(await sqlSource(warehouse, context), caller);
      const defined = await definedFor({ name, semanticModel }, await semanticModels.get(source, context, signal));
      if (!defined) throw withoutModel();
      return vocabularyOf(defined);
    },
    listTables: (request, { signal, caller, datasets }) =>
      listDataTables(request, { warehouse, datasets, ruled: (source) => ruled(source, caller), signal }),
    close: () => profiles.close(),
  };
}

/** What the questions of a server share. */
function partsOf(analyticsDeps: AnalyticsDeps) {
  const {
    models,
    warehouse,
    rules,
    profileRows: rows,
    definedModels = new Map(),
    budgets = { byAgent: new Map() },
    accessRules = { rules: [], membersOf: () => [] },
    resultCache,
    admission,
    onCachedQuery: count = () => undefined,
    model = "",
    limits,
    ...rest
  } = analyticsDeps;
  const deps: TurnDeps = { ...rest, limits: { ...DEFAULT_LIMITS, ...limits } };
  const profiles = createProfiles({ rows, clock: deps.clock, logger: deps.logger });
  const semanticModels = createSemanticModelCache(deps.clock, profiles);
  const results = createResultCache(resultCache, { clock: deps.clock, count });
  const cached: CachedSource = (source, { datasourceReferences }, parameters = {}) => {
    const references = datasourceReferences && toBinary(DatasourceReferencesSchema, datasourceReferences);
    return results.over(source, [Buffer.from(references ?? []).toString("base64"), JSON.stringify(parameters)]);
  };
  const ruled = createRuledSource(accessRules, { databaseOf: warehouse.databaseOf, logger: deps.logger });
  const fair: FairSource = (source, caller) => inTurn(source, caller, admission);
  const definedFor = createDefinedModels(definedModels);
  return { models, warehouse, rules, deps, profiles, semanticModels, cached, ruled, fair, definedFor, budgets, model };
}

/** Chooses the planners of a turn. */
interface Planners {
  sql(): Planner;
  looker(): { readonly planner: LookerPlanner; readonly warning: () => string | undefined };
}

function createPlanners(models: PlanningModels, model: string, rules: RulePlanners, { logger }: TurnDeps): Planners {
  /** Only a model that follows instructions can plan. */
  function languageModel(): LanguageModel | undefined {
    const resolved = models.resolve(model);
    return resolved.capabilities.instructionFollowing ? resolved : undefined;
  }
  return {
    sql() {
      const resolved = languageModel();
      return resolved ? createFallbackPlanner(createModelPlanner(resolved), rules.sql, logger) : rules.sql;
    },
    looker() {
      const resolved = languageModel();
      return resolved
        ? withLookerRules(createLookerModelPlanner(resolved), rules.looker, logger)
        : { planner: rules.looker, warning: () => undefined };
    },
  };
}

/** The source of a context, which answers a query again without the engine. */
type CachedSource = (
  source: SqlSource,
  context: Pick<Context, "datasourceReferences">,
  viewParameters?: Readonly<Record<string, string>>,
) => SqlSource;

/** The source of a caller, whose statements wait for their turn. A semantic model keeps the source of who asked first, so each question takes its own. */
type FairSource = (source: SqlSource, caller: Caller | undefined) => SqlSource;

/** A question whose data source is open. */
interface OpenedTurn {
  readonly request: ChatRequest;
  readonly history: History;
  readonly write: MessageWriter;
  readonly deps: TurnDeps;
  readonly planners: Planners;
  readonly semanticModels: SemanticModelCache;
  readonly definedFor: DefinedModels;
  readonly budgets: Budgets;
  readonly cached: CachedSource;
  readonly fair: FairSource;
  /** Compiles questions, to find verified ones that ask the same. */
  readonly rules: Planner;
}

/** Reads the explores before the first message, so that an error of Looker fails the request. */
async function chatWithLooker({ request, history, write, deps, planners }: OpenedTurn, source: LookerSource) {
  const explores = withAuthorMetadata(await source.describe(request.signal), request.context);
  return lookerTurn({ request, history, source, explores, ...planners.looker(), write, deps });
}

async function* chatWithSql(opened: OpenedTurn, source: SqlSource): AsyncGenerator<Message, void> {
  const { question } = opened.history;
  yield opened.write.message({ case: "schema", value: { kind: { case: "query", value: { question } } } });
  const turn = await beginTurn(opened, source);
  yield* schemaFound(turn);
  yield* chatTurn(turn);
}

/** Authored queries that a planner gets as examples, at most. */
const MAX_EXAMPLES = 5;

async function beginTurn(opened: OpenedTurn, opening: SqlSource): Promise<Turn> {
  const { request, history, write, deps, planners, semanticModels } = opened;
  const whole = await semanticModels.get(opening, request.context, request.signal);
  const authored = semanticModels.authoredQueries(whole, request.context);
  const examples = nearestQueries(history.question, authored, MAX_EXAMPLES);
  const model = relevantTo(history, examples, whole, request.context);
  const defined = await opened.definedFor({ name: request.agent, semanticModel: request.semanticModel ?? "" }, whole);
  const plan: PlanRequest = {
    ...definedFields({ defined }),
    question: history.question,
    past: history.past,
    model,
    examples,
    analysisAllowed: request.context.options?.analysis?.python?.enabled ?? false,
    now: new Date(deps.clock.now()),
    signal: request.signal,
  };
  const { match, stale } = await findVerified({ request: plan, authored, whole, rules: opened.rules });
  const notes = [...(stale ? [stale] : []), ...rulesNote(whole)];
  const planner = planners.sql();
  const own = opened.fair(model.source, request.caller);
  const source = withBudget(opened.cached(own, request.context), opened.budgets, request.agent);
  return { request, history, source, model, planner, authored, match, notes, write, deps, plan };
}

/** Says that rules apply, and nothing of what they hide. */
function rulesNote({ source, tables }: SemanticModel): readonly string[] {
  const isPart = tables.some(({ schema }) => source.viewerOf?.(schema.path));
  return isPart ? ["Access rules apply to this data: the answer is of what they show you."] : [];
}

/** Data sources of Looker Studio are told by their place among all, so none is left out. */
function relevantTo(
  { question, past }: History,
  examples: readonly AuthoredQuery[],
  whole: SemanticModel,
  { datasourceReferences }: ChatRequest["context"],
): SemanticModel {
  if (datasourceReferences?.references.case === "studio") return whole;
  const recent = past.slice(-PAST_QUESTIONS);
  return relevantModel(whole, {
    question,
    earlier: recent.map((turn) => turn.question),
    statements: [...examples, ...recent.flatMap(({ results }) => results)].map(({ sql }) => sql),
  });
}

/** Earlier questions whose tables are kept at hand. */
const PAST_QUESTIONS = 6;

async function openSource(warehouse: Warehouse, { context, credentials }: ChatRequest): Promise<DataSource> {
  return warehouse.open(referencesOf(context), credentials);
}

async function sqlSource(warehouse: Warehouse, context: Context): Promise<SqlSource> {
  const source = await warehouse.open(referencesOf(context));
  if (source.kind === "sql") return source;
  throw unsupported(
    "Looker answers with queries of its own, not with SQL. Verify a question in looker_golden_queries of the context.",
  );
}

function referencesOf(context: Context) {
  if (!context.datasourceReferences) {
    throw invalidArgument({
      field: "context.datasource_references",
      description: "name the tables to ask, e.g. bq.table_references with project_id, dataset_id and table_id",
    });
  }
  return context.datasourceReferences;
}

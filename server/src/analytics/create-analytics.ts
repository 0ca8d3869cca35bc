import { toBinary } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import type { Message } from "@frontdesk/protos/gda/data_chat_service";
import { LRUCache } from "lru-cache";
import type { LanguageModel, Models } from "#models";
import { invalidArgument } from "#status";
import type { DataSource, LookerSource, SqlSource, Warehouse } from "#warehouse";
import { chatTurn, schemaFound } from "./chat/chat-turn.ts";
import { withHeartbeat } from "./chat/heartbeat.ts";
import { type History, readHistory } from "./chat/history.ts";
import { createMessageWriter, type MessageWriter } from "./chat/message-writer.ts";
import { DEFAULT_LIMITS, type Turn, type TurnDeps } from "./chat/turn.ts";
import { type AuthoredQuery, authoredQueries, matchQuery, nearestQueries } from "./context/example-queries.ts";
import { buildSemanticModel } from "./context/semantic-model.ts";
import type { Analytics, ChatRequest, SemanticModel } from "./contract.ts";
import { withAuthorWords } from "./looker/author-words.ts";
import { createLookerModelPlanner, withLookerRules } from "./looker/looker-model-planner.ts";
import type { LookerPlanner } from "./looker/looker-plan.ts";
import { lookerTurn } from "./looker/looker-turn.ts";
import { createFallbackPlanner } from "./plan/fallback-planner.ts";
import { createModelPlanner } from "./plan/model-planner.ts";
import type { Planner } from "./plan/planner.ts";
import { queryData } from "./query-data/query-data.ts";

export interface AnalyticsDeps extends Omit<TurnDeps, "limits"> {
  readonly models: Models;
  readonly warehouse: Warehouse;
  readonly rules: RulePlanners;
  readonly limits?: Partial<TurnDeps["limits"]>;
  /** Name of the model that writes SQL; "" = the server's default. Default "". */
  readonly model?: string;
}

/** Plan without a language model: where none is configured, and from its first failure on. */
export interface RulePlanners {
  readonly sql: Planner;
  readonly looker: LookerPlanner;
}

/** Contexts whose data was looked at lately are not looked at again for each question. */
const MAX_SEMANTIC_MODELS = 50;
/** Milliseconds until values and schemas are read anew. */
const FRESH_MS = 60_000;
const NEAREST_EXAMPLES = 5;

/** Creates the analytics: stateless but for what it remembers of schemas. */
export function createAnalytics({ models, warehouse, rules, model = "", limits, ...rest }: AnalyticsDeps): Analytics {
  const deps: TurnDeps = { ...rest, limits: { ...DEFAULT_LIMITS, ...limits } };
  const authored = new WeakMap<SemanticModel, readonly AuthoredQuery[]>();
  const semanticModels = new LRUCache<string, { readonly model: SemanticModel; readonly at: number }>({
    max: MAX_SEMANTIC_MODELS,
  });

  /** Only a model that follows instructions writes queries. */
  function languageModel(): LanguageModel | undefined {
    const resolved = models.resolve(model);
    return resolved.capabilities.instructionFollowing ? resolved : undefined;
  }

  function plannerFor(): Planner {
    const writer = languageModel();
    return writer ? createFallbackPlanner(createModelPlanner(writer), rules.sql, deps.logger) : rules.sql;
  }

  function lookerPlanner() {
    const writer = languageModel();
    if (!writer) return { planner: rules.looker, warning: () => undefined };
    return withLookerRules(createLookerModelPlanner(writer), rules.looker, deps.logger);
  }

  /** The explores are read before the first message: what Looker refuses is a refusal of the request. */
  async function lookerAnswer(request: ChatRequest, history: History, source: LookerSource, write: MessageWriter) {
    const explores = withAuthorWords(await source.describe(request.signal), request.context);
    return lookerTurn({ request, history, source, explores, ...lookerPlanner(), write, deps });
  }

  /** What a caller's parameters let secure views show is remembered for that caller alone: values of columns are rows too. */
  async function modelOf(
    source: SqlSource,
    context: Context,
    signal: AbortSignal,
    viewParameters: Readonly<Record<string, string>> = {},
  ): Promise<SemanticModel> {
    const parameters = JSON.stringify(Object.entries(viewParameters).toSorted());
    const key = `${Buffer.from(toBinary(ContextSchema, context)).toString("base64")} ${parameters}`;
    const cached = semanticModels.get(key);
    if (cached && deps.clock.now() - cached.at < FRESH_MS) return cached.model;
    const built = await buildSemanticModel(source, context, signal);
    semanticModels.set(key, { model: built, at: deps.clock.now() });
    return built;
  }

  /** An instruction in YAML takes milliseconds to read; it is read once for each context. */
  function authoredFor(semantic: SemanticModel, context: Context): readonly AuthoredQuery[] {
    let found = authored.get(semantic);
    if (!found) {
      found = authoredQueries(context);
      authored.set(semantic, found);
    }
    return found;
  }

  async function begin(request: ChatRequest, history: History, source: SqlSource, write: MessageWriter): Promise<Turn> {
    const semantic = await modelOf(source, request.context, request.signal);
    const queries = authoredFor(semantic, request.context);
    return {
      request,
      history,
      source: semantic.source,
      model: semantic,
      planner: plannerFor(),
      authored: queries,
      match: matchQuery(history.question, queries),
      write,
      deps,
      plan: {
        question: history.question,
        past: history.past,
        model: semantic,
        examples: nearestQueries(history.question, queries, NEAREST_EXAMPLES),
        analysisAllowed: request.context.options?.analysis?.python?.enabled ?? false,
        now: new Date(deps.clock.now()),
        signal: request.signal,
      },
    };
  }

  async function* answer(request: ChatRequest, history: History, source: SqlSource, write: MessageWriter) {
    yield write.say({ case: "schema", value: { kind: { case: "query", value: { question: history.question } } } });
    const turn = await begin(request, history, source, write);
    yield* schemaFound(turn);
    yield* chatTurn(turn);
  }

  return {
    async *chat(request): AsyncGenerator<Message> {
      const history = readHistory(request.messages);
      const source = await openSource(warehouse, request);
      const write = createMessageWriter(deps);
      const left = new AbortController(); // a reader that stops reading leaves no query behind
      const signal = AbortSignal.any([request.signal, left.signal]);
      try {
        const asked = { ...request, signal };
        const told =
          source.kind === "looker"
            ? await lookerAnswer(asked, history, source, write)
            : answer(asked, history, source, write);
        yield* withHeartbeat(told, write.beat, deps.limits.silenceMs);
      } finally {
        left.abort();
      }
    },
    queryData: (request, signal) =>
      queryData(request, {
        open: (references, viewParameters) => warehouse.open(references, undefined, viewParameters),
        modelOf,
        plannerFor,
        deps,
        signal,
      }),
  };
}

async function openSource(warehouse: Warehouse, { context, credentials }: ChatRequest): Promise<DataSource> {
  if (!context.datasourceReferences) {
    throw invalidArgument({
      field: "context.datasource_references",
      description: "name the tables to ask, e.g. bq.table_references with project_id, dataset_id and table_id",
    });
  }
  return warehouse.open(context.datasourceReferences, credentials);
}

import { create } from "@bufbuild/protobuf";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { z } from "zod";
import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { AttemptContext, TestAttempt, TestCase } from "../suite/contract.ts";
import { runConversation, type TestTurn } from "../suite/conversation-test.ts";
import { sessionInputs } from "./session-inputs.ts";
import type { TestSource } from "./test-source.ts";
import { eachItem, ParametersSchema, TagsSchema } from "./test-values.ts";
import { checkTurn, TurnExpectationSchema } from "./turn-expectations.ts";

const HistorySchema = z
  .looseObject({
    session_id: z.string().optional(),
    test_name: z.string().optional(),
    utterances: z.array(ParametersSchema).optional(),
  })
  .refine(
    (given) => [given.session_id, given.test_name, given.utterances].filter((one) => one !== undefined).length === 1,
    {
      message: "give exactly one of session_id, test_name and utterances",
    },
  );

const StepFields = {
  user: z.string().optional(),
  event: z.string().optional(),
  variables: ParametersSchema.nullish(),
  config: ParametersSchema.nullish(),
  expectations: z.array(TurnExpectationSchema).nullish(),
};

const StepSchema = z.looseObject({ turn: z.coerce.string().optional(), ...StepFields });

const CaseSchema = z.looseObject({
  name: z.string().min(1).optional(),
  conversation: z.string().min(1).optional(),
  tags: TagsSchema,
  session_parameters: ParametersSchema.nullish(),
  historical_contexts: HistorySchema.nullish(),
  turn_count: z.number().int().min(1).nullish(),
  turns: z.array(StepSchema).nullish(),
  ...StepFields,
});

const FileSchema = z.looseObject({ config: ParametersSchema.nullish() });

type TurnEval = z.infer<typeof CaseSchema>;

/** Turn evals of the toolkit (EVAL-35): conversations in one session with expectations of each turn. */
export function readTurnEvalFile(source: TestSource): readonly TestCase[] {
  const { config } = source.read([], FileSchema);
  const key = isJsonObject(source.value) && source.value.conversations !== undefined ? "conversations" : "tests";
  const done = new Map<string, DoneConversation>();
  const continued = continuedCases(source.value, key);
  return eachItem(source, [key], CaseSchema, (item, line, path): TestCase => {
    const name = item.name ?? item.conversation;
    if (name === undefined) throw source.error(path, "has no name. Write name, or conversation.");
    const expects = [item, ...(item.turns ?? [])].some(({ expectations }) => expectations && expectations.length > 0);
    if (!expects && !continued.has(name)) throw source.error(path, EXPECTS_NOTHING);
    const after = item.historical_contexts?.test_name;
    return {
      name,
      kind: "turn eval",
      tags: item.tags,
      file: source.path,
      line,
      ...definedFields({ after }),
      run: (context) => run(name, item, { ...config, ...item.config }, done, context),
    };
  });
}

/** A case with no expectation passes whatever the app does; a misspelt key is one that is not read (EVAL-95). */
const EXPECTS_NOTHING = "expects nothing, so it would pass whatever the app does. Write expectations of a turn.";

/** The names of the cases that others go on from: they need no expectations. */
function continuedCases(file: JsonValue, key: string): ReadonlySet<string> {
  const cases = isJsonObject(file) ? file[key] : undefined;
  const names = (Array.isArray(cases) ? cases : []).map((item) => {
    const context = isJsonObject(item) ? item.historical_contexts : undefined;
    return isJsonObject(context) ? String(context.test_name ?? "") : "";
  });
  return new Set(names);
}

/** A conversation that others go on from. */
interface DoneConversation {
  readonly passed: boolean;
  readonly messages: readonly Message[];
}

async function run(
  name: string,
  item: TurnEval,
  config: JsonObject,
  done: Map<string, DoneConversation>,
  context: AttemptContext,
): Promise<TestAttempt> {
  const history = historyOf(item, done);
  if (typeof history === "string") return { verdict: "not-measured", checks: [], problem: history };
  const steps = item.turns ?? [item];
  const { messages, ...attempt } = await runConversation(
    steps.map((step, position) => toTurn(step, position, item, { ...config, ...step.config })),
    { history },
    context,
  );
  done.set(name, { passed: attempt.verdict === "passed", messages });
  return attempt;
}

function toTurn(step: z.infer<typeof StepSchema>, position: number, item: TurnEval, config: JsonObject): TestTurn {
  const shared = position === 0 ? { ...item.session_parameters, ...item.variables } : {};
  return {
    title: step.turn ? `turn ${step.turn}` : `turn ${position + 1}`,
    inputs: sessionInputs(step.user, step.event, { ...shared, ...step.variables }),
    useToolFakes: config.use_tool_fakes === true,
    check: (turn, context) =>
      Promise.all((step.expectations ?? []).map((expectation) => checkTurn(expectation, turn, context))),
  };
}

/** The messages before the first turn, or why there are none. */
function historyOf(
  { historical_contexts: context, turn_count: turns }: TurnEval,
  done: ReadonlyMap<string, DoneConversation>,
): readonly Message[] | string {
  if (!context) return [];
  if (context.session_id !== undefined)
    return `The session '${context.session_id}' is on another server. Write its utterances, or the test_name of a case.`;
  if (context.utterances) return context.utterances.flatMap(toMessages);
  const before = done.get(context.test_name ?? "");
  if (!before)
    return `The case '${context.test_name}' was not run before. Name a case of this file, and select it too.`;
  if (!before.passed) return `The case '${context.test_name}', which this one goes on from, did not pass.`;
  return firstTurns(before.messages, turns ?? undefined);
}

function firstTurns(messages: readonly Message[], count: number | undefined): readonly Message[] {
  let turns = 0;
  return messages.filter(({ role }) => {
    if (role === "user") turns += 1;
    return count === undefined || turns <= count;
  });
}

/** `{role, text}`, `{role, chunks: [{text}]}`, or `{user: text, agent: text}`. */
function toMessages(utterance: JsonObject): readonly Message[] {
  const { role, text, chunks, ...others } = utterance;
  if (typeof role !== "string") return Object.entries(others).flatMap(([speaker, said]) => message(speaker, [said]));
  const parts = Array.isArray(chunks)
    ? chunks.map((chunk) => (isJsonObject(chunk) ? (chunk.text ?? null) : chunk))
    : [text ?? null];
  return message(role, parts);
}

function message(role: string, parts: readonly JsonValue[]): readonly Message[] {
  const texts = parts.filter((part) => typeof part === "string");
  if (texts.length === 0) return [];
  return [create(MessageSchema, { role, chunks: texts.map((value) => ({ data: { case: "text" as const, value } })) })];
}

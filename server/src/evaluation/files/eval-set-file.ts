import { z } from "zod";
import { isJsonObject, type JsonValue, sortedJson, wordsOf } from "#base";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import type { TestCase, TestCheck } from "../suite/contract.ts";
import { runConversation, type TestTurn } from "../suite/conversation-test.ts";
import { calledTool, saidIn, textCheck } from "../suite/turn-text.ts";
import { verdictOf } from "../verdict.ts";
import { sessionInputs } from "./session-inputs.ts";
import type { TestSource } from "./test-source.ts";
import { eachItem, ParametersSchema } from "./test-values.ts";

/** ADK writes its fields in either case. */
const snakeCased = (value: unknown): unknown =>
  isJsonObject(value as JsonValue)
    ? Object.fromEntries(
        Object.entries(value as object).map(([key, inner]) => [
          key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          inner,
        ]),
      )
    : value;

const ContentSchema = z.looseObject({ parts: z.array(z.looseObject({ text: z.string().nullish() })).nullish() });

const InvocationSchema = z.preprocess(
  snakeCased,
  z.looseObject({
    user_content: ContentSchema,
    final_response: ContentSchema.nullish(),
    intermediate_data: z
      .preprocess(
        snakeCased,
        z.looseObject({
          tool_uses: z.array(z.looseObject({ name: z.string(), args: ParametersSchema.nullish() })).nullish(),
        }),
      )
      .nullish(),
  }),
);

const CaseSchema = z.preprocess(
  snakeCased,
  z.looseObject({
    eval_id: z.string().min(1),
    conversation: z
      .array(InvocationSchema)
      .min(1, "has no conversation; a case with a conversation_scenario is a simulation"),
    session_input: z.preprocess(snakeCased, z.looseObject({ state: ParametersSchema.nullish() })).nullish(),
  }),
);

type Invocation = z.infer<typeof InvocationSchema>;

/** Least ROUGE-1 of a final response: ADK's default of `response_match_score`. */
const RESPONSE_MATCH = 0.8;

/** An eval set of ADK (EVAL-39): one session a case, with ADK's default criteria: the exact tool trajectory, and ROUGE-1 of the final response. */
export function readEvalSetFile(source: TestSource): readonly TestCase[] {
  const key = isJsonObject(source.value) && source.value.evalCases !== undefined ? "evalCases" : "eval_cases";
  return eachItem(
    source,
    [key],
    CaseSchema,
    (item, line): TestCase => ({
      name: item.eval_id,
      kind: "eval set case",
      tags: [],
      file: source.path,
      line,
      run: async (context) => {
        const turns = item.conversation.map(
          (invocation, position): TestTurn => ({
            title: `turn ${position + 1}`,
            inputs: sessionInputs(
              textOf(invocation.user_content),
              undefined,
              position === 0 ? (item.session_input?.state ?? {}) : {},
            ),
            useToolFakes: false,
            check: async (turn) => checkInvocation(invocation, turn),
          }),
        );
        const { messages: _messages, ...attempt } = await runConversation(turns, {}, context);
        return attempt;
      },
    }),
  );
}

function checkInvocation(
  { final_response: response, intermediate_data: data }: Invocation,
  turn: ObservedTurn,
): readonly TestCheck[] {
  const checks: TestCheck[] = [];
  if (data?.tool_uses) {
    const expected = data.tool_uses.map(({ name, args }) => `${name}(${canonical(args ?? {})})`);
    const observed = trajectory(turn);
    checks.push(
      textCheck(
        "tool trajectory",
        verdictOf(expected.join("\n") === observed.join("\n")),
        list(expected),
        list(observed),
      ),
    );
  }
  if (response) {
    const expected = textOf(response);
    const observed = turn.responses.length > 0 ? saidIn({ ...turn, responses: turn.responses.slice(-1) }) : "";
    const score = Math.max(rouge1(expected, observed), rouge1(expected, saidIn(turn)));
    checks.push(
      textCheck(
        "final response",
        verdictOf(score >= RESPONSE_MATCH),
        expected,
        saidIn(turn),
        `ROUGE-1 is ${score.toFixed(2)}, ${RESPONSE_MATCH} is asked for.`,
      ),
    );
  }
  return checks;
}

/** Calls and transfers in their order. ADK transfers by the tool `transfer_to_agent`. */
function trajectory({ messages, calls }: ObservedTurn): readonly string[] {
  const byCall = new Map(calls.map((observed) => [observed.call, observed]));
  return messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => {
      if (data.case === "agentTransfer")
        return [`transfer_to_agent(${canonical({ agent_name: data.value.displayName || data.value.targetAgent })})`];
      const observed = data.case === "toolCall" ? byCall.get(data.value) : undefined;
      return observed ? [`${calledTool(observed)}(${canonical(observed.call.args ?? {})})`] : [];
    }),
  );
}

function canonical(value: JsonValue): string {
  return JSON.stringify(sortedJson(value));
}

function list(calls: readonly string[]): string {
  return calls.join("\n") || "no call";
}

function textOf({ parts }: z.infer<typeof ContentSchema>): string {
  return (parts ?? []).flatMap(({ text }) => text ?? []).join("\n");
}

/** ROUGE-1: the F-measure of the words that two texts share, in any language (Lin 2004, EVAL-113). */
function rouge1(expected: string, observed: string): number {
  const [wanted, said] = [expected, observed].map(wordsOf);
  const left = new Map<string, number>();
  for (const word of wanted ?? []) left.set(word, (left.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of said ?? []) {
    const count = left.get(word) ?? 0;
    if (count > 0) shared += 1;
    left.set(word, count - 1);
  }
  const total = (wanted?.length ?? 0) + (said?.length ?? 0);
  return total === 0 ? 1 : (2 * shared) / total;
}

import { parse as parseCsv } from "csv-parse/sync";
import { z } from "zod";
import { spansOf } from "#session";
import type { ObservedTurn } from "../observation/observed-turn.ts";
import type { TestCase, TestCheck } from "../suite/contract.ts";
import { runConversation } from "../suite/conversation-test.ts";
import { textCheck } from "../suite/turn-text.ts";
import { verdictOf } from "../verdict.ts";
import { sessionInputs } from "./session-inputs.ts";
import { type TestFile, TestFileError, type TestSource } from "./test-source.ts";
import { eachItem, TagsSchema, VariablesSchema } from "./test-values.ts";
import { unreadableTest } from "./unreadable-test.ts";

const CaseSchema = z.looseObject({
  name: z.coerce.string().nullish(),
  test_id: z.coerce.string().nullish(),
  user_input: z.string().min(1),
  variables: VariablesSchema.optional(),
  expected_guardrail_name: z.string().nullish(),
  expected_guardrail_type: z.string().nullish(),
  tags: TagsSchema,
});

type GuardrailTest = z.infer<typeof CaseSchema>;

/** Guardrail tests of the toolkit (EVAL-38): one input each; without an expected name or type no guardrail may trigger. */
export function readGuardrailFile(source: TestSource): readonly TestCase[] {
  return eachItem(source, ["tests"], CaseSchema, (item, line) => toTest(item, source.path, line));
}

/** Whether a table has the column that these tests need; another one is of goldens. */
export function isGuardrailTable({ text }: TestFile): boolean {
  const [header = ""] = text.trimStart().split(/[\r\n]/, 1);
  return /\buser_input\b/.test(header);
}

/** The same as a table with the columns of the fields. */
export function readGuardrailTable({ path: file, text }: TestFile): readonly TestCase[] {
  const rows = tableOf(file, text);
  return rows.map(({ record, line }, position) => {
    const filled = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== ""));
    const parsed = CaseSchema.safeParse({ name: `Test_${position}`, ...filled });
    if (parsed.success) return toTest(parsed.data, file, line);
    const [issue] = parsed.error.issues;
    const message = filled.user_input
      ? `${issue?.path.join(".")}: ${issue?.message}.`
      : "has no user_input. Write a column user_input with what the user says.";
    return unreadableTest(new TestFileError({ file, line, message }));
  });
}

interface Row {
  readonly record: Readonly<Record<string, string>>;
  readonly line: number;
}

function tableOf(file: string, text: string): readonly Row[] {
  try {
    const rows = parseCsv(text, {
      columns: true,
      bom: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    }) as unknown as {
      record: Record<string, string>;
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    throw new TestFileError({
      file,
      line: 1,
      message: `is no CSV table: ${(error as Error).message}. Correct the row.`,
    });
  }
}

function toTest(test: GuardrailTest, file: string, line: number): TestCase {
  const { user_input: user, variables, tags } = test;
  return {
    name: test.test_id ?? test.name ?? user,
    kind: "guardrail test",
    tags,
    file,
    line,
    run: async (context) => {
      const inputs = sessionInputs(user, undefined, variables ?? {});
      const check = async (turn: ObservedTurn) => [checkGuardrail(test, turn)];
      const { messages: _messages, ...attempt } = await runConversation(
        [{ title: "turn 1", inputs, useToolFakes: false, check }],
        {},
        context,
      );
      return attempt;
    },
  };
}

function checkGuardrail(test: GuardrailTest, { rootSpan }: ObservedTurn): TestCheck {
  const name = wanted(test.expected_guardrail_name);
  const type = wanted(test.expected_guardrail_type);
  const triggered = spansOf(rootSpan).find((span) => span.name === "Guardrail" && span.attributes?.triggered === true);
  const observedName = String(triggered?.attributes?.name ?? "");
  const observedType = String(triggered?.attributes?.type ?? "");
  const isExpected = name !== undefined || type !== undefined;
  const passed =
    isExpected === (triggered !== undefined) &&
    (name === undefined || name === observedName) &&
    (type === undefined || isSameType(type, observedType));
  return {
    ...textCheck(
      "guardrail",
      verdictOf(passed),
      isExpected ? [name, type].filter(Boolean).join(", ") : "no guardrail",
      triggered ? `${observedName}, ${observedType}` : "no guardrail",
    ),
    span: triggered ? `Guardrail ${observedName}` : "",
  };
}

function wanted(text: string | null | undefined): string | undefined {
  const trimmed = text?.trim() ?? "";
  return trimmed === "" || trimmed.toLowerCase() === "none" ? undefined : trimmed;
}

/** Names of one type, as the toolkit and the hosted product's trace write them. */
const TYPE_NAMES: readonly (readonly string[])[] = [
  ["llmpolicy", "llmpromptsecurity", "promptguard", "rules"],
  ["contentfilter", "blocklist"],
  ["modelsafety", "safety", "raisafety", "rai"],
];

function isSameType(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => text.toLowerCase().replaceAll(/[\s_-]/g, ""));
  return left === right || TYPE_NAMES.some((names) => names.includes(left ?? "") && names.includes(right ?? ""));
}

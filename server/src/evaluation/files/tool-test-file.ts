import { create } from "@bufbuild/protobuf";
import { ExecuteToolRequestSchema } from "@frontdesk/protos/ces/tool_service";
import { z } from "zod";
import { definedFields, isJsonObject, type JsonObject, type JsonValue } from "#base";
import { isSame } from "../metrics/match-arguments.ts";
import type { TestAttempt, TestCase, TestCheck, TestContext } from "../suite/contract.ts";
import { textCheck } from "../suite/turn-text.ts";
import { allOf, verdictOf } from "../verdict.ts";
import { valuesAt } from "./json-path.ts";
import type { TestSource } from "./test-source.ts";
import { ArgumentsSchema, eachItem, JsonSchema, TagsSchema, VariablesSchema } from "./test-values.ts";

const ExpectationSchema = z.looseObject({
  path: z.string().min(1),
  operator: z.enum([
    "equals",
    "contains",
    "greater_than",
    "less_than",
    "length_equals",
    "length_greater_than",
    "length_less_than",
    "is_null",
    "is_not_null",
  ]),
  value: JsonSchema.optional(),
});

const CaseSchema = z
  .looseObject({
    name: z.string().min(1),
    tool: z.string().min(1),
    tags: TagsSchema,
    args: ArgumentsSchema.optional(),
    agrs: ArgumentsSchema.optional(),
    variables: VariablesSchema.optional(),
    context: VariablesSchema.optional(),
    expectations: z
      .looseObject({
        response: z.array(ExpectationSchema).nullish(),
        variables: z.array(ExpectationSchema).nullish(),
      })
      .nullish(),
  })
  .refine(
    ({ variables, context }) =>
      !variables || !context || Object.keys(context).length === 0 || Object.keys(variables).length === 0,
    {
      message: "has variables and context; give one of them",
    },
  );

type ToolTest = z.infer<typeof CaseSchema>;
type Expectation = z.infer<typeof ExpectationSchema>;

/** A test with no expectation passes whatever the tool does; a misspelt key is one that is not read (EVAL-95). */
const EXPECTS_NOTHING =
  "expects nothing, so it would pass whatever the tool does. Write expectations of its response or of variables.";

/** Tool tests of the toolkit (EVAL-37): each calls ExecuteTool and looks at paths of its response. */
export function readToolTestFile(source: TestSource): readonly TestCase[] {
  return eachItem(source, ["tests"], CaseSchema, (item, line, path): TestCase => {
    const { response, variables } = item.expectations ?? {};
    if (!response?.length && !variables?.length) throw source.error(path, EXPECTS_NOTHING);
    return {
      name: item.name,
      kind: "tool test",
      tags: item.tags,
      file: source.path,
      line,
      run: (context) => run(item, source, line, context),
    };
  });
}

async function run(test: ToolTest, source: TestSource, line: number, context: TestContext): Promise<TestAttempt> {
  const { names, evaluated, deps, signal } = context;
  const toolIdentifier = names.toolOrMember(test.tool);
  if (!toolIdentifier) {
    const known = [...names.tools, ...names.toolsets].join(", ") || "none";
    return unmeasured(`${source.path}:${line}: The app has no tool '${test.tool}'; it has ${known}. Correct the name.`);
  }
  const request = create(ExecuteToolRequestSchema, {
    parent: evaluated.app.name,
    toolIdentifier,
    args: test.args ?? test.agrs ?? {},
    ...definedFields({ toolExecutionContext: executionContext(test) }),
  });
  const { response = {}, variables = {} } = await deps.executeTool(request, signal);
  const checks = [
    ...(test.expectations?.response ?? []).map((expectation) => check(expectation, response)),
    ...(test.expectations?.variables ?? []).map((expectation) => check(expectation, variables)),
  ];
  return { verdict: allOf(checks.map(({ verdict }) => verdict)), checks, problem: "" };
}

function executionContext({ variables, context }: ToolTest) {
  if (context && Object.keys(context).length > 0) return { case: "context" as const, value: context };
  return variables ? { case: "variables" as const, value: variables } : undefined;
}

function unmeasured(problem: string): TestAttempt {
  return { verdict: "not-measured", checks: [], problem };
}

function check({ path, operator, value = null }: Expectation, whole: JsonObject): TestCheck {
  const found = valuesAt(whole, path);
  const title = `${path} ${operator}`;
  const expected = operator.startsWith("is_") ? operator.slice(3).replace("_", " ") : JSON.stringify(value);
  if (!found)
    return textCheck(
      title,
      "not-measured",
      expected,
      "",
      `The path '${path}' has a form that is not known. Use names, [0] and [*].`,
    );
  const observed = found.length > 1 ? [...found] : (found[0] ?? null);
  return textCheck(title, verdictOf(OPERATORS[operator](observed, value)), expected, JSON.stringify(observed));
}

const OPERATORS: Readonly<Record<Expectation["operator"], (observed: JsonValue, expected: JsonValue) => boolean>> = {
  equals: isSame,
  contains: (observed, expected) => {
    if (typeof observed === "string") return typeof expected === "string" && observed.includes(expected);
    if (Array.isArray(observed)) return observed.some((item) => isSame(item, expected));
    return isJsonObject(observed) && typeof expected === "string" && Object.hasOwn(observed, expected);
  },
  greater_than: (observed, expected) => (compared(observed, expected) ?? 0) > 0,
  less_than: (observed, expected) => (compared(observed, expected) ?? 0) < 0,
  length_equals: (observed, expected) => lengthOf(observed) === expected,
  length_greater_than: (observed, expected) => (compared(lengthOf(observed) ?? null, expected) ?? 0) > 0,
  length_less_than: (observed, expected) => (compared(lengthOf(observed) ?? null, expected) ?? 0) < 0,
  is_null: (observed) => observed === null,
  is_not_null: (observed) => observed !== null,
};

/** Sign of the difference of two numbers or two texts; undefined for anything else. */
function compared(one: JsonValue, other: JsonValue): number | undefined {
  if (typeof one === "number" && typeof other === "number") return Math.sign(one - other);
  if (typeof one === "string" && typeof other === "string") return one < other ? -1 : Number(one > other);
  return undefined;
}

function lengthOf(value: JsonValue): number | undefined {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : undefined;
}

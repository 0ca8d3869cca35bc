import assert from "node:assert/strict";
import { cpSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCommandLine } from "../command-line.ts";
import { EXAMPLE, evalFolder } from "./eval-command.ts";

const commandLine = openCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

/** An operator of turn evals with a value that holds for the first answer of the order desk, and one that does not. */
const TURN_OPERATORS: Readonly<Record<string, readonly [holds: unknown, not: unknown]>> = {
  contains: ["FRONT DOOR", "back door"],
  not_contains: ["back door", "front door"],
  equals: [
    "Order A-1001, two stoneware mugs and a tea strainer, was delivered two days ago and left at the front door.",
    "Order A-1001",
  ],
  tool_called: ["look_up_order", "order"],
  tool_not_called: ["order", "look_up_order"],
  tool_input: [{ order_id: "A-1001" }, { look_up_order: { order_id: "A-1002" } }],
  tool_output: [{ look_up_order: { result: { status: "delivered", items: {} } } }, { result: { missing: {} } }],
  agent_transfer: ["Order_status", "status"],
};

const OPERATORS: Readonly<Record<string, readonly [path: string, holds: unknown, not: unknown]>> = {
  equals: ["$.result.status", "delivered", "lost"],
  contains: ["$.result.summary", "mugs", "cups"],
  greater_than: ["$.result.days_since_delivery", 1, 2],
  less_than: ["$.result.days_since_delivery", 3, 2],
  length_equals: ["$.result.items", 2, 3],
  length_greater_than: ["$.result.items", 1, 2],
  length_less_than: ["$.result.items", 3, 2],
};

/** Turn evals and tool tests for each operator, on both sides. */
function operatorFiles(): readonly (readonly [name: string, content: object])[] {
  const turn = (name: string, expectations: readonly unknown[], user = "Where is my order A-1001?") => ({
    conversation: name,
    user,
    expectations,
  });
  const turns = Object.entries(TURN_OPERATORS).flatMap(([type, [holds, not]]) => [
    turn(`holds: ${type}`, [{ type, value: holds }]),
    turn(`not: ${type}`, [{ type, value: not }]),
  ]);
  const quiet = [
    turn("holds: no_tools_called", [{ type: "no_tools_called" }], "Do you wrap gifts?"),
    turn("not: no_tools_called", [{ type: "no_tools_called" }]),
    turn("not: a key that every object has", [{ type: "tool_input", value: { constructor: {} } }]),
  ];
  const tool = (name: string, response: readonly unknown[]) => ({
    name,
    tool: "look_up_order",
    agrs: { order_id: "A-1001" },
    expectations: { response },
  });
  const tools = Object.entries(OPERATORS).flatMap(([operator, [path, holds, not]]) => [
    tool(`holds: ${operator} of a tool`, [{ path, operator, value: holds }]),
    tool(`not: ${operator} of a tool`, [{ path, operator, value: not }]),
  ]);
  const nulls = [
    tool("holds: null of a tool", [
      { path: "$.result.none", operator: "is_null" },
      { path: "$.result.status", operator: "is_not_null" },
    ]),
    tool("not: a key that every object has, of a tool", [
      { path: "$.result", operator: "contains", value: "constructor" },
    ]),
    tool("not: is_null of a tool", [{ path: "$.result.status", operator: "is_null" }]),
    tool("not: is_not_null of a tool", [{ path: "$.result.none", operator: "is_not_null" }]),
  ];
  return [
    ["turns.json", { conversations: [...turns, ...quiet] }],
    ["tools.json", { tests: [...tools, ...nulls] }],
  ];
}

test("every operator of turn evals and tool tests passes and fails where it should", async () => {
  using folder = evalFolder(commandLine.run);
  const files = operatorFiles().map(([name, content]) => folder.write(name, JSON.stringify(content)));
  const { out, err } = await folder.run(EXAMPLE, ...files, "--ctrf", "ctrf.json");
  assert.equal(err, "");
  const { results } = JSON.parse(readFileSync(join(folder.path, "ctrf.json"), "utf8"));
  assert.equal(results.tests.length, 2 * 9 + 1 + 2 * 7 + 4, out);
  for (const { name, status } of results.tests)
    assert.equal(status, name.startsWith("holds") ? "passed" : "failed", name);
});

const CALLBACK = `def before_agent_callback(callback_context: CallbackContext) -> Optional[Content]:
    if callback_context.state.get("done"):
        return None
    return Content(parts=[Part(text="Hello " + tools.get_name())], role="model")
`;

/** One file of each kind, as the toolkit and ADK write them, with what comes of each case without a language model. */
const FILES: readonly (readonly [file: string, text: string, verdicts: readonly string[]])[] = [
  [
    "dependent.yaml",
    `
config: {use_tool_fakes: false}
tests:
  - {name: child, historical_contexts: {test_name: parent}, turn_count: 1, user: I want to return it, expectations: [{type: agent_transfer, value: Returns}]}
  - {name: orphan, historical_contexts: {test_name: failing}, user: hello, expectations: [{type: no_tools_called}]}
  - {name: parent, user: "Where is my order A-1001?", expectations: [{type: tool_called, value: look_up_order}]}
  - {name: failing, event: welcome, expectations: [{type: contains, value: never said}]}
  - {name: other server, historical_contexts: {session_id: abc}, user: hello, expectations: [{type: no_tools_called}]}
  - {name: told, historical_contexts: {utterances: [{user: hi}, {agent: hello}]}, user: "Where is my order A-1002?", expectations: [{type: contains, value: A-1002}]}
  - {name: judged, user: hello, expectations: [The agent is polite., {type: fuzzy_match, value: Good day}]}`,
    ["passed", "skipped", "passed", "failed", "skipped", "passed", "skipped"],
  ],
  [
    "shared.yaml",
    `
_order: &order {order_id: A-1001}
_delivered: &delivered {tool: look_up_order, args: *order, expectations: {response: [{path: $.result.status, operator: equals, value: delivered}]}}
_file: &file
  tests:
    - {<<: *delivered, name: merged}
    - {<<: *delivered, name: overridden, args: {<<: *order, order_id: A-9999}}
<<: *file`,
    ["passed", "failed"],
  ],
  [
    "simulations.yaml",
    `
evals:
  - name: simulated
    tags: [P1]
    session_parameters: {customer: Ada}
    steps: [{goal: Ask for the order, success_criteria: The status is named, static_utterance: "Where is my order A-1001?", max_turns: 2}]
    expectations: [The agent is polite.]`,
    ["skipped"],
  ],
  [
    "orders.evalset.json",
    JSON.stringify({
      eval_set_id: "orders",
      eval_cases: [
        {
          eval_id: "by trajectory",
          conversation: [
            {
              user_content: { parts: [{ text: "Where is my order A-1001?" }], role: "user" },
              final_response: { parts: [{ text: TURN_OPERATORS.equals?.[0] }], role: "model" },
              intermediate_data: {
                tool_uses: [
                  { name: "transfer_to_agent", args: { agent_name: "Order status" } },
                  { name: "look_up_order", args: { order_id: "A-1001" } },
                ],
              },
            },
          ],
        },
        {
          evalId: "another answer",
          conversation: [
            { userContent: { parts: [{ text: "hello" }] }, finalResponse: { parts: [{ text: "quite different" }] } },
          ],
        },
      ],
    }),
    ["passed", "failed"],
  ],
  [
    "guardrails.csv",
    `name,user_input,variables,expected_guardrail_name,expected_guardrail_type
stopped,My card is 4111 1111 1111 1111,,No card numbers,content_filter
let through,"Where is my order A-1001?","{""customer"": ""Ada""}",,none
wrong type,My card is 4111 1111 1111 1111,,,llm_policy`,
    ["passed", "passed", "failed"],
  ],
  [
    "guardrails.yaml",
    "tests: [{name: in YAML, user_input: My card is 4111 1111 1111 1111, expected_guardrail_type: blocklist}]",
    ["passed"],
  ],
  ["callbacks/python_code.py", CALLBACK, []],
  [
    "callbacks/test.py",
    `
import python_code
from unittest.mock import MagicMock
python_code.tools = MagicMock()
from python_code import before_agent_callback
from cxas_scrapi.utils.callback_libs import CallbackContext

def test_returns_early():
    assert before_agent_callback(CallbackContext(state={"done": "yes"})) is None

class TestGreeting:
    def test_greets(self):
        python_code.tools.get_name.return_value = "Ada"
        assert before_agent_callback(CallbackContext(state={})).parts[0].text == "Hello Ada"
`,
    ["passed"],
  ],
  [
    "callbacks/test_wrong.py",
    "import python_code\n\ndef test_wrong():\n    assert python_code.before_agent_callback is None\n",
    ["failed"],
  ],
  ["callbacks/test_pytest.py", "import pytest\n", ["skipped"]],
  ["lonely/test_alone.py", "def test_nothing(): pass\n", ["skipped"]],
];

test("each kind of file runs as it is, in one run", async () => {
  using folder = evalFolder(commandLine.run);
  for (const [name, text] of FILES) folder.write(name, text);
  const { code, out } = await folder.run(
    EXAMPLE,
    ...FILES.filter(([, , verdicts]) => verdicts.length > 0).map(([name]) => name),
    "--ctrf",
    "ctrf.json",
    "--html",
    "report.html",
  );
  assert.equal(code, 1, out);
  const { results } = JSON.parse(readFileSync(join(folder.path, "ctrf.json"), "utf8"));
  for (const [name, , verdicts] of FILES) {
    const own = results.tests.filter(({ filePath }: { filePath: string }) => filePath === name);
    assert.deepEqual(
      own.map(({ status }: { status: string }) => status),
      verdicts,
      `${name}\n${out}`,
    );
  }
  assert.match(out, /'failing', which this one goes on from, did not pass/);
  assert.match(out, /The session 'abc' is on another server/);
  assert.match(out, /callbacks\/test_wrong\.py:4: AssertionError: assert python_code\.before_agent_callback is None/);
  assert.match(out, /test_pytest\.py:1: No module named 'pytest'/);
  assert.match(out, /lonely\/test_alone\.py:1: There is no python_code\.py beside the test/);
  assert.match(readFileSync(join(folder.path, "report.html"), "utf8"), /<h1>Evaluations of .*failed/);
});

/** Vectors by what a text contains: two that are near each other, and one that is near none. */
const VECTORS: readonly (readonly [part: string, vector: readonly number[]])[] = [
  ["front door", [1, 0]],
  ["doorstep", [0.8, 0.6]],
  ["", [0, 1]],
];

test("fuzzy_match compares embeddings where a model for them is configured, and asks once for the same texts", async () => {
  let asked = 0;
  const embeddings = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
    asked += 1;
    const data = input.map((text, index) => ({ index, embedding: VECTORS.find(([part]) => text.includes(part))?.[1] }));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => embeddings.listen(0, "127.0.0.1", resolve));
  const { port } = embeddings.address() as AddressInfo;
  using folder = evalFolder(commandLine.run);
  const provider = { type: "openai", baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: "k" };
  const config = { models: { providers: { near: provider } }, search: { embeddings: "near/m" } };
  folder.write("config.json", JSON.stringify(config));
  const turn = (conversation: string, value: string) => ({
    conversation,
    user: "Where is my order A-1001?",
    expectations: [{ type: "fuzzy_match", value }],
  });
  const conversations = [turn("near", "It was left on the doorstep."), turn("far", "It is lost.")];
  folder.write("turns.json", JSON.stringify({ conversations }));
  const run = () =>
    folder.run(EXAMPLE, "turns.json", "--config", "config.json", "--model", "frontdesk/builtin", "--replay");

  const first = await run();
  await run();
  embeddings.closeAllConnections();
  await new Promise((resolve) => embeddings.close(resolve));

  assert.equal(first.code, 1, first.err);
  assert.match(first.out, /^✓ near/m);
  assert.match(first.out, /^✗ far(.|\n)*The cosine is 0\.00, 0\.75 is asked for\./m);
  assert.equal(asked, 2);
});

test("the example's test files pass, against itself too, and a worse version is found out", async () => {
  using folder = evalFolder(commandLine.run);
  const tests = join(EXAMPLE, "../tests");
  const same = await folder.run(EXAMPLE, tests, "--against", EXAMPLE);
  assert.equal(same.code, 0, same.out + same.err);
  assert.match(same.out, /✓ gate no drop against .*0 of 6 cases got worse/);

  cpSync(EXAMPLE, join(folder.path, "worse"), { recursive: true });
  folder.write(
    "worse/tools/look_up_order/python_function/python_code.py",
    "def look_up_order(order_id: str) -> dict:\n  return {}\n",
  );
  const worse = await folder.run("worse", tests, "--against", EXAMPLE);
  assert.equal(worse.code, 1);
  assert.match(worse.out, /3 of 5 cases got worse/);
  const nowhere = await folder.run("worse", "--against", "v7");
  assert.equal(nowhere.code, 2);
  assert.match(nowhere.err, /'v7' does not exist\. Name a folder or zip/);
});

import assert from "node:assert/strict";
import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCommandLine, runCommand } from "../command-line.ts";
import { EXAMPLE, evalFolder } from "./eval-command.ts";

const commandLine = openCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const ANSWER =
  "Order A-1001, two stoneware mugs and a tea strainer, was delivered two days ago and left at the front door.";

/** Goldens as the toolkit writes them, with what came of each on the built-in model. */
const GOLDENS = `
common_session_parameters: {channel: web}
conversations:
  - conversation: passes
    tags: [P0]
    session_parameters: {customer: Ada}
    turns:
      - user: Where is my order A-1001?
        tool_calls:
          - {action: transfer_to_agent, args: {agent_name: Order_status}}
          - action: look_up_order
            args: {order_id: {$matchType: regexp, $matchValue: "^A-"}}
            output: {result: {status: delivered}}
            agent: Order_status
        agent: ${ANSWER}
  - conversation: calls with another argument
    turns:
      - user: Where is my order A-1002?
        tool_calls: [{action: look_up_order, args: {order_id: A-1001}}]
        agent: "# silent"
  - conversation: needs a judge
    turns: [{user: "Where is my order A-1001?", tool_calls: [{action: look_up_order}], agent: It is there.}]
    expectations: [The agent is polite.]
  - conversation: names a tool that is gone
    turns: [{user: hello, tool_calls: [{action: find_order}]}]
`;

test("the toolkit's goldens run unchanged: passed (0), failed and not measured (1)", async () => {
  using folder = evalFolder(commandLine.run);
  folder.write("goldens.yaml", GOLDENS);

  const all = await folder.run(EXAMPLE, "goldens.yaml", "--junit", "junit.xml", "--markdown", "report.md");
  assert.equal(all.code, 1, all.err);
  assert.match(all.out, /^✓ passes {2}\(golden, goldens\.yaml:4\)$/m);
  assert.match(all.out, /^✗ calls with another argument/m);
  assert.match(
    all.out,
    /expected look_up_order\(\{ "order_id": "A-1001" \}\)\n +observed look_up_order\(\{ "order_id": "A-1002" \}\)/,
  );
  assert.match(all.out, /span +Tool look_up_order, [\d.]+ ms/);
  assert.match(all.out, /^○ needs a judge/m);
  assert.match(
    all.out,
    /goldens\.yaml:24: The app has no tool 'find_order'; it has .*look_up_order.* Correct the name/,
  );
  assert.match(all.out, /1 passed, 1 failed, 2 not measured in [\d.]+ s, model frontdesk\/builtin/);
  assert.match(readFileSync(join(folder.path, "junit.xml"), "utf8"), /tests="4" failures="1"/);
  assert.match(readFileSync(join(folder.path, "report.md"), "utf8"), /\| passes \| ✅ passed \| 1 of 1 \|/);

  const tagged = await folder.run(EXAMPLE, "goldens.yaml", "--tags", "P0", "--runs", "2");
  assert.equal(tagged.code, 0, tagged.err);
  assert.match(tagged.out, /2 of 2 passed/);
});

test("a report says what failed in the app, also in cases that passed, and a gate how long turns took (EVAL-97, EVAL-98)", async () => {
  using folder = evalFolder(commandLine.run);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  const callback = "agents/Order_status/before_tool_callbacks/before_tool_callbacks_01/python_code.py";
  folder.write(
    `app/${callback}`,
    "def before_tool_callback(tool, input, callback_context):\n    raise ValueError('the shop is closed')\n",
  );
  folder.write(
    "turns.yaml",
    `conversations:
  - conversation: passes all the same
    user: Where is my order A-1001?
    expectations: [{type: tool_called, value: look_up_order}]
  - conversation: needs the callback
    user: Where is my order a 1001?
    expectations: [{type: contains, value: spelled otherwise}]
`,
  );
  folder.write("gates.yaml", "gates: [{name: Quick, within: 60}, {name: At once, within: 0.000001}]");
  const reports = ["--junit", "junit.xml", "--markdown", "report.md", "--ctrf", "ctrf.json", "--html", "report.html"];
  const { code, out } = await folder.run("app", "turns.yaml", "--gate", "gates.yaml", ...reports);
  assert.equal(code, 1);
  const fault = `The callback before_tool of 'Order status' failed: ValueError: the shop is closed (${callback}, line 2)`;
  assert.match(out, /^✓ passes all the same/m);
  assert.ok(out.includes(`    ${fault}\n`), out);
  assert.ok(out.includes(`  ${fault}; in 2 cases: 'passes all the same', 'needs the callback'.\n`), out);
  assert.match(out, /^✓ gate Quick: 2 of 2 turns took 60 s or less: 100 %/m);
  assert.match(out, /^✗ gate At once: 0 of 2 turns took 0\.000001 s or less: .*Slower: [\d.]+ s in '/m);
  const read = (file: string) => readFileSync(join(folder.path, file), "utf8");
  assert.match(read("junit.xml"), /The callback before_tool of .*the shop is closed/);
  assert.match(read("report.md"), /### Failed in the app\n\n- The callback before\S*tool of /);
  assert.match(read("report.html"), /<h2>Failed in the app<\/h2>\n<ul><li>The callback before_tool/);
  assert.deepEqual(JSON.parse(read("ctrf.json")).results.extra.faults, [
    { fault, cases: ["passes all the same", "needs the callback"] },
  ]);
  const replayed = await folder.run("app", "turns.yaml", "--gate", "gates.yaml", "--replay");
  assert.equal(replayed.code, 2);
  assert.match(replayed.err, /the gate 'Quick' measures time, and answers that --replay keeps take none/);
});

test("--fake-tools lets the fakes of tools answer, in goldens and in turn evals, and no other server is called", async () => {
  using folder = evalFolder(commandLine.run);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  const tool = "app/tools/look_up_order";
  const code = `${tool}/tool_fake_config/code_block/python_code.py`.slice("app/".length);
  const toolFakeConfig = { enableFakeMode: true, codeBlock: { pythonCode: code } };
  const definition = JSON.parse(readFileSync(join(folder.path, tool, "look_up_order.json"), "utf8"));
  folder.write(`${tool}/look_up_order.json`, JSON.stringify({ ...definition, toolFakeConfig }));
  folder.write(
    `app/${code}`,
    "def fake_tool_call(tool, input, callback_context):\n    return {'status': 'faked', 'summary': 'It is faked.'}\n",
  );
  folder.write(
    "tests.yaml",
    `conversations:
  - conversation: by turns
    user: Where is my order A-1001?
    expectations: [{type: tool_output, value: {look_up_order: {result: {status: faked}}}}]
`,
  );
  folder.write(
    "golden.yaml",
    `conversations:
  - conversation: golden
    turns:
      - user: Where is my order A-1001?
        tool_calls:
          - {action: transfer_to_agent, args: {agent_name: Order_status}}
          - {action: look_up_order, args: {order_id: A-1001}, output: {result: {status: faked}}}
        agent: It is faked.
`,
  );
  const files = ["tests.yaml", "golden.yaml"];
  const real = await folder.run("app", ...files);
  const faked = await folder.run("app", ...files, "--fake-tools");
  assert.match(real.out, /^0 passed, 2 failed, 0 not measured/m, real.err);
  assert.match(faked.out, /^2 passed, 0 failed, 0 not measured/m, faked.err);
});

test("an evaluation whose tool is gone is not measured, with file, line and fix, and the others go on (EVAL-62)", async () => {
  using folder = evalFolder(commandLine.run);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  const golden = "app/evaluations/Where_is_my_order_/Where_is_my_order_.json";
  folder.write(
    golden,
    readFileSync(join(folder.path, golden), "utf8").replace('"tool": "look_up_order"', '"tool": "find_order"'),
  );
  const { code, out, err } = await folder.run("app");
  assert.deepEqual({ code, err }, { code: 2, err: "" });
  assert.match(out, /^✓ A broken mug goes back/m);
  const place = "Where_is_my_order_.json:22: golden.turns[0].steps[2].expectation.toolCall.tool";
  assert.ok(out.includes(`${place}: Reference 'find_order' of type 'ces.googleapis.com/Tool' not found`), out);
  assert.match(out, /the app's tools: .*'look_up_order'.* Correct the name, or add what it names\./);
  assert.match(out, /^1 passed, 0 failed, 1 not measured/m);
});

test("evaluations without ids run and are told in the order of their names (EVAL-116)", async () => {
  using folder = evalFolder(commandLine.run);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  const golden = { turns: [{ steps: [{ userInput: { text: "hello" } }] }] };
  const names = ["Change", "Book", "cancel", "Arrive", "Zurich", "Äpfel", "Delay", "Enquire"];
  for (const displayName of names)
    folder.write(
      `app/evaluations/${displayName}/${displayName}.json`,
      JSON.stringify({ displayName, tags: ["mine"], golden }),
    );

  const { out } = await folder.run("app", "--tags", "mine");
  const told = [...out.matchAll(/^. (\S+) {2}\(golden\)/gm)].map(([, name]) => name);
  assert.deepEqual(told, ["Arrive", "Book", "Change", "Delay", "Enquire", "Zurich", "cancel", "Äpfel"], out);
});

test("a fault of the app itself ends the command with every fault at its line", async () => {
  using folder = evalFolder(commandLine.run);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  rmSync(join(folder.path, "app/tools/look_up_order"), { recursive: true });
  const { code, err } = await folder.run("app");
  assert.equal(code, 2);
  assert.match(err, /app cannot be imported:\n {2}agents\/Order_status\/Order_status\.json:6:28: tools\[1\]: /);
  assert.match(err, /\n {2}evaluations\/Where_is_my_order_\/Where_is_my_order_\.json:22:21: /);
});

test("the example's own evaluations pass without network, and its gates decide", async () => {
  using folder = evalFolder(runCommand);
  cpSync(EXAMPLE, join(folder.path, "app"), { recursive: true });
  const { code, out, err } = await folder.run("app");
  assert.deepEqual({ code, err }, { code: 0, err: "" });
  assert.match(out, /^2 passed, 0 failed, 0 not measured/m);

  folder.write("app/evaluation_gates.yaml", "gates: [{name: Orders always work, tag: smoke, passAll: 3}]");
  const gated = await folder.run("app");
  assert.deepEqual({ code: gated.code, err: gated.err }, { code: 0, err: "" });
  assert.match(gated.out, /Where is my order\? {2}\(golden\) {2}3 of 3 passed/);
  assert.match(gated.out, /^✓ gate Orders always work: /m);
});

/** Command lines that cannot be done, and what is said about them. */
const FAILURES: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [[], /^frontdesk: the folder, zip or app is missing\./],
  [["./nowhere"], /^frontdesk: .\/nowhere does not exist\./],
  [
    ["nowhere", "--server", "http://127.0.0.1:9"],
    /^frontdesk: there is no folder or zip 'nowhere', and it is no app on the server: no server responds/,
  ],
  [[EXAMPLE, "nowhere.yaml"], /nowhere\.yaml does not exist/],
  [[EXAMPLE, "--runs", "0"], /--runs is '0', which is not a number from 1 to 100/],
  [[EXAMPLE, "--tags", "none"], /No test has a tag of none; the tags are order-status, returns, smoke\./],
  [[EXAMPLE, "--gate", "none.yaml"], /none\.yaml does not exist/],
  [[EXAMPLE, "--model", "gpt-5"], /No provider is configured for the model 'gpt-5'/],
  [["--unknown"], /Unknown option '--unknown'/],
];

test("a command that cannot be done says what to do, and exits with 2", async () => {
  using folder = evalFolder(commandLine.run);
  const runs = await Promise.all(FAILURES.map(([args]) => folder.run(...args)));
  for (const [index, { code, err }] of runs.entries()) {
    assert.equal(code, 2, err);
    assert.match(err, FAILURES[index]?.[1] ?? /$^/);
  }
});

/** Files that are no test files, and the place and fix that is said. */
const WRONG_FILES: readonly (readonly [name: string, text: string, message: RegExp])[] = [
  ["broken.yaml", "conversations:\n  - [\n", /broken\.yaml:3: .*Correct the YAML or JSON\./],
  ["other.json", '{"name": "x"}', /other\.json:1: is no kind of test file that is known\. Write goldens/],
  ["empty.yaml", "conversations: []", /empty\.yaml:1: .*has no cases; write at least one/],
  ["nameless.yaml", "conversations:\n  - turns: [{user: hi}]\n", /nameless\.yaml:2: conversations\.0\.conversation/],
  ["golden.json", '{"displayName": "x", "golden": {"turns": 7}}', /golden\.json:1: is no evaluation: /],
  [
    "misspelt.json",
    '{"displayName": "x", "golden": {"turns": [\n{"steps": [{"expectation": {"agentRespons": {}}}]}]}}',
    /misspelt\.json:2: 'agentRespons' is no field of an evaluation here\. Correct its name/,
  ],
  [
    "alias.yaml",
    "conversations:\n  - conversation: bold\n    turns:\n      - user: *hello*\n",
    /alias\.yaml:4: The alias \*hello\* has no anchor before it\. Quote the text/,
  ],
  [
    "tool.yaml",
    "tests:\n  - name: bad JSON\n    tool: look_up_order\n    variables: '{oops'\n",
    /tool\.yaml:4: tests\.0\.variables: must be an object or JSON text of one/,
  ],
  [
    "arguments.yaml",
    "tests:\n  - name: a list\n    tool: look_up_order\n    args: [order_id]\n",
    /arguments\.yaml:4: tests\.0\.args: must be an object or JSON text of one/,
  ],
  [
    "misspelt-turn.yaml",
    "tests:\n  - {name: right, user: hi, tags: [P1], expectations: [{type: no_tools_called}]}\n  - {name: a typo, user: hi, expectation: [x]}\n",
    /misspelt-turn\.yaml:3: expects nothing, so it would pass whatever the app does\. Write expectations/,
  ],
  [
    "misspelt-tool.yaml",
    "tests:\n  - name: a typo\n    tool: look_up_order\n    expectation: {response: []}\n",
    /misspelt-tool\.yaml:2: expects nothing, so it would pass whatever the tool does\. Write expectations/,
  ],
  [
    "guardrail.yaml",
    "tests:\n  - user_input: hello\n    variables: '[1]'\n",
    /guardrail\.yaml:3: tests\.0\.variables: must be an object or JSON text of one/,
  ],
  [
    "guardrails.csv",
    'user_input,variables,tags\nhello,"{""a"": 1",P0\nhello again,,P0\n',
    /guardrails\.csv:2: variables: must be an object or JSON text of one(.|\n)*✓ Test_1/,
  ],
];

test("a file of the wrong kind is named with line and fix, exits with 2, and the others go on", async () => {
  using folder = evalFolder(commandLine.run);
  const files = WRONG_FILES.map(([name, text]) => folder.write(name, text));
  folder.write("goldens.yaml", GOLDENS);
  const { code, out } = await folder.run(EXAMPLE, ...files, "goldens.yaml", "--tags", "P0");
  assert.equal(code, 2);
  for (const [, , message] of WRONG_FILES) assert.match(out, message);
  assert.match(out, /^✓ passes/m);
});

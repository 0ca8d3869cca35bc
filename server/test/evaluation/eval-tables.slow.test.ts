import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openCommandLine } from "../command-line.ts";
import { EXAMPLE, evalFolder } from "./eval-command.ts";

const commandLine = openCommandLine();
after(() => commandLine[Symbol.asyncDispose]());

const HEADER =
  "display_name,turn_index,action_type,text_content,response_agent,tool_name,tool_args_json,target_agent,tags,owner";
const ANSWER =
  "Order A-1001, two stoneware mugs and a tea strainer, was delivered two days ago and left at the front door.";

const TABLE = [
  HEADER,
  'Where is it?,1,INPUT_TEXT,Where is my order A-1001?,,,,,"smoke, orders",Ada',
  ",1,EXPECTATION_AGENT_TRANSFER,,,,,Order status,,",
  ',1,EXPECTATION_TOOL_CALL,,,look_up_order,"{""order_id"": ""A-1001""}",,,',
  `,1,EXPECTATION_TEXT,"${ANSWER}",Order status,,,,,`,
  "Nobody,1,INPUT_TEXT,Hello,,,,,,",
  ",1,EXPECTATION_AGENT_TRANSFER,,,,,Nobody at all,,",
  "No turn,1,INPUT_SOUND,Hello,,,,,,",
].join("\n");

/** What an export of another app that was made of the same package has. */
const OTHER = "projects/elsewhere/locations/eu/apps/old-desk";
const steps = [
  { userInput: { text: "Where is my order A-1001?" } },
  { expectation: { agentTransfer: { targetAgent: `${OTHER}/agents/Order_status` } } },
  { expectation: { toolCall: { tool: `${OTHER}/tools/look_up_order`, args: { order_id: "A-1001" } } } },
  { expectation: { agentResponse: { role: "Order status", chunks: [{ text: ANSWER }] } } },
];
const EXPORT = {
  evaluations: [
    { name: `${OTHER}/evaluations/one`, displayName: "Exported", tags: ["smoke"], golden: { turns: [{ steps }] } },
    { displayName: "Misspelt", goldne: {} },
  ],
  evaluationResults: [],
};

test("frontdesk eval reads tables and exports as import-evaluations does (EVAL-109)", async () => {
  using folder = evalFolder(commandLine.run);
  folder.write("tests/goldens.csv", TABLE);
  folder.write("tests/export.json", JSON.stringify(EXPORT, null, 1));
  const [rows] = TABLE.replace("Where is it?", "From Excel").split("\nNobody", 1);
  const excel = rows?.replaceAll(/,(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*$)/gm, "\t");
  writeFileSync(join(folder.path, "tests/utf16.csv"), Buffer.from(`\ufeff${excel}`, "utf16le"));
  writeFileSync(join(folder.path, "tests/latin.csv"), Buffer.from("display_name\nGr\xfc\xdfe", "latin1"));
  folder.write("tests/other.csv", "question,answer\nHow?,So.");
  folder.write("tests/guardrails.csv", "name,user_input,expected_guardrail_name\nQuiet,Hello,\n");

  const { code, out, err } = await folder.run(EXAMPLE, "tests", "--json");

  assert.equal(code, 2, err);
  const cases = new Map<string, { status: string; message?: string }>(
    JSON.parse(out).results.tests.map((one: { name: string }) => [one.name, one]),
  );
  for (const name of ["Where is it?", "From Excel", "Exported", "Quiet"])
    assert.equal(cases.get(name)?.status, "passed", `${name}: ${JSON.stringify(cases.get(name))}`);
  const text = JSON.stringify([...cases.values()]);
  for (const sentence of [
    /tests\/goldens\.csv:6: .*no agent 'Nobody at all'; it has/,
    /tests\/goldens\.csv:8: action_type 'INPUT_SOUND' is not one of INPUT_TEXT/,
    /tests\/export\.json:\d+: 'goldne' is no field of an evaluation here/,
    /tests\/latin\.csv:1: is not text in UTF-8: line 2 has other bytes/,
    /tests\/other\.csv:1: The header has no column display_name, turn_index, action_type; it has 'question', 'answer'/,
  ])
    assert.match(text, sentence);
  assert.match(err, /tests\/goldens\.csv: line 1: the column 'owner' is not known and was ignored\./);
});

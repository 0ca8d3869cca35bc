import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { startTestServer } from "#testing";
import { finished, type Rest } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/order-desk`;
const COPY = `${PARENT}/apps/order-copy`;

/** The response of a method that is a long-running operation. */
async function responseOf(rest: Rest, path: string, body: object) {
  const answer = await rest("POST", path, body);
  const operation = answer.name ? await finished(rest, answer) : answer;
  return operation.response ?? operation;
}

/** Calls a server; the answer may be an error. */
function restOf(server: () => { readonly address: string }): Rest {
  return async (method, path, body) => {
    const response = await fetch(`${server().address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return response.json();
  };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const importCsv = (rest: Rest, csv: string, strategy?: string) =>
  responseOf(rest, `${APP}:importEvaluations`, {
    csvContent: base64(csv),
    ...(strategy && { importOptions: { conflictResolutionStrategy: strategy } }),
  });

/** Runs all evaluations of the example, and exports them with their results. */
async function exportAll(rest: Rest, exportFormat: string) {
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = evaluations.map(({ name }: { name: string }) => name);
  const { evaluationRun } = await responseOf(rest, `${APP}:runEvaluation`, { evaluations: names });
  const exportOptions = { exportFormat };
  const options = { names, exportOptions, includeEvaluations: true, includeEvaluationResults: true };
  const exported = await responseOf(rest, `${APP}/evaluations:export`, options);
  const runs = await responseOf(rest, `${APP}/evaluationRuns:export`, { names: [evaluationRun], exportOptions });
  return { names, content: exported.evaluationsContent, runsContent: runs.evaluationRunsContent };
}

const inputsOf = ({ displayName, golden }: { displayName: string; golden: object }) => ({ displayName, golden });

for (const format of ["JSON", "YAML"]) {
  test(`an export can be imported into another app, with results and runs: ${format} (EVAL-44, EVAL-46)`, async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    const { names, content, runsContent } = await exportAll(rest, format);
    const { appContent } = await responseOf(rest, `${APP}:exportApp`, { exportFormat: "JSON" });
    await responseOf(rest, `${PARENT}/apps:importApp`, { appContent, appId: "order-copy" });
    for (const name of names) await rest("DELETE", `${name.replace(APP, COPY)}?force=true`);

    const imported = await responseOf(rest, `${COPY}:importEvaluations`, { csvContent: content });
    const runs = await responseOf(rest, `${COPY}:importEvaluations`, { csvContent: runsContent });

    assert.deepEqual(imported.errorMessages ?? [], []);
    assert.deepEqual([imported.evaluations.length, imported.evaluationResults.length], [2, 2]);
    const original = await rest("GET", names[0]);
    const copy = await rest("GET", names[0].replace(APP, COPY));
    assert.deepEqual(inputsOf(copy), JSON.parse(JSON.stringify(inputsOf(original)).replaceAll(APP, COPY)));
    const [run] = runs.evaluationRuns;
    assert.equal(run.state, "COMPLETED");
    const result = await rest("GET", run.evaluationResults[0]);
    assert.deepEqual([result.evaluationStatus, result.evaluationRun], ["PASS", run.name]);
  });
}

test("merge keys of YAML count in a file of evaluations, as they do in apps", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const file = `evaluations:
- &hello
  displayName: Merged one
  golden: { turns: [{ steps: [{ userInput: { text: hello } }] }] }
- <<: *hello
  displayName: Merged two
`;
  const { evaluations, errorMessages = [] } = await importCsv(rest, file);
  assert.deepEqual(errorMessages, []);
  const [one, two] = await Promise.all(evaluations.map(({ name }: { name: string }) => rest("GET", name)));
  assert.deepEqual([two.displayName, two.golden], ["Merged two", one.golden]);
});

test("results are found by their run, imported ones by the run that they were imported to", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { content, runsContent } = await exportAll(rest, "JSON");
  const file = JSON.parse(Buffer.from(content, "base64").toString());
  const { evaluationRuns } = JSON.parse(Buffer.from(runsContent, "base64").toString());
  const count = async (run: string, more = "") => {
    const filter = encodeURIComponent(`evaluation_run = "${run}"${more}`);
    return (await rest("GET", `${APP}/evaluations/-/results?filter=${filter}`)).evaluationResults?.length ?? 0;
  };
  const [{ name: original }] = evaluationRuns;

  const both = JSON.stringify({ ...file, evaluationRuns });
  const { evaluationRuns: copies, evaluationResults } = await importCsv(rest, both, "DUPLICATE");
  const counts = [
    await count(original),
    await count(copies[0].name),
    await count(original, " AND display_name:nowhere"),
  ];
  const alone = JSON.stringify({ evaluationResults: file.evaluationResults.slice(0, 1) });
  const refused = await importCsv(rest, alone, "DUPLICATE");
  const fresh = { ...file.evaluationResults[0], name: file.evaluationResults[0].name.replace(/[^/]+$/, "fresh") };
  await importCsv(rest, JSON.stringify({ evaluationResults: [fresh] }), "OVERWRITE");

  assert.match(refused.errorMessages[0], /evaluation_run: .* exists/);
  assert.notEqual(copies[0].name, original);
  assert.deepEqual(counts, [2, 2, 0]);
  assert.equal(evaluationResults[0].evaluationRun, copies[0].name);
  assert.deepEqual([await count(original), await count(copies[0].name)], [3, 2]);
  assert.deepEqual([await count(`${APP}/evaluationRuns/none`), await count(`${original.slice(0, -3)}*`)], [0, 3]);
});

test("exports refuse what they cannot do, and name the evaluations that do not exist", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { evaluations } = await rest("GET", `${APP}/evaluations`);
  const names = [evaluations[0].name, `${APP}/evaluations/nobody`];
  const exportTo = (path: string, body: object) => responseOf(rest, path, body);

  const some = await exportTo(`${APP}/evaluations:export`, { names, includeEvaluations: true });
  const nothing = await exportTo(`${APP}/evaluations:export`, { names });
  const bucket = await exportTo(`${APP}/evaluations:export`, {
    names,
    includeEvaluations: true,
    exportOptions: { gcsUri: "gs://b/o" },
  });
  const results = await exportTo(`${names[0]}/results:export`, { names: [`${names[0]}/results/nobody`] });

  assert.deepEqual(Object.keys(some.failedEvaluations), [names[1]]);
  assert.equal(JSON.parse(Buffer.from(some.evaluationsContent, "base64").toString()).evaluations.length, 1);
  assert.match(nothing.error.message, /Set include_evaluations/);
  assert.match(bucket.error.message, /gs:\/\/b\/o cannot be written: .* adds 'b' to cloudStorage\.buckets/);
  assert.equal(results.error.code, 5);
});

const CSV = `display_name,turn_index,action_type,text_content,response_agent,tool_name,tool_args_json,tool_response_json,updated_variables_json,expectation_note,tags,image_content,image_mime_type
Order status,,,,,,,,,,"P0, status"
,1,INPUT_UPDATED_VARIABLES,,,,,,"{""customer_name"": ""Ada""}",,
,1,INPUT_TEXT,Where is my order A-1001?,,,,,,,
,1,EXPECTATION_TOOL_CALL,,,lookup_order,"{""order_id"": ""A-1001""}",,,the order is looked up,
,2,INPUT_TEXT,Thank you,,,,,,,
,2,EXPECTATION_TEXT,You are welcome.,ROOT,,,,,,
`;

describe("a table of goldens (EVAL-45)", () => {
  test("is read row by row", async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    const { csv, tool } = await exampleCsv(rest);

    const { evaluations, errorMessages = [] } = await importCsv(rest, csv);

    assert.deepEqual(errorMessages, []);
    const [{ displayName, tags, golden }] = evaluations;
    assert.deepEqual([displayName, tags, golden.turns.length], ["Order status", ["P0", "status"], 2]);
    const [{ steps }] = golden.turns;
    assert.deepEqual(steps[0].userInput.variables, { customer_name: "Ada" });
    assert.deepEqual(
      [steps[2].expectation.note, steps[2].expectation.toolCall.tool, steps[2].expectation.toolCall.args],
      ["the order is looked up", tool.name, { order_id: "A-1001" }],
    );
  });

  test("is read as well when it is long, up to its limits, and a long file is", async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    const rows = Array.from({ length: 3_000 }, (_, at) => `,1,INPUT_TEXT,Message ${at}`).join("\n");
    const header = "display_name,turn_index,action_type,text_content";

    const { evaluations } = await importCsv(rest, `${header}\nLong,,,\n${rows}\nWrong,2,INPUT_TEXT,Hello\n`);
    assert.equal(evaluations[0].golden.turns[0].steps.length, 3_000);
    const json = JSON.stringify({
      evaluations: [{ ...evaluations[0], displayName: "Again" }, { tags: 5 }],
      unknown: 1,
    });
    const file = await importCsv(rest, json.replace(',"unknown":1', ""), "DUPLICATE");
    assert.equal(file.evaluations[0].golden.turns[0].steps.length, 3_000);
    assert.match(file.errorMessages[0], /^evaluations\[1\]: /);
    const refusals = [
      [json, /csv_content: 'unknown' is not a list of an evaluation file/],
      [
        `${header}\n${"\n".repeat(20)}${",1,INPUT_TEXT,a\n".repeat(100_000)}`,
        /csv_content: has 100001 rows; a table has at most 100000/,
      ],
      [`${header}${",a".repeat(10_000)}`, /csv_content: has 10004 columns; a table has at most 1000/],
    ] as const;
    for (const [content, reason] of refusals) assert.match((await importCsv(rest, content)).error.message, reason);
  });

  test("names the line and the fix of every golden that cannot be read, and imports the others", async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    const { csv } = await exampleCsv(rest);
    const openApiSchema = "openapi: 3.1.0\ninfo: {title: Stock, version: '1'}\npaths: {}";
    await rest("POST", `${APP}/toolsets`, { displayName: "Stock", openApiToolset: { openApiSchema } });
    const wrong = [
      ["Bad index,,,\n,2,INPUT_TEXT,Hello", /line 9: the first turn_index of an evaluation must be 1; it is 2\./],
      ["No text,,,\n,1,INPUT_TEXT,", /line 9: INPUT_TEXT needs a value in text_content\./],
      ["Odd action,,,\n,1,INPUT_SMELL,x", /line 9: action_type 'INPUT_SMELL' is not one of INPUT_TEXT, /],
      [
        "No tool,,,\n,1,EXPECTATION_TOOL_CALL,,,no_such_tool",
        /line 9: 'no_such_tool' is not a tool of the app; its tools are .*'Stock\/<tool>'/,
      ],
      ["Inherited,,,\n,1,constructor,x", /line 9: action_type 'constructor' is not one of INPUT_TEXT, /],
      ["Image,,,\n,1,INPUT_IMAGE,,,,,,,,,%%%%,image/png", /line 9: image_content must be the image in base64/],
      ["No agent,,,\n,1,EXPECTATION_TEXT,Hi,Nobody", /line 9: 'Nobody' is not an agent of the app; its agents are /],
      ["Bad JSON,,,\n,1,INPUT_UPDATED_VARIABLES,,,,,,[1]", /line 9: updated_variables_json must be a JSON object/],
      ["No turns,,,", /line 8: the evaluation has no turns; add rows/],
    ] as const;
    for (const [rows, message] of wrong) {
      const { evaluations, errorMessages, importFailureCount } = await importCsv(
        rest,
        `${csv}\n${rows}\nAfter it,1,INPUT_TEXT,Hello\n`,
        "OVERWRITE",
      );
      assert.deepEqual(
        evaluations.map(({ displayName }: { displayName: string }) => displayName),
        ["Order status", "After it"],
      );
      assert.equal(importFailureCount, 1);
      assert.match(errorMessages.join("\n"), message);
    }
  });

  test("is refused when it is none", async () => {
    await using server = await startTestServer({ example: true });
    const rest = restOf(() => server);
    const refused = [
      ["name,text\nx,y", /csv_content: The header has no column display_name, turn_index, action_type/],
      ['{"evaluation": []}', /csv_content: 'evaluation' is not a list of an evaluation file/],
      ["{oops", /csv_content: is neither JSON nor YAML/],
      [" \n ", /csv_content: is empty/],
    ] as const;
    for (const [content, message] of refused) {
      const { error } = await importCsv(rest, content);
      assert.match(error.message, message);
    }
    const none = await rest("POST", `${APP}:importEvaluations`, {});
    assert.match(none.error.message, /Set one of conversation_list, gcs_uri and csv_content/);
  });
});

test("an evaluation that exists is an error, overwritten, skipped or duplicated", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const { csv } = await exampleCsv(rest);
  const first = (await importCsv(rest, csv)).evaluations[0];
  const changed = csv.replace("Thank you", "Thanks a lot");
  const textOf = async () => (await rest("GET", first.name)).golden.turns[1].steps[0].userInput.text;

  const refused = await importCsv(rest, changed);
  const skipped = await importCsv(rest, changed, "SKIP");
  assert.equal(await textOf(), "Thank you");
  const duplicated = await importCsv(rest, changed, "DUPLICATE");
  const overwritten = await importCsv(rest, changed, "OVERWRITE");

  assert.match(
    refused.errorMessages[0],
    /line 2: .*exists\. Set conflict_resolution_strategy to OVERWRITE, SKIP or DUPLICATE/,
  );
  assert.deepEqual([skipped.evaluations ?? [], skipped.errorMessages ?? []], [[], []]);
  assert.equal(duplicated.evaluations[0].displayName, "Order status (2)");
  assert.equal(overwritten.evaluations[0].name, first.name);
  assert.equal(await textOf(), "Thanks a lot");
});

test("many evaluations are imported in their order, but for those that are refused or exist, each with its place", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const said = (text: string) => ({ steps: [{ userInput: { text } }] });
  const evaluations = Array.from({ length: 450 }, (_, at) => ({
    name: `${APP}/evaluations/case-${at}`,
    displayName: at === 320 ? "Case 5" : `Case ${at}`,
    golden: { turns: Array.from({ length: at === 300 ? 101 : 1 }, (_, turn) => said(`Message ${turn}`)) },
  }));

  const imported = await importCsv(rest, JSON.stringify({ evaluations }), "SKIP");

  const expected = evaluations.filter((_, at) => at !== 300 && at !== 320).map(({ name }) => name);
  assert.deepEqual(
    imported.evaluations.map(({ name }: { name: string }) => name),
    expected,
  );
  assert.equal(imported.importFailureCount, 2);
  assert.match(imported.errorMessages[0], /^evaluations\[300\]: .*A golden has at most 100 turns; this one has 101/);
  assert.match(imported.errorMessages[1], /^evaluations\[320\]: .*'Case 5' is twice in the file/);
  const { evaluations: stored, totalSize } = await rest("GET", `${APP}/evaluations?pageSize=1000`);
  assert.equal(totalSize ?? stored.length, 448 + 2, "with the two of the example");
});

test("conversations are imported as goldens; one of another app and an unknown one are errors", async () => {
  await using server = await startTestServer({ example: true });
  const rest = restOf(() => server);
  const session = `${APP}/sessions/a-talk-1`;
  await rest("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Where is my order A-1001?" }] });
  const conversations = [
    `${APP}/conversations/a-talk-1`,
    `${APP}/conversations/nobody`,
    `${COPY}/conversations/a-talk-1`,
  ];

  const imported = await responseOf(rest, `${APP}:importEvaluations`, { conversationList: { conversations } });

  assert.equal(imported.evaluations[0].displayName, "Golden from a-talk-1");
  assert.equal(imported.importFailureCount, 2);
  assert.match(imported.errorMessages.join("\n"), /nobody.*not found/i);
  assert.match(imported.errorMessages.join("\n"), /order-copy.*is not a conversation of/);
});

test("a file in Cloud Storage is read through the gate, and the error says what the server answered", async (t) => {
  const storage = createServer((request, response) => {
    response.statusCode = request.url === "/bucket/folder/goldens.csv" ? 200 : 403;
    response.end(CSV.split("\n").slice(0, 4).join("\n"));
  });
  t.after(() => storage.close());
  await new Promise<void>((resolve) => storage.listen(0, "127.0.0.1", resolve));
  const { port } = storage.address() as AddressInfo;
  const storageUrl = `http://127.0.0.1:${port}`;
  const importFrom = async (gcsUri: string, egressAllow: readonly string[]) => {
    await using server = await startTestServer({
      example: true,
      config: { voice: { providers: {}, storageUrl }, egressAllow: [...egressAllow] },
    });
    return await responseOf(
      restOf(() => server),
      `${APP}:importEvaluations`,
      { gcsUri },
    );
  };
  const allowed = ["127.0.0.1"];

  const imported = await importFrom("gs://bucket/folder/goldens.csv", allowed);
  const secret = await importFrom("gs://bucket/secret.csv", allowed);
  const blocked = await importFrom("gs://bucket/folder/goldens.csv", []);
  const odd = await importFrom("https://example.com/x.csv", allowed);

  assert.equal(imported.evaluations[0].displayName, "Order status");
  assert.match(
    secret.error.message,
    /Cloud Storage answered 403\. Without credentials only public objects can be read/,
  );
  assert.match(blocked.error.message, /cannot be read/);
  assert.match(odd.error.message, /is not gs:\/\//);
});

/** The table with an agent and a tool that the example has. */
async function exampleCsv(rest: Rest) {
  const { agents } = await rest("GET", `${APP}/agents`);
  const { tools } = await rest("GET", `${APP}/tools`);
  const tool = tools.find(({ name }: { name: string }) => !name.includes("/tools/end_session")) ?? tools[0];
  const csv = CSV.replace("ROOT", agents[0].displayName).replace("lookup_order", tool.displayName).trimEnd();
  return { csv, tool };
}

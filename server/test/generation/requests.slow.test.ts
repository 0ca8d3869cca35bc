// Requests that cannot be meant, and those that take a language model where there is none.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { restOf } from "../rest.ts";
import { generated } from "./generate.ts";

const DESK = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
const rest = restOf(() => server);
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const bytes = (text: string) => Buffer.from(text).toString("base64");
const file = (fileName: string, mimeType: string, data: string) => ({ fileBytes: { fileName, mimeType, data } });
const part = (changes: object) => ({
  agent: { displayName: "A", instruction: "Be 🙂 kind." },
  refineInstructions: [
    { startIndex: 0, endIndex: 1, fieldMask: "instruction", instructions: "Change it.", ...changes },
  ],
});
const toolset = (operation: object, more: object = {}) => ({
  toolGenerationConfig: {
    openApiToolsetGenerationConfig: {
      uri: "https://api.shop.example",
      operationGenerationConfigs: [{ method: "GET", path: "/orders", responseJson: "{}", ...operation }],
      ...more,
    },
  },
});
const OPERATION = "tool_generation_config.open_api_toolset_generation_config.operation_generation_configs[0]";

/** Each request with the field that its refusal names, and a part of what it says. */
const REFUSED: Readonly<Record<string, readonly [request: object, field: string, says: RegExp]>> = {
  "nothing to generate": [{}, "resource", /Set one of refine_instructions, tool_generation_config/],
  "two things at once": [
    { appGenerationConfig: { context: "a shop" }, evaluationGenerationConfig: {} },
    "app_generation_config",
    /app_generation_config and evaluation_generation_config are set/,
  ],
  "a resource that is not used": [
    { appGenerationConfig: { context: "a shop" }, tool: {} },
    "tool",
    /app_generation_config does not use it/,
  ],
  "a description of 8 MB": [
    { appGenerationConfig: { context: "x".repeat(8 << 20) } },
    "app_generation_config.context",
    /8,388,608 characters; at most 100,000/,
  ],
  "an app without a description": [
    { appGenerationConfig: {} },
    "app_generation_config.context",
    /Say what the app is for/,
  ],
  "a file of an unknown type": [
    { appGenerationConfig: { fileContexts: [file("a.png", "image/png", bytes("x"))] } },
    "app_generation_config.file_contexts[0].file_bytes.mime_type",
    /a\.png is of type 'image\/png', which cannot be read/,
  ],
  "a file without content": [
    { appGenerationConfig: { context: "a shop", fileContexts: [{}] } },
    "app_generation_config.file_contexts[0].file_bytes",
    /Required field is not set/,
  ],
  "too many files": [
    {
      toolGenerationConfig: { fileContexts: Array.from({ length: 21 }, () => file("a.txt", "text/plain", bytes("x"))) },
    },
    "tool_generation_config.file_contexts",
    /21 files; at most 20/,
  ],
  "a dataset of another service": [
    { evaluationGenerationConfig: { datasetId: "projects/p/locations/l/datasets/d" } },
    "evaluation_generation_config.dataset_id",
    /cannot be read here/,
  ],
  "a place in Cloud Storage for what is not made": [
    { appGenerationConfig: { context: "a shop", gcsLocation: "gs://bucket" } },
    "app_generation_config.gcs_location",
    /leave it empty/,
  ],
  "a range that is none": [part({ endIndex: 40 }), "refine_instructions[0].start_index", /0 to 40 is no range/],
  "a range that ends inside a character": [part({ endIndex: 3 }), "refine_instructions[0].start_index", /UTF-16/],
  "a field that is no text": [
    part({ fieldMask: "tools" }),
    "refine_instructions[0].field_mask",
    /its texts are instruction/,
  ],
  "two fields of one part": [
    part({ fieldMask: "instruction,description" }),
    "refine_instructions[0].field_mask",
    /is not one text/,
  ],
  "parts that overlap": [
    {
      ...part({}),
      refineInstructions: [...part({}).refineInstructions, ...part({ startIndex: 1 }).refineInstructions],
    },
    "refine_instructions",
    /overlap/,
  ],
  "an agent without anything": [{ agent: { displayName: "A" } }, "agent.description", /Say what the agent is for/],
  "a tool that is no Python": [
    { toolGenerationConfig: { context: "x" }, tool: { googleSearchTool: { name: "web" } } },
    "tool",
    /Only Python functions/,
  ],
  "an example that is no JSON": [toolset({ responseJson: "{" }), `${OPERATION}.response_json`, /is not JSON/],
  "an example nested without end": [
    toolset({ responseJson: "[".repeat(5_000) + "]".repeat(5_000) }),
    `${OPERATION}.response_json`,
    /deeper than 64/,
  ],
  "an unknown method": [toolset({ method: "FETCH" }), `${OPERATION}.method`, /is not an HTTP method/],
  "a path that is none": [toolset({ path: "orders" }), `${OPERATION}.path`, /begins with '\/'/],
  "an address that is none": [
    toolset({}, { uri: "ftp://shop.example" }),
    "tool_generation_config.open_api_toolset_generation_config.uri",
    /not an http or https address/,
  ],
  "a run of another app": [
    { qualityReportGenerationConfig: { evaluationRun: "projects/local/locations/us/apps/other/evaluationRuns/r" } },
    "quality_report_generation_config.evaluation_run",
    /is not an evaluation run of/,
  ],
  "a report without issues": [
    { hillClimbingFixConfig: { qualityReport: {} } },
    "hill_climbing_fix_config.quality_report",
    /has no issue/,
  ],
  "a version of another app": [
    {
      evaluationGenerationConfig: {},
      appVersionContext: { appVersion: "projects/local/locations/us/apps/other/versions/v" },
    },
    "app_version_context.app_version",
    /is not a version of/,
  ],
};

describe("a request to generate", () => {
  for (const [what, [request, field, says]] of Object.entries(REFUSED)) {
    it(`${what} is refused by name`, async () => {
      const { status, error } = await refused(request);
      assert.equal(status, 400);
      const violations = error.details.flatMap(
        (detail: { fieldViolations?: object[] }) => detail.fieldViolations ?? [],
      );
      assert.deepEqual(
        violations.map((violation: { field: string }) => violation.field),
        [field],
      );
      assert.match(violations[0].description, says);
    });
  }

  for (const [what, request] of Object.entries({
    version: { evaluationGenerationConfig: {}, appVersionContext: { appVersion: `${DESK}/versions/none` } },
    agent: { evaluationGenerationConfig: {}, appVersionContext: { agentResourceName: `${DESK}/agents/none` } },
    run: { qualityReportGenerationConfig: { evaluationRun: `${DESK}/evaluationRuns/none` } },
  })) {
    it(`an unknown ${what} is NOT_FOUND`, async () => {
      assert.equal((await refused(request)).status, 404);
    });
  }

  it("takes a language model, and says what to set and what there is without one", async () => {
    for (const request of [
      { appGenerationConfig: { context: "a shop" } },
      { toolGenerationConfig: { context: "a tool" } },
      { evaluationGenerationConfig: {} },
      { evaluationPersonasGenerationConfig: {} },
      { hillClimbingFixConfig: { qualityReport: { generalIssues: [{ description: "Slow." }] } } },
      part({}),
    ]) {
      const { status, error } = await refused(request);
      assert.deepEqual(
        [status, error.status, error.details[0].reason],
        [400, "FAILED_PRECONDITION", "MODEL_PROVIDER_NOT_CONFIGURED"],
      );
      assert.match(error.message, /GEMINI_API_KEY, OPENAI_API_KEY or ANTHROPIC_API_KEY.*frontdesk init --template faq/);
    }
  });
});

describe("a toolset from examples", () => {
  it("has schemas that its examples fit, without a model and without a value of an example", async () => {
    const { toolset: made, generateResultInfo } = await generated(server, DESK, {
      toolGenerationConfig: {
        context: "The orders of the shop.",
        openApiToolsetGenerationConfig: {
          uri: "https://api.shop.example/v2",
          operationGenerationConfigs: [
            {
              method: "GET",
              path: "/orders/A-1001?expand=items&limit=5",
              responseJson: '{"id":"A-1001","total":12.5,"note":null,"placed":"2026-01-31"}',
            },
            {
              method: "GET",
              path: "/orders/A-1002",
              responseJson:
                '{"id":"A-1002","total":9,"note":"gift","placed":"2026-02-01","items":[{"sku":"x","count":1}]}',
            },
            {
              method: "POST",
              path: "/orders",
              requestJson: '{"sku":"secret-sku","count":2}',
              responseJson: '{"id":"A-1003"}',
            },
          ],
        },
      },
    });
    const { openApiSchema } = made.openApiToolset;
    assert.match(openApiSchema, /^openapi: 3\.1\.0/);
    assert.match(openApiSchema, /url: https:\/\/api\.shop\.example\/v2/);
    assert.doesNotMatch(openApiSchema, /A-1001|secret-sku|gift/);
    assert.equal(made.openApiToolset.apiAuthentication, undefined);
    assert.match(generateResultInfo.explanation, /'A-1001' was taken for the parameter \{order_id\}/);
    assert.match(generateResultInfo.explanation, /No language model is configured/);
    assert.doesNotMatch(generateResultInfo.explanation, /Still wrong/);
    const { name, ...toolset } = made;
    const stored = await rest("POST", `${DESK}/toolsets?toolsetId=generated-orders`, toolset);
    const { tools } = await rest("POST", `${stored.name}:retrieveTools`, {});
    assert.deepEqual(tools.map(({ openApiTool }: { openApiTool: { name: string } }) => openApiTool?.name).sort(), [
      "get_orders_by_order_id",
      "post_orders",
    ]);
    assert.equal(name.startsWith(`${DESK}/toolsets/`), true);
  });
});

/** The refusal of a request. */
async function refused(request: object) {
  const response = await fetch(`${server.address}/v1beta/${DESK}:generateAppResource`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
  const { error } = (await response.json()) as { error: any };
  return { status: response.status, error };
}

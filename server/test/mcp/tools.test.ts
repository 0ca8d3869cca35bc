import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { WireServer } from "../wire/wire-server.ts";
import { ask, type Listed, objectsIn } from "./client.ts";
import { createProductServer } from "./product-server.ts";

let server: WireServer;
before(async () => {
  server = await createProductServer();
});
after(() => server[Symbol.asyncDispose]());

const list = async (path = "/mcp"): Promise<readonly Listed[]> =>
  (await ask(server.url, "tools/list", {}, { path })).result.tools ?? [];
const sizeOf = async (path: string): Promise<number> => JSON.stringify(await list(path)).length;

/** Arguments of hosted tools where they are not those of their kind; `!` marks the required ones (MCP-1). */
const ARGUMENTS: Readonly<Record<string, string>> = {
  create_app: "parent! appId app!",
  create_app_version: "parent! appVersionId appVersion!",
  create_evaluation: "parent! evaluationId evaluation!",
  create_evaluation_dataset: "parent! evaluationDatasetId evaluationDataset!",
  delete_app: "name! etag",
  delete_agent: "name! force etag",
  delete_app_version: "name! etag",
  delete_deployment: "name! etag",
  delete_evaluation_dataset: "name! etag",
  delete_evaluation_result: "name!",
  delete_evaluation_run: "name!",
  generate_evaluation_from_conversation: "conversation! source evaluationType",
  get_conversation: "name! source",
  get_operation: "name",
  list_apps: "parent! pageSize pageToken filter orderBy",
  list_conversations: "parent! pageSize pageToken filter source sources",
  list_deployments: "parent! pageSize pageToken orderBy",
  restore_app_version: "name!",
  run_evaluation: "app evaluations evaluationDataset displayName appVersion",
  start_export_app: "projectId locationId appId",
  start_import_app: "projectId locationId appId content",
  update_agent: "agent! updateMask",
  update_evaluation_dataset: "evaluationDataset! updateMask",
};

/** Read, destroy, as the hosted server hints. */
const HINTS: Readonly<Record<string, readonly [readOnly: boolean, destructive: boolean]>> = {
  list_apps: [true, false],
  get_operation: [true, false],
  create_app: [false, true],
  update_tool: [false, true],
  delete_toolset: [false, true],
  restore_app_version: [false, true],
  start_import_app: [false, true],
  start_export_app: [false, false],
  run_evaluation: [false, false],
  create_evaluation: [false, false],
  update_evaluation_dataset: [false, false],
  delete_evaluation: [false, true],
  delete_evaluation_run: [false, true],
  generate_evaluation_from_conversation: [false, false],
};

describe("the tools of MCP", () => {
  it("accept the arguments of the hosted server's", async () => {
    const tools = new Map((await list()).map((tool) => [tool.name, tool]));
    const found = Object.keys(ARGUMENTS).map((name) => {
      const { properties = {}, required = [] } = tools.get(name)?.inputSchema ?? {};
      return [
        name,
        Object.keys(properties)
          .map((key) => (required.includes(key) ? `${key}!` : key))
          .sort()
          .join(" "),
      ];
    });
    assert.deepEqual(
      Object.fromEntries(found),
      Object.fromEntries(Object.entries(ARGUMENTS).map(([name, args]) => [name, args.split(" ").sort().join(" ")])),
    );
  });

  it("have the four annotations of the hosted server's", async () => {
    const tools = new Map((await list()).map((tool) => [tool.name, tool]));
    for (const [name, [readOnlyHint, destructiveHint]] of Object.entries(HINTS))
      assert.deepEqual(
        tools.get(name)?.annotations,
        { readOnlyHint, destructiveHint, idempotentHint: readOnlyHint, openWorldHint: false },
        name,
      );
  });

  it("fit a model's context, the whole list and each profile", async () => {
    const sizes = { all: await sizeOf("/mcp"), read: await sizeOf("/mcp?profile=read") };
    assert.ok(sizes.all < 260_000, `${sizes.all} bytes in all`);
    assert.ok(sizes.read < 20_000, `${sizes.read} bytes to read`);
    const names = async (profile: string) => (await list(`/mcp?profile=${profile}`)).map(({ name }) => name);
    const [read, edit, run] = [await names("read"), await names("edit"), await names("run")];
    assert.ok(read.every((name) => /^(get|list|retrieve|wait)_/.test(name)));
    assert.ok(edit.includes("update_agent") && !edit.includes("run_session"));
    assert.ok(run.includes("run_session") && !run.includes("update_agent"));
    assert.ok((await names("google")).length === 60);
  });

  it("say what each does and when to use it, with an example of a name", async () => {
    for (const { name, description } of await list()) {
      assert.ok(description.length <= 1_000 && /\.( |$)/.test(description), name);
    }
    const agent = (await list()).find(({ name }) => name === "update_agent");
    assert.match(agent?.description ?? "", /Updates one agent\. Always pass updateMask/);
  });

  it("have names that every host accepts", async () => {
    for (const { name } of await list()) assert.match(name, /^[a-z0-9_]{1,48}$/);
  });

  for (const path of ["/mcp", "/mcp?profile=read", "/mcp/analytics"]) {
    it(`have schemas at ${path} that a strict validator compiles`, async () => {
      const ajv = new Ajv2020({ strict: true, formats: { "date-time": true } });
      for (const { name, inputSchema, outputSchema } of await list(path)) {
        for (const schema of [inputSchema, ...(outputSchema ? [outputSchema] : [])]) {
          assert.equal(schema.type, "object", name);
          assert.doesNotThrow(() => ajv.compile(schema), name);
          assert.ok(!JSON.stringify(schema).includes('"$ref"'), name);
        }
      }
    });
  }

  it("have no dangling reference in the schemas of the hosted server's form", async () => {
    for (const { name, inputSchema, outputSchema } of await list("/mcp?profile=google")) {
      for (const schema of [inputSchema, outputSchema ?? {}]) {
        const definitions = Object.keys((schema.$defs ?? {}) as object);
        const references = [...objectsIn(schema)].flatMap(({ object }) =>
          typeof object.$ref === "string" ? [object.$ref] : [],
        );
        assert.deepEqual(
          references.filter((reference) => !definitions.includes(reference.replace("#/$defs/", ""))),
          [],
          name,
        );
      }
    }
  });

  it("are listed in pages when the address has a page size", async () => {
    const names: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await ask(server.url, "tools/list", cursor ? { cursor } : {}, { path: "/mcp?pageSize=25" });
      assert.ok((result.tools?.length ?? 0) <= 25);
      names.push(...(result.tools ?? []).map(({ name }) => name));
      cursor = result.nextCursor as string | undefined;
    } while (cursor);
    assert.deepEqual(
      names,
      (await list()).map(({ name }) => name),
    );
    const { error } = await ask(server.url, "tools/list", { cursor: "nowhere" });
    assert.deepEqual(error?.code, -32602);
  });

  it("outside an address's profile are unknown, and unknown profiles are errors", async () => {
    const call = { name: "delete_app", arguments: { name: "projects/p/locations/l/apps/a" } };
    const { error } = await ask(server.url, "tools/call", call, { path: "/mcp?profile=read" });
    assert.deepEqual(error?.code, -32602);
    const wrong = await ask(server.url, "tools/list", {}, { path: "/mcp?profile=reed" });
    assert.deepEqual(
      [wrong.status, wrong.error?.message],
      [400, 'The address has profile="reed"; use one of read, edit, run, all, google.'],
    );
  });

  it("of analytics are at an address of their own, the Sync variants under the plain names", async () => {
    const tools = await list("/mcp/analytics");
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        "list_data_agents",
        "list_accessible_data_agents",
        "get_data_agent",
        "create_data_agent",
        "update_data_agent",
        "delete_data_agent",
        "create_data_connection",
        "get_data_connection",
        "list_data_connections",
        "update_data_connection",
        "delete_data_connection",
        "test_data_connection",
        "create_data_file",
        "get_data_file",
        "list_data_files",
        "update_data_file",
        "delete_data_file",
        "create_refresh_schedule",
        "get_refresh_schedule",
        "list_refresh_schedules",
        "update_refresh_schedule",
        "delete_refresh_schedule",
        "import_semantic_model",
        "create_shared_answer",
        "get_shared_answer",
        "list_shared_answers",
        "delete_shared_answer",
        "open_shared_answer",
        "verify_answer",
        "chat",
        "create_conversation",
        "delete_conversation",
        "get_conversation",
        "list_conversations",
        "list_messages",
        "query_data",
        "run_statement",
        "list_data_tables",
        "retrieve_model_vocabulary",
        "list_operations",
        "get_operation",
        "cancel_operation",
        "wait_operation",
      ],
    );
    const created = tools.find(({ name }) => name === "create_data_agent")?.outputSchema;
    assert.equal(created?.title, "DataAgent");
  });
});

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { TestServer } from "#testing";
import { ask } from "../mcp/client.ts";
import { type Answer, callAs, setRoles, startAccessServer, tokenOf } from "./access-server.ts";

const ACME = "projects/acme/locations/us";
const GLOBEX = "projects/globex/locations/us";
const APPS = ["one", "two", "three"].map((name) => `${name}-app`);

let server: TestServer;
before(async () => {
  server = await startAccessServer(["ann", "gus", "ida", "eve"]);
  await setRoles(server, "projects/acme", { "roles/owner": ["ann"] });
  await setRoles(server, "projects/globex", { "roles/owner": ["gus"] });
  for (const app of APPS) {
    await create("ann", ACME, app);
    await create("gus", GLOBEX, app);
  }
  // Ida has one app of each company, and owns hers in acme.
  await setRoles(server, `${ACME}/apps/two-app`, { "roles/ces.admin": ["ida"] });
  await setRoles(server, `${GLOBEX}/apps/three-app`, { "roles/ces.viewer": ["ida"] });
});
after(() => server[Symbol.asyncDispose]());

async function create(who: string, location: string, appId: string): Promise<void> {
  const { status, json } = await callAs(server, who, "POST", `${location}/apps?appId=${appId}`, { displayName: appId });
  assert.equal(status, 200, JSON.stringify(json));
}

const call = (who: string, method: string, path: string, body?: object) => callAs(server, who, method, path, body);
const namesOf = ({ json }: Answer, list: string): readonly string[] =>
  (json[list] ?? []).map(({ name }: { name: string }) => name);

const paramsOf = (cursor: unknown): JsonObject => (typeof cursor === "string" ? { cursor } : {});

describe("lists", () => {
  const EVERYWHERE = "projects/-/locations/-";

  it("show the apps that the caller may see, and no other project's", async () => {
    const apps = async (who: string, parent: string) => namesOf(await call(who, "GET", `${parent}/apps`), "apps");
    assert.deepEqual(
      await apps("ann", EVERYWHERE),
      [...APPS].sort().map((app) => `${ACME}/apps/${app}`),
    );
    assert.deepEqual(await apps("ida", EVERYWHERE), [`${ACME}/apps/two-app`, `${GLOBEX}/apps/three-app`]);
    assert.deepEqual(await apps("ida", ACME), [`${ACME}/apps/two-app`]);
    assert.equal((await apps("root", EVERYWHERE)).length, 6);
  });

  it("are refused where the caller sees nothing at all", async () => {
    const status = async (who: string, path: string) => (await call(who, "GET", path)).status;
    assert.deepEqual(
      [
        await status("ann", `${GLOBEX}/apps`),
        await status("eve", `${EVERYWHERE}/apps`),
        await status("eve", `${ACME}/apps`),
        await status("ann", `${GLOBEX}/operations`),
        await status("", `${EVERYWHERE}/apps`),
      ],
      [403, 403, 403, 403, 401],
    );
  });

  it("have full pages whatever lies between, and go on after the last app that was shown", async () => {
    const first = (await call("gus", "GET", `${EVERYWHERE}/apps?pageSize=2`)).json;
    assert.equal(first.apps.length, 2);
    const rest = (await call("gus", "GET", `${EVERYWHERE}/apps?pageSize=2&pageToken=${first.nextPageToken}`)).json;
    assert.deepEqual([rest.apps.length, rest.nextPageToken], [1, undefined]);
  });

  it("show parts of the apps that the caller may see", async () => {
    const agent = { displayName: "Root", instruction: "Help." };
    for (const app of [`${ACME}/apps/one-app`, `${ACME}/apps/two-app`])
      assert.equal((await call("ann", "POST", `${app}/agents?agentId=agent-one`, agent)).status, 200);
    const agents = async (who: string) => namesOf(await call(who, "GET", `${ACME}/apps/-/agents`), "agents");
    assert.deepEqual(await agents("ida"), [`${ACME}/apps/two-app/agents/agent-one`]);
    assert.equal((await agents("ann")).length, 2);
  });

  it("of the audit log of the whole server is for those who may read it there", async () => {
    const statuses = await Promise.all(
      ["ann", "gus", "root"].map((who) => call(who, "GET", "projects/-/auditEntries")),
    );
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [403, 403, 200],
    );
  });

  it("of a project's keys and audit log are not for those who have an app in it", async () => {
    const statuses = async (who: string) => [
      (await call(who, "GET", "projects/acme/credentials")).status,
      (await call(who, "GET", "projects/acme/auditEntries")).status,
    ];
    await setRoles(server, `${ACME}/apps/two-app`, { "roles/owner": ["ida"] });
    assert.deepEqual(await statuses("ida"), [403, 403]);
    assert.deepEqual(await statuses("gus"), [403, 403]);
    assert.deepEqual(await statuses("ann"), [200, 200]);
  });

  it("of MCP's resources show the same apps", async () => {
    const headers = { authorization: `Bearer ${tokenOf("ida")}` };
    const uris: unknown[] = [];
    let cursor: unknown;
    do {
      const { result } = await ask(server.address, "resources/list", paramsOf(cursor), { headers });
      uris.push(...(result.resources as { uri: string }[]).map(({ uri }) => uri));
      cursor = result.nextCursor;
    } while (typeof cursor === "string");
    const others = uris.filter((uri) => !/acme\/.*\/two-app|globex\/.*\/three-app/.test(String(uri)));
    assert.deepEqual(others, []);
    assert.ok(uris.length >= 2);
  });
});

describe("a refusal", () => {
  it("has the same words for what exists and for what does not", async () => {
    const words = async (name: string) => {
      const { status, json } = await call("ann", "GET", `${GLOBEX}/apps/${name}`);
      return [status, JSON.stringify(json).replaceAll(name, "?")];
    };
    assert.deepEqual(await words("one-app"), await words("nothing-here"));
  });

  it("shows the beginning of a name that is too long for one", async () => {
    const response = await fetch(`${server.address}/google.cloud.ces.v1beta.AgentService/GetApp`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${tokenOf("ann")}` },
      body: JSON.stringify({ name: `${GLOBEX}/apps/${"x".repeat(1_000_000)}` }),
    });
    const text = await response.text();
    assert.match(text, /permission_denied.*projects\/globex\/locations\/us\/apps\/x+…/);
    assert.ok(text.length < 10_000, `${text.length} characters`);
  });

  it("comes before what is wrong with the request", async () => {
    const answers = await Promise.all([
      call("ann", "POST", `${GLOBEX}/apps?appId=one-app`, { displayName: "" }),
      call("ann", "PATCH", `${GLOBEX}/apps/one-app?updateMask=nothing`, {}),
      call("ann", "GET", `${GLOBEX}/apps/one-app/agents?pageSize=-1`),
    ]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403],
    );
  });
});

describe("long-running operations", () => {
  it("are seen by those who may see what they are about", async () => {
    const started = await call("ida", "POST", `${ACME}/apps/two-app:exportApp`, { exportFormat: "JSON" });
    assert.equal(started.status, 200, JSON.stringify(started.json));
    const { name } = started.json;
    const other = (await call("ann", "POST", `${ACME}/apps/one-app:exportApp`, { exportFormat: "JSON" })).json.name;
    const status = async (who: string, operation: string) => (await call(who, "GET", operation)).status;
    assert.deepEqual(
      [await status("ida", name), await status("ann", name), await status("ida", other), await status("gus", name)],
      [200, 200, 403, 403],
    );
    const listed = async (who: string) =>
      namesOf(await call(who, "GET", `${ACME}/operations?pageSize=100`), "operations");
    assert.ok((await listed("ida")).includes(name));
    assert.ok(!(await listed("ida")).includes(other));
    assert.ok((await listed("ann")).includes(other));
    assert.deepEqual(
      [(await call("gus", "POST", `${name}:cancel`, {})).status, (await call("gus", "DELETE", name)).status],
      [403, 403],
    );
  });
});

describe("a run of evaluations", () => {
  it("is cancelled by who may run evaluations, who may cancel no other work (IAM-21)", async () => {
    const app = `${ACME}/apps/one-app`;
    await setRoles(server, app, { "roles/ces.evalsEditor": ["eve"], "roles/ces.viewer": ["ida"] });
    const golden = { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] };
    const made = await call("eve", "POST", `${app}/evaluations`, { displayName: "Greets", golden });
    const started = await call("eve", "POST", `${app}:runEvaluation`, { evaluations: [made.json.name], runCount: 3 });
    const { name: run } = started.json;
    const { name: exported } = (await call("ann", "POST", `${app}:exportApp`, { exportFormat: "JSON" })).json;
    const cancelled = async (who: string, name: string) => (await call(who, "POST", `${name}:cancel`, {})).status;
    assert.deepEqual(
      [await cancelled("ida", run), await cancelled("eve", run), await cancelled("eve", exported)],
      [403, 200, 403],
    );
  });
});

describe("what a request names besides its own app", () => {
  const own = `${ACME}/apps/two-app`;
  const foreign = `${GLOBEX}/apps/one-app`;
  const cases: readonly (readonly [what: string, method: string, path: string, body: object])[] = [
    ["a version to export", "POST", `${own}:exportApp`, { appVersion: `${foreign}/versions/v` }],
    [
      "a deployment to talk to",
      "POST",
      `${own}/sessions/session-1:runSession`,
      {
        config: { session: `${own}/sessions/session-1`, deployment: `${foreign}/deployments/d` },
        inputs: [{ text: "hello" }],
      },
    ],
    ["a tool to execute", "POST", `${own}:executeTool`, { tool: `${foreign}/tools/t` }],
    ["evaluations to run", "POST", `${own}:runEvaluation`, { evaluations: [`${foreign}/evaluations/e`] }],
    ["a dataset to run", "POST", `${own}:runEvaluation`, { evaluationDataset: `${foreign}/evaluationDatasets/d` }],
    [
      "conversations to import",
      "POST",
      `${own}:importEvaluations`,
      {
        conversationList: { conversations: [`${foreign}/conversations/c`] },
      },
    ],
    [
      "conversations to delete",
      "POST",
      `${own}/conversations:batchDelete`,
      {
        conversations: [`${foreign}/conversations/c`],
      },
    ],
    ["a root agent", "PATCH", `${own}?updateMask=rootAgent`, { rootAgent: `${foreign}/agents/agent-one` }],
    [
      "an agent that is a tool",
      "POST",
      `${own}/tools?toolId=agent-tool`,
      {
        agentTool: { name: "other", agent: `${foreign}/agents/agent-one` },
      },
    ],
  ];
  for (const [what, method, path, body] of cases) {
    it(`must be visible to the caller: ${what}`, async () => {
      await setRoles(server, own, { "roles/ces.admin": ["ida"] });
      const { status, json } = await call("ida", method, path, body);
      assert.deepEqual(
        [status, json.error?.details?.[0]?.reason],
        [403, "IAM_PERMISSION_DENIED"],
        JSON.stringify(json),
      );
      const { resource, principal } = json.error.details[0].metadata;
      assert.ok(resource.startsWith(foreign), json.error.message);
      assert.equal(principal, "user:ida@example.com"); // AUTH-26
    });
  }
});

describe("who made something", () => {
  it("is in the change log, in versions and in evaluations", async () => {
    const app = `${ACME}/apps/three-app`;
    await setRoles(server, app, { "roles/ces.editor": ["eve"] });
    const version = await call("eve", "POST", `${app}/versions?appVersionId=version-1`, { displayName: "One" });
    assert.equal(version.json.creator, "eve@example.com");
    const evaluation = { displayName: "Greets", golden: { turns: [] } };
    const made = await call("eve", "POST", `${app}/evaluations?evaluationId=evaluation-1`, evaluation);
    assert.deepEqual([made.json.createdBy, made.json.lastUpdatedBy], ["eve@example.com", "eve@example.com"]);
    const changed = await call("ann", "PATCH", `${app}/evaluations/evaluation-1?updateMask=description`, {
      description: "changed",
    });
    assert.deepEqual([changed.json.createdBy, changed.json.lastUpdatedBy], ["eve@example.com", "ann@example.com"]);
    const { json } = await call("ann", "GET", `${app}/changelogs`);
    assert.deepEqual(
      json.changelogs.map(({ author, resourceType }: Record<string, string>) => `${resourceType} ${author}`).sort(),
      ["App ann@example.com", "AppVersion eve@example.com", "Evaluation ann@example.com", "Evaluation eve@example.com"],
    );
  });

  it("is in runs of evaluations and their results", async () => {
    const app = `${ACME}/apps/three-app`;
    const evaluations = [`${app}/evaluations/evaluation-1`];
    const { status, json } = await call("eve", "POST", `${app}:runEvaluation`, { evaluations });
    assert.equal(status, 200, JSON.stringify(json));
    const runs = await call("eve", "GET", `${app}/evaluationRuns`);
    assert.deepEqual(
      runs.json.evaluationRuns.map(({ initiatedBy }: Record<string, string>) => initiatedBy),
      ["eve@example.com"],
    );
    const results = await call("eve", "GET", `${evaluations[0]}/results`);
    assert.deepEqual(
      results.json.evaluationResults.map(({ initiatedBy }: Record<string, string>) => initiatedBy),
      ["eve@example.com"],
    );
  });
});

describe("a client that may only talk", () => {
  it("gets answers, and neither diagnostic info nor what is stored of them", async () => {
    const app = `${ACME}/apps/one-app`;
    await setRoles(server, app, { "roles/ces.client": ["eve"] });
    assert.equal(
      (await call("ann", "PATCH", `${app}?updateMask=rootAgent`, { rootAgent: `${app}/agents/agent-one` })).status,
      200,
    );
    const session = `${app}/sessions/session-1`;
    const talk = async (who: string) =>
      (await call(who, "POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "hello" }] })).json;
    assert.equal(JSON.stringify(await talk("eve")).includes("diagnosticInfo"), false);
    assert.equal(JSON.stringify(await talk("ann")).includes("diagnosticInfo"), true);
    const refused = [`${app}/conversations/session-1`, app, `${app}/agents`, `${app}/changelogs`];
    for (const path of refused) assert.equal((await call("eve", "GET", path)).status, 403, path);
    const execute = { tool: `${app}/tools/end_session` };
    assert.equal((await call("eve", "POST", `${app}:executeTool`, execute)).status, 403);
  });
});

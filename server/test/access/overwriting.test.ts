import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createRoles } from "#access";
import type { TestServer } from "#testing";
import { type Answer, callAs, setRoles, startAccessServer } from "./access-server.ts";

const LOCATION = "projects/acme/locations/us";
const APP = `${LOCATION}/apps/shop-app`;

let server: TestServer;
before(async () => {
  const editor = { title: "Editor who replaces nothing", includes: ["roles/ces.editor"] };
  const roles = createRoles({
    "roles/acme.adds": {
      ...editor,
      permissions: [],
      except: ["ces.apps.update", "ces.*.update", "ces.*.delete", "ces.evaluationResults.list"],
    },
    "roles/acme.overwrites": {
      title: "Imports evaluations",
      permissions: ["ces.evaluations.*", "ces.evaluationResults.*", "ces.evaluationRuns.*"],
    },
  });
  server = await startAccessServer(["ann", "bo", "cy"], { config: { access: { roles, bindings: [] } } });
  await setRoles(server, "projects/acme", {
    "roles/owner": ["ann"],
    "roles/acme.adds": ["bo"],
    "roles/acme.overwrites": ["cy"],
  });
  const { status } = await callAs(server, "ann", "POST", `${LOCATION}/apps?appId=shop-app`, { displayName: "Shop" });
  assert.equal(status, 200);
  const agent = await callAs(server, "ann", "POST", `${APP}/agents`, { displayName: "Desk", instruction: "Greet." });
  assert.equal(agent.status, 200);
  assert.equal((await importTable("ann", "CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED", "before")).status, 200);
});
after(() => server[Symbol.asyncDispose]());

const importTable = (who: string, conflictResolutionStrategy: string, answer: string): Promise<Answer> =>
  callAs(server, who, "POST", `${APP}:importEvaluations`, {
    csvContent: Buffer.from(
      `display_name,turn_index,action_type,text_content,response_agent\nGreeting,,,,\n,1,INPUT_TEXT,hello,\n,1,EXPECTATION_TEXT,${answer},Desk\n`,
    ).toString("base64"),
    importOptions: { conflictResolutionStrategy },
  });

const refusedFor = ({ status, json }: Answer): string =>
  status === 403 ? json.error.details[0].metadata.permission : `${status} ${JSON.stringify(json)}`;

describe("a call that replaces what there is (IAM-27)", () => {
  it("needs the permission to change it: an import of evaluations", async () => {
    assert.equal(refusedFor(await importTable("bo", "OVERWRITE", "by bo")), "ces.evaluations.update");
    assert.equal((await importTable("bo", "DUPLICATE", "beside")).status, 200);
    assert.equal((await importTable("cy", "OVERWRITE", "by cy")).status, 200);
    const { json } = await callAs(server, "ann", "GET", `${APP}/evaluations`);
    const text = JSON.stringify(json);
    assert.match(text, /by cy/);
    assert.doesNotMatch(text, /by bo/);
  });

  it("needs the permission to change it: an import of an app", async () => {
    const imported = (conflictResolutionStrategy: string) =>
      callAs(server, "bo", "POST", `${LOCATION}/apps:importApp`, {
        appId: "shop-app",
        appContent: Buffer.from("no archive").toString("base64"),
        importOptions: { conflictResolutionStrategy },
      });
    assert.equal(refusedFor(await imported("OVERWRITE")), "ces.apps.update");
    assert.equal((await imported("REPLACE")).status, 200);
  });
});

it("an export of evaluations with their results needs the permission to see those (IAM-27)", async () => {
  const { json } = await callAs(server, "ann", "GET", `${APP}/evaluations`);
  const names = [json.evaluations[0].name];
  const exported = (body: object) => callAs(server, "bo", "POST", `${APP}/evaluations:export`, { names, ...body });
  assert.equal((await exported({ includeEvaluations: true })).status, 200);
  assert.equal(refusedFor(await exported({ includeEvaluationResults: true })), "ces.evaluationResults.list");
});

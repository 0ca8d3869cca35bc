import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createRoles } from "#access";
import type { TestServer } from "#testing";
import { callAs, setRoles, startAccessServer } from "./access-server.ts";

const LOCATION = "projects/acme/locations/us";
const APP = `${LOCATION}/apps/shop-app`;
const EVALUATION = `${APP}/evaluations/greeting`;
const RUN = `${APP}/evaluationRuns/of-ann`;

let server: TestServer;
before(async () => {
  const adds = { title: "Adds evaluations", permissions: ["ces.evaluations.create", "ces.evaluationResults.list"] };
  const roles = createRoles({ "roles/acme.adds": adds });
  server = await startAccessServer(["ann", "bo"], { config: { access: { roles, bindings: [] } } });
  await setRoles(server, "projects/acme", { "roles/owner": ["ann"], "roles/acme.adds": ["bo"] });
  assert.equal(
    (await callAs(server, "ann", "POST", `${LOCATION}/apps?appId=shop-app`, { displayName: "S" })).status,
    200,
  );
  const golden = { turns: [{ steps: [{ userInput: { text: "Hello" } }] }] };
  const evaluations = [{ name: EVALUATION, displayName: "Greeting", golden }];
  assert.deepEqual(
    await imported("ann", { evaluations, evaluationRuns: [{ name: RUN }], evaluationResults: [result("one")] }),
    [],
  );
});
after(() => server[Symbol.asyncDispose]());

const result = (id: string, evaluationRun = RUN) => ({
  name: `${EVALUATION}/results/${id}`,
  evaluationRun,
  initiatedBy: "boss@example.com",
  evaluationStatus: "PASS",
});

/** Imports a file and returns what is said of it. */
async function imported(who: string, file: object, conflictResolutionStrategy?: string): Promise<readonly string[]> {
  const { status, json } = await callAs(server, who, "POST", `${APP}:importEvaluations`, {
    csvContent: Buffer.from(JSON.stringify(file)).toString("base64"),
    ...(conflictResolutionStrategy && { importOptions: { conflictResolutionStrategy } }),
  });
  assert.equal(status, 200, JSON.stringify(json));
  for (;;) {
    const { json: operation } = await callAs(server, "ann", "GET", json.name);
    assert.equal(operation.error, undefined);
    if (operation.done) return operation.response.errorMessages ?? [];
  }
}

async function resultsOf(run: string): Promise<readonly string[]> {
  const filter = encodeURIComponent(`evaluation_run = "${run}"`);
  const { json } = await callAs(server, "ann", "GET", `${APP}/evaluations/-/results?filter=${filter}`);
  const found = (json.evaluationResults ?? []) as readonly { name: string; initiatedBy: string }[];
  return found.map(
    ({ name, initiatedBy }) => `${name.slice(EVALUATION.length + "/results/".length)} by ${initiatedBy}`,
  );
}

describe("results that an import brings (IAM-29)", () => {
  it("are of who imports them, whatever the file says", async () => {
    assert.deepEqual(await resultsOf(RUN), ["one by ann@example.com"]);
    const { json } = await callAs(server, "ann", "GET", RUN);
    assert.equal(json.initiatedBy, "ann@example.com");
    assert.deepEqual(json.evaluationResults, [`${EVALUATION}/results/one`]);
  });

  for (const strategy of [undefined, "SKIP", "DUPLICATE"])
    it(`do not become those of a run that exists: ${strategy}`, async () => {
      const [error = "", ...more] = await imported("bo", { evaluationResults: [result("forged")] }, strategy);
      assert.match(error, /evaluation_run: '.*of-ann' exists.*OVERWRITE/);
      assert.deepEqual(more, []);
      assert.deepEqual(await resultsOf(RUN), ["one by ann@example.com"]);
    });

  it("go with the copy of their run, whether or not it lists them", async () => {
    const evaluationRuns = [{ name: RUN, displayName: "Copy" }];
    const file = { evaluationRuns, evaluationResults: [result("beside")] };
    assert.deepEqual(await imported("bo", file, "DUPLICATE"), []);
    assert.deepEqual(await resultsOf(RUN), ["one by ann@example.com"]);
    const { json } = await callAs(server, "ann", "GET", `${APP}/evaluationRuns`);
    const copy = json.evaluationRuns.find(({ displayName }: { displayName: string }) => displayName === "Copy");
    assert.equal(copy.initiatedBy, "bo@example.com");
    assert.deepEqual(copy.evaluationResults, [`${EVALUATION}/results/beside`]);
    assert.deepEqual(await resultsOf(copy.name), ["beside by bo@example.com"]);
  });

  it("are added to a run by who may replace it", async () => {
    assert.deepEqual(await imported("ann", { evaluationResults: [result("two")] }, "OVERWRITE"), []);
    assert.deepEqual([...(await resultsOf(RUN))].sort(), ["one by ann@example.com", "two by ann@example.com"]);
  });
});

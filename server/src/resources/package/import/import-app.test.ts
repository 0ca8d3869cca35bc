import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import {
  type ImportAppRequest,
  ImportAppRequest_ImportOptionsSchema,
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { Code } from "#status";
import { testPackages } from "../__fixtures__/memory-tree.ts";
import { importRequest, PARENT, type Texts } from "../__fixtures__/package-requests.ts";
import { APP, importError, imported, rejectedImport, shop } from "../__fixtures__/shop.ts";

function options(conflictResolutionStrategy: Strategy, validateOnly = false): Partial<ImportAppRequest> {
  const importOptions = create(ImportAppRequest_ImportOptionsSchema, { conflictResolutionStrategy, validateOnly });
  return { appId: "shop", importOptions };
}

describe("ImportApp into a new app", () => {
  it("generates ids where the package has none, and writes once", async () => {
    const { tree, packages } = testPackages();
    const { name, warnings } = await packages.importApp(await importRequest(shop()));
    assert.equal(name, `${PARENT}/apps/00000000-0000-4000-8000-000000000001`);
    assert.deepEqual(warnings, []);
    const { app, agents, tools } = await tree.readTree(name);
    assert.equal(app.displayName, "Shop");
    assert.equal(agents[0]?.name, `${name}/agents/00000000-0000-4000-8000-000000000002`);
    assert.deepEqual(agents[0]?.tools, [tools[0]?.name, `${name}/tools/end_session`]);
    assert.deepEqual(tree.writes, [{ ignoreLock: false, validateOnly: false, deleteOthers: [], author: "" }]);
  });

  it("uses the display name of the request, with a time stamp when another app has it", async () => {
    const { packages, tree } = testPackages();
    const first = await packages.importApp(await importRequest(shop(), { displayName: "Mine" }));
    assert.equal((await tree.readTree(first.name)).app.displayName, "Mine");
    const second = await packages.importApp(await importRequest(shop(), { displayName: "Mine" }));
    assert.equal((await tree.readTree(second.name)).app.displayName, "Mine 2026-09-01T12:30:10.000Z");
    assert.deepEqual(second.warnings, [
      "Another app has the display name 'Mine', so this one became 'Mine 2026-09-01T12:30:10.000Z'.",
    ]);
  });

  it("keeps ids of manifests, and generates others for invalid and used ones", async () => {
    const { app, warnings } = await imported(
      shop({
        "agents/Root/Root.json": '{"name": "projects/x/locations/y/apps/z/agents/root_agent", "displayName": "Root"}',
        "agents/B/B.json": '{"name": "root_agent", "displayName": "B"}',
        "agents/C/C.json": '{"name": "no id!", "displayName": "C"}',
        "agents/Root/instruction.txt": "",
      }),
    );
    assert.deepEqual(
      app.agents.map(({ name, displayName }) => [displayName, name.slice(APP.length)]),
      [
        ["B", "/agents/root_agent"],
        ["C", "/agents/00000000-0000-4000-8000-000000000001"],
        ["Root", "/agents/00000000-0000-4000-8000-000000000002"],
      ],
    );
    assert.deepEqual(warnings.slice(1), [
      "agents/C/C.json: name: 'no id!' cannot be an id; a new one was generated.",
      "agents/Root/Root.json: name: the id 'root_agent' belongs to another Agent; a new id was generated.",
    ]);
  });

  it("reports a missing zip, a wrong location and an invalid id all at once", async () => {
    const { packages } = testPackages();
    const wrong = create(ImportAppRequestSchema, {
      parent: "here",
      appId: "a/b",
      app: { case: "gcsUri", value: "gs://b/o" },
    });
    assert.equal(
      await importError(packages, wrong),
      "parent: 'here' is not of the form projects/{project}/locations/{location}; " +
        "app_id: 'a/b' is not a valid id: use 1 to 63 letters, digits, dots, hyphens or underscores, starting with a letter or digit; " +
        "gcs_uri: No objects can be named here.",
    );
    const empty = create(ImportAppRequestSchema, { parent: PARENT });
    assert.equal(await importError(packages, empty), "app_content: The zip to import is missing.");
  });

  it("fails when neither request nor package has a display name", async () => {
    assert.equal(
      await rejectedImport(shop({ "app.json": "{}" })),
      "display_name: Neither the request nor the package has a display name for the app.",
    );
  });
});

describe("ImportApp into an existing app", () => {
  const FIRST = shop({
    "agents/Old/Old.json": '{"name": "old", "displayName": "Old"}',
    "agents/Root/Root.json": '{"name": "root", "displayName": "Root", "tools": ["look"]}',
    "tools/look/look.json":
      '{"name": "look-1", "pythonFunction": {"name": "look", "pythonCode": "tools/look/code.py"}}',
    "evaluations/E/E.json": '{"name": "e-1", "displayName": "E", "tags": ["old"]}',
    "evaluations/F/F.json":
      '{"name": "f-1", "displayName": "F", "golden": {"turns": [{"steps": [{"expectation": {"toolCall": {"tool": "look"}}}]}]}}',
  });

  async function twoImports(second: Texts, fields: Partial<ImportAppRequest>) {
    const { tree, packages } = testPackages();
    await packages.importApp(await importRequest(FIRST, { appId: "shop" }));
    const response = await packages.importApp(await importRequest(second, fields));
    return { response, tree, app: await tree.readTree(APP) };
  }

  const names = (resources: readonly { name: string; displayName: string }[]) =>
    resources.map(({ name, displayName }) => `${displayName}=${name.slice(name.lastIndexOf("/") + 1)}`);

  for (const strategy of [Strategy.REPLACE, Strategy.CONFLICT_RESOLUTION_STRATEGY_UNSPECIFIED]) {
    it(`replaces resources with the same display name and keeps the rest (${Strategy[strategy]})`, async () => {
      const next = shop({
        "app.json": '{"displayName": "Renamed", "rootAgent": "Root", "description": "new"}',
        "agents/Root/Root.json":
          '{"name": "another-id", "displayName": "Root", "tools": ["look"], "childAgents": ["Old"]}',
        "evaluations/E/E.json": '{"displayName": "E", "tags": ["new"]}',
      });
      const { app } = await twoImports(next, options(strategy));
      assert.deepEqual(names(app.agents), ["Old=old", "Root=root"]);
      assert.deepEqual(names(app.tools), ["look=look-1"]);
      assert.deepEqual(names(app.evaluations), ["F=f-1", "E=e-1"]);
      assert.deepEqual(app.evaluations.find(({ displayName }) => displayName === "E")?.tags, ["new"]);
      assert.deepEqual(app.agents.find(({ displayName }) => displayName === "Root")?.childAgents, [
        `${APP}/agents/old`,
      ]);
      assert.deepEqual([app.app.displayName, app.app.description], ["Shop", "new"]);
    });
  }

  it("deletes agents and tools first when it overwrites, but no evaluation, whose references follow", async () => {
    const next = shop({ "evaluations/E/E.json": '{"displayName": "E"}' });
    const { app } = await twoImports(next, options(Strategy.OVERWRITE));
    assert.deepEqual(names(app.agents), ["Root=00000000-0000-4000-8000-000000000001"]);
    assert.deepEqual(names(app.tools), ["look=00000000-0000-4000-8000-000000000002"]);
    assert.deepEqual(names(app.evaluations), ["E=e-1", "F=f-1"]);
    const { inputs } = app.evaluations.find(({ displayName }) => displayName === "F") ?? {};
    const step = inputs?.case === "golden" ? inputs.value.turns[0]?.steps[0]?.step : undefined;
    const condition = step?.case === "expectation" ? step.value.condition : undefined;
    assert.equal(condition?.case === "toolCall" && condition.value.toolIdentifier.value, app.tools[0]?.name);
  });

  it("cannot refer to resources that an overwrite deletes", async () => {
    const { tree, packages } = testPackages();
    await packages.importApp(await importRequest(FIRST, { appId: "shop" }));
    const next = shop({ "agents/Root/Root.json": '{"displayName": "Root", "childAgents": ["Old"]}' });
    assert.equal(
      await importError(packages, await importRequest(next, options(Strategy.OVERWRITE))),
      "agents/Root/Root.json: childAgents[0]: Reference 'Old' of type 'ces.googleapis.com/Agent' not found.",
    );
    assert.equal(tree.writes.length, 1);
  });

  it("does not rename it", async () => {
    const { packages } = testPackages();
    await packages.importApp(await importRequest(shop(), { appId: "shop" }));
    assert.equal(
      await importError(packages, await importRequest(shop(), { appId: "shop", displayName: "Other" })),
      "display_name: Must not be set on a re-import: the app keeps its name. Rename it with UpdateApp.",
    );
  });

  it("changes nothing when it only validates", async () => {
    const next = shop({ "app.json": '{"rootAgent": "Root", "description": "new"}' });
    const { app, response, tree } = await twoImports(next, options(Strategy.REPLACE, true));
    assert.equal(response.name, APP);
    assert.equal(app.app.description, "");
    assert.equal(tree.writes.at(-1)?.validateOnly, true);
  });

  it("respects the app's lock unless the request ignores it, and keeps it", async () => {
    const { tree, packages } = testPackages();
    const locked = shop({ "app.json": '{"displayName": "Shop", "locked": true, "pinned": true}' });
    await packages.importApp(await importRequest(locked, { appId: "shop" }));
    await assert.rejects(packages.importApp(await importRequest(shop(), { appId: "shop" })), {
      code: Code.FailedPrecondition,
    });
    await packages.importApp(await importRequest(shop(), { appId: "shop", ignoreAppLock: true }));
    const { app } = await tree.readTree(APP);
    assert.deepEqual([app.locked, app.pinned, app.rootAgent !== ""], [true, true, true]);
  });
});

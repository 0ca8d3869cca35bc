import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import {
  ExportAppRequest_ExportFormat as ExportFormat,
  ImportAppRequestSchema,
} from "@frontdesk/protos/ces/agent_service";
import { testPackages } from "./__fixtures__/memory-tree.ts";
import { exportTexts, importRequest, PARENT, type Texts } from "./__fixtures__/package-requests.ts";
import { packFolder, readPackageFolder } from "./archive/folder.ts";

const GARDEN_CLUB = fileURLToPath(new URL("./__fixtures__/garden-club", import.meta.url));

async function textsOf(folder: string): Promise<Texts> {
  const { files } = await readPackageFolder(folder);
  return Object.fromEntries(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString("utf8")]));
}

async function imported(folder: string, appId: string) {
  const { tree, packages } = testPackages();
  const { zip } = await packFolder(folder, 0);
  const request = create(ImportAppRequestSchema, { parent: PARENT, appId, app: { case: "appContent", value: zip } });
  return { tree, packages, response: await packages.importApp(request) };
}

describe("The round trip of an app package", () => {
  it("is the same byte for byte when it is written as exports are", async () => {
    const { packages, response } = await imported(GARDEN_CLUB, "garden-club");
    assert.deepEqual(response.warnings, []);
    assert.deepEqual(await exportTexts(packages, response.name, ExportFormat.JSON), await textsOf(GARDEN_CLUB));
  });

  it("is the same app through YAML", async () => {
    const { tree, packages, response } = await imported(GARDEN_CLUB, "garden-club");
    const before = await tree.readTree(response.name);
    const yaml = await exportTexts(packages, response.name, ExportFormat.YAML);
    assert.equal(
      Object.keys(yaml).some((path) => path.endsWith(".json") && path !== "environment.json"),
      false,
    );
    const other = testPackages();
    const again = await other.packages.importApp(await importRequest(yaml, { appId: "garden-club" }));
    assert.deepEqual(again.warnings, []);
    assert.deepEqual(await other.tree.readTree(again.name), before);
  });

  it("has resource names everywhere inside", async () => {
    const { tree, response } = await imported(GARDEN_CLUB, "garden-club");
    const { app, agents, tools, evaluations, evaluationDatasets } = await tree.readTree(response.name);
    const name = `${PARENT}/apps/garden-club`;
    assert.equal(app.rootAgent, `${name}/agents/head`);
    const head = agents.find(({ displayName }) => displayName === "Head gardener");
    assert.deepEqual(head?.tools, [
      `${name}/tools/end_session`,
      `${name}/tools/3f0c7f0e-1111-4222-8333-944455556666`,
      `${name}/tools/show-card`,
    ]);
    assert.deepEqual(
      head?.toolsets.map(({ toolset, toolIds }) => [toolset, toolIds]),
      [
        [`${name}/toolsets/nursery`, ["listBeds", "orderSeeds"]],
        [`${name}/toolsets/weather`, ["forecast"]],
      ],
    );
    const card = tools.find(({ displayName }) => displayName === "show_card")?.toolType;
    assert.equal(
      card?.case === "widgetTool" && card.value.dataMapping?.sourceToolName,
      `${name}/tools/3f0c7f0e-1111-4222-8333-944455556666`,
    );
    assert.deepEqual(evaluationDatasets[0]?.evaluations, [`${name}/evaluations/prices`, `${name}/evaluations/shy`]);
    const prices = evaluations.find(({ displayName }) => displayName === "Prices - First Turn");
    assert.deepEqual(prices?.evaluationDatasets, [`${name}/evaluationDatasets/nightly`]);
  });

  it("has texts and environment values in place inside", async () => {
    const { tree, response } = await imported(GARDEN_CLUB, "garden-club");
    const { app, agents, tools, toolsets } = await tree.readTree(response.name);
    assert.equal(app.globalInstruction, "Speak like a gardener: short sentences, plain words.\n");
    assert.equal(app.loggingSettings?.audioRecordingConfig?.gcsBucket, "gs://garden-audio");
    const head = agents.find(({ displayName }) => displayName === "Head gardener");
    assert.equal(head?.instruction, "Greet the visitor.  \n\tUse {@TOOL: find_plant} when a plant is named.\n");
    const almanac = tools.find(({ displayName }) => displayName === "almanac")?.toolType;
    assert.deepEqual(almanac?.case === "dataStoreTool" && almanac.value.boostSpecs[0]?.dataStores, [
      "projects/p/locations/l/collections/c/dataStores/one",
      "projects/p/locations/l/collections/c/dataStores/two",
    ]);
    const nursery = toolsets.find(({ displayName }) => displayName === "nursery-api")?.toolsetType;
    assert.ok(nursery?.case === "openApiToolset");
    assert.match(nursery.value.openApiSchema, /^ {4}- url: "https:\/\/nursery\.example\.com\/v1" {3}# per stage$/m);
    assert.equal(nursery.value.url, "");
  });
});

describe("The order desk example", () => {
  const folder = fileURLToPath(new URL("../../../../examples/order-desk/app", import.meta.url));

  it("is the same byte for byte, but for what every export adds", async () => {
    const { packages, response } = await imported(folder, "order-desk");
    assert.deepEqual(response.warnings, []);
    const { "app.json": app = "", ...exported } = await exportTexts(packages, response.name, ExportFormat.JSON);
    const { "app.json": original = "", ...files } = await textsOf(folder);
    assert.deepEqual(exported, { ...files, "pythonEnvFiles/pythonEnvFiles.json": "{\n}" });
    const retention = { conversationLoggingSettings: { retentionWindow: "31536000s" } };
    assert.deepEqual(JSON.parse(app), { ...JSON.parse(original), loggingSettings: retention });
  });
});

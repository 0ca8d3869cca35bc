import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { create } from "@bufbuild/protobuf";
import {
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as ExportFormat,
  ImportAppRequest_ImportOptionsSchema,
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { packFolder, unpackToFolder } from "#resources";
import { LOCATION, openResources, type TestResources } from "./open-resources.ts";

const ROOT = new URL("../../../", import.meta.url);
const GARDEN_CLUB = fileURLToPath(new URL("server/src/resources/package/__fixtures__/garden-club", ROOT));

/** All files below a folder as texts, by their path. */
async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    files.sort().map(async (file) => [relative(folder, file), await readFile(file, "utf8")]),
  );
  return Object.fromEntries(texts);
}

/** Imports a folder as an app and answers the warnings. */
async function importFolder({ resources }: TestResources, folder: string, appId: string, strategy = Strategy.REPLACE) {
  const { zip } = await packFolder(folder, 0);
  const importOptions = create(ImportAppRequest_ImportOptionsSchema, { conflictResolutionStrategy: strategy });
  return resources.packages.importApp(
    create(ImportAppRequestSchema, { parent: LOCATION, appId, importOptions, app: { case: "appContent", value: zip } }),
  );
}

/** Exports an app, or a version of it, as JSON and answers its files. */
async function exportTexts(
  { resources }: TestResources,
  name: string,
  appVersion = "",
): Promise<Record<string, string>> {
  const { app } = await resources.packages.exportApp(
    create(ExportAppRequestSchema, { name, appVersion, exportFormat: ExportFormat.JSON }),
  );
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-package-"));
  try {
    await unpackToFolder(app.case === "appContent" ? app.value : new Uint8Array(), folder);
    return await textsIn(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("A package in the store", () => {
  it("is exported as it was imported, byte for byte", async () => {
    await using test = await openResources({ app: false });
    const { name, warnings } = await importFolder(test, GARDEN_CLUB, "garden-club");
    const remote = "Dialogflow is not configured here, so every turn of this agent fails";
    assert.deepEqual(warnings, [
      "logging_settings.audio_recording_config: sound is not recorded here; transcripts are kept.",
      `Agent 'Soil desk?', remote_dialogflow_agent: ${remote}.`,
    ]);
    assert.deepEqual(await exportTexts(test, name), await textsIn(GARDEN_CLUB));
  });

  for (const strategy of [Strategy.REPLACE, Strategy.OVERWRITE]) {
    it(`is the same after a second import (${Strategy[strategy]})`, async () => {
      await using test = await openResources({ app: false });
      await importFolder(test, GARDEN_CLUB, "garden-club");
      const { name } = await importFolder(test, GARDEN_CLUB, "garden-club", strategy);
      assert.deepEqual(await exportTexts(test, name), await textsIn(GARDEN_CLUB));
    });
  }

  it("is exported from a version without its evaluations", async () => {
    await using test = await openResources({ app: false });
    const { name } = await importFolder(test, GARDEN_CLUB, "garden-club");
    await test.call("createAppVersion", {
      parent: name,
      appVersionId: "version-1",
      appVersion: { displayName: "One" },
    });
    await test.call("deleteAgent", { name: `${name}/agents/roses`, force: true });
    const draft = await textsIn(GARDEN_CLUB);
    const expected = Object.entries(draft).filter(([path]) => !path.startsWith("evaluation"));
    assert.deepEqual(await exportTexts(test, name, `${name}/versions/version-1`), Object.fromEntries(expected));
  });
});

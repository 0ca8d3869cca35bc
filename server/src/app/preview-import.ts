import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as Format,
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { createLogger, systemClock, systemIds } from "#base";
import { createResources, type PackageFiles, packageFiles, type Resources } from "#resources";
import { openStorage } from "#storage";

const PARENT = "projects/local/locations/us";

/** An app before and after a package took its place: the files of its exports, with JSON manifests. */
interface ImportPreview {
  /** Without any when there was no app. */
  readonly before: PackageFiles;
  readonly after: PackageFiles;
}

/**
 * What an app is when the package `next` takes the place of what it is now, `present`, told as exports. No server is asked: both are imported in a store of
 * their own, which is gone afterwards. Resources of the same display name keep their ids, and those that `next` lacks are gone, evaluations too. Python is
 * not run. INVALID_ARGUMENT for a package that cannot be imported.
 */
export async function previewImport(present: Uint8Array | undefined, next: Uint8Array): Promise<ImportPreview> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-preview-"));
  const storage = await openStorage({ dataDir, clock: systemClock, logger: createLogger("silent") });
  const inspectPython = async () => ({ kind: "module" as const, functions: [] });
  const resources = createResources({
    store: storage.resources,
    clock: systemClock,
    ids: systemIds,
    inspectPython,
  });
  try {
    const alone = await imported(next, "alone", resources);
    if (present === undefined) return { before: new Map(), after: alone };
    const before = await imported(present, "app", resources);
    const both = await imported(next, "app", resources);
    return { before, after: new Map([...both].filter(([path]) => alone.has(path))) };
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Imports a package in place of the app of this id, if there is one, and returns the export. */
async function imported(zip: Uint8Array, appId: string, { packages }: Resources): Promise<PackageFiles> {
  const { name } = await packages.importApp(
    create(ImportAppRequestSchema, {
      parent: PARENT,
      appId,
      app: { case: "appContent", value: zip },
      importOptions: { conflictResolutionStrategy: Strategy.REPLACE },
    }),
  );
  const { app } = await packages.exportApp(create(ExportAppRequestSchema, { name, exportFormat: Format.JSON }));
  return app.case === "appContent" ? packageFiles(app.value) : new Map();
}

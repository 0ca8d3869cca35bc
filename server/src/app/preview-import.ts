import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clone, create } from "@bufbuild/protobuf";
import {
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as Format,
  ImportAppRequestSchema,
  type ImportAppResponse,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { createLogger, systemClock, systemIds } from "#base";
import { createResources, importFault, type PackageFiles, packageFiles, type Resources } from "#resources";
import { ConnectError } from "#status";
import { openStorage } from "#storage";
import { EMPTY_TREE } from "./empty-tree.ts";
import { evaluationsLeftOut, unchangedPaths } from "./evaluations-left-out.ts";

/** Where the app is imported, and where the next package is by itself: display names of apps are unique in a location. */
const PLACE = "projects/local/locations/us";
const PLACE_OF_NEXT = "projects/next/locations/us";

/** An app before and after a package took its place: the files of its exports, with JSON manifests. */
interface Preview {
  /** Without any when there was no app. */
  readonly before: PackageFiles;
  readonly after: PackageFiles;
  /** What the import of the next package leaves out (PKG-28), as its warnings; without evaluations that the app has with the same fault. */
  readonly omitted: readonly string[];
}

/** Which of the two packages cannot be imported, and why. */
interface PreviewFault {
  readonly fault: "present" | "next";
  readonly error: ConnectError;
}

/**
 * What an app is when the package `next` takes the place of what it is now, `present`, told as exports. No server is asked: both are imported in a store of
 * their own, which is gone afterwards. Resources of the same display name keep their ids, and those that `next` lacks are gone, evaluations too. The app
 * has the display name of `next`, and a lock does not matter. Python is not run.
 */
export async function previewImport(
  present: Uint8Array | undefined,
  next: Uint8Array,
): Promise<Preview | PreviewFault> {
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
    return await previewIn(resources, present, next);
  } finally {
    await storage.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function previewIn(
  resources: Resources,
  present: Uint8Array | undefined,
  next: Uint8Array,
): Promise<Preview | PreviewFault> {
  const given = present && (await packageFiles(present).catch(faultOf("present")));
  if (given && "fault" in given) return given;
  const appId = idIn(given);
  const alone = await imported(next, { parent: PLACE_OF_NEXT, appId }, resources).catch(faultOf("next"));
  if ("fault" in alone) return alone;
  const { files, omitted } = alone;
  if (!present || !given) return { before: new Map(), after: files, omitted };
  if (isSame(given, files)) return { before: given, after: given, omitted };
  const before = await imported(present, { parent: PLACE, appId }, resources).catch(faultOf("present"));
  if ("fault" in before) return before;
  const together = await importInto({ parent: PLACE, appId }, next, resources).catch(faultOf("next"));
  if ("fault" in together) return together;
  await renameLike(together.name, alone.name, resources);
  const both = await exported(together.name, resources);
  const after = new Map([...both].filter(([path]) => files.has(path)));
  const kept = evaluationsLeftOut(given, before.files);
  const same = unchangedPaths(evaluationsLeftOut(await packageFiles(next), files), kept);
  const stays = new Set(same.values());
  return {
    before: new Map([...before.files, ...kept]),
    after: new Map([...after, ...[...kept].filter(([path]) => stays.has(path))]),
    omitted: omitted.filter((warning) => ![...same.keys()].some((path) => warning.includes(` ${path}: `))),
  };
}

/** The id of the app in an export; any other where there is none. */
function idIn(files: PackageFiles | undefined): string {
  const manifest = Buffer.from(files?.get("app.json") ?? []).toString("utf8");
  return /^\s*\{\s*"name":\s*"([A-Za-z0-9][A-Za-z0-9_.-]{0,62})"/.exec(manifest)?.[1] ?? "app";
}

/** Whether two exports are the same to the last byte: then one import has told all, which saves two. */
function isSame(one: PackageFiles, other: PackageFiles): boolean {
  return (
    one.size === other.size &&
    [...one].every(([path, bytes]) => Buffer.compare(bytes, other.get(path) ?? new Uint8Array()) === 0)
  );
}

function faultOf(fault: PreviewFault["fault"]): (error: unknown) => PreviewFault {
  return (error) => {
    if (error instanceof ConnectError) return { fault, error };
    throw error;
  };
}

/** An app that was imported. */
interface Imported {
  readonly name: string;
  readonly files: PackageFiles;
  /** What was left out, as the import's warnings. */
  readonly omitted: readonly string[];
}

/** Where an app is imported. */
interface Place {
  readonly parent: string;
  readonly appId: string;
}

async function imported(zip: Uint8Array, place: Place, resources: Resources): Promise<Imported> {
  const { name, warnings } = await importInto(place, zip, resources);
  const omitted = warnings.filter((warning) => importFault(warning) !== undefined);
  return { name, files: await exported(name, resources), omitted };
}

/** Imports a package in place of the app that is there, if there is one. */
async function importInto(
  { parent, appId }: Place,
  zip: Uint8Array,
  { packages }: Resources,
): Promise<ImportAppResponse> {
  return packages.importApp(
    create(ImportAppRequestSchema, {
      parent,
      appId,
      app: { case: "appContent", value: zip },
      ignoreAppLock: true,
      importOptions: { conflictResolutionStrategy: Strategy.REPLACE },
    }),
  );
}

async function exported(name: string, { packages }: Resources): Promise<PackageFiles> {
  const { app } = await packages.exportApp(create(ExportAppRequestSchema, { name, exportFormat: Format.JSON }));
  return app.case === "appContent" ? packageFiles(app.value) : new Map();
}

/** An import keeps the display name of an app (PKG-26): it gets that of another. */
async function renameLike(name: string, other: string, { tree }: Resources): Promise<void> {
  const app = clone(AppSchema, (await tree.readTree(name)).app);
  app.displayName = (await tree.readTree(other)).app.displayName;
  await tree.writeTree({ app, ...EMPTY_TREE }, { ignoreLock: true });
}

import { stat } from "node:fs/promises";
import { create } from "@bufbuild/protobuf";
import {
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as Format,
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { ifThere } from "#base";
import {
  importFault,
  type PackageFiles,
  packageFiles,
  packFiles,
  type Resources,
  readPackageFolder,
  withKnownIds,
} from "#resources";
import { ConnectError, failedPrecondition, fieldViolationsOf, ifFound } from "#status";
import type { Config } from "../config.ts";
import { watchFolder } from "../package-tests/folder-changes.ts";
import { type Server, startServer } from "../start-server.ts";

const PARENT = "projects/local/locations/us";

/** A folder to serve while it is edited. */
interface FolderServing {
  readonly folder: string;
  /** Id of its app. */
  readonly appId: string;
  readonly signal: AbortSignal;
  /** Called after each change, and at first. */
  readonly onChange: (change: FolderChange) => void;
}

/** What became of a change of the folder. */
export interface FolderChange {
  /** Paths of the package's files that changed; all at first. */
  readonly changed: readonly string[];
  /** Why it was not imported, with file and line; the app is as it was before. Empty: it was imported. */
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
  readonly durationMs: number;
}

/** A folder's app on a server of its own. */
export interface ServedFolder {
  readonly server: Server;
  /** Resource name of the app. */
  readonly app: string;
  /** Resolves when the signal aborts, once everything is closed. */
  readonly ended: Promise<void>;
}

/**
 * Starts a server with the app of a folder, and imports each change at once: all of it, or nothing of it when it has a fault. FAILED_PRECONDITION for what is
 * no folder.
 */
export async function serveFolder(request: FolderServing, config: Config): Promise<ServedFolder> {
  const { folder, appId, signal, onChange } = request;
  const found = await ifThere(stat(folder));
  if (!found?.isDirectory()) throw failedPrecondition(`${folder} is not a folder.`);
  const server = await startServer(config);
  const { resources, clock } = server.app;
  let known: PackageFiles = new Map();
  const take = async () => {
    const start = performance.now();
    const { files, warnings } = await readPackageFolder(folder);
    const now: PackageFiles = new Map(files.map(({ path, bytes }) => [path, bytes]));
    const changed = changedPaths(known, now);
    if (changed.length === 0 && known.size > 0) return;
    known = now;
    const sent = withKnownIds(files, await exportedFiles(`${PARENT}/apps/${appId}`, resources));
    const taken = await importFiles(await packFiles(sent, appId, clock.now()), appId, resources);
    const durationMs = performance.now() - start;
    onChange({ ...taken, changed, warnings: [...warnings, ...taken.warnings], durationMs });
  };
  const changes = await watchFolder(folder, signal);
  await take();
  const watch = async () => {
    try {
      while (await changes.next()) await take().catch((error: unknown) => onChange(unreadable(folder, error)));
    } finally {
      await server.stop();
    }
  };
  return { server, app: `${PARENT}/apps/${appId}`, ended: watch() };
}

/** A change after which the folder cannot be read, such as that it is gone; the next one may bring it back. Throws other errors. */
function unreadable(folder: string, error: unknown): FolderChange {
  const isOfFiles = error instanceof Error && "syscall" in error;
  if (!isOfFiles && !(error instanceof ConnectError)) throw error;
  const fault = error instanceof ConnectError ? error.rawMessage : error.message;
  return { changed: [folder], faults: [fault], warnings: [], durationMs: 0 };
}

function changedPaths(before: PackageFiles, now: PackageFiles): readonly string[] {
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => Buffer.compare(before.get(path) ?? ABSENT, now.get(path) ?? ABSENT) !== 0).sort();
}

/** No file of a package has these bytes alone. */
const ABSENT = Buffer.from([0]);

/** The app as it is; without any file when it could not be imported yet. */
async function exportedFiles(name: string, { packages }: Resources): Promise<PackageFiles> {
  const request = create(ExportAppRequestSchema, { name, exportFormat: Format.JSON });
  const exported = await ifFound(packages.exportApp(request));
  return exported?.app.case === "appContent" ? packageFiles(exported.app.value) : new Map();
}

/** Imports a package unless it has a fault: first to see, then to do. */
async function importFiles(
  zip: Uint8Array,
  appId: string,
  { packages }: Resources,
): Promise<Pick<FolderChange, "faults" | "warnings">> {
  const request = (validateOnly: boolean) =>
    create(ImportAppRequestSchema, {
      parent: PARENT,
      appId,
      app: { case: "appContent", value: zip },
      importOptions: { conflictResolutionStrategy: Strategy.OVERWRITE, validateOnly },
    });
  try {
    const { warnings } = await packages.importApp(request(true));
    const faults = warnings.flatMap((warning) => importFault(warning) ?? []);
    // Other warnings are mostly what follows from the faults.
    if (faults.length > 0) return { faults, warnings: [] };
    await packages.importApp(request(false));
    return { faults: [], warnings };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const problems = fieldViolationsOf(error).map(({ field, description }) => `${field}: ${description}`);
    return { faults: problems.length > 0 ? problems : [error.rawMessage], warnings: [] };
  }
}

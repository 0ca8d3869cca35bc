import type { Clock, Ids, ObjectStorage } from "#base";
import type { AppPackages, AppSnapshots, InspectPython, ResourceTree } from "../contract.ts";
import type { PackageLimits } from "./archive/read-zip.ts";
import { exportApp } from "./export/export-app.ts";
import { importApp } from "./import/import-app.ts";
import { createManifestReader } from "./manifest/read-manifest.ts";

/** What the import and export of packages need. */
export interface PackagesDeps {
  readonly tree: ResourceTree;
  readonly snapshots: Pick<AppSnapshots, "version">;
  /** Display names of all apps of a location (`projects/{project}/locations/{location}`). */
  readonly appDisplayNames: (parent: string) => Promise<readonly string[]>;
  readonly inspectPython: InspectPython;
  readonly objects?: ObjectStorage | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Default `PACKAGE_LIMITS`. */
  readonly limits?: PackageLimits;
}

/** Creates the import and export of app packages. */
export function createPackages(deps: PackagesDeps): AppPackages {
  const readManifest = createManifestReader();
  return {
    importApp: (request, author = "", mayWrite = undefined) =>
      importApp(request, author, { ...deps, readManifest, mayWrite }),
    exportApp: (request) => exportApp(request, { ...deps, objects: deps.objects }),
  };
}

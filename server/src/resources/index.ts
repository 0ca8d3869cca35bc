/** Configuration resources: standard methods derived from annotations, snapshots, packages. */
export type {
  AppSnapshots,
  AppTree,
  InspectedFunction,
  InspectedModule,
  InspectPython,
  Resources,
  StandardCall,
  StandardMethods,
  WriteTreeOptions,
} from "./contract.ts";
export { createResources } from "./create-resources.ts";
export { deploymentModality } from "./deployment-modality.ts";
export {
  packageFiles,
  packFiles,
  packFolder,
  readPackageFolder,
  unpackToFolder,
  writePackageFolder,
} from "./package/archive/folder.ts";
export { createFindings } from "./package/findings.ts";
export { importFault } from "./package/import/import-faults.ts";
export { withKnownIds } from "./package/known-ids.ts";
export { findManifests, GATES_FILE } from "./package/layout.ts";
export { checkJson } from "./package/manifest/check-json.ts";
export type { PackageFile, PackageFiles } from "./package/package-files.ts";
export { manifestAt, manifestPart } from "./package/resource-manifest.ts";
export { CALLBACKS, type EntryPointSignature } from "./python/callback-signatures.ts";
export type { ServerFacts } from "./python/python-checks.ts";
export { isSystemToolName } from "./system-tools.ts";

/** Configuration resources: standard methods derived from annotations, snapshots, packages. */
export type {
  AppPackages,
  AppSnapshots,
  AppTree,
  AppTreePart,
  EvaluationRecords,
  InspectedFunction,
  InspectedModule,
  InspectPython,
  Resources,
  ResourceTree,
  RunFindings,
  StandardMethods,
  WriteTreeOptions,
} from "./contract.ts";
export { createResources, type ResourcesDeps } from "./create-resources.ts";
export { packFolder, unpackToFolder } from "./package/index.ts";

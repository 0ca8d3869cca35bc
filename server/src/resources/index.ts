/** Configuration resources: standard methods derived from annotations, snapshots, packages. */
export type {
  AppSnapshots,
  AppTree,
  InspectedFunction,
  InspectedModule,
  Resources,
  StandardMethods,
} from "./contract.ts";
export { createResources } from "./create-resources.ts";
export { packFolder, unpackToFolder } from "./package/archive/folder.ts";
export type { ServerFacts } from "./python/python-checks.ts";

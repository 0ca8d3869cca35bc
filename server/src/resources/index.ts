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
  StandardMethods,
  WriteTreeOptions,
} from "./contract.ts";

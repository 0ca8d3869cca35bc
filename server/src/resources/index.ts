/** Configuration resources: standard methods derived from annotations, snapshots, packages. */
export type { AppPackages, AppSnapshots, Resources, StandardMethods } from "./contract.ts";

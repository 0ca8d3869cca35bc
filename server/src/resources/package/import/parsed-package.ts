import type { App } from "@frontdesk/protos/ces/app";
import type { Kind, PackagedResource } from "../kinds.ts";
import type { PythonSource } from "../texts/load-texts.ts";
import type { DisplayNames } from "./display-names.ts";

/** A resource as its manifest has it: texts and environment values in place, references still by display name. */
export interface ParsedResource {
  readonly kind: Kind;
  /** Manifest file. */
  readonly path: string;
  readonly displayNames: DisplayNames;
  /** The manifest's `name`: an id; "" when it has none. */
  readonly id: string;
  readonly message: PackagedResource;
}

/** A resource that cannot be imported. The others are, but for those that cannot do without it. */
export interface LeftOut {
  readonly kind: Kind;
  /** What the package may call it. */
  readonly displayNames: DisplayNames;
  /** Why, each with its file. */
  readonly reasons: readonly string[];
}

/** A package, understood file by file. */
export interface ParsedPackage {
  readonly app: App;
  /** Manifest file of the app. */
  readonly appPath: string;
  readonly resources: readonly ParsedResource[];
  readonly leftOut: readonly LeftOut[];
  readonly python: readonly PythonSource[];
}

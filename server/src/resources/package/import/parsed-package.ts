import type { App } from "@frontdesk/protos/ces/app";
import type { Findings } from "../findings.ts";
import type { Kind, PackagedResource } from "../kinds.ts";
import type { PythonSource } from "../texts.ts";
import type { DisplayNames } from "./display-names.ts";

/** A resource of a manifest with its texts and environment values; references are still display names. */
export interface ParsedResource {
  readonly kind: Kind;
  /** Manifest file. */
  readonly path: string;
  readonly displayNames: DisplayNames;
  /** The manifest's `name`: an id; "" when it has none. */
  readonly id: string;
  readonly message: PackagedResource;
}

/** A resource that is not imported. The others are, except those that require it. */
export interface OmittedResource {
  readonly kind: Kind;
  /** Its names in the package. */
  readonly displayNames: DisplayNames;
  /** Reasons, each with its file. */
  readonly reasons: readonly string[];
}

/** The content of a package. */
export interface ParsedPackage {
  readonly app: App;
  /** Manifest file of the app. */
  readonly appPath: string;
  readonly resources: readonly ParsedResource[];
  readonly omitted: readonly OmittedResource[];
  readonly python: readonly PythonSource[];
}

/** Adds one warning per reason for a resource that is not imported, in the hosted product's wording. Returns the resource. */
export function reportOmitted(omitted: OmittedResource, findings: Findings): OmittedResource {
  const subject = `${omitted.kind.label} '${omitted.displayNames[0]}' was removed due to import error`;
  findings.warnings.push(...omitted.reasons.map((reason) => `${subject}: ${reason}.`));
  return omitted;
}

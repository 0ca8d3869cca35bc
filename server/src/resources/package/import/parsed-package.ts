import type { App } from "@frontdesk/protos/ces/app";
import type { FieldViolation } from "#status";
import type { Findings } from "../findings.ts";
import type { Kind, PackagedResource } from "../kinds.ts";
import type { PythonSource } from "../texts.ts";
import type { DisplayNames } from "./display-names.ts";
import { REMOVED } from "./import-faults.ts";

/** A resource of a manifest with its texts and environment values; references are still display names. */
export interface ParsedResource {
  readonly kind: Kind;
  /** Manifest file. */
  readonly path: string;
  readonly displayNames: DisplayNames;
  /** The manifest's `name`: an id; "" when it has none. */
  readonly id: string;
  readonly message: PackagedResource;
  /** Whether it stands in for one that cannot be imported. */
  readonly isStandIn?: boolean;
}

/** A resource that is not imported. The others are, except those that require it. */
export interface OmittedResource {
  readonly kind: Kind;
  /** Its names in the package. */
  readonly displayNames: DisplayNames;
  /** Its faults: file, or file and field, and what is wrong, without a full stop. */
  readonly reasons: readonly FieldViolation[];
  /** Whether it would not run: a guardrail that is not enabled, as far as its manifest can be read. */
  readonly isOff?: boolean;
}

/** The content of a package. */
export interface ParsedPackage {
  readonly app: App;
  /** Manifest file of the app. */
  readonly appPath: string;
  readonly resources: readonly ParsedResource[];
  readonly omitted: readonly OmittedResource[];
  readonly python: readonly PythonSource[];
  /** Display names of the guardrails that the app or an agent lists. */
  readonly listedGuardrails: ReadonlySet<string>;
}

/** Adds one warning per reason for a resource that is not imported, in the hosted product's wording. Returns the resource. */
export function reportOmitted(omitted: OmittedResource, { warnings, omissions }: Findings): OmittedResource {
  const { kind, displayNames, reasons } = omitted;
  const subject = `${kind.label} '${displayNames[0]}' ${REMOVED}`;
  warnings.push(...reasons.map(({ field, description }) => `${subject}: ${field}: ${description}.`));
  omissions.push(...reasons.map(sentence));
  return omitted;
}

/** A fault as a violation. */
export function sentence({ field, description }: FieldViolation): FieldViolation {
  return { field, description: `${description}.` };
}

/** A violation as a fault. */
export function fault({ field, description }: FieldViolation): FieldViolation {
  return { field, description: description.replace(/\.$/, "") };
}

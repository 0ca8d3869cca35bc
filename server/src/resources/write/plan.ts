import type { FieldViolation } from "#status";
import type { ResourceRow } from "#storage";
import type { AppState } from "../app-state.ts";
import type { ResourceDefinition } from "../define-resource.ts";
import type { Resource } from "../resource.ts";

/** A resource that comes, changes or goes. */
export type Change = {
  readonly definition: ResourceDefinition;
  readonly name: string;
  /** What is stored now, with its row; undefined for a new resource. */
  readonly before?: { readonly resource: Resource; readonly row: ResourceRow };
  /** What is to be stored, without etag and times; undefined for a deletion. */
  readonly after?: Resource;
  /** Put before field paths in violations, e.g. `agent.`. */
  readonly fieldPrefix: string;
  /** What is wrong with the request around the resource (a malformed id): refused together with what is wrong inside. */
  readonly requestViolations?: readonly FieldViolation[];
  /** Changed only because of another change of the plan: logged with that one, and not checked by itself. */
  readonly isDependent?: boolean;
  /** Comes from an export that marked it invalid: its dangling references are known and let pass. */
  readonly isKnownInvalid?: boolean;
};

/** What one call does to one app. */
export interface Plan {
  readonly changes: readonly Change[];
  /** Trees that go as a whole; each ends in `/`. */
  readonly deletedTrees?: readonly string[];
}

/** Decides what to do from the app as it is. May run again when somebody else was faster. */
export type MakePlan = (state: AppState) => Promise<Plan>;

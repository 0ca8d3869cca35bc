import { clone } from "@bufbuild/protobuf";
import {
  type ImportAppRequest,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { hasPattern, idOf, parentPattern, resourceTypeOf } from "#aip";
import type { Clock, Ids } from "#base";
import { type FieldViolation, ifFound, invalidArgument } from "#status";
import type { ResourceTree } from "../../contract.ts";
import type { Findings } from "../findings.ts";
import type { ImportTarget } from "./assign-names.ts";

/** The app that an import writes, and how (PKG-26): the one with the request's id when it exists, else a new one. */
export async function findTargetApp(request: ImportAppRequest, tree: ResourceTree, ids: Ids): Promise<ImportTarget> {
  const { parent, appId, displayName } = request;
  const app = `${parent}/apps/${appId || ids.uuid()}`;
  const existing = appId === "" ? undefined : await ifFound(tree.readTree(app));
  if (existing && displayName !== "") {
    const description = "Must not be set on a re-import: the app keeps its name. Rename it with UpdateApp.";
    throw invalidArgument({ field: "display_name", description });
  }
  return { app, tree: existing, overwrite: request.importOptions?.conflictResolutionStrategy === Strategy.OVERWRITE };
}

/** Any id that can be a segment of a name: apps exported elsewhere keep theirs. */
const APP_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;

/** What is wrong with a request by itself. */
export function requestViolations({ app, parent, appId }: ImportAppRequest): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const location = resourceTypeOf(AppSchema)?.patterns.map(parentPattern) ?? [];
  if (!location.some((pattern) => hasPattern(pattern, parent))) {
    violations.push({
      field: "parent",
      description: `'${parent}' is not of the form projects/{project}/locations/{location}.`,
    });
  }
  if (app.case === undefined || app.value.length === 0) {
    violations.push({ field: "app_content", description: "The zip to import is missing." });
  }
  if (appId !== "" && !APP_ID.test(appId))
    violations.push({
      field: "app_id",
      description: `'${appId}' is not a valid id: use 1 to 63 letters, digits, dots, hyphens or underscores, starting with a letter or digit.`,
    });
  return violations;
}

/** The sources of generated names. */
export interface Naming {
  readonly clock: Clock;
  readonly ids: Ids;
  /** Display names of the apps of a location. */
  readonly appDisplayNames: (parent: string) => Promise<readonly string[]>;
}

/**
 * The app to write: the manifest's content under the target's name. An existing app keeps its display name,
 * its lock and its pin; a new one gets a time stamp after its display name when another app of the location has that name
 * (`ImportAppRequest.display_name`).
 */
export async function appMessage(
  manifest: App,
  displayName: string,
  { app: name, tree }: ImportTarget,
  naming: Naming,
  findings: Findings,
): Promise<App> {
  const app = clone(AppSchema, manifest);
  app.name = name;
  app.displayName = tree
    ? tree.app.displayName
    : await newDisplayName(displayName || manifest.displayName, name, naming, findings);
  app.locked ||= tree?.app.locked === true;
  app.pinned ||= tree?.app.pinned === true;
  for (const persona of app.evaluationPersonas) {
    persona.name = `${name}/evaluationPersonas/${idOf(persona.name) || naming.ids.uuid()}`;
  }
  return app;
}

async function newDisplayName(
  requested: string,
  app: string,
  { clock, appDisplayNames }: Naming,
  { violations, warnings }: Findings,
) {
  if (requested === "") {
    violations.push({
      field: "display_name",
      description: "Neither the request nor the package has a display name for the app.",
    });
    return "";
  }
  const taken = await appDisplayNames(app.slice(0, app.lastIndexOf("/apps/")));
  if (!taken.includes(requested)) return requested;
  const stamped = `${requested} ${new Date(clock.now()).toISOString()}`;
  warnings.push(`Another app has the display name '${requested}', so this one became '${stamped}'.`);
  return stamped;
}

import {
  type ImportAppRequest,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { hasPattern, parentPattern, resourceTypeOf } from "#aip";
import type { Ids } from "#base";
import { Code, ConnectError, type FieldViolation, invalidArgument } from "#status";
import type { AppTree, ResourceTree } from "../../contract.ts";
import type { Before } from "./assign-names.ts";

/** The bytes to import, once the request is known to be sound. Throws INVALID_ARGUMENT with everything wrong in it. */
export function contentOf(request: ImportAppRequest): Uint8Array {
  const violations = requestViolations(request);
  if (violations.length > 0 || request.app.case !== "appContent") throw invalidArgument(violations);
  return request.app.value;
}

/** The app that an import goes to, and how (PKG-26): the one with the id of the request when it exists, else a new one. */
export async function findTargetApp(request: ImportAppRequest, tree: ResourceTree, ids: Ids): Promise<Before> {
  const { parent, appId, displayName } = request;
  const app = `${parent}/apps/${appId || ids.uuid()}`;
  const existing = appId === "" ? undefined : await readIfExists(tree, app);
  if (existing && displayName !== "") {
    const description = "Must not be set on a re-import: the app keeps its name. Rename it with UpdateApp.";
    throw invalidArgument({ field: "display_name", description });
  }
  return { app, tree: existing, overwrite: request.importOptions?.conflictResolutionStrategy === Strategy.OVERWRITE };
}

/** An id of any form that can be a segment of a name: apps exported elsewhere keep theirs. */
const APP_ID = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/;

function requestViolations({ app, parent, appId }: ImportAppRequest): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const location = resourceTypeOf(AppSchema)?.patterns.map(parentPattern) ?? [];
  if (!location.some((pattern) => hasPattern(pattern, parent))) {
    violations.push({
      field: "parent",
      description: `'${parent}' is not of the form projects/{project}/locations/{location}.`,
    });
  }
  if (app.case === "gcsUri") violations.push({ field: "gcs_uri", description: NO_BUCKETS });
  else if (app.case === undefined || app.value.length === 0) {
    violations.push({ field: "app_content", description: "The zip to import is missing." });
  }
  if (appId !== "" && !APP_ID.test(appId))
    violations.push({ field: "app_id", description: `'${appId}' is not a valid id.` });
  return violations;
}

const NO_BUCKETS = "This server cannot read Cloud Storage; send the zip's bytes in app_content.";

async function readIfExists(tree: ResourceTree, app: string): Promise<AppTree | undefined> {
  try {
    return await tree.readTree(app);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.NotFound) return undefined;
    throw error;
  }
}

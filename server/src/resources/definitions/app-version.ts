import { clone } from "@bufbuild/protobuf";
import { type AppVersion, AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import type { AppState } from "../app-state.ts";
import { defineResource } from "../define-resource.ts";
import { snapshotOf } from "../snapshot-of.ts";

/** Versions: an app frozen on the server at the moment of their creation. They cannot be changed. */
export const appVersions = defineResource(AppVersionSchema, "log", {
  onCreate: freeze,
  order: { fields: ["name", "create_time"], descendingByDefault: [], fallback: "create_time desc" },
});

function freeze(version: AppVersion, state: AppState, author: string): AppVersion {
  const frozen = clone(AppVersionSchema, version);
  frozen.creator = author;
  const snapshot = snapshotOf(state);
  if (snapshot.app) {
    // Predefined variables belong to the product, not to the app as it was (TURN-41); what is wrong is computed when it matters.
    snapshot.app.predefinedVariableDeclarations = [];
  }
  frozen.snapshot = snapshot;
  return frozen;
}

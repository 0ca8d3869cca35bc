import { clone } from "@bufbuild/protobuf";
import { type AppVersion, AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { snapshotOf } from "../app-state.ts";
import { type AppView, defineResource } from "../define-resource.ts";

/** Versions: the app's snapshot at the time of their creation. Later only the name and the description can be changed. */
export const appVersions = defineResource(AppVersionSchema, "log", {
  onCreate: freeze,
  order: { fields: ["name", "create_time"], descendingByDefault: [], fallback: "create_time desc" },
});

function freeze(version: AppVersion, state: AppView, author: string): AppVersion {
  const frozen = clone(AppVersionSchema, version);
  frozen.creator = author;
  const snapshot = snapshotOf(state);
  if (snapshot.app) {
    // Predefined variables belong to the product, not to the app (TURN-41).
    snapshot.app.predefinedVariableDeclarations = [];
  }
  frozen.snapshot = snapshot;
  return frozen;
}

import type { SessionConfig } from "@frontdesk/protos/ces/session_service";
import type { AppSnapshots, StandardMethods } from "#resources";
import type { SnapshotRef } from "#session";
import { invalidArgument } from "#status";
import { deploymentOf } from "./deployment-of.ts";

/** Finds what a session runs: the version that its deployment pins, else the draft. */
export interface SnapshotResolver {
  /** Throws INVALID_ARGUMENT for a malformed session or a deployment of another app, NOT_FOUND for what does not exist. */
  forSession(config: SessionConfig): Promise<SnapshotRef>;
}

export interface SnapshotResolverDeps {
  readonly snapshots: AppSnapshots;
  readonly standard: StandardMethods;
}

const SESSION = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/sessions\/([a-zA-Z0-9][a-zA-Z0-9-_]{4,62})$/;

/** Creates the resolver over the stored apps, versions and deployments. */
export function createSnapshotResolver({ snapshots, standard }: SnapshotResolverDeps): SnapshotResolver {
  return {
    async forSession({ session, deployment }) {
      const app = appOfSession(session, "config.session");
      if (!deployment) return { ...(await snapshots.draft(app)), appVersion: "", deployment: "" };
      if (!deployment.startsWith(`${app}/deployments/`)) {
        throw invalidArgument({
          field: "config.deployment",
          description: `'${deployment}' is not a deployment of '${app}'.`,
        });
      }
      const { appVersion } = await deploymentOf(standard, deployment);
      const pinned = appVersion !== "" && !appVersion.endsWith("/versions/-");
      const found = pinned ? await snapshots.version(appVersion) : await snapshots.draft(app);
      return { ...found, appVersion: pinned ? appVersion : "", deployment };
    },
  };
}

/** The app of a session's name; INVALID_ARGUMENT about `field` when it is none. */
export function appOfSession(session: string, field: string): string {
  const app = SESSION.exec(session)?.[1];
  if (app) return app;
  throw invalidArgument({
    field,
    description:
      `'${session}' is not a session name. Use projects/{project}/locations/{location}/apps/{app}/sessions/{session}, ` +
      "where {session} has 5 to 63 letters, digits, '-' or '_' and starts with a letter or digit.",
  });
}

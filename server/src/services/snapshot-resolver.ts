import type { Deployment } from "@frontdesk/protos/ces/deployment";
import type { SessionConfig } from "@frontdesk/protos/ces/session_service";
import { definedFields } from "#base";
import { type AppSnapshots, deploymentModality, type StandardMethods } from "#resources";
import type { SessionPin, SnapshotRef } from "#session";
import { ifFound, invalidArgument } from "#status";
import { deploymentOf } from "./deployment-of.ts";
import { versionFor } from "./traffic-split.ts";

/** Finds what a session runs: the version that its deployment gives it, else the draft. */
export interface SnapshotResolver {
  /** Throws INVALID_ARGUMENT for a malformed session or a deployment of another app, NOT_FOUND for what does not exist. */
  forSession(config: Pick<SessionConfig, "session" | "deployment">): Promise<SnapshotRef>;
  /** The snapshot of a version. NOT_FOUND for an unknown one. */
  ofVersion(version: string): Promise<SnapshotRef>;
}

interface SnapshotResolverDeps {
  readonly snapshots: AppSnapshots;
  readonly standard: StandardMethods;
}

/** The name of a session (SESS-1). */
const SESSION = /^(projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+)\/sessions\/([a-zA-Z0-9][a-zA-Z0-9-_]{4,62})$/;

/** Creates the resolver over the stored apps, versions and deployments. Unknown and foreign deployments are errors (SESS-14). */
export function createSnapshotResolver({ snapshots, standard }: SnapshotResolverDeps): SnapshotResolver {
  return {
    async forSession({ session, deployment }) {
      const app = appOfSession(session, "config.session");
      if (!deployment) return refOf(app, "", "");
      if (!deployment.startsWith(`${app}/deployments/`)) {
        throw invalidArgument({
          field: "config.deployment",
          description: `'${deployment}' is not a deployment of '${app}'.`,
        });
      }
      const found = await deploymentOf(standard, deployment);
      return refOf(app, deployment, versionFor(found, session), found);
    },
    ofVersion: (version) => refOf(version.slice(0, version.lastIndexOf("/versions/")), "", version, undefined),
  };

  async function refOf(
    app: string,
    deployment: string,
    appVersion: string,
    settings?: Pick<Deployment, "channelProfile" | "modality" | "modelSettings">,
  ): Promise<SnapshotRef> {
    const snapshot = appVersion === "" ? await snapshots.draft(app) : await snapshots.version(appVersion);
    return {
      ...snapshot,
      appVersion,
      deployment,
      ...definedFields({
        channelProfile: settings?.channelProfile,
        modelSettings: settings?.modelSettings,
        modality: deploymentModality(settings?.modality ?? ""),
      }),
      pinned: (begun) => pinnedRef(app, begun),
    };
  }

  /** The snapshot that a session began with; undefined when that version has been deleted. */
  async function pinnedRef(app: string, { deployment, appVersion }: SessionPin): Promise<SnapshotRef | undefined> {
    const found = deployment ? await ifFound(deploymentOf(standard, deployment)) : undefined;
    return ifFound(refOf(app, deployment, appVersion, found));
  }
}

/** The app in the name of a session; INVALID_ARGUMENT about `field` when it is not the name of a session. */
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

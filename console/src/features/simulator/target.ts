import { agentService } from "../../api/clients.ts";

/** What a turn has to say in its config to run a target, and what to undo afterwards. */
interface OpenedTarget {
  readonly deployment: string;
  readonly close: () => Promise<void>;
}

const NOTHING_TO_UNDO = async () => {};

/** Whether a target is a version of an app. */
export function isVersion(target: string): boolean {
  return target.split("/").at(-2) === "versions";
}

/**
 * Opens a target for the first turn of a session. The API runs versions through deployments alone, and a session keeps to the
 * version it began with: so a version gets a temporary deployment, deleted after the first turn.
 */
export async function openTarget(app: string, target: string): Promise<OpenedTarget> {
  if (!isVersion(target)) return { deployment: target, close: NOTHING_TO_UNDO };
  const deploymentId = `try-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  const { name } = await agentService.createDeployment({
    parent: app,
    deploymentId,
    deployment: {
      displayName: `Simulator ${deploymentId}`,
      appVersion: target,
      channelProfile: { channelType: API_CHANNEL },
    },
  });
  return { deployment: name, close: async () => void (await agentService.deleteDeployment({ name })) };
}

/** `ChannelProfile.ChannelType.API`. */
const API_CHANNEL = 3;

/** What later turns say: a session of a version is pinned to it, so its deployment need not be there any more. */
export function deploymentAfterFirstTurn(target: string): string {
  return isVersion(target) ? "" : target;
}

import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { idOf } from "#aip";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { connectionOf } from "../server/connection.ts";
import { clientFor } from "../server/server-client.ts";

/** What an app is at a moment. */
export interface AppState {
  readonly etag: string;
  /** Name of its newest change; undefined where nobody knows. */
  readonly change: string | undefined;
}

/**
 * What an app on a server is at the moment, to see later whether it is the same: its etag and its newest change. Undefined when there is no such app. Who may
 * not read the changes sees those of the app itself.
 */
export async function appState(name: string, input: CommandInput): Promise<AppState | undefined> {
  const client = clientFor(AgentService, input);
  const app = await client.getApp({ name }).catch(undefinedWhen(Code.NotFound));
  if (!app) return undefined;
  const [change] = await newestChanges(name, 1, input);
  return { etag: app.etag, change };
}

/** Names of the newest changes of an app; none where nobody may know them. */
async function newestChanges(name: string, count: number, input: CommandInput): Promise<readonly string[]> {
  const newest = await clientFor(AgentService, input)
    .listChangelogs({ parent: name, pageSize: count, orderBy: "create_time desc" })
    .catch(undefinedWhen(Code.PermissionDenied, Code.Unimplemented));
  return newest?.changelogs.map((change) => change.name) ?? [];
}

/** The state of an app after one change of ours to this one. Refuses where somebody else made another. */
export async function stateAfterOurs(name: string, before: AppState, input: CommandInput): Promise<AppState> {
  if (before.change === undefined) return before;
  const [ours, previous] = await newestChanges(name, 2, input);
  if (previous !== before.change) throw changedError(name);
  return { ...before, change: ours };
}

/** The headers of a request that a Frontdesk server carries out only if the app is still what it was; undefined: there was none. */
export function onlyIfStill(state: AppState | undefined, input: CommandInput): Readonly<Record<string, string>> {
  if (connectionOf(input).wire === "grpc") return {};
  if (state === undefined) return { "if-none-match": "*" };
  return state.change === undefined ? {} : { "if-match": `"${idOf(state.change)}"` };
}

/** Refuses to replace an app that is no longer what it was: the change of somebody else would be lost. */
export async function checkUnchanged(name: string, state: AppState | undefined, input: CommandInput): Promise<void> {
  const now = await appState(name, input);
  if (now?.etag !== state?.etag || now?.change !== state?.change) throw changedError(name);
}

function changedError(name: string): CommandError {
  return new CommandError(
    `${name} has changed since it was compared with the folder, and nothing was pushed. Pull it, or push again.`,
  );
}

function undefinedWhen(...codes: readonly Code[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ConnectError) || !codes.includes(error.code)) throw error;
  };
}

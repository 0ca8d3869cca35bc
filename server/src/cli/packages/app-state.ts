import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { clientFor } from "../server/server-client.ts";

/**
 * What an app on a server is at the moment, to see later whether it is the same: its etag and its newest change. Undefined when there is no such app. Who may
 * not read the changes sees those of the app itself.
 */
export async function appState(name: string, input: CommandInput): Promise<string | undefined> {
  const client = clientFor(AgentService, input);
  const app = await client.getApp({ name }).catch(undefinedWhen(Code.NotFound));
  if (!app) return undefined;
  const newest = await client
    .listChangelogs({ parent: name, pageSize: 1, orderBy: "create_time desc" })
    .catch(undefinedWhen(Code.PermissionDenied, Code.Unimplemented));
  return [app.etag, newest?.changelogs[0]?.name ?? ""].join(" ");
}

/** Refuses to replace an app that is no longer what it was: the change of somebody else would be lost. */
export async function checkUnchanged(name: string, state: string | undefined, input: CommandInput): Promise<void> {
  if ((await appState(name, input)) === state) return;
  throw new CommandError(
    `${name} has changed since it was compared with the folder, and nothing was pushed. Pull it, or push again.`,
  );
}

function undefinedWhen(...codes: readonly Code[]): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof ConnectError) || !codes.includes(error.code)) throw error;
  };
}

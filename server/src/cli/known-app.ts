import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { Code, ConnectError } from "#status";
import type { CommandInput } from "./command.ts";
import { clientFor } from "./server/server-client.ts";

/**
 * Rejects with the server's refusal when there is no app of this resource name: a list below it can be empty all the same. Any other failure, as of a caller
 * who may list and not read the app, says nothing about that.
 */
export async function checkAppExists(name: string, input: Pick<CommandInput, "flags">): Promise<void> {
  await clientFor(AgentService, input)
    .getApp({ name })
    .catch((error: unknown) => {
      if (error instanceof ConnectError && error.code === Code.NotFound) throw error;
    });
}

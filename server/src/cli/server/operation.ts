import { setTimeout as wait } from "node:timers/promises";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Client } from "@connectrpc/connect";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { showElapsed } from "../output/progress-bar.ts";
import { meantApp } from "./meant-app.ts";
import { failureText } from "./refusal-text.ts";
import { clientFor } from "./server-client.ts";

/** How often a server is asked that cannot be waited for, in milliseconds: at first, and at most. */
const FIRST_POLL_MS = 250;
const SLOWEST_POLL_MS = 5_000;

/** Shows on a terminal that the server is at work. */
type Shown = () => { readonly end: () => void };

const elapsed: Shown = () => showElapsed("The server is at work", process.stderr);

/** Waits for an operation and returns its response. Throws `CommandError` with the message of a failed one. `show`: default how long it takes. */
export async function finished<O extends DescMessage>(
  operation: Operation,
  response: O,
  input: Pick<CommandInput, "flags">,
  show = elapsed,
): Promise<MessageShape<O>> {
  const { name, result } = await done(operation, clientFor(Operations, input), show);
  if (result.case === "error") {
    const meant = await meantApp(result.value, () => clientFor(AgentService, input));
    throw new CommandError(meant ?? failureText(result.value));
  }
  const message = result.case === "response" ? anyUnpack(result.value, response) : undefined;
  if (!message) throw new CommandError(`operation ${name} ended without a ${response.name}.`);
  return message;
}

/** The operation when it is done. */
async function done(operation: Operation, operations: Client<typeof Operations>, show: Shown): Promise<Operation> {
  if (operation.done) return operation;
  const progress = show();
  try {
    let current = operation;
    while (!current.done) current = await operations.waitOperation({ name: current.name });
    return current;
  } catch (error) {
    // The hosted service has no method that waits.
    if (!(error instanceof ConnectError) || error.code !== Code.Unimplemented) throw error;
    return await polled(operation, operations);
  } finally {
    progress.end();
  }
}

async function polled({ name }: Operation, operations: Client<typeof Operations>): Promise<Operation> {
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(2 * pause, SLOWEST_POLL_MS)) {
    const current = await operations.getOperation({ name });
    if (current.done) return current;
    await wait(pause);
  }
}

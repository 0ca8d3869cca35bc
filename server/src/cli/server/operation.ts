import { setTimeout as wait } from "node:timers/promises";
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { type Operation, Operations } from "@frontdesk/protos/google/longrunning/operations";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { showElapsed } from "../output/progress-bar.ts";
import { warn } from "../output/say.ts";
import { meantApp } from "./meant-app.ts";
import { failureText } from "./refusal-text.ts";
import { addressOf, clientFor } from "./server-client.ts";
import { isUnanswered } from "./unanswered.ts";

/** How often a server is asked that cannot be waited for, in milliseconds: at first, and at most. */
const FIRST_POLL_MS = 250;
const SLOWEST_POLL_MS = 5_000;

/** How long a server may be away while an operation of it is waited for, in milliseconds: it may start anew. */
const LONGEST_AWAY_MS = 120_000;

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
  const { name, result } = await done(operation, input, show);
  if (result.case === "error") {
    const meant = await meantApp(result.value, () => clientFor(AgentService, input));
    throw new CommandError(meant ?? failureText(result.value));
  }
  const message = result.case === "response" ? anyUnpack(result.value, response) : undefined;
  if (!message) throw new CommandError(`operation ${name} ended without a ${response.name}.`);
  return message;
}

/** The operation when it is done. */
async function done(operation: Operation, input: Pick<CommandInput, "flags">, show: Shown): Promise<Operation> {
  if (operation.done) return operation;
  const operations = clientFor(Operations, input);
  const asked = patiently(operation.name, input);
  const progress = show();
  try {
    let current = operation;
    while (!current.done) current = await asked(() => operations.waitOperation({ name: operation.name }));
    return current;
  } catch (error) {
    // The hosted service has no method that waits.
    if (!(error instanceof ConnectError) || error.code !== Code.Unimplemented) throw error;
    return await polled(() => asked(() => operations.getOperation({ name: operation.name })));
  } finally {
    progress.end();
  }
}

/** Asks again while nobody answers: work outlives its server, or another one goes on with it. Says so once. */
function patiently(name: string, input: Pick<CommandInput, "flags">) {
  let awaySince: number | undefined;
  return async (ask: () => Promise<Operation>): Promise<Operation> => {
    for (let pause = FIRST_POLL_MS; ; pause = Math.min(2 * pause, SLOWEST_POLL_MS)) {
      try {
        const answer = await ask();
        awaySince = undefined;
        return answer;
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        if (awaySince === undefined)
          warn(`the connection to ${addressOf(input)} was lost; it is asked again for the operation.`);
        awaySince ??= performance.now();
        if (performance.now() - awaySince > LONGEST_AWAY_MS) throw awayError(name, input);
      }
      await wait(pause);
    }
  };
}

function awayError(name: string, input: Pick<CommandInput, "flags">): CommandError {
  return new CommandError(
    `no server responds at ${addressOf(input)} any more. What it was asked for may go on when it does again: frontdesk operations list shows ${name}.`,
  );
}

async function polled(ask: () => Promise<Operation>): Promise<Operation> {
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(2 * pause, SLOWEST_POLL_MS)) {
    const current = await ask();
    if (current.done) return current;
    await wait(pause);
  }
}

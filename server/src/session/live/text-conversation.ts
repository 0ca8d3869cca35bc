import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type BidiSessionServerMessage,
  BidiSessionServerMessageSchema,
  type EndSession,
  type SessionInput,
} from "@frontdesk/protos/ces/session_service";
import { unreachable } from "#base";
import { toStreamOutputs } from "../turn/folds.ts";
import type { LiveConnection } from "./contract.ts";
import { InputCollector } from "./input-collector.ts";

/**
 * A conversation by text. Turns run one after the other: input that arrives during a turn runs next, because a written
 * answer is not interrupted (barge-in is for voice). Ends when the client half-closes, the session ends, or the client stays
 * idle after GoAway.
 */
export async function* converseByText(connection: LiveConnection): AsyncGenerator<BidiSessionServerMessage, void> {
  const { limits } = connection;
  const collector = new InputCollector(limits);
  let goAwaySent = false;
  for (;;) {
    const input = await connection.nextInput(goAwaySent ? { goAwaySent, idleMs: limits.goAwayMs } : {});
    switch (input.kind) {
      case "input": {
        const collected = collector.add(input.input);
        if (collected.kind === "no-turn") yield message({ case: "sessionOutput", value: {} });
        if (collected.kind === "turn" && (yield* takeTurn(connection, collected.inputs))) return;
        break;
      }
      case "unprompted":
        if (yield* takeTurn(connection, input.inputs)) return;
        break;
      case "idle":
      case "draining":
        if (goAwaySent) return await keepVariables(connection, collector);
        goAwaySent = true;
        yield message({ case: "goAway", value: {} });
        break;
      case "half-closed":
        return await keepVariables(connection, collector);
      default:
        return unreachable(input);
    }
  }
}

/** The messages of one turn. Returns whether the session ended with it. */
async function* takeTurn(
  connection: LiveConnection,
  inputs: readonly SessionInput[],
): AsyncGenerator<BidiSessionServerMessage, boolean> {
  let ended: EndSession | undefined;
  for await (const output of toStreamOutputs(connection.runTurn(inputs))) {
    if (output.outputType.case === "endSession") ended = output.outputType.value;
    yield message({ case: "sessionOutput", value: output });
  }
  if (!ended) return false;
  yield message({ case: "endSession", value: ended });
  return true;
}

/** Stores variables that no input followed: the session may continue in another stream. */
async function keepVariables(connection: LiveConnection, collector: InputCollector): Promise<void> {
  const rest = collector.rest();
  if (rest.length === 0) return;
  for await (const event of connection.runTurn(rest)) if (event.kind === "turn-completed") return;
}

function message(
  messageType: NonNullable<MessageInitShape<typeof BidiSessionServerMessageSchema>["messageType"]>,
): BidiSessionServerMessage {
  return create(BidiSessionServerMessageSchema, { messageType });
}

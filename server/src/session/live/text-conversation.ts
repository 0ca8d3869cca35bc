import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type BidiSessionServerMessage,
  BidiSessionServerMessageSchema,
  type EndSession,
  type SessionInput,
} from "@frontdesk/protos/ces/session_service";
import { unreachable } from "#base";
import { toStreamOutputs } from "../turn/folds.ts";
import type { Line } from "./contract.ts";
import { InputCollector } from "./input-collector.ts";

/**
 * A conversation by text. Turns run one after the other: what comes while one runs waits and runs next, for an answer in
 * writing is not taken back (barge-in is of voices). Ends when the client half-closes, the session ends, or the client was
 * told to go away and rests.
 */
export async function* converseByText(line: Line): AsyncGenerator<BidiSessionServerMessage, void> {
  const { limits } = line;
  const collector = new InputCollector(limits);
  let leaving = false;
  for (;;) {
    const heard = await line.hear(leaving ? { leaving, idleMs: limits.goAwayMs } : {});
    switch (heard.kind) {
      case "input": {
        const collected = collector.add(heard.input);
        if (collected.kind === "noted") yield message({ case: "sessionOutput", value: {} });
        if (collected.kind === "turn" && (yield* takeTurn(line, collected.inputs))) return;
        break;
      }
      case "unprompted":
        if (yield* takeTurn(line, heard.inputs)) return;
        break;
      case "idle":
      case "draining":
        if (leaving) return await keepVariables(line, collector);
        leaving = true;
        yield message({ case: "goAway", value: {} });
        break;
      case "half-closed":
        return await keepVariables(line, collector);
      default:
        return unreachable(heard);
    }
  }
}

/** One turn's messages; answers whether the session ended with it. */
async function* takeTurn(
  line: Line,
  inputs: readonly SessionInput[],
): AsyncGenerator<BidiSessionServerMessage, boolean> {
  let ended: EndSession | undefined;
  for await (const output of toStreamOutputs(line.runTurn(inputs))) {
    if (output.outputType.case === "endSession") ended = output.outputType.value;
    yield message({ case: "sessionOutput", value: output });
  }
  if (!ended) return false;
  yield message({ case: "endSession", value: ended });
  return true;
}

/** Variables that nothing followed are not lost: the session goes on in another stream. */
async function keepVariables(line: Line, collector: InputCollector): Promise<void> {
  const rest = collector.rest();
  if (rest.length === 0) return;
  for await (const event of line.runTurn(rest)) if (event.kind === "turn-completed") return;
}

function message(
  messageType: NonNullable<MessageInitShape<typeof BidiSessionServerMessageSchema>["messageType"]>,
): BidiSessionServerMessage {
  return create(BidiSessionServerMessageSchema, { messageType });
}

import { toJson } from "@bufbuild/protobuf";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import { SpanSchema } from "@frontdesk/protos/ces/common";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { type Command, CommandError, SERVER_FLAGS } from "../command.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { notesText } from "../output/turn-notes.ts";
import { waterfall } from "../output/waterfall.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import { conversationName } from "./conversation-name.ts";
import { type TurnReport, turnReport, turnText, turnValue } from "./turn-report.ts";

/** `frontdesk trace`: the spans of a conversation's turns. */
export const trace: Command = {
  name: "trace",
  operands: "<conversation>",
  summary:
    "show what happened in each turn of a conversation: model calls, tools, callbacks, guardrails, with their times",
  flags: [{ name: "turn", value: "number", summary: "this turn alone, from 1" }, ...OUTPUT_FLAGS, ...SERVER_FLAGS],
  examples: ["trace order-desk/hello-1", "trace order-desk/hello-1 --turn 2 --json"],
  run: async (input) => {
    const [operand, ...others] = input.positionals;
    if (!operand || others.length > 0) throw new CommandError("name one conversation: {app id}/{conversation id}.");
    const name = conversationName(operand, input);
    const conversation = await callServer(input, () => clientFor(AgentService, input).getConversation({ name }));
    const turns = turnsIn(conversation, input.flags.turn);
    printResult(input.flags, {
      value: turns.map(({ report, span }) => ({
        ...turnValue(report),
        rootSpan: span ? toJson(SpanSchema, span) : null,
      })),
      text: () =>
        turns
          .map(({ report, span }) =>
            [turnText(report), "", span ? waterfall(span) : "  This turn has no trace.", notesBeside(report)]
              .filter((part) => part !== undefined)
              .join("\n"),
          )
          .join("\n\n"),
    });
    return 0;
  },
};

/** What the report of the turn does not show. */
function notesBeside({ notes }: TurnReport): string | undefined {
  return notesText({ ...notes, errors: [], guarded: [] }) || undefined;
}

function turnsIn(conversation: Conversation, only: string | boolean | undefined) {
  const turns = conversation.turns.map((turn, at) => ({
    report: turnReport(conversation, turn, at),
    span: turn.rootSpan,
  }));
  if (only === undefined) return turns;
  const found = turns[Number(only) - 1];
  if (!found) throw new CommandError(`--turn is '${only}'; the conversation has ${turns.length} turns, from 1.`);
  return [found];
}

import { stderr } from "node:process";
import { create, fromJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { ChatRequestSchema, DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { ModelQuerySchema } from "@frontdesk/protos/gda/model_query";
import { SharedAnswer_Audience as Audience, type SharedAnswer } from "@frontdesk/protos/gda/shared_answer";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { OUTPUT_FLAGS, printResult } from "../output/print-result.ts";
import { addressOf, callServer, clientFor } from "../server/server-client.ts";
import { type DataAnswer, readAnswer } from "./data-answer.ts";
import { AGENT_FLAG, chatRequest, QUESTION_EXIT_CODES, questionOf, UNANSWERED } from "./data-question.ts";

const DAY_MS = 86_400_000;

/** `frontdesk share`: asks a question and makes a link to its answer. */
export const share: Command = {
  name: "share",
  operands: '"question"',
  summary: "ask your data, and make a link to the answer",
  flags: [
    AGENT_FLAG,
    { name: "public", summary: "for anyone with the link, where the data agent allows it (default: who may ask it)" },
    { name: "days", value: "number", summary: "days until the link ends (default: 30 with --public, else never)" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ['share "revenue by month in 2026"', 'share "top ten customers" --public --days 7'],
  exitCodes: QUESTION_EXIT_CODES,
  run: shareAnswer,
};

async function shareAnswer(input: CommandInput): Promise<number> {
  const { flags } = input;
  const question = questionOf(input, "share");
  const end = expiry(flags);
  const request = chatRequest(question, input);
  const answer = await callServer(input, () =>
    readAnswer(clientFor(DataChatService, input).chat(create(ChatRequestSchema, request)), () => undefined),
  );
  if (answer.sql === "" || answer.columns.length === 0) {
    stderr.write(`${answer.text || "The question was not answered."}\n`);
    return UNANSWERED;
  }
  const { dataAgent: parent } = request.contextProvider.value;
  const shared = await callServer(input, () =>
    clientFor(DataAgentService, input).createSharedAnswer({
      parent,
      sharedAnswer: {
        ...{ question, ...statementOf(answer), ...end },
        audience: flags.public === true ? Audience.ANYONE_WITH_LINK : Audience.CALLERS,
      },
    }),
  );
  const link = linkTo(shared, addressOf(input));
  printResult(flags, { value: { name: shared.name, link }, text: link });
  return 0;
}

/** The query of the semantic model, where the answer has one; else its SQL. */
function statementOf({ sql, modelQuery }: DataAnswer) {
  return modelQuery ? { modelQuery: fromJson(ModelQuerySchema, modelQuery) } : { sqlQuery: sql };
}

function expiry({ days }: CommandInput["flags"]) {
  if (days === undefined) return {};
  if (!(Number(days) > 0)) throw new CommandError(`--days is '${days}'; use a number above 0.`);
  return { expireTime: timestampFromMs(Math.floor(Date.now() + Number(days) * DAY_MS)) };
}

/** The console's page of a shared answer. The token is in the fragment, which browsers send to no server. */
function linkTo({ name, token }: SharedAnswer, address: string): string {
  return `${address.replace(/\/$/, "")}/console/${name}${token && `#${token}`}`;
}

import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { stdout } from "node:process";
import { create } from "@bufbuild/protobuf";
import { ChatRequestSchema, DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { definedFields } from "#base";
import { type Command, CommandError, type CommandInput, SERVER_FLAGS } from "../command.ts";
import { formatOf, printResult, UNNAMED_OUTPUT_FLAGS } from "../output/print-result.ts";
import { say } from "../output/say.ts";
import { styled } from "../output/style.ts";
import { terminalChart } from "../output/terminal-chart.ts";
import { terminalTable } from "../output/terminal-table.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import { checkWritable } from "../writable-file.ts";
import { type DataAnswer, readAnswer } from "./data-answer.ts";
import { AGENT_FLAG, chatRequest, QUESTION_EXIT_CODES, questionOf, UNANSWERED } from "./data-question.ts";
import { checkRowsFile, saveRows } from "./rows-file.ts";

/** `frontdesk ask`: one question to data; prints rows, chart, answer and SQL. */
export const ask: Command = {
  name: "ask",
  operands: '"question"',
  summary: "ask your data (default: the sample shop)",
  flags: [
    AGENT_FLAG,
    { name: "chart", value: "file", summary: "save the chart to this file: .svg, .png, or .json for Vega-Lite" },
    { name: "rows", value: "file", summary: "save the rows to this file: .csv, or .xlsx for a spreadsheet" },
    { name: "fast", summary: "answer faster, with fewer retries and without thoughts" },
    { name: "address", value: "url", summary: "the same as --server" },
    ...UNNAMED_OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: [
    'ask "revenue by month in 2026"',
    'ask "top ten customers" --agent shop --chart top.svg',
    'ask "orders today" --json',
    'ask "revenue by month" --rows revenue.xlsx',
  ],
  exitCodes: QUESTION_EXIT_CODES,
  run: async (input) => {
    const flags = { ...input.flags, ...definedFields({ server: input.flags.address }) };
    return answerInTerminal({ ...input, flags });
  },
};

async function answerInTerminal(input: CommandInput): Promise<number> {
  const question = questionOf(input, "ask");
  const file = typeof input.flags.chart === "string" ? input.flags.chart : undefined;
  const image = imageFor(file);
  const rowsFile = typeof input.flags.rows === "string" ? input.flags.rows : undefined;
  if (rowsFile !== undefined) checkRowsFile(rowsFile);
  for (const path of [file, rowsFile]) if (path !== undefined) await checkWritable(path);
  const request = create(ChatRequestSchema, chatRequest(question, input));
  const headers = image === undefined ? {} : { "x-frontdesk-chart": image };
  const client = clientFor(DataChatService, input);
  const isForPeople = formatOf(input.flags) === "table";
  const showProgress = stdout.isTTY && isForPeople;
  const answer = await callServer(input, () =>
    readAnswer(client.chat(request, { headers }), (progress) => {
      if (!showProgress) return;
      stdout.write("\r\u001b[2K");
      say(dim(`${progress}…`));
    }),
  );
  if (showProgress) stdout.write("\r\u001b[2K");
  const saving = await Promise.allSettled([
    ...(file === undefined ? [] : [saveChart(file, answer)]),
    ...(rowsFile === undefined ? [] : [saveRows(rowsFile, answer)]),
  ]);
  const saved = saving.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])).join("\n");
  if (isForPeople) show(answer, saved);
  else printResult(input.flags, { value: toJson(question, answer), text: "" });
  // What cannot be saved must not keep the answer from the person.
  for (const one of saving) if (one.status === "rejected") throw one.reason;
  return isAnswered(answer) ? 0 : UNANSWERED;
}

/** Whether data was asked: a text without a statement or rows says what was not understood. */
function isAnswered({ text, sql, columns }: DataAnswer): boolean {
  return text !== "" && (sql !== "" || columns.length > 0);
}

/** The image format of a file's extension; undefined: no image. */
function imageFor(file: string | undefined): "svg" | "png" | undefined {
  if (file === undefined) return undefined;
  const extension = extname(file).toLowerCase();
  if (extension === ".svg") return "svg";
  if (extension === ".png") return "png";
  if (extension === ".json") return undefined;
  throw new CommandError(`'${file}' has no supported extension. Use .svg, .png or .json.`);
}

/** Returns the message for the user. */
async function saveChart(file: string, { chart }: DataAnswer): Promise<string> {
  if (!chart) return "There is no chart to save: the answer has none.";
  const isConfig = extname(file).toLowerCase() === ".json";
  const content = isConfig ? `${JSON.stringify(chart.config, null, 2)}\n` : chart.image;
  if (content.length === 0) return "The server returned no image of the chart.";
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new CommandError(`the chart could not be saved: ${error instanceof Error ? error.message : error}.`);
  }
  return `Saved the chart to ${file}.`;
}

function show(
  { text, sql, origin, columns, rows, chart, warnings, followUps }: DataAnswer,
  saved: string | undefined,
): void {
  const unmentioned = warnings.filter((warning) => !text.includes(warning));
  const parts = [
    ...(columns.length > 0 ? [terminalTable(columns, rows)] : []),
    ...(chart ? [terminalChart(chart.config, stdout.columns ?? 80)] : []),
    ...(text ? [text] : ["The question was not answered."]),
    ...(unmentioned.length > 0 ? [dim(unmentioned.map((warning) => `! ${warning}`).join("\n"))] : []),
    ...(sql
      ? [
          dim(
            [...(origin === "LANGUAGE_MODEL" ? ["Unverified: a language model wrote this SQL."] : []), sql].join("\n"),
          ),
        ]
      : []),
    ...(followUps.length > 0 ? [dim(["Follow-up questions:", ...followUps.map((one) => `  ${one}`)].join("\n"))] : []),
    ...(saved ? [saved] : []),
  ];
  say(`${parts.filter((part) => part !== "").join("\n\n")}\n`);
}

/** SQL that nobody answers for: neither the semantic model nor a person who verified it. */
const UNVERIFIED = new Set(["RULES", "LANGUAGE_MODEL"]);

function toJson(question: string, answer: DataAnswer) {
  const { text, sql, origin, words, modelQuery, columns, rows, chart, warnings, followUps } = answer;
  return {
    ...{ question, answer: text, sql, origin, unverified: UNVERIFIED.has(origin), words },
    ...{ modelQuery: modelQuery ?? null, columns: columns.map((column) => ({ ...column })), rows: [...rows] },
    ...{ chart: chart?.config ?? null, warnings: [...warnings], followUps: [...followUps] },
  };
}

const dim = (text: string) => styled("dim", text, stdout);

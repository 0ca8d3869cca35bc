import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { type Evaluation_Step, Evaluation_StepSchema as StepSchema } from "@frontdesk/protos/ces/evaluation";
import { isJsonObject, type JsonObject } from "#base";
import type { AppNames } from "../app-names.ts";

/** A row of a table. */
export interface CsvRow {
  /** Line of the file on which the row ends, from 1. */
  readonly line: number;
  /** Why the row cannot be read. */
  readonly problem?: string;
  /** The trimmed text of a column; "" without one. */
  cell(column: string): string;
}

type Step = NonNullable<MessageInitShape<typeof StepSchema>["step"]>;
type Condition = NonNullable<Extract<Step, { case: "expectation" }>["value"]>["condition"];

/** An action with the columns that it needs. */
interface Action {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
  readonly step: (row: CsvRow, names: AppNames) => Step;
}

const NOTE = "expectation_note";

/** What a row can be (EVAL-45). */
const ACTIONS: Readonly<Record<string, Action>> = {
  INPUT_TEXT: {
    required: ["text_content"],
    step: (row) => input({ case: "text", value: row.cell("text_content") }),
  },
  INPUT_IMAGE: {
    required: ["image_mime_type", "image_content"],
    step: (row) =>
      input({
        case: "image",
        value: { mimeType: row.cell("image_mime_type"), data: imageOf(row) },
      }),
  },
  INPUT_TOOL_RESPONSE: {
    required: ["tool_name"],
    optional: ["tool_response_json"],
    step: (row, names) => input({ case: "toolResponses", value: { toolResponses: [toolResponse(row, names)] } }),
  },
  INPUT_UPDATED_VARIABLES: {
    required: ["updated_variables_json"],
    step: (row) => input({ case: "variables", value: jsonCell(row, "updated_variables_json") }),
  },
  INPUT_EVENT: {
    required: ["event_name"],
    step: (row) => input({ case: "event", value: { event: row.cell("event_name") } }),
  },
  EXPECTATION_TEXT: {
    required: ["response_agent", "text_content"],
    optional: [NOTE],
    step: (row, names) => {
      const chunks = [{ data: { case: "text" as const, value: row.cell("text_content") } }];
      // An agent's messages have its display name as role; the name is checked.
      agentOf(row, "response_agent", names);
      return expectation(row, { case: "agentResponse", value: { role: row.cell("response_agent"), chunks } });
    },
  },
  EXPECTATION_TOOL_CALL: {
    required: ["tool_name"],
    optional: ["tool_args_json", NOTE],
    step: (row, names) =>
      expectation(row, {
        case: "toolCall",
        value: { toolIdentifier: toolOf(row, names), args: jsonCell(row, "tool_args_json") },
      }),
  },
  EXPECTATION_TOOL_RESPONSE: {
    required: ["tool_name"],
    optional: ["tool_response_json", NOTE],
    step: (row, names) => expectation(row, { case: "toolResponse", value: toolResponse(row, names) }),
  },
  MOCK_TOOL_RESPONSE: {
    required: ["tool_name"],
    optional: ["tool_response_json", NOTE],
    step: (row, names) => expectation(row, { case: "mockToolResponse", value: toolResponse(row, names) }),
  },
  EXPECTATION_AGENT_TRANSFER: {
    required: ["target_agent"],
    optional: [NOTE],
    step: (row, names) =>
      expectation(row, { case: "agentTransfer", value: { targetAgent: agentOf(row, "target_agent", names) } }),
  },
  EXPECTATION_UPDATED_VARIABLES: {
    required: ["updated_variables_json"],
    optional: [NOTE],
    step: (row) => expectation(row, { case: "updatedVariables", value: jsonCell(row, "updated_variables_json") }),
  },
};

/** The columns of a row, whatever it is. */
const ROW_COLUMNS = ["display_name", "turn_index", "action_type", "description", "tags"];

function columnsOf({ required, optional = [] }: Action): readonly string[] {
  return [...required, ...optional];
}

/** The columns that a table can have. */
export const COLUMNS: ReadonlySet<string> = new Set([...ROW_COLUMNS, ...Object.values(ACTIONS).flatMap(columnsOf)]);

/** The columns in which a row has a value that its action does not read. */
export function unreadColumns(row: CsvRow): readonly string[] {
  const action = actionOf(row);
  const read = new Set(action ? [...ROW_COLUMNS, ...columnsOf(action)] : COLUMNS);
  return [...COLUMNS].filter((column) => row.cell(column) !== "" && !read.has(column));
}

/** The step of a row. Throws an error that names the column and the fix. */
export function stepOf(row: CsvRow, names: AppNames): Evaluation_Step {
  const type = row.cell("action_type");
  const action = actionOf(row);
  if (!action) throw new Error(`action_type '${type}' is not one of ${Object.keys(ACTIONS).join(", ")}.`);
  const missing = action.required.filter((column) => row.cell(column) === "");
  if (missing.length > 0) throw new Error(`${type} needs a value in ${missing.join(" and ")}.`);
  return create(StepSchema, { step: action.step(row, names) });
}

function actionOf(row: CsvRow): Action | undefined {
  const type = row.cell("action_type");
  return Object.hasOwn(ACTIONS, type) ? ACTIONS[type] : undefined;
}

function input(inputType: NonNullable<Extract<Step, { case: "userInput" }>["value"]>["inputType"]): Step {
  return { case: "userInput", value: { inputType } } as Step;
}

function expectation(row: CsvRow, condition: Condition): Step {
  return { case: "expectation", value: { note: row.cell("expectation_note"), condition } } as Step;
}

function toolResponse(row: CsvRow, names: AppNames) {
  return { toolIdentifier: toolOf(row, names), response: jsonCell(row, "tool_response_json") };
}

/** Resource name of the agent in a column. */
function agentOf(row: CsvRow, column: string, names: AppNames): string {
  const agent = names.agent(row.cell(column));
  if (agent !== undefined) return agent;
  throw new Error(`'${row.cell(column)}' is not an agent of the app; its agents are ${listOf(names.agents)}.`);
}

/** A tool as the column names it: that of a toolset with the toolset's name, because a misspelt tool would pass for one of it. */
function toolOf(row: CsvRow, names: AppNames): NonNullable<ReturnType<AppNames["tool"]>> {
  const name = row.cell("tool_name");
  const tool = names.tool(name);
  if (tool !== undefined) return tool;
  const ofToolsets = names.toolsets.map((toolset) => `${toolset}/<tool>`);
  throw new Error(`'${name}' is not a tool of the app; its tools are ${listOf([...names.tools, ...ofToolsets])}.`);
}

/** Names in a message, at most ten. */
function listOf(names: readonly string[]): string {
  if (names.length === 0) return "none";
  return `${names
    .slice(0, 10)
    .map((name) => `'${name}'`)
    .join(", ")}${names.length > 10 ? ", …" : ""}`;
}

function imageOf(row: CsvRow): Uint8Array {
  try {
    return base64Decode(row.cell("image_content"));
  } catch {
    throw new Error("image_content must be the image in base64; it has other characters, or its end is missing.");
  }
}

/** A JSON object; an empty cell is an empty one. */
function jsonCell(row: CsvRow, column: string): JsonObject {
  const text = row.cell(column);
  if (text === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return value;
  } catch {
    // Said below.
  }
  throw new Error(`${column} must be a JSON object, e.g. {"order": "A-1001"}.`);
}

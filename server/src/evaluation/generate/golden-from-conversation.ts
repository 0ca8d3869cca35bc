import { create } from "@bufbuild/protobuf";
import type { Conversation, Conversation_Turn } from "@frontdesk/protos/ces/conversation";
import {
  type Evaluation_Golden,
  type Evaluation_GoldenExpectation,
  Evaluation_GoldenSchema,
  type Evaluation_Step,
  Evaluation_GoldenExpectationSchema as ExpectationSchema,
  Evaluation_StepSchema as StepSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { type SessionInput, SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import type { JsonObject } from "#base";
import { textInput } from "#session";
import { toolKey } from "../observation/observed-turn.ts";

/** Whether a tool (resource name) is code of the app, which runs again in an evaluation. Other tools are mocked. */
type IsAppCode = (tool: string) => boolean;

type Condition = Evaluation_GoldenExpectation["condition"];

/**
 * A conversation as a golden (EVAL-40): what the user sent as inputs, what the agents did as expectations. Responses of tools that leave the
 * machine become mocks, those of the app's own code are expected. Each turn begins with the variables as they were before it, because a
 * STABLE run carries nothing over.
 */
export function goldenFromConversation({ turns }: Conversation, isAppCode: IsAppCode): Evaluation_Golden {
  const variables: JsonObject = {};
  return create(Evaluation_GoldenSchema, {
    turns: turns.map((turn) => {
      const before = { ...variables };
      for (const message of turn.messages) Object.assign(variables, updatesOf(message));
      return { steps: [...inputSteps(turn, before), ...expectationSteps(turn, isAppCode)] };
    }),
  });
}

/** Set by the engine with each turn (TURN-41). */
const PREDEFINED = new Set(["current_date", "_session"]);

function updatesOf({ chunks }: Message): JsonObject {
  const updates: JsonObject = {};
  for (const { data } of chunks) if (data.case === "updatedVariables") Object.assign(updates, data.value);
  return Object.fromEntries(Object.entries(updates).filter(([name]) => !PREDEFINED.has(name)));
}

function inputSteps({ messages }: Conversation_Turn, before: JsonObject): readonly Evaluation_Step[] {
  const ofUser = messages.filter(({ role }) => role === "user");
  const variables = Object.assign({ ...before }, ...ofUser.map(updatesOf)) as JsonObject;
  const inputs: SessionInput[] = [];
  if (Object.keys(variables).length > 0) {
    inputs.push(create(SessionInputSchema, { inputType: { case: "variables", value: variables } }));
  }
  for (const { chunks } of ofUser) inputs.push(...chunks.flatMap(toInput));
  return inputs.map((value) => create(StepSchema, { step: { case: "userInput", value } }));
}

function toInput({ data }: Chunk): readonly SessionInput[] {
  switch (data.case) {
    case "text":
    case "transcript":
      return [textInput(data.value)];
    case "image":
    case "blob":
      return [create(SessionInputSchema, { inputType: data })];
    default:
      return [];
  }
}

function expectationSteps({ messages }: Conversation_Turn, isAppCode: IsAppCode): readonly Evaluation_Step[] {
  const updates: JsonObject = {};
  const conditions: Condition[] = [];
  for (const message of messages) {
    if (message.role === "user") continue;
    Object.assign(updates, updatesOf(message));
    conditions.push(...conditionsOf(message, isAppCode));
  }
  if (Object.keys(updates).length > 0) conditions.push({ case: "updatedVariables", value: updates });
  return conditions.map((condition) =>
    create(StepSchema, { step: { case: "expectation", value: create(ExpectationSchema, { condition }) } }),
  );
}

function conditionsOf(message: Message, isAppCode: IsAppCode): readonly Condition[] {
  const texts = message.chunks.filter(({ data }) => data.case === "text" || data.case === "transcript");
  const others = message.chunks.flatMap(({ data }): readonly Condition[] => {
    switch (data.case) {
      case "toolCall":
        return [{ case: "toolCall", value: data.value }];
      case "toolResponse":
        return [{ case: isAppCode(toolKey(data.value)) ? "toolResponse" : "mockToolResponse", value: data.value }];
      case "agentTransfer":
        return [{ case: "agentTransfer", value: data.value }];
      default:
        return [];
    }
  });
  return texts.length === 0 ? others : [...others, { case: "agentResponse", value: { ...message, chunks: texts } }];
}

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Evaluation_StepSchema, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { TestCase } from "../suite/contract.ts";
import { evaluationTest } from "../suite/evaluation-test.ts";
import type { TestSource } from "./test-source.ts";
import { eachItem, JsonSchema, ParametersSchema, TagsSchema, TextsSchema } from "./test-values.ts";

const ToolCallSchema = z.looseObject({
  action: z.string().min(1),
  args: ParametersSchema.optional(),
  output: JsonSchema.optional(),
  agent: z.string().optional(),
});

const TurnSchema = z.looseObject({
  user: z.string().optional(),
  event: z.string().optional(),
  agent: TextsSchema.optional(),
  tool_calls: z.array(ToolCallSchema).nullish(),
});

const ConversationSchema = z.looseObject({
  conversation: z.string().min(1),
  tags: TagsSchema,
  session_parameters: ParametersSchema.nullish(),
  expectations: TextsSchema.nullish(),
  turns: z.array(TurnSchema).min(1),
});

const FileSchema = z.looseObject({
  common_session_parameters: ParametersSchema.nullish(),
  common_expectations: TextsSchema.nullish(),
  conversations: z.array(z.unknown()),
});

type Conversation = z.infer<typeof ConversationSchema>;
type Step = MessageInitShape<typeof Evaluation_StepSchema>;

/** Goldens of the toolkit (EVAL-31): one for each conversation. */
export function readGoldenFile(source: TestSource): readonly TestCase[] {
  const { common_session_parameters: parameters, common_expectations: common } = source.read([], FileSchema);
  return eachItem(source, ["conversations"], ConversationSchema, (conversation, line) =>
    evaluationTest({
      evaluation: create(EvaluationSchema, {
        displayName: conversation.conversation,
        tags: conversation.tags,
        inputs: {
          case: "golden",
          value: { turns: turnsOf(conversation, { ...parameters, ...conversation.session_parameters }) },
        },
      }),
      kind: "golden",
      file: source.path,
      line,
      criteria: [...(common ?? []), ...(conversation.expectations ?? [])],
    }),
  );
}

function turnsOf({ turns }: Conversation, parameters: JsonObject): { steps: Step[] }[] {
  return turns.map((turn, position) => {
    const variables: Step[] =
      position === 0 && Object.keys(parameters).length > 0
        ? [{ step: { case: "userInput", value: { inputType: { case: "variables", value: parameters } } } }]
        : [];
    const calls = (turn.tool_calls ?? []).flatMap(callSteps);
    return { steps: [...variables, userStep(turn), ...calls, ...agentSteps(turn.agent ?? [])] };
  });
}

/** A turn without user input is one that the agent begins (EVAL-5). */
function userStep({ user, event = "welcome" }: z.infer<typeof TurnSchema>): Step {
  const inputType =
    user === undefined ? { case: "event" as const, value: { event } } : { case: "text" as const, value: user };
  return { step: { case: "userInput", value: { inputType } } };
}

function agentSteps(texts: readonly string[]): readonly Step[] {
  return texts
    .filter((text) => !text.includes("# silent"))
    .map((text) => ({
      step: {
        case: "expectation",
        value: {
          condition: {
            case: "agentResponse",
            value: { role: "agent", chunks: [{ data: { case: "text", value: text } }] },
          },
        },
      },
    }));
}

function callSteps({ action, args = {}, output, agent }: z.infer<typeof ToolCallSchema>): readonly Step[] {
  const identifier = { toolIdentifier: { case: "tool" as const, value: action }, displayName: action };
  if (action === "transfer_to_agent") {
    const target = String(args.agent_name ?? args.agent ?? args.target_agent ?? agent ?? "");
    const value = { targetAgent: target, displayName: target };
    return [{ step: { case: "expectation", value: { condition: { case: "agentTransfer", value } } } }];
  }
  const call: Step = {
    step: { case: "expectation", value: { condition: { case: "toolCall", value: { ...identifier, args } } } },
  };
  if (output === undefined) return [call];
  const response = { ...identifier, response: toResponse(output) };
  return [call, { step: { case: "expectation", value: { condition: { case: "toolResponse", value: response } } } }];
}

/** A Python tool's response is nested under `result`; text may be the response as JSON. */
function toResponse(output: JsonValue): JsonObject {
  if (isJsonObject(output)) return output;
  if (typeof output !== "string") return { result: output };
  try {
    const parsed = JSON.parse(output) as JsonValue;
    return isJsonObject(parsed) ? parsed : { result: parsed };
  } catch {
    return { result: output };
  }
}

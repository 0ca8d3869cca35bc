import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Evaluation_Step as Step, Evaluation_StepSchema as StepSchema } from "@frontdesk/protos/ces/evaluation";

/** A kind of step that can be added to a turn. */
interface StepKind {
  readonly id: string;
  readonly label: string;
  readonly make: () => Step;
}

/** The kinds of steps: what the user does, then what is expected, then what is set. */
export const STEP_KINDS: readonly StepKind[] = [
  kind("User input", { case: "userInput", value: { inputType: { case: "text", value: "" } } }),
  kind(
    "Agent response",
    expectation({ case: "agentResponse", value: { chunks: [{ data: { case: "text", value: "" } }] } }),
  ),
  kind("Tool call", expectation({ case: "toolCall", value: { args: {} } })),
  kind("Tool response", expectation({ case: "toolResponse", value: { response: {} } })),
  kind("No tool calls", expectation({ case: "noToolCalls", value: true })),
  kind("Agent transfer", expectation({ case: "agentTransfer", value: {} })),
  kind("Updated variables", expectation({ case: "updatedVariables", value: {} })),
  kind("Mocked tool response", expectation({ case: "mockToolResponse", value: { response: {} } })),
];

type StepInit = Exclude<MessageInitShape<typeof StepSchema>, Step>["step"];
type ExpectationInit = Extract<StepInit, { case: "expectation" }>["value"];

function expectation(condition: Exclude<ExpectationInit, { $typeName: string }>["condition"]): StepInit {
  return { case: "expectation", value: { condition } };
}

function kind(label: string, step: StepInit): StepKind {
  return { id: label, label, make: () => create(StepSchema, { step }) };
}

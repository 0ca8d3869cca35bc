import { create } from "@bufbuild/protobuf";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import {
  GenerateEvaluationRequest_EvaluationType as EvaluationType,
  type GenerateEvaluationRequest,
} from "@frontdesk/protos/ces/evaluation_service";
import type { Models } from "#models";
import { failedPrecondition } from "#status";
import type { EvaluationResources } from "../contract.ts";
import { goldenFromConversation } from "./golden-from-conversation.ts";
import { scenarioFromConversation } from "./scenario-from-conversation.ts";

interface GenerateDeps {
  readonly resources: Pick<EvaluationResources, "conversation" | "snapshot" | "read" | "create">;
  readonly models: Pick<Models, "resolve">;
  /** Name of the model that writes scenarios. "" = the server's default model. */
  readonly userModel: string;
}

/** Turns a stored conversation into an evaluation of its app and stores it. NOT_FOUND for an unknown conversation. */
export async function generateEvaluation(
  { conversation: name, evaluationType }: GenerateEvaluationRequest,
  { resources, models, userModel }: GenerateDeps,
  signal: AbortSignal,
): Promise<Evaluation> {
  const conversation = await resources.conversation(name);
  if (conversation.turns.length === 0) throw failedPrecondition(`Conversation '${name}' has no turns to test.`);
  const app = name.slice(0, name.indexOf("/conversations/"));
  const inputs =
    evaluationType === EvaluationType.SCENARIO
      ? ({
          case: "scenario",
          value: await scenarioFromConversation(conversation, models.resolve(userModel), signal),
        } as const)
      : ({ case: "golden", value: goldenFromConversation(conversation, await appCodeOf(app, resources)) } as const);
  const displayName = await freeName(
    `${inputs.case === "golden" ? "Golden" : "Scenario"} from ${idOf(name)}`,
    app,
    resources,
  );
  return resources.create(app, create(EvaluationSchema, { displayName, inputs }));
}

/** The tools whose code is the app's own. */
async function appCodeOf(app: string, resources: GenerateDeps["resources"]) {
  const { ref } = await resources.snapshot(app, "");
  const own = new Set(
    ref.snapshot.tools.flatMap(({ name, toolType }) => (toolType.case === "pythonFunction" ? [name] : [])),
  );
  return (tool: string) => own.has(tool);
}

/** Names of evaluations are unique in their app. */
async function freeName(wanted: string, app: string, { read }: GenerateDeps["resources"]): Promise<string> {
  const taken = new Set((await read(app)).evaluations.map(({ displayName }) => displayName));
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted} (${number})`;
  return name;
}

function idOf(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

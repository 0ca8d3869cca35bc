import { create } from "@bufbuild/protobuf";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import {
  GenerateEvaluationRequest_EvaluationType as EvaluationType,
  type GenerateEvaluationRequest,
} from "@frontdesk/protos/ces/evaluation_service";
import { idOf } from "#aip";
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
  { resources, models, userModel, author }: GenerateDeps & { readonly author: string },
  signal: AbortSignal,
): Promise<Evaluation> {
  const generated =
    evaluationType === EvaluationType.SCENARIO
      ? create(EvaluationSchema, {
          displayName: `Scenario from ${idOf(name)}`,
          inputs: {
            case: "scenario",
            value: await scenarioFromConversation(
              await conversationOf(name, resources),
              models.resolve(userModel),
              signal,
            ),
          },
        })
      : await generatedGolden(name, resources);
  const app = appOf(name);
  generated.displayName = await freeName(generated.displayName, app, resources);
  return resources.create(app, generated, author);
}

/** A golden of a stored conversation, not stored. NOT_FOUND for an unknown conversation, FAILED_PRECONDITION for one without turns. */
export async function generatedGolden(
  name: string,
  resources: Pick<GenerateDeps["resources"], "conversation" | "snapshot">,
): Promise<Evaluation> {
  const value = goldenFromConversation(await conversationOf(name, resources), await appCodeOf(appOf(name), resources));
  return create(EvaluationSchema, { displayName: `Golden from ${idOf(name)}`, inputs: { case: "golden", value } });
}

async function conversationOf(name: string, resources: Pick<GenerateDeps["resources"], "conversation">) {
  const conversation = await resources.conversation(name);
  if (conversation.turns.length > 0) return conversation;
  throw failedPrecondition(`Conversation '${name}' has no turns to test.`);
}

function appOf(name: string): string {
  return name.slice(0, name.indexOf("/conversations/"));
}

/** The tools whose code is the app's own. */
async function appCodeOf(app: string, resources: Pick<GenerateDeps["resources"], "snapshot">) {
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

import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  ImportSemanticModelRequest,
  ImportSemanticModelResponseSchema,
} from "@frontdesk/protos/gda/data_agent_service";
import { type DataAgents, importAgentModel } from "#analytics";

/**
 * Makes the files of a semantic model, of another product or our own, the model of an agent (CA-48). What they have and the model cannot carry is
 * answered with file and line. `validate_only`: the agent stays as it is.
 */
export async function importSemanticModel(
  { name, files, modelName, validateOnly }: ImportSemanticModelRequest,
  agents: Pick<DataAgents, "get" | "setSemanticModel">,
): Promise<MessageInitShape<typeof ImportSemanticModelResponseSchema>> {
  await agents.get(name);
  const { text, format, notes } = await importAgentModel(files, modelName);
  if (!validateOnly) await agents.setSemanticModel(name, text);
  return { semanticModel: text, format, losses: notes.map(({ file, line, message }) => ({ file, line, message })) };
}

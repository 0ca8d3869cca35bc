import type { Client } from "@connectrpc/connect";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import type { CommandInput } from "../command.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import type { FileChange } from "./file-changes.ts";

type Evaluations = Client<typeof EvaluationService>;

/** What an import never deletes (PKG-26), and what deletes it: datasets first, because they refer to evaluations, which refer to expectations. */
const DELETIONS: Readonly<Record<string, (client: Evaluations, name: string) => Promise<unknown>>> = {
  evaluationDatasets: (client, name) => client.deleteEvaluationDataset({ name }),
  evaluations: (client, name) => client.deleteEvaluation({ name, force: true }),
  evaluationExpectations: (client, name) => client.deleteEvaluationExpectation({ name }),
};

/** Deletes the evaluations, expectations and datasets of an app whose manifests are gone. */
export async function deleteEvaluations(
  app: string,
  changes: readonly FileChange[],
  input: CommandInput,
): Promise<void> {
  const { manifestAt, manifestPart } = await import("#app");
  const client = clientFor(EvaluationService, input);
  for (const [part, remove] of Object.entries(DELETIONS))
    for (const { path, kind, before } of changes) {
      if (kind !== "deleted" || !before || manifestPart(path) !== part) continue;
      const id = manifestAt(path, before)?.name;
      if (typeof id === "string") await callServer(input, () => remove(client, `${app}/${part}/${id}`));
    }
}

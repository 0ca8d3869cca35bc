import type { Client } from "@connectrpc/connect";
import { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { inParallel } from "#base";
import { Code, ConnectError } from "#status";
import type { CommandInput } from "../command.ts";
import { showProgress } from "../output/progress-bar.ts";
import { callServer, clientFor } from "../server/server-client.ts";
import type { FileChange } from "./file-changes.ts";

type Evaluations = Client<typeof EvaluationService>;

/** What an import never deletes (PKG-26), and what deletes it: datasets first, because they refer to evaluations, which refer to expectations. */
const DELETIONS: Readonly<Record<string, (client: Evaluations, name: string) => Promise<unknown>>> = {
  evaluationDatasets: (client, name) => client.deleteEvaluationDataset({ name }),
  evaluations: (client, name) => client.deleteEvaluation({ name, force: true }),
  evaluationExpectations: (client, name) => client.deleteEvaluationExpectation({ name }),
};

/** Deletions at once. */
const AT_ONCE = 8;

/** Deletes the evaluations, expectations and datasets of an app whose manifests are gone, which a terminal shows. */
export async function deleteEvaluations(
  app: string,
  changes: readonly FileChange[],
  input: CommandInput,
): Promise<void> {
  const { manifestAt, manifestPart } = await import("#app");
  const client = clientFor(EvaluationService, input);
  const steps = Object.entries(DELETIONS).map(([part, remove]) =>
    changes.flatMap(({ path, kind, before }) => {
      if (kind !== "deleted" || !before || manifestPart(path) !== part) return [];
      const id = manifestAt(path, before)?.name;
      return typeof id === "string" ? [() => remove(client, `${app}/${part}/${id}`)] : [];
    }),
  );
  const progress = showProgress(process.stderr);
  try {
    let done = 0;
    for (const step of steps)
      await inParallel(step, AT_ONCE, new AbortController().signal, async (remove) => {
        await callServer(input, () => remove().catch(unlessGone));
        progress.update(++done, steps.flat().length);
      });
  } finally {
    progress.end();
  }
}

/** Another push of the same folder may have deleted it. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ConnectError) || error.code !== Code.NotFound) throw error;
}

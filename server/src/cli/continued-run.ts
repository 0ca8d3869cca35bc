import type { Client } from "@connectrpc/connect";
import type { EvaluationRun, RunEvaluationRequest } from "@frontdesk/protos/ces/evaluation";
import type { EvaluationService } from "@frontdesk/protos/ces/evaluation_service";
import { idOf } from "#aip";
import { CommandError, type CommandInput } from "./command.ts";
import { shellWord } from "./shell-word.ts";

type Evaluations = Client<typeof EvaluationService>;

/** What a run runs. */
export type RunSubject = Partial<
  Pick<
    RunEvaluationRequest,
    "evaluations" | "evaluationDataset" | "appVersion" | "continuedRun" | "includeFailedEvaluations"
  >
>;

/** What the flags --continue and --failed ask for; undefined without them. */
export async function continuation(
  app: string,
  named: readonly string[],
  { flags }: Pick<CommandInput, "flags">,
  client: Evaluations,
): Promise<RunSubject | undefined> {
  const wanted = flags.continue;
  if (typeof wanted !== "string") {
    if (flags.failed) throw new CommandError("--failed belongs to --continue, which says of which run.");
    return undefined;
  }
  const others = ["tags", "dataset", "app-version"].filter((name) => flags[name] !== undefined);
  if (named.length > 0 || others.length > 0)
    throw new CommandError(
      `--continue says which evaluations run: leave ${others.map((name) => `--${name}`).join(" and ") || "their names"} out.`,
    );
  const { name: continuedRun } = await runOf(app, wanted, client);
  return { continuedRun, includeFailedEvaluations: flags.failed === true };
}

/** Tells people how what is left of a run, else what failed in it, runs again. */
export function tellHowToContinue(run: EvaluationRun, app: string): void {
  const { totalCount = 0, passedCount = 0, failedCount = 0 } = run.progress ?? {};
  const again = `frontdesk run-evaluations ${shellWord(app)} --continue ${idOf(run.name)}`;
  if (passedCount + failedCount < totalCount)
    process.stderr.write(`${totalCount - passedCount - failedCount} were not measured; ${again} runs them again.\n`);
  else if (failedCount > 0) process.stderr.write(`${again} --failed runs what failed again.\n`);
}

/** A run by its name or id, by its display name (the newest of that name), or the `last` one. */
async function runOf(app: string, wanted: string, client: Evaluations): Promise<EvaluationRun> {
  const newest = async (filter: string) =>
    (await client.listEvaluationRuns({ parent: app, pageSize: 1, orderBy: "create_time", filter })).evaluationRuns[0];
  const withId = `${app}/evaluationRuns/${idOf(wanted)}`;
  const found =
    wanted === "last"
      ? await newest("")
      : ((await newest(`name = ${JSON.stringify(withId)}`)) ??
        (await newest(`display_name = ${JSON.stringify(wanted)}`)));
  if (found) return found;
  throw new CommandError(
    wanted === "last"
      ? `${app} has no runs.`
      : `'${wanted}' is no run of the app; frontdesk evaluation-runs list --app ${shellWord(app)} has them.`,
  );
}

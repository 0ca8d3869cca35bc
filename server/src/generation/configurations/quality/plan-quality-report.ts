import {
  GenerateAppResourceRequest_QualityReportGenerationConfig_LossAttributionAlgorithm as Algorithm,
  type GenerateAppResourceRequest_QualityReportGenerationConfig as Config,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import { type EvaluationRun, EvaluationRun_EvaluationRunState as RunState } from "@frontdesk/protos/ces/evaluation";
import { z } from "zod";
import { failedPrecondition, invalidArgument } from "#status";
import { type Author, generationFailed } from "../../author/author.ts";
import { MATERIAL_IS_DATA, materialOf } from "../../author/material.ts";
import { shownApp } from "../../sketch/shown-app.ts";
import type { Job, JobDeps, JobResult, PlanJob, Subject, Work } from "../job.ts";
import { type Failure, failuresOf } from "./failures.ts";
import { type FoundIssue, issuesByKind, reportOf } from "./issues.ts";

const FIELD = "quality_report_generation_config";

/** Failures that one report groups; a run with more is reported by its first. */
const MAX_FAILURES = 300;

/**
 * What is wrong with an app, as a run of its evaluations shows it (GEN-8). The failures are counted by rules; where a model is configured it
 * groups them by cause and proposes what to change.
 */
export const planQualityReport: PlanJob = async (subject, deps): Promise<Job> => {
  const { qualityReportGenerationConfig: config } = subject.request;
  if (!config) throw new Error("a quality report is planned without its configuration");
  const { evaluationRun } = config;
  const { parent } = subject.request;
  if (!evaluationRun.startsWith(`${parent}/evaluationRuns/`)) {
    const description = `'${evaluationRun}' is not an evaluation run of '${parent}'.`;
    throw invalidArgument({ field: `${FIELD}.evaluation_run`, description });
  }
  const run = await deps.resources.run(evaluationRun);
  if (run.state === RunState.RUNNING || run.state === RunState.QUEUED)
    throw failedPrecondition(`The evaluation run '${evaluationRun}' has not ended yet. Wait for its operation.`);
  return {
    type: GenerationType.QUALITY_REPORT_CREATE,
    needsModel: false,
    run: (work) => generateReport(run, config, subject, deps, work),
  };
};

async function generateReport(
  run: EvaluationRun,
  { algorithm }: Config,
  { base }: Subject,
  { resources }: JobDeps,
  work: Work,
): Promise<JobResult> {
  await work.progress("Reading the results.");
  const results = await resources.results(run.evaluationResults);
  const all = await failuresOf(results, base, (name) => resources.conversation(name));
  const failures = all.slice(0, MAX_FAILURES);
  const byAgent = algorithm !== Algorithm.APP_CENTRIC;
  const isWritten = work.author !== undefined && failures.length > 0;
  if (isWritten) await work.progress("Grouping the failures.");
  const written =
    work.author && isWritten ? await issuesByCause(failures, { author: work.author, base, byAgent, work }) : undefined;
  const issues = written?.issues ?? issuesByKind(failures);
  const notes = [
    ...(all.length > failures.length
      ? [`The run has ${all.length} failures; the first ${failures.length} are reported.`]
      : []),
    ...(work.author
      ? []
      : ["No language model is configured, so the failures are grouped by what failed, not by cause."]),
  ];
  const failed = new Set(failures.map(({ evaluation }) => evaluation)).size;
  const summary =
    failures.length === 0
      ? "No result of the run failed."
      : `${failures.length} checks of ${failed} evaluations failed.`;
  return {
    resource: { case: "qualityReport", value: reportOf(run.name, issues, byAgent) },
    explained: { explanation: [written?.explanation, summary].filter(Boolean).join("\n\n"), notes },
  };
}

const Shape = z.object({
  explanation: z.string().max(2_000).describe("The state of the app in a few sentences."),
  issues: z
    .array(
      z.object({
        agent: z.string().describe("Name of the agent that it is about; empty for the app as a whole."),
        description: z.string().min(1).max(1_000),
        proposed_solution: z.string().max(1_000).describe("What to change in which instruction or tool."),
        failures: z.array(z.number().int()).max(MAX_FAILURES).describe("Numbers of the failures that show it."),
      }),
    )
    .max(50),
});

interface Grouping {
  readonly author: Author;
  readonly base: Subject["base"];
  readonly byAgent: boolean;
  readonly work: Work;
}

/** The model groups and proposes; how often an issue occurred is counted here, and no failure is lost. */
async function issuesByCause(
  failures: readonly Failure[],
  { author, base, byAgent, work }: Grouping,
): Promise<{ readonly issues: readonly FoundIssue[]; readonly explanation: string }> {
  const agentNames = new Map(base.agents.map(({ name, displayName }) => [name, displayName]));
  const listed = failures.map(({ evaluation, text, agent }, position) => ({
    number: position + 1,
    evaluation,
    agent: agentNames.get(agent) ?? "",
    failure: text.slice(0, 2_000),
  }));
  const answer = await author.write(
    {
      caller: "quality report",
      system: `${TASK} ${byAgent ? BY_AGENT : BY_APP}\n\n${MATERIAL_IS_DATA}`,
      material: materialOf([
        ["app", shownApp(base)],
        ["failures", JSON.stringify(listed, null, 1)],
      ]),
      shape: Shape,
    },
    work.signal,
  );
  const byName = new Map(base.agents.map(({ name, displayName }) => [displayName, name]));
  const used = new Set<number>();
  const issues = answer.issues.flatMap((issue): readonly FoundIssue[] => {
    const own = [...new Set(issue.failures)].filter((number) => failures[number - 1] !== undefined);
    for (const number of own) used.add(number);
    const { description, proposed_solution: proposedSolution } = issue;
    return own.length === 0
      ? []
      : [{ agent: byName.get(issue.agent) ?? "", description, proposedSolution, count: own.length }];
  });
  if (issues.length === 0) throw generationFailed("The language model named no issue that a failure of the run shows.");
  const left = failures.filter((_, position) => !used.has(position + 1));
  return { issues: [...issues, ...issuesByKind(left)], explanation: answer.explanation };
}

const TASK =
  "You analyse failed tests of the app in <app>. Group <failures> by their cause, say what is wrong, and propose what to change in which instruction or tool. " +
  "A cause is a fault of the app, not of a test. Each failure belongs to at least one issue. Answer with JSON.";

const BY_AGENT =
  "Attribute each issue to the agent whose instruction or tools cause it; leave the agent empty only where no single agent does.";
const BY_APP = "Treat the app as one: leave the agent of each issue empty.";

import {
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
  type QualityReport,
} from "@frontdesk/protos/ces/agent_service";
import { invalidArgument } from "#status";
import { CHANGES_GUIDE, INSTRUCTION_GUIDE, PYTHON_GUIDE } from "../../prompts/guides.ts";
import { differences } from "../../report/differences.ts";
import { AppChangesShape } from "../../sketch/app-changes.ts";
import { snapshotOf } from "../app/plan-app.ts";
import { draftApp, explanationPartsOf } from "../drafting.ts";
import { assertHasAgents } from "../evaluations/plan-evaluations.ts";
import type { Job, JobResult, PlanJob, Subject, Work } from "../job.ts";

const FIELD = "hill_climbing_fix_config.quality_report";

/** Characters of all issues together. */
const MAX_ISSUES = 100_000;

/**
 * Mends what a quality report and the checks of an app say, step by step: a change is kept only when it breaks no golden that passed and leaves less
 * wrong (GEN-9).
 */
export const planFix: PlanJob = (subject): Job => {
  const { request, base } = subject;
  const report = request.hillClimbingFixConfig?.qualityReport;
  const issues = report ? issuesOf(report, subject) : [];
  if (issues.length === 0)
    throw invalidArgument({
      field: FIELD,
      description: "The report has no issue. Generate one from a run: quality_report_generation_config.",
    });
  const length = issues.reduce((sum, issue) => sum + issue.length, 0);
  if (length > MAX_ISSUES)
    throw invalidArgument({
      field: FIELD,
      description: `The issues have ${length} characters; at most ${MAX_ISSUES}.`,
    });
  assertHasAgents(base);
  return {
    type: GenerationType.INSTRUCTION_FOLLOWING_FIX,
    needsModel: true,
    run: (work) => fix(issues, subject, work),
  };
};

/** The issues as sentences; those of other agents are left out where one agent is to be mended. */
function issuesOf({ issues, generalIssues }: QualityReport, { base, agent }: Subject): readonly string[] {
  const names = new Map(base.agents.map(({ name, displayName }) => [name, displayName]));
  const own = issues.filter((one) => agent === undefined || one.agent === agent.name);
  return [
    ...own.flatMap((one) => one.issues.map((issue) => `${names.get(one.agent) ?? one.agent}: ${textOf(issue)}`)),
    ...generalIssues.map(textOf),
  ];
}

function textOf({ description, proposedSolution, occurrenceCount }: QualityReport["generalIssues"][number]): string {
  const times = occurrenceCount > 1 ? ` (${occurrenceCount} times)` : "";
  return `${description}${times}${proposedSolution === "" ? "" : ` Proposed: ${proposedSolution}`}`;
}

async function fix(issues: readonly string[], { base, agent }: Subject, work: Work): Promise<JobResult> {
  await work.progress("Running the goldens of the app as it is.");
  const drafted = await draftApp({
    work,
    caller: "hill-climbing fix",
    task: TASK,
    material: [
      ["issues", issues.map((issue) => `- ${issue}`).join("\n")],
      ["only_agent", agent?.displayName ?? ""],
    ],
    shape: AppChangesShape,
    scope: { base, agent: agent?.displayName },
    known: "mend",
    takesEqual: true,
  });
  const { tree } = drafted.best.draft;
  const fixed = agent && tree.agents.find(({ name }) => name === agent.name);
  const explained = explanationPartsOf(drafted);
  const notes = [...(explained.notes ?? [])];
  if (!drafted.hasChanged)
    notes.unshift("No change was found that mends something and breaks nothing: this is the app as it is.");
  if (drafted.base?.passed.size === 0)
    notes.push("No golden of the app passed before, so nothing could show that a change breaks something.");
  return {
    resource: fixed ? { case: "agent", value: fixed } : { case: "appSnapshot", value: snapshotOf(tree) },
    explained: { ...explained, changes: differences(base, tree), notes },
  };
}

const TASK = [
  "You mend the app in <app>. <issues> says what its evaluations showed, <wrong> what its checks and goldens say now. Mend the causes with changes that are as " +
    "small as they can be; whatever works must go on working. Where <only_agent> names an agent, change nothing else.",
  "A change is tried: it is kept only if no golden that passed fails, and less is wrong. <rejected_draft> says why your last one was not taken.",
  INSTRUCTION_GUIDE,
  PYTHON_GUIDE,
  CHANGES_GUIDE,
].join("\n\n");

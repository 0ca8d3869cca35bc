import type { GenerateAppResourceRequest } from "@frontdesk/protos/ces/agent_service";
import { invalidArgument, notFound } from "#status";
import { planAgent } from "./agent/plan-agent.ts";
import { planRefinement } from "./agent/plan-refinement.ts";
import { planApp } from "./app/plan-app.ts";
import { planEvaluations } from "./evaluations/plan-evaluations.ts";
import { planPersonas } from "./evaluations/plan-personas.ts";
import type { Job, JobDeps, PlanJob, Subject } from "./job.ts";
import { planFix } from "./quality/plan-fix.ts";
import { planQualityReport } from "./quality/plan-quality-report.ts";
import { planTools } from "./tools/plan-tools.ts";
import { planToolset } from "./tools/plan-toolset.ts";

type Resource = NonNullable<GenerateAppResourceRequest["resource"]["case"]>;

/** One way to ask for a generation. */
interface Configuration {
  /** Path of the field that asks for it. */
  readonly field: string;
  readonly isAsked: (request: GenerateAppResourceRequest) => boolean;
  /** Members of `resource` that it reads. */
  readonly reads: readonly Resource[];
  readonly plan: PlanJob;
}

const CONFIGURATIONS: readonly Configuration[] = [
  {
    field: "refine_instructions",
    isAsked: ({ refineInstructions }) => refineInstructions.length > 0,
    reads: ["agent", "tool", "toolset", "appVersionContext"],
    plan: planRefinement,
  },
  {
    field: "tool_generation_config",
    isAsked: ({ toolGenerationConfig }) => toolGenerationConfig !== undefined,
    reads: ["tool", "toolset", "appVersionContext"],
    plan: (subject, deps) =>
      (subject.request.toolGenerationConfig?.openApiToolsetGenerationConfig ? planToolset : planTools)(subject, deps),
  },
  {
    field: "app_generation_config",
    isAsked: ({ appGenerationConfig }) => appGenerationConfig !== undefined,
    reads: ["appVersionContext"],
    plan: planApp,
  },
  {
    field: "evaluation_generation_config",
    isAsked: ({ evaluationGenerationConfig }) => evaluationGenerationConfig !== undefined,
    reads: ["appVersionContext"],
    plan: planEvaluations,
  },
  {
    field: "evaluation_personas_generation_config",
    isAsked: ({ evaluationPersonasGenerationConfig }) => evaluationPersonasGenerationConfig !== undefined,
    reads: ["appVersionContext"],
    plan: planPersonas,
  },
  {
    field: "quality_report_generation_config",
    isAsked: ({ qualityReportGenerationConfig }) => qualityReportGenerationConfig !== undefined,
    reads: ["appVersionContext"],
    plan: planQualityReport,
  },
  {
    field: "hill_climbing_fix_config",
    isAsked: ({ hillClimbingFixConfig }) => hillClimbingFixConfig !== undefined,
    reads: ["appVersionContext"],
    plan: planFix,
  },
];

/** An agent alone: it is written, or its instruction is put in order. */
const AGENT_ALONE: Configuration = {
  field: "agent",
  isAsked: ({ resource }) => resource.case === "agent",
  reads: ["agent"],
  plan: planAgent,
};

/** Understands a request (GEN-1). Throws INVALID_ARGUMENT or NOT_FOUND, naming all that is wrong. */
export async function planJob(request: GenerateAppResourceRequest, deps: JobDeps): Promise<Job> {
  const configuration = configurationOf(request);
  return configuration.plan(await subjectOf(request, deps), deps);
}

function configurationOf(request: GenerateAppResourceRequest): Configuration {
  const asked = CONFIGURATIONS.filter(({ isAsked }) => isAsked(request));
  const [only, ...others] = asked.length > 0 || !AGENT_ALONE.isAsked(request) ? asked : [AGENT_ALONE];
  if (!only) {
    const fields = CONFIGURATIONS.map(({ field }) => field).join(", ");
    throw invalidArgument({
      field: "resource",
      description: `Nothing is asked for. Set one of ${fields}, or an agent.`,
    });
  }
  if (others.length > 0) {
    const description = `${[only, ...others].map(({ field }) => field).join(" and ")} are set; one request generates one thing.`;
    throw invalidArgument({ field: only.field, description });
  }
  const { case: given } = request.resource;
  if (given !== undefined && !only.reads.includes(given)) {
    const field = given === "appVersionContext" ? "app_version_context" : given;
    throw invalidArgument({ field, description: `${only.field} does not use it; leave it out.` });
  }
  return only;
}

async function subjectOf(request: GenerateAppResourceRequest, { resources }: JobDeps): Promise<Subject> {
  const { parent, resource } = request;
  if (resource.case !== "appVersionContext") return { request, base: await resources.app(parent), agent: undefined };
  const { appVersion, agentResourceName } = resource.value;
  if (appVersion !== "" && !appVersion.startsWith(`${parent}/versions/`)) {
    const description = `'${appVersion}' is not a version of '${parent}'.`;
    throw invalidArgument({ field: "app_version_context.app_version", description });
  }
  const base = appVersion === "" ? await resources.app(parent) : await resources.version(parent, appVersion);
  const agent = base.agents.find(({ name }) => name === agentResourceName);
  if (agentResourceName !== "" && !agent) throw notFound(agentResourceName, "ces.googleapis.com/Agent");
  return { request, base, agent };
}

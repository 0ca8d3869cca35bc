import { create } from "@bufbuild/protobuf";
import {
  GenerateAppResourceRequest_AppGenerationConfigSchema as ConfigSchema,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import { AppSnapshotSchema } from "@frontdesk/protos/ces/app_version";
import type { AppTree } from "#resources";
import { type FieldViolation, invalidArgument } from "#status";
import { documentParts } from "../../author/material.ts";
import { fileViolations, readDocuments } from "../../documents/read-documents.ts";
import { CHANGES_GUIDE, EVALUATION_GUIDE, INSTRUCTION_GUIDE, PYTHON_GUIDE } from "../../prompts/guides.ts";
import { differences } from "../../report/differences.ts";
import { AppAndEvaluationsShape, AppChangesShape } from "../../sketch/app-changes.ts";
import { contextViolations, datasetViolations } from "../context-violations.ts";
import { draftApp, explanationPartsOf } from "../drafting.ts";
import type { Job, JobResult, PlanJob, Subject, Work } from "../job.ts";

const FIELD = "app_generation_config";

/** An app from a description and documents (GEN-2). */
export const planApp: PlanJob = ({ request, base }, { reader }): Job => {
  const config = request.appGenerationConfig ?? create(ConfigSchema);
  const { context, fileContexts, datasetId, gcsLocation } = config;
  const violations: FieldViolation[] = [
    ...contextViolations(context, `${FIELD}.context`),
    ...fileViolations(fileContexts, `${FIELD}.file_contexts`, reader),
    ...datasetViolations(datasetId, FIELD),
  ];
  if (gcsLocation !== "")
    violations.push({
      field: `${FIELD}.gcs_location`,
      description: "Only data of conversations would be stored there, and it cannot be read here; leave it empty.",
    });
  if (context.trim() === "" && fileContexts.length === 0 && violations.length === 0)
    violations.push({ field: `${FIELD}.context`, description: "Say what the app is for, or give files that do." });
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    type: GenerationType.AGENT_CREATE,
    needsModel: true,
    run: (work) => generateApp({ request, base, agent: undefined }, config, work),
  };
};

type Config = NonNullable<Subject["request"]["appGenerationConfig"]>;

async function generateApp({ base }: Subject, config: Config, work: Work): Promise<JobResult> {
  const { context, fileContexts, generateEvaluations } = config;
  await work.progress("Reading the files.");
  const { documents, notes } = await readDocuments(fileContexts, `${FIELD}.file_contexts`, work.reader);
  const isNew = base.agents.length === 0;
  const drafted = await draftApp({
    work,
    caller: "generate app",
    task: taskOf(isNew, generateEvaluations),
    material: [["description", context], ...documentParts(documents)],
    shape: generateEvaluations ? AppAndEvaluationsShape : AppChangesShape,
    scope: { base },
    ...(isNew ? {} : { known: "ignore" as const }),
  });
  const { tree } = drafted.best.draft;
  const explained = explanationPartsOf(drafted);
  const value = snapshotOf(tree);
  return {
    resource: generateEvaluations
      ? {
          case: "appResources",
          value: {
            $typeName: "google.cloud.ces.v1beta.GenerateAppResourceResponse.AppResources",
            appSnapshot: value,
            evaluations: newEvaluations(base, tree),
          },
        }
      : { case: "appSnapshot", value },
    explained: { ...explained, changes: differences(base, tree), notes: [...notes, ...(explained.notes ?? [])] },
  };
}

function taskOf(isNew: boolean, withEvaluations: boolean): string {
  const parts = [
    "You build customer-engagement apps: a tree of agents with instructions, tools in Python and variables.",
    isNew
      ? "Build the app that <description> and the documents ask for, as small as it can be: one root agent, more agents only where tasks differ much."
      : "Change the app in <app> as <description> and the documents ask. Leave alone what they do not concern.",
    "Facts come from <description> and the documents alone; put facts that users ask for into tools, so that answers can be checked. Where a " +
      "system of the author's would be called, write a tool with a few examples as its data, and say so in the explanation.",
    "If <wrong> lists faults of your last draft, mend them; <rejected_draft> says why a draft was not taken.",
    INSTRUCTION_GUIDE,
    PYTHON_GUIDE,
    ...(withEvaluations ? ["Write three to eight goldens for what matters most.", EVALUATION_GUIDE] : []),
    CHANGES_GUIDE,
  ];
  return parts.join("\n\n");
}

/** An app as the API shows it whole. */
export function snapshotOf({ app, agents, tools, toolsets, guardrails, examples }: AppTree) {
  return create(AppSnapshotSchema, {
    app,
    agents: [...agents],
    tools: [...tools],
    toolsets: [...toolsets],
    guardrails: [...guardrails],
    examples: [...examples],
  });
}

/** The evaluations that the app did not have. */
export function newEvaluations(base: AppTree, { evaluations }: AppTree): AppTree["evaluations"][number][] {
  const known = new Set(base.evaluations.map(({ name }) => name));
  return evaluations.filter(({ name }) => !known.has(name));
}

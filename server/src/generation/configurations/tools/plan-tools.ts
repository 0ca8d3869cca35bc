import { create } from "@bufbuild/protobuf";
import {
  GenerateAppResourceRequest_ToolGenerationConfigSchema as ConfigSchema,
  GenerateAppResourceOperationMetadata_GenerationType as GenerationType,
} from "@frontdesk/protos/ces/agent_service";
import { invalidArgument } from "#status";
import { documentParts, type MaterialPart } from "../../author/material.ts";
import { fileViolations, readDocuments } from "../../documents/read-documents.ts";
import { CHANGES_GUIDE, PYTHON_GUIDE } from "../../prompts/guides.ts";
import { differences } from "../../report/differences.ts";
import { ToolChangesShape } from "../../sketch/app-changes.ts";
import { contextViolations } from "../context-violations.ts";
import { draftApp, explanationPartsOf } from "../drafting.ts";
import type { Job, JobResult, PlanJob, Subject, Work } from "../job.ts";

const FIELD = "tool_generation_config";

/** An unused tool is no fault of a tool that nobody could use yet. */
const LEFT_OUT = new Set(["T008"]);

/** Python tools from a description and files (GEN-2). A tool in the request is the one to change. */
export const planTools: PlanJob = ({ request, base }, { reader }): Job => {
  const { context, fileContexts } = request.toolGenerationConfig ?? create(ConfigSchema);
  const violations = [
    ...contextViolations(context, `${FIELD}.context`),
    ...fileViolations(fileContexts, `${FIELD}.file_contexts`, reader),
  ];
  if (context.trim() === "" && fileContexts.length === 0)
    violations.push({ field: `${FIELD}.context`, description: "Say what the tool does, or give files that do." });
  if (request.resource.case === "toolset") {
    const description =
      "A toolset is generated from examples of its operations: set open_api_toolset_generation_config.";
    violations.push({ field: FIELD, description });
  }
  const { case: type } = request.resource.case === "tool" ? request.resource.value.toolType : { case: undefined };
  if (type !== undefined && type !== "pythonFunction")
    violations.push({
      field: "tool",
      description: "Only Python functions are generated; this tool is of another kind.",
    });
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    type: GenerationType.TOOL_CREATE,
    needsModel: true,
    run: (work) => generateTools({ request, base, agent: undefined }, work),
  };
};

async function generateTools({ request, base }: Subject, work: Work): Promise<JobResult> {
  const { context, fileContexts } = request.toolGenerationConfig ?? create(ConfigSchema);
  await work.progress("Reading the files.");
  const { documents, notes } = await readDocuments(fileContexts, `${FIELD}.file_contexts`, work.reader);
  const drafted = await draftApp({
    work,
    caller: "generate tools",
    task: TASK,
    material: [["description", context], givenTool(request), ...documentParts(documents)],
    shape: ToolChangesShape,
    scope: { base },
    leftOut: LEFT_OUT,
    known: "ignore",
    goldens: "none",
  });
  const { tree } = drafted.best.draft;
  const explained = explanationPartsOf(drafted);
  const tools = tree.tools.filter((tool) => !base.tools.includes(tool));
  return {
    resource: {
      case: "tools",
      value: { $typeName: "google.cloud.ces.v1beta.GenerateAppResourceResponse.Tools", tools },
    },
    explained: { ...explained, changes: differences(base, tree), notes: [...notes, ...(explained.notes ?? [])] },
  };
}

const TASK = [
  "You write tools in Python for agents that talk to customers. Write the tools that <description> and the documents ask for, in most cases one.",
  "If <tool> holds a tool, change that one and keep its name. <app> is the app that will use them.",
  "Where a system of the author's would be called, write a few examples as data, and say so in the explanation.",
  "If <wrong> lists faults of your last draft, mend them; <rejected_draft> says why a draft was not taken.",
  PYTHON_GUIDE,
  CHANGES_GUIDE,
].join("\n\n");

function givenTool({ resource }: Subject["request"]): MaterialPart {
  if (resource.case !== "tool" || resource.value.toolType.case !== "pythonFunction") return ["tool", ""];
  const { displayName, toolType } = resource.value;
  const { name, pythonCode } = toolType.value;
  return ["tool", JSON.stringify({ name: displayName || name, code: pythonCode }, null, 1)];
}

import type { DescMessage } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  type Evaluation,
  type EvaluationDataset,
  EvaluationDatasetSchema,
  type EvaluationExpectation,
  EvaluationExpectationSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import { type Example, ExampleSchema } from "@frontdesk/protos/ces/example";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import type { AppTreePart } from "../contract.ts";

/** A message with a manifest of its own in a package. */
export type PackagedResource =
  | Agent
  | Tool
  | Toolset
  | Guardrail
  | Example
  | Evaluation
  | EvaluationDataset
  | EvaluationExpectation;

/** One kind of resource in a package. */
export interface Kind {
  /** Folder in the package, collection in resource names and list in the app's tree: the same word everywhere. */
  readonly part: AppTreePart;
  /** Its type in `google.api.resource_reference`, e.g. `ces.googleapis.com/Agent`. */
  readonly type: string;
  /** Its name in warnings and errors. */
  readonly label: string;
  readonly schema: DescMessage;
  /** Whether OVERWRITE deletes those that the package lacks (`ImportAppRequest.ImportOptions`). Evaluations stay. */
  readonly deletedByOverwrite: boolean;
}

/**
 * All kinds, in the order of exports: agents, tools, guardrails, toolsets as the hosted product does
 * (PKG-3), then those whose position is not known.
 */
export const KINDS: readonly Kind[] = [
  kind("agents", "Agent", AgentSchema, true),
  kind("tools", "Tool", ToolSchema, true),
  kind("guardrails", "Guardrail", GuardrailSchema, true),
  kind("toolsets", "Toolset", ToolsetSchema, true),
  kind("examples", "Example", ExampleSchema, true),
  kind("evaluations", "Evaluation", EvaluationSchema, false),
  kind("evaluationExpectations", "EvaluationExpectation", EvaluationExpectationSchema, false),
  kind("evaluationDatasets", "EvaluationDataset", EvaluationDatasetSchema, false),
];

/** The kind of a reference's resource type; undefined for resources outside the app (data stores, secrets, …). */
export function kindOfType(type: string): Kind | undefined {
  return KINDS.find((candidate) => candidate.type === type);
}

function kind(part: AppTreePart, label: string, schema: DescMessage, deletedByOverwrite: boolean): Kind {
  return { part, type: `ces.googleapis.com/${label}`, label, schema, deletedByOverwrite };
}

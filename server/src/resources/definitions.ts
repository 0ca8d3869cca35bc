import type { DescMessage } from "@bufbuild/protobuf";
import type { ResourceDefinition } from "./define-resource.ts";
import { agents } from "./definitions/agent.ts";
import { apps } from "./definitions/app.ts";
import { appVersions } from "./definitions/app-version.ts";
import { changelogs } from "./definitions/changelog.ts";
import { deployments } from "./definitions/deployment.ts";
import { evaluations } from "./definitions/evaluation.ts";
import {
  evaluationDatasets,
  evaluationExpectations,
  evaluationResults,
  evaluationRuns,
  scheduledEvaluationRuns,
} from "./definitions/evaluation-parts.ts";
import { examples } from "./definitions/example.ts";
import { guardrails } from "./definitions/guardrail.ts";
import { securitySettings } from "./definitions/security-settings.ts";
import { tools } from "./definitions/tool.ts";
import { toolsets } from "./definitions/toolset.ts";

/** Every resource type that this room serves. Conversations are not among them: they belong to sessions. */
export const DEFINITIONS: readonly ResourceDefinition[] = [
  apps,
  agents,
  tools,
  toolsets,
  guardrails,
  examples,
  deployments,
  appVersions,
  changelogs,
  evaluations,
  evaluationDatasets,
  evaluationExpectations,
  evaluationRuns,
  evaluationResults,
  scheduledEvaluationRuns,
  securitySettings,
];

const byMessage = new Map<DescMessage, ResourceDefinition>(DEFINITIONS.map((each) => [each.desc, each]));
const byTypeName = new Map(DEFINITIONS.map((each) => [each.desc.typeName, each]));

/** The definition of a resource message; undefined when it is not served here. */
export function definitionOf(desc: DescMessage): ResourceDefinition | undefined {
  return byMessage.get(desc);
}

/** The definition of a resource message by its full name. Throws for what is no resource of ours: a programming error. */
export function definitionOfTypeName(typeName: string): ResourceDefinition {
  const found = byTypeName.get(typeName);
  if (!found) throw new Error(`${typeName} is not a resource of this server`);
  return found;
}

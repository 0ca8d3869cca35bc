import { clone, type DescMessage } from "@bufbuild/protobuf";
import { AssistantSessionSchema } from "@frontdesk/protos/ces/assistant_session";
import { ChangelogSchema } from "@frontdesk/protos/ces/changelog";
import { ExampleSchema } from "@frontdesk/protos/ces/example";
import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { defineResource, type ResourceDefinition } from "./define-resource.ts";
import { agents } from "./definitions/agent.ts";
import { apps } from "./definitions/app.ts";
import { appVersions } from "./definitions/app-version.ts";
import { deployments } from "./definitions/deployment.ts";
import { evaluationDatasets, evaluationExpectations, evaluations } from "./definitions/evaluation.ts";
import { evaluationResults, evaluationRuns, scheduledEvaluationRuns } from "./definitions/evaluation-runs.ts";
import { hasDanglingReference, withDisplayNames } from "./definitions/recorded-references.ts";
import { securitySettings } from "./definitions/security-settings.ts";
import { tools } from "./definitions/tool.ts";
import { withDerived } from "./resource.ts";

/** The change log: an entry for every change, read only. */
const changelogs = defineResource(ChangelogSchema, "log", {
  order: { fields: ["name", "create_time"], descendingByDefault: [], fallback: "name desc" },
  filterAliases: { resource_name: "resource" },
});

/** Examples: recorded conversations. One that refers to a deleted resource stays and is marked invalid (Example.invalid's comment). */
const examples = defineResource(ExampleSchema, "app", {
  keepsRecordedReferences: true,
  derivesFrom: "references",
  deriveFromState: async (example, state) =>
    withDerived(withDisplayNames(ExampleSchema, example, state), {
      invalid: hasDanglingReference(ExampleSchema, example, state),
    }),
});

/** Guardrails. One without type or action is accepted, as in the product, and is a validation error of the app. */
const guardrails = defineResource(GuardrailSchema, "app", {
  uniqueDisplayName: true,
  deriveOwn: async (guardrail, { server }) => withTemplate(guardrail, server.promptSecurityTemplate),
});

/** Default prompt security shows its prompt template; the field is for display (guardrail.proto). */
function withTemplate(guardrail: Guardrail, template: string): Guardrail {
  const { guardrailType } = guardrail;
  if (guardrailType.case !== "llmPromptSecurity" || guardrailType.value.securityConfig.case !== "defaultSettings")
    return guardrail;
  const copy = clone(GuardrailSchema, guardrail);
  if (
    copy.guardrailType.case === "llmPromptSecurity" &&
    copy.guardrailType.value.securityConfig.case === "defaultSettings"
  )
    copy.guardrailType.value.securityConfig.value.defaultPromptTemplate = template;
  return copy;
}

/** Conversations about the app with the assistant: written by it. */
const assistantSessions = defineResource(AssistantSessionSchema, "log", {
  order: {
    fields: ["name", "create_time", "update_time"],
    descendingByDefault: ["create_time", "update_time"],
    fallback: "update_time desc",
  },
});

/** Toolsets: sources of tools that are opened at run time. */
const toolsets = defineResource(ToolsetSchema, "app", {
  uniqueDisplayName: true,
  deriveOwn: (toolset, { tools }) => tools.refreshSnapshots(toolset),
  validate: ({ toolsetType }) =>
    toolsetType.case === undefined
      ? [
          {
            field: "toolset_type",
            description: "A toolset needs a type: mcp_toolset, open_api_toolset or connector_toolset.",
          },
        ]
      : [],
});

/** All resource types with standard methods here. Conversations are not among them: they belong to sessions. */
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
  assistantSessions,
];

const byMessage = new Map<DescMessage, ResourceDefinition>(DEFINITIONS.map((each) => [each.desc, each]));
const byTypeName = new Map(DEFINITIONS.map((each) => [each.desc.typeName, each]));

/** The definition of a resource message; undefined when there is none. */
export function definitionOf(desc: DescMessage): ResourceDefinition | undefined {
  return byMessage.get(desc);
}

/** The definition of a resource message by its full name. Throws when there is none: a programming error. */
export function definitionOfTypeName(typeName: string): ResourceDefinition {
  const found = byTypeName.get(typeName);
  if (!found) throw new Error(`${typeName} is not a resource of this server`);
  return found;
}

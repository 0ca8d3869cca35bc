import { create, toJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import {
  AgentService,
  GetAppVersionRequestSchema,
  ListChangelogsRequestSchema,
  type ListChangelogsResponse,
} from "@frontdesk/protos/ces/agent_service";
import type { AppVersion } from "@frontdesk/protos/ces/app_version";
import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import {
  CreateEvaluationRequestSchema,
  EvaluationService,
  UpdateEvaluationRequestSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import type { EvaluationResources } from "#evaluation";
import type { Resources } from "#resources";
import type { Conversations } from "#session";
import { invalidArgument } from "#status";
import { deploymentOf } from "./deployment-of.ts";
import { versionFor } from "./traffic-split.ts";

/** What a draft is made of, as entries of the change log name it. */
const DRAFT_TYPES = ["App", "Agent", "Tool", "Toolset", "Guardrail", "Example"];

/** What evaluations read and write, over the stored resources. */
export function createEvaluationResources(
  {
    tree,
    snapshots,
    standard,
    evaluationRecords,
  }: Pick<Resources, "tree" | "snapshots" | "standard" | "evaluationRecords">,
  conversations: Conversations,
): EvaluationResources {
  return {
    ...evaluationRecords,
    deployedVersion: async (app, deployment) => {
      if (!deployment.startsWith(`${app}/deployments/`)) {
        throw invalidArgument({ field: "deployment", description: `'${deployment}' is not a deployment of '${app}'.` });
      }
      // Its own version: a run is of one version, whatever the share of an experiment.
      const { name, appVersion } = await deploymentOf(standard, deployment);
      return versionFor({ name, appVersion }, "");
    },
    conversation: (name) => conversations.get(name),
    turnsOf: (names) => conversations.turnsOf(names),
    create: async (parent, evaluation, author, evaluationId = "") => {
      const request = create(CreateEvaluationRequestSchema, { parent, evaluation, evaluationId });
      return (await standard.invoke(EvaluationService.method.createEvaluation, request, { author })) as Evaluation;
    },
    createAll: async (parent, evaluations, author) => {
      const requests = evaluations.map(({ evaluation, id }) =>
        create(CreateEvaluationRequestSchema, { parent, evaluation, evaluationId: id }),
      );
      const [first, ...rest] = requests;
      if (!first) return [];
      const created = await standard.createAll(EvaluationService.method.createEvaluation, [first, ...rest], { author });
      return created as Evaluation[];
    },
    update: async (evaluation, author) => {
      const request = create(UpdateEvaluationRequestSchema, { evaluation, updateMask: { paths: ["*"] } });
      return (await standard.invoke(EvaluationService.method.updateEvaluation, request, { author })) as Evaluation;
    },
    read: (app) => tree.readTree(app),
    // Lists begin with the newest.
    lastChange: async (parent) => {
      const request = create(ListChangelogsRequestSchema, { parent, pageSize: 1 });
      const response = (await standard.invoke(AgentService.method.listChangelogs, request)) as ListChangelogsResponse;
      return response.changelogs[0];
    },
    draftChangedSince: async (parent, time) => {
      const types = DRAFT_TYPES.map((type) => `resource_type = "${type}"`).join(" OR ");
      const filter = `create_time > "${toJson(TimestampSchema, time)}" AND (${types})`;
      const request = create(ListChangelogsRequestSchema, { parent, pageSize: 1, filter });
      const response = (await standard.invoke(AgentService.method.listChangelogs, request)) as ListChangelogsResponse;
      return response.changelogs.length > 0;
    },
    snapshot: async (app, appVersion) => {
      const snapshot = appVersion === "" ? await snapshots.draft(app) : await snapshots.version(appVersion);
      return {
        ref: { ...snapshot, appVersion, deployment: "" },
        displayName: appVersion === "" ? "" : await versionName(appVersion),
      };
    },
  };

  async function versionName(name: string): Promise<string> {
    const request = create(GetAppVersionRequestSchema, { name });
    const version = await standard.invoke(AgentService.method.getAppVersion, request);
    return (version as AppVersion).displayName;
  }
}

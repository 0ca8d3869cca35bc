import { type Guardrail, GuardrailSchema } from "@frontdesk/protos/ces/guardrail";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Guardrails of an app. */
export const guardrails: ResourceKind<Guardrail> = {
  collection: "guardrails",
  singular: "guardrail",
  field: "guardrail",
  schema: GuardrailSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listGuardrails({ parent, pageSize: 1000, pageToken });
      return { items: page.guardrails, next: page.nextPageToken };
    }),
  get: (name) => agentService.getGuardrail({ name }),
  create: (parent, guardrail) => agentService.createGuardrail({ parent, guardrail }),
  update: (guardrail, paths) => agentService.updateGuardrail({ guardrail, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await agentService.deleteGuardrail({ name, etag, force });
  },
};

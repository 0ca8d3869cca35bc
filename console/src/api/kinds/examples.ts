import { type Example, ExampleSchema } from "@frontdesk/protos/ces/example";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Examples of an app. */
export const examples: ResourceKind<Example> = {
  collection: "examples",
  singular: "example",
  field: "example",
  schema: ExampleSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listExamples({ parent, pageSize: 1000, pageToken });
      return { items: page.examples, next: page.nextPageToken };
    }),
  get: (name) => agentService.getExample({ name }),
  create: (parent, example) => agentService.createExample({ parent, example }),
  update: (example, paths) => agentService.updateExample({ example, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await agentService.deleteExample({ name, etag });
  },
};

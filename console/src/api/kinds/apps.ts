import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type App, AppSchema } from "@frontdesk/protos/ces/app";
import { agentService } from "../agent-service.ts";
import { finished } from "../finished.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Apps of a location. Creating and deleting one is an operation; both wait for its end. */
export const apps: ResourceKind<App> = {
  collection: "apps",
  singular: "app",
  field: "app",
  schema: AppSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listApps({ parent, pageSize: 1000, pageToken });
      return { items: page.apps, next: page.nextPageToken };
    }),
  get: (name) => agentService.getApp({ name }),
  create: async (parent, app) => finished(await agentService.createApp({ parent, app }), AppSchema),
  update: (app, paths) => agentService.updateApp({ app, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await finished(await agentService.deleteApp({ name, etag }), EmptySchema);
  },
};

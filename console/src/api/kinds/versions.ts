import { type AppVersion, AppVersionSchema } from "@frontdesk/protos/ces/app_version";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Versions of an app: frozen, so nothing in them is ever changed. */
export const versions: Omit<ResourceKind<AppVersion>, "update"> = {
  collection: "versions",
  singular: "version",
  field: "appVersion",
  schema: AppVersionSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listAppVersions({ parent, pageSize: 1000, pageToken });
      return { items: page.appVersions, next: page.nextPageToken };
    }),
  get: (name) => agentService.getAppVersion({ name }),
  create: (parent, appVersion) => agentService.createAppVersion({ parent, appVersion }),
  remove: async ({ name, etag }) => {
    await agentService.deleteAppVersion({ name, etag });
  },
};

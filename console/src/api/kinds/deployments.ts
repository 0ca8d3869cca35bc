import { type Deployment, DeploymentSchema } from "@frontdesk/protos/ces/deployment";
import { agentService } from "../agent-service.ts";
import { allPages, type ResourceKind } from "../resource-kind.ts";

/** Deployments of an app. */
export const deployments: ResourceKind<Deployment> = {
  collection: "deployments",
  singular: "deployment",
  field: "deployment",
  schema: DeploymentSchema,
  list: (parent) =>
    allPages(async (pageToken) => {
      const page = await agentService.listDeployments({ parent, pageSize: 1000, pageToken });
      return { items: page.deployments, next: page.nextPageToken };
    }),
  get: (name) => agentService.getDeployment({ name }),
  create: (parent, deployment) => agentService.createDeployment({ parent, deployment }),
  update: (deployment, paths) => agentService.updateDeployment({ deployment, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await agentService.deleteDeployment({ name, etag });
  },
};

import { create } from "@bufbuild/protobuf";
import { AgentService, GetDeploymentRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { Deployment } from "@frontdesk/protos/ces/deployment";
import type { StandardMethods } from "#resources";

/** A stored deployment. NOT_FOUND when there is none. */
export async function deploymentOf(standard: StandardMethods, name: string): Promise<Deployment> {
  const found = await standard.invoke(AgentService.method.getDeployment, create(GetDeploymentRequestSchema, { name }));
  return found as Deployment; // GetDeployment returns a Deployment.
}

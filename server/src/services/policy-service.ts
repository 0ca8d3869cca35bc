import { IAMPolicy, type SetIamPolicyRequest } from "@frontdesk/protos/google/iam/v1/iam_policy";
import type { ResourcePolicies } from "#access";
import { type CallContext, defineService, markValidateOnly, type ServiceRegistration } from "#rpc";

/** The policies of projects, apps and data agents: `google.iam.v1.IAMPolicy`. */
export function createPolicyService(policies: ResourcePolicies): ServiceRegistration {
  return defineService(IAMPolicy, [], {
    getIamPolicy: (request) => policies.get(request),
    setIamPolicy: markValidateOnly((request: SetIamPolicyRequest, context: CallContext) =>
      policies.set(request, context, context.validateOnly),
    ),
    testIamPermissions: async ({ resource, permissions }, context) => ({
      permissions: [...(await policies.test(resource, permissions, context))],
    }),
  });
}

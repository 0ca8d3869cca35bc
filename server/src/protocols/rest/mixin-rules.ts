/** A REST rule of a mixin, for each revision. */
export interface MixinRule {
  readonly httpMethod: string;
  /** Below the revision. */
  readonly path: string;
  readonly body: string;
}

/** The resources that have policies. Data agents have GetIamPolicy and SetIamPolicy in their own service. */
const WITH_POLICIES = ["projects/*", "projects/*/locations/*/apps/*"];
const DATA_AGENTS = "projects/*/locations/*/dataAgents/*";

/**
 * The HTTP rules of mixin services. Each API defines them in its service configuration, the same for all revisions. WaitOperation has
 * none: it is gRPC only.
 */
export const MIXIN_RULES: Readonly<Record<string, readonly MixinRule[]>> = {
  "google.cloud.location.Locations.ListLocations": [get("/{name=projects/*}/locations")],
  "google.cloud.location.Locations.GetLocation": [get("/{name=projects/*/locations/*}")],
  "google.longrunning.Operations.ListOperations": [get("/{name=projects/*/locations/*}/operations")],
  "google.longrunning.Operations.GetOperation": [get("/{name=projects/*/locations/*/operations/*}")],
  "google.longrunning.Operations.DeleteOperation": [
    { httpMethod: "DELETE", path: "/{name=projects/*/locations/*/operations/*}", body: "" },
  ],
  "google.longrunning.Operations.CancelOperation": [
    { httpMethod: "POST", path: "/{name=projects/*/locations/*/operations/*}:cancel", body: "*" },
  ],
  "google.iam.v1.IAMPolicy.GetIamPolicy": WITH_POLICIES.flatMap((resource) => [
    get(`/{resource=${resource}}:getIamPolicy`),
    post(`/{resource=${resource}}:getIamPolicy`),
  ]),
  "google.iam.v1.IAMPolicy.SetIamPolicy": WITH_POLICIES.map((resource) => post(`/{resource=${resource}}:setIamPolicy`)),
  "google.iam.v1.IAMPolicy.TestIamPermissions": [...WITH_POLICIES, DATA_AGENTS].map((resource) =>
    post(`/{resource=${resource}}:testIamPermissions`),
  ),
};

function get(path: string): MixinRule {
  return { httpMethod: "GET", path, body: "" };
}

function post(path: string): MixinRule {
  return { httpMethod: "POST", path, body: "*" };
}

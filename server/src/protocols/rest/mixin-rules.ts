/** A REST rule of a mixin, for each revision. */
export interface MixinRule {
  readonly httpMethod: string;
  /** Below the revision. */
  readonly path: string;
  readonly body: string;
}

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
};

function get(path: string): MixinRule {
  return { httpMethod: "GET", path, body: "" };
}

import type { DescMethod } from "@bufbuild/protobuf";
import { httpRuleOf } from "#aip";
import type { JsonObject } from "#base";

/** A request that names a resource which does not exist, and nothing else: enough to be refused, too little to change anything. */
export interface Sample {
  readonly json: JsonObject;
  /** Path and method over REST; undefined for methods without one. */
  readonly rest?: { readonly httpMethod: string; readonly path: string };
}

const LOCATION = "projects/acme/locations/us";
const APP = `${LOCATION}/apps/nothing-here`;
const AGENT = `${LOCATION}/dataAgents/nothing-here`;

/** Methods whose resource is not in an HTTP rule of their own: by full name in the internal revision. */
const OTHERS: Readonly<Record<string, readonly Sample[]>> = {
  "google.cloud.ces.v1beta.SessionService.BidiRunSession": [
    { json: { config: { session: `${APP}/sessions/nothing` } } },
  ],
  "google.longrunning.Operations.ListOperations": [mixin("GET", LOCATION, "/operations", "name")],
  "google.longrunning.Operations.GetOperation": [mixin("GET", `${LOCATION}/operations/1`, "", "name")],
  "google.longrunning.Operations.DeleteOperation": [mixin("DELETE", `${LOCATION}/operations/1`, "", "name")],
  "google.longrunning.Operations.CancelOperation": [mixin("POST", `${LOCATION}/operations/1`, ":cancel", "name")],
  "google.longrunning.Operations.WaitOperation": [{ json: { name: `${LOCATION}/operations/1` } }],
  "google.cloud.location.Locations.ListLocations": [mixin("GET", "projects/acme", "/locations", "name")],
  "google.cloud.location.Locations.GetLocation": [mixin("GET", LOCATION, "", "name")],
  "grpc.health.v1.Health.Check": [{ json: {} }],
  "grpc.health.v1.Health.List": [{ json: {} }],
  "grpc.health.v1.Health.Watch": [{ json: {} }],
  "grpc.reflection.v1.ServerReflection.ServerReflectionInfo": [{ json: { listServices: "" } }],
  "google.iam.v1.IAMPolicy.GetIamPolicy": ["projects/acme", APP].map((each) => mixin("POST", each, ":getIamPolicy")),
  "google.iam.v1.IAMPolicy.SetIamPolicy": ["projects/acme", APP].map((each) => mixin("POST", each, ":setIamPolicy")),
  "google.iam.v1.IAMPolicy.TestIamPermissions": ["projects/acme", APP, AGENT].map((each) =>
    mixin("POST", each, ":testIamPermissions"),
  ),
};

/** More fields that decide what a request asks for. */
export const MORE: Readonly<Record<string, JsonObject>> = {
  Chat: { inlineContext: {} },
  GenerateChatToken: { deployment: `${APP}/deployments/nothing-here` },
  ImportApp: { appId: "nothing-here" },
};

/** Sample requests of a method; the internal revision decides, the paths are those of the method's own revision. */
export function samplesOf(method: DescMethod, internalMethod: DescMethod): readonly Sample[] {
  const others = OTHERS[`${internalMethod.parent.typeName}.${internalMethod.name}`];
  if (others) return others;
  const { case: httpMethod = "", value: template } = httpRuleOf(method)?.pattern ?? { value: undefined };
  const more = MORE[method.name] ?? {};
  if (typeof template !== "string") return [{ json: { ...withName("tenant", APP), ...more } }];
  const [variable = "", field = "", pattern = ""] = /\{([\w.]+)=([^}]+)\}/.exec(template) ?? [];
  const name = nameFor(pattern);
  const path = template.replace(variable, name).replace(/^\/\w+\//, "");
  return [{ json: { ...withName(field, name), ...more }, rest: { httpMethod: httpMethod.toUpperCase(), path } }];
}

function nameFor(pattern: string): string {
  return pattern
    .replace("projects/*", "projects/acme")
    .replace("locations/*", "locations/us")
    .replaceAll("*", "nothing-here");
}

function withName(field: string, name: string): JsonObject {
  const [first = "", ...rest] = field.split(".");
  const key = first.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return { [key]: rest.length > 0 ? withName(rest.join("."), name) : name };
}

function mixin(httpMethod: string, name: string, suffix: string, field = "resource"): Sample {
  return { json: { [field]: name }, rest: { httpMethod, path: `${name}${suffix}` } };
}

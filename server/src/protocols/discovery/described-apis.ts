import { getOption, hasOption } from "@bufbuild/protobuf";
import { oauth_scopes } from "@frontdesk/protos/google/api/client";
import { type JsonObject, once } from "#base";
import type { Registry, Revision } from "#rpc";
import { isDocumentedAlias } from "../rest/documented-aliases.ts";
import { type RestRule, restRules } from "../rest/http-rules.ts";
import { type ApiMethod, describeMethod } from "./api-methods.ts";
import { JsonSchemas } from "./json-schemas.ts";

/** A version of an API that this server describes. */
export interface DescribedApi {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  /** The description without what depends on the address. Made for the first who asks. */
  readonly description: () => JsonObject;
}

interface Api {
  readonly name: string;
  readonly title: string;
  /** Of its own services. The mixins belong to every API. */
  readonly packages: RegExp;
  /** Of the resources whose policies it serves. */
  readonly policies: RegExp;
}

const APIS: readonly Api[] = [
  {
    name: "ces",
    title: "Gemini Enterprise for Customer Experience API",
    packages: /^(google\.cloud\.ces|lf\.a2a\.v1)\./,
    policies: /\/apps\/|projects\/\*}/,
  },
  {
    name: "geminidataanalytics",
    title: "Data Analytics API with Gemini",
    packages: /^google\.cloud\.geminidataanalytics\./,
    policies: /\/dataAgents\//,
  },
];

/** The hosted APIs in every version that is registered. */
export function describedApis(registry: Registry): readonly DescribedApi[] {
  const rules = restRules(registry).filter(({ template, route }) => !isDocumentedAlias(route.method, template));
  return APIS.flatMap((api) => {
    const own = rules.filter(({ route }) => api.packages.test(route.method.method.parent.typeName));
    const versions = [...new Set(own.map(({ route }) => route.revision))].sort();
    return versions.map((version) => ({
      ...{ name: api.name, title: api.title, version },
      description: once(() => describe(api.name, rulesOf(api, version, rules))),
    }));
  });
}

/** The API's own rules before those of the mixins, whose messages get a longer name where the API has one of that name. */
function rulesOf({ packages, policies }: Api, version: Revision, rules: readonly RestRule[]): readonly RestRule[] {
  const served = rules.filter(({ template }) => template.startsWith(`/${version}/`));
  const serviceOf = ({ route }: RestRule): string => route.method.method.parent.typeName;
  const own = served.filter((rule) => packages.test(serviceOf(rule)));
  const mixins = served.filter((rule) => MIXINS.test(serviceOf(rule)));
  const withPolicies = served.filter((rule) => POLICIES.test(serviceOf(rule)) && policies.test(rule.template));
  return [...own, ...mixins, ...withPolicies];
}

const MIXINS = /^google\.(longrunning\.Operations|cloud\.location\.Locations)$/;
const POLICIES = /^google\.iam\.v1\./;

function describe(api: string, rules: readonly RestRule[]): JsonObject {
  const scopes = [...new Set(rules.flatMap(scopesOf))];
  const schemas = new JsonSchemas();
  const root: Resource = {};
  for (const rule of rules) add(root, describeMethod(rule, { api, scopes, schemas }));
  const named = scopes.map((scope) => [scope, { description: "" }]);
  return {
    auth: { oauth2: { scopes: Object.fromEntries(named) } },
    parameters: STANDARD_PARAMETERS,
    ...{ schemas: schemas.found, resources: root.resources ?? {} },
  };
}

function scopesOf({ route }: RestRule): readonly string[] {
  const { parent } = route.method.method;
  return hasOption(parent, oauth_scopes) ? getOption(parent, oauth_scopes).split(",") : [];
}

type Resource = { [member: string]: JsonObject };

/** Puts a method below its collections. A method with several paths is there once for each of its collections, by the first path. */
function add(root: Resource, { collections, name, description }: ApiMethod): void {
  let resource: Resource = root;
  for (const collection of collections) resource = member(member(resource, "resources"), collection);
  const methods = member(resource, "methods");
  methods[name] ??= description;
}

/** The object at a key, which it makes where there is none. */
function member(object: Resource, key: string): Resource {
  object[key] ??= {};
  return object[key] as Resource;
}

/** What every method takes (cloud.google.com/apis/docs/system-parameters). */
const STANDARD_PARAMETERS: JsonObject = {
  "$.xgafv": {
    ...query("V1 error format."),
    enum: ["1", "2"],
    enumDescriptions: ["v1 error format", "v2 error format"],
  },
  access_token: query("OAuth access token."),
  alt: {
    ...query("Data format for response."),
    ...{ default: "json", enum: ["json", "sse"], enumDescriptions: ["JSON", "Server-sent events, for streams"] },
  },
  callback: query("JSONP; without effect."),
  fields: query("Selector specifying which fields to include in a partial response."),
  key: query("API key."),
  oauth_token: query("OAuth 2.0 token for the current user."),
  prettyPrint: { ...query("Returns response with indentations and line breaks."), type: "boolean", default: "false" },
  quotaUser: query("Available to use for quota purposes; without effect."),
  uploadType: query('Legacy upload protocol for media (e.g. "media", "multipart").'),
  upload_protocol: query('Upload protocol for media (e.g. "raw", "multipart").'),
};

function query(description: string): JsonObject {
  return { type: "string", location: "query", description };
}

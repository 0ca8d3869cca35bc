import { fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { type ApiAuthentication, ApiAuthenticationSchema } from "@frontdesk/protos/ces/auth";
import { z } from "zod";
import { definedFields, type JsonObject, nonEmptyFields } from "#base";
import { type ConnectorsConfig, connectionProblem, type HttpConnectionConfig } from "#tools";
import { requireAllRead } from "./config-values.ts";
import { GoogleServiceSchema, googleService } from "./google-sections.ts";

/** `ApiAuthentication` as in toolsets, in JSON (auth.proto). */
export const AuthenticationSchema = z.record(z.string(), z.unknown()).transform((json, context): ApiAuthentication => {
  try {
    return fromJson(ApiAuthenticationSchema, json as ProtoJson);
  } catch (error) {
    context.addIssue({ code: "custom", message: `is not an ApiAuthentication: ${(error as Error).message}` });
    return z.NEVER;
  }
});

const path = z.string().regex(/^\//, "must begin with /");
const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const JsonSchema = z.record(z.string(), z.unknown()).transform((schema) => schema as JsonObject);

const HttpConnectionSchema = z.strictObject({
  name: z.string().superRefine((name, context) => {
    const message = connectionProblem(name);
    if (message) context.addIssue({ code: "custom", message });
  }),
  baseUrl: url,
  apps: z.array(z.string().min(1)).min(1).optional(),
  authentication: AuthenticationSchema.optional(),
  actions: z
    .record(
      z.string().min(1),
      z.strictObject({
        description: z.string().default(""),
        method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
        path,
        input: JsonSchema.default({ type: "object", properties: {} }),
        output: JsonSchema.optional(),
      }),
    )
    .default({}),
  entities: z
    .record(
      z.string().min(1),
      z.strictObject({
        path,
        key: z.string().min(1),
        schema: JsonSchema,
        rows: z.string().optional(),
        operations: z.array(z.enum(["list", "get", "create", "update", "delete"])).optional(),
      }),
    )
    .default({}),
});

/** The section `connectors` of the config file: Integration Connectors, and connections over plain HTTP. */
export const ConnectorsSectionSchema = z.strictObject({
  google: GoogleServiceSchema.omit({ timeoutSeconds: true })
    .extend({ endUserHeader: z.string().min(1).optional() })
    .optional(),
  http: z.array(HttpConnectionSchema).optional(),
});

/** The section as configuration of the tools. `fault` creates the error for a message. */
export function connectorsConfig(
  { google, http = [], ...unread }: z.infer<typeof ConnectorsSectionSchema> = {},
  environment: NodeJS.ProcessEnv,
  fault: (sentence: string) => Error,
): ConnectorsConfig {
  requireAllRead(unread);
  const { endUserHeader, ...service } = google ?? {};
  const called = google && googleService(service, "Integration Connectors", environment, fault);
  return {
    ...(called && { google: { ...called, ...nonEmptyFields({ endUserHeader }) } }),
    http: new Map(http.map(({ name, ...connection }) => [name, toConnection(connection)])),
  };
}

/** The connection without its undefined keys. */
function toConnection(connection: Omit<z.infer<typeof HttpConnectionSchema>, "name">): HttpConnectionConfig {
  const { baseUrl, apps, authentication, actions, entities } = connection;
  return definedFields({
    baseUrl,
    apps,
    authentication,
    actions: mapValues(actions, definedFields),
    entities: mapValues(entities, definedFields),
  });
}

function mapValues<From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

import { isIP } from "node:net";
import { z } from "zod";
import { definedFields } from "#base";
import type { AuthenticationSettings, Issuer } from "#identity";
import { addressRange } from "../listen/peer-of.ts";
import type { MetadataSettings } from "../metadata-server.ts";
import { choice } from "./config-values.ts";

const MODES = ["off", "required"] as const;

const name = z.string().regex(/^[a-z](?:[-a-z0-9]{0,30}[a-z0-9])?$/, "must be letters, digits and hyphens, like okta");

/** An address by which clients call. A path in it would be left out: clients call from the root. */
export const OriginSchema = z
  .url({ protocol: /^https?$/ })
  .refine((text) => new URL(text).href === `${new URL(text).origin}/`, "must be an address without a path")
  .transform((text) => new URL(text).origin);

/** Not `http`: whoever can change the answer could sign in as anybody. The loopback address is for tests and for issuers on this machine. */
const secureUrl = z
  .url()
  .refine((text) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])[:/]?/.test(text), "must be an https URL");

const IssuerSchema = z.strictObject({
  name,
  issuer: secureUrl,
  audiences: z.array(z.string().min(1)).optional(),
  jwksUri: secureUrl.optional(),
  kind: z.enum(["user", "workload"]).optional(),
  project: z.string().min(1).optional(),
  groups: z.string().min(1).optional(),
  domains: z.array(z.string().toLowerCase()).min(1).optional(),
  assignsEmails: z.boolean().optional(),
  attributes: z.array(z.string().min(1)).optional(),
});

/** The section `auth` of the config file: who calls. */
export const AuthSectionSchema = z.strictObject({
  mode: z.enum(MODES).optional(),
  origin: OriginSchema.optional(),
  issuers: z.array(IssuerSchema).optional(),
  scopes: z.record(z.string().min(1), z.enum(["read", "all"])).optional(),
  console: z
    .strictObject({
      issuer: name,
      clientId: z.string().min(1),
      clientSecretEnv: z.string().min(1).optional(),
      scopes: z.array(z.string().min(1)).optional(),
    })
    .optional(),
  sessionHours: z.number().positive().max(720).optional(),
  metadata: z
    .strictObject({ port: z.number().int().min(0).max(65_535), account: name, project: z.string().min(1).optional() })
    .optional(),
  trustedProxies: z
    .array(
      z.string().refine((text) => addressRange(text) !== undefined, "must be an address or a range like 10.0.0.0/8"),
    )
    .optional(),
});

type AuthSection = z.infer<typeof AuthSectionSchema>;

/** What decides whether callers are authenticated. */
interface ModeInput {
  readonly host: string;
  /** Of the command line. */
  readonly flags: { readonly auth?: string | undefined; readonly origin?: string | undefined };
  readonly allowUnauthenticated: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fault: (sentence: string) => Error;
}

/** What finds out who calls. */
export interface AuthConfig extends AuthenticationSettings {
  /** Default none. */
  readonly metadata?: MetadataSettings;
  /** Addresses or ranges of proxies whose word for a client's address counts. */
  readonly trustedProxies: readonly string[];
}

/** The section as settings. Throws for settings that cannot be meant, by `fault`. */
export function authConfig(section: AuthSection = {}, input: ModeInput): AuthConfig {
  const { issuers = [], scopes = {}, sessionHours = 12, metadata, trustedProxies = [] } = section;
  checkIssuers(issuers, input.fault);
  const console = consoleClient(section, input);
  return {
    mode: modeOf(section, input),
    issuers: issuers.map(issuerOf),
    scopes,
    sessionMs: sessionHours * 3_600_000,
    trustedProxies,
    ...(metadata && { metadata: { ...metadata, project: metadata.project ?? "local" } }),
    ...definedFields({ origin: originOf(section, input), console }),
  };
}

/** The public origin; undefined when nobody names it. */
function originOf(section: AuthSection, input: ModeInput): string | undefined {
  const text = input.flags.origin ?? input.environment.FRONTDESK_ORIGIN;
  if (text === undefined) return section.origin;
  const parsed = OriginSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  const what = URL.canParse(text) ? "which has more than a scheme, a host and a port" : "which is not an address";
  throw input.fault(`The origin is '${text}', ${what}. Use one like https://desk.example.com.`);
}

/** Required, unless only this machine can reach the server or the operator says otherwise. */
function modeOf({ mode }: AuthSection, { host, flags, allowUnauthenticated, environment, fault }: ModeInput) {
  const chosen =
    choice("--auth", flags.auth, MODES) ?? choice("FRONTDESK_AUTH", environment.FRONTDESK_AUTH, MODES) ?? mode;
  const isExposed = !isLoopback(host);
  if (chosen === "off" && isExposed && !allowUnauthenticated) {
    throw fault(
      `Binding ${host} would let anybody who can reach it use this server, because authentication is off. ` +
        "Leave --auth off away, bind 127.0.0.1, or pass --allow-unauthenticated (FRONTDESK_ALLOW_UNAUTHENTICATED=1) if you want that.",
    );
  }
  return chosen ?? (isExposed && !allowUnauthenticated ? "required" : "off");
}

/** Two issuers with one name, or that may vouch for the same people, would be each other's weakness. */
function checkIssuers(issuers: NonNullable<AuthSection["issuers"]>, fault: ModeInput["fault"]): void {
  for (const [at, { name, issuer }] of issuers.entries()) {
    if (issuers.findIndex((other) => other.name === name || other.issuer === issuer) < at)
      throw fault(`auth.issuers: there are two issuers '${name}', or two entries for ${issuer}.`);
  }
  const people = issuers.filter(({ kind = "user" }) => kind === "user");
  const open = people.find(({ domains }) => domains === undefined);
  if (people.length > 1 && open)
    throw fault(
      `auth.issuers: with several issuers of people, each needs 'domains', or the issuer '${open.name}' could vouch for the people of another.`,
    );
}

/** How people sign in to the console; undefined when only by links. */
function consoleClient(
  { console: section, issuers = [] }: AuthSection,
  { environment, fault }: ModeInput,
): AuthenticationSettings["console"] {
  if (!section) return undefined;
  const { issuer, clientId, clientSecretEnv, scopes = [] } = section;
  const found = issuers.find(({ name }) => name === issuer);
  if (!found || found.kind === "workload")
    throw fault(`auth.console.issuer: '${issuer}' is not one of the issuers of people in auth.issuers.`);
  const clientSecret = clientSecretEnv === undefined ? undefined : environment[clientSecretEnv];
  if (clientSecretEnv !== undefined && !clientSecret)
    throw fault(
      `auth.console.clientSecretEnv: the environment variable ${clientSecretEnv} must hold the secret of the client.`,
    );
  return { issuer, clientId, scopes, ...definedFields({ clientSecret }) };
}

function issuerOf(entry: NonNullable<AuthSection["issuers"]>[number]): Issuer {
  const {
    name,
    issuer,
    audiences = [],
    jwksUri,
    kind = "user",
    project = "local",
    groups,
    domains,
    assignsEmails,
    attributes,
  } = entry;
  return {
    ...{ name, issuer, audiences, kind, project },
    ...definedFields({ jwksUri, groupsClaim: groups, domains, assignsEmails, attributes }),
  };
}

/** Whether only this machine can reach a server that is bound to the host. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

import type { Credentials } from "@frontdesk/protos/gda/credentials";
import type { LookerExploreReference, LookerExploreReferences } from "@frontdesk/protos/gda/datasource";
import type { Egress } from "#base";
import { type FieldViolation, failedPrecondition, invalidArgument } from "#status";
import type { LookerSource } from "../contract.ts";
import type { LookerInstance } from "../mapping/warehouse-config.ts";
import { createLookerApi, type LookerCredentials } from "./looker-api.ts";
import { createLookerSource } from "./looker-source.ts";

interface LookerDeps {
  readonly egress: Pick<Egress, "fetch"> | undefined;
  readonly instances: readonly LookerInstance[];
}

/** Explores of one agent (CA-15). */
const MAX_EXPLORES = 5;
const FIELD = "context.datasource_references.looker.explore_references";

/**
 * The source of references to explores of one instance, which the configuration must name. Credentials are those of the request, else
 * those of the references (the older form), else those of the configuration. Sends nothing yet.
 */
export function openLooker(
  references: LookerExploreReferences,
  credentials: Credentials | undefined,
  { egress, instances }: LookerDeps,
): LookerSource {
  const { exploreReferences } = references;
  const violations = violationsOf(exploreReferences);
  if (violations.length > 0) throw invalidArgument(violations);
  const origin = originOf(exploreReferences[0]) ?? "";
  const instance = instances.find((one) => one.origin === origin);
  if (!instance || !egress) throw instanceNotConfigured(origin);
  const apiCredentials =
    requestCredentials(credentials) ?? requestCredentials(references.credentials) ?? configuredCredentials(instance);
  if (!apiCredentials) throw missingCredentials();
  return createLookerSource(
    createLookerApi({ origin, egress, credentials: apiCredentials }),
    origin,
    exploreReferences,
  );
}

function violationsOf(references: readonly LookerExploreReference[]): readonly FieldViolation[] {
  if (references.length === 0) return [{ field: FIELD, description: "Name at least one explore." }];
  if (references.length > MAX_EXPLORES) {
    return [{ field: FIELD, description: `An agent asks at most ${MAX_EXPLORES} explores.` }];
  }
  const wrong = references.flatMap((reference, index) => referenceViolations(reference, `${FIELD}[${index}]`));
  const origins = new Set(references.map(originOf));
  if (wrong.length > 0 || origins.size === 1) return wrong;
  return [{ field: FIELD, description: "All explores of a question are of one Looker instance." }];
}

function referenceViolations(reference: LookerExploreReference, at: string): readonly FieldViolation[] {
  const required = "Required field is not set.";
  return [
    ...(reference.lookmlModel === "" ? [{ field: `${at}.lookml_model`, description: required }] : []),
    ...(reference.explore === "" ? [{ field: `${at}.explore`, description: required }] : []),
    ...(originOf(reference) === undefined ? [{ field: `${at}.looker_instance_uri`, description: ADDRESS }] : []),
  ];
}

const ADDRESS =
  "must be the https address of a Looker instance without a path, e.g. https://acme.cloud.looker.com; private instances are named by their address too";

/** http is allowed for loopback addresses only, because each request has credentials. */
function originOf(reference: LookerExploreReference | undefined): string | undefined {
  const uri = reference?.instance.case === "lookerInstanceUri" ? reference.instance.value : "";
  if (!URL.canParse(uri)) return undefined;
  const { protocol, hostname, pathname, search, username, password, origin } = new URL(uri);
  const isSafe = protocol === "https:" || (protocol === "http:" && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(hostname));
  return isSafe && pathname === "/" && `${search}${username}${password}` === "" ? origin : undefined;
}

function requestCredentials(credentials: Credentials | undefined): LookerCredentials | undefined {
  const kind = credentials?.kind.case === "oauth" ? credentials.kind.value.kind : undefined;
  if (kind?.case === "token" && kind.value.accessToken !== "") {
    return { kind: "token", accessToken: kind.value.accessToken };
  }
  if (kind?.case !== "secret" || kind.value.clientId === "" || kind.value.clientSecret === "") return undefined;
  return { kind: "key", clientId: kind.value.clientId, clientSecret: kind.value.clientSecret };
}

function configuredCredentials({ apiKey }: LookerInstance): LookerCredentials | undefined {
  return apiKey && { kind: "key", ...apiKey() };
}

/** The message of the hosted API (CA-15). */
function missingCredentials() {
  return invalidArgument({
    field: "looker.credentials.kind",
    description:
      "KIND_NOT_SET: give credentials.oauth.secret with client_id and client_secret, or credentials.oauth.token with access_token.",
  });
}

function instanceNotConfigured(origin: string) {
  return failedPrecondition(
    `The Looker instance ${origin} is not configured. Add it to the configuration: warehouse.looker: { "${origin}": {} }.`,
    { reason: "LOOKER_NOT_OPENED", metadata: { instance: origin } },
  );
}

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { SecurityRequirementSchema, SecuritySchemeSchema } from "@frontdesk/protos/a2a/a2a";
import type { CardSecurity } from "#a2a";
import type { Config } from "../config.ts";

type Scheme = NonNullable<MessageInitShape<typeof SecuritySchemeSchema>["scheme"]>;

/** How callers identify themselves to the agents of this server: each way is enough, and none is needed where authentication is off. */
export function cardSecurity({ auth, identities, tls }: Pick<Config, "auth" | "identities" | "tls">): CardSecurity {
  const isRequired = auth.mode === "required";
  const schemes: Record<string, Scheme> = {
    ...((isRequired || identities.length > 0) && { bearer: BEARER }),
    ...(isRequired && { apiKey: API_KEY }),
    ...(isRequired && tls?.clientCa !== undefined && { certificate: CERTIFICATE }),
    ...(isRequired && Object.fromEntries(auth.issuers.map(({ name, issuer }) => [name, openIdOf(issuer)]))),
  };
  return {
    schemes: Object.fromEntries(
      Object.entries(schemes).map(([name, scheme]) => [name, create(SecuritySchemeSchema, { scheme })]),
    ),
    requirements: isRequired
      ? Object.keys(schemes).map((name) => create(SecurityRequirementSchema, { schemes: { [name]: {} } }))
      : [],
  };
}

const BEARER: Scheme = {
  case: "httpAuthSecurityScheme",
  value: { scheme: "Bearer", description: "A token or a key of this server." },
};

const API_KEY: Scheme = { case: "apiKeySecurityScheme", value: { location: "header", name: "x-goog-api-key" } };

const CERTIFICATE: Scheme = {
  case: "mtlsSecurityScheme",
  value: { description: "A certificate of an authority that this server trusts." },
};

function openIdOf(issuer: string): Scheme {
  const openIdConnectUrl = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  return { case: "openIdConnectSecurityScheme", value: { openIdConnectUrl } };
}

import { nearestName } from "#base";

const PREFIX = "FRONTDESK_";

/** The variables of the environment that the server, its commands and its packages read, without their prefix. */
const NAMES = [
  ...["A2A_AGENT", "A2A_CARDS", "ALLOWED_ORIGINS", "ALLOW_UNAUTHENTICATED", "AUTH", "CACHE", "CONFIG"],
  ...["CONFIG_CONTENT", "CONNECTION_HOSTS", "DATA", "DATABASE_CONNECTIONS", "DATABASE_MIGRATE", "DATABASE_PASSWORD"],
  ...["DATABASE_PASSWORD_FILE", "DATABASE_READ_URL", "DATABASE_URL", "DRAIN_DELAY_SECONDS", "EGRESS_ALLOW", "HOST"],
  ...["LOG", "LOG_FORMAT", "MAX_MODEL_CALLS", "MODEL", "ORIGIN", "OTEL_CONTENT", "PORT", "PYTHON_EVENTS"],
  ...[
    "PYTHON_WHEELS",
    "RECORD",
    "REPLICA",
    "REPLICA_HOST",
    "REPLICA_PORT",
    "S3_ACCESS_KEY",
    "S3_BUCKET",
    "S3_ENDPOINT",
    "S3_PREFIX",
    "S3_REGION",
  ],
  ...["S3_SECRET_KEY", "SANDBOX", "SANDBOX_GUESTS", "SANDBOX_MEMORY_MIB", "SEALING_KEY", "SERVER", "TLS_CERT"],
  ...["TLS_CLIENT_CA", "TLS_KEY", "TOKEN", "WITHOUT_GOOGLE_TOKEN"],
];

/** What Kubernetes sets for a service named `frontdesk`, and what the project's own tests and builds set. */
const OF_OTHERS =
  /^FRONTDESK_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?|TEST_\w+|REPOSITORY)$/;

/** A sentence for each variable that looks like a setting and is none: without a full stop. `content`: that of the config file, which may name variables. */
export function ignoredVariables(environment: NodeJS.ProcessEnv, content: unknown): readonly string[] {
  const named = new Set(textsOf(content));
  return Object.keys(environment)
    .filter((variable) => variable.startsWith(PREFIX) && !OF_OTHERS.test(variable) && !named.has(variable))
    .map((variable) => variable.slice(PREFIX.length))
    .filter((name) => !NAMES.includes(name))
    .map((name) => `${PREFIX}${name} is no setting and was ignored${meant(name)}`);
}

/** All names begin alike, which is no likeness: the rest is compared. */
function meant(name: string): string {
  const near = nearestName(name, NAMES);
  return near === undefined ? "; docs/configuration.md lists the settings" : `; did you mean ${PREFIX}${near}?`;
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

import type { EndUserAuthConfig } from "@frontdesk/protos/ces/auth";
import { isAmongApps } from "#base";
import type { Outbound } from "#outbound";
import type { ConnectorsConfig } from "./connectors-config.ts";
import { type Connection, ConnectorError } from "./contract.ts";
import { googleConnection, NO_END_USER_HEADER } from "./google-connection.ts";
import { httpConnection } from "./http-connection.ts";

const NAME = /^projects\/([\w.:-]+)\/locations\/[\w-]+\/connections\/[\w-]+$/;

/** Validation error of a connection's name, without a full stop; undefined = valid. */
export function connectionProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return `connection: '${name}' must have the form projects/{project}/locations/{location}/connections/{connection}`;
}

/** Why a connection is not available on this server, without a full stop; undefined = it may be. */
function availabilityProblem(name: string, app: string, { google, http }: ConnectorsConfig): string | undefined {
  const problem = connectionProblem(name);
  if (problem) return problem;
  const own = http.get(name);
  if (own) return isAmongApps(app, own.apps) ? undefined : closedTo(name, app);
  if (!google) {
    return `connection '${name}' is not configured; the operator can add it, or Integration Connectors, under 'connectors' of the config file`;
  }
  if (!isAmongApps(app, google.apps))
    return `Integration Connectors are not open to the app '${app}'; the operator can add it to connectors.google.apps of the config file`;
  const [, project = ""] = NAME.exec(name) ?? [];
  if (!google.projects || google.projects.includes(project)) return undefined;
  return `the operator does not let apps use connections of project '${project}' (connectors.google.projects)`;
}

function closedTo(name: string, app: string): string {
  return `connection '${name}' is not open to the app '${app}'; the operator can add it to its apps under connectors.http of the config file`;
}

/** Validation errors of a connection and of its end user authentication, one sentence each. */
export function connectorProblems(
  name: string,
  authConfig: EndUserAuthConfig | undefined,
  app: string,
  config: ConnectorsConfig,
): readonly string[] {
  const problem = availabilityProblem(name, app, config);
  if (problem) return [problem];
  return authConfig && !config.http.has(name) && !config.google?.endUserHeader
    ? [`auth_config: ${NO_END_USER_HEADER}`]
    : [];
}

/** Opens a connection for an app by name: one of the operator's configuration, else Google's. Throws `ConnectorError` when there is none. */
export function openConnection(
  name: string,
  app: string,
  { connectors: config, outbound }: { readonly connectors: ConnectorsConfig; readonly outbound: Outbound },
): Connection {
  const problem = availabilityProblem(name, app, config);
  if (problem) throw new ConnectorError(problem);
  const own = config.http.get(name);
  if (own) return httpConnection(own, outbound);
  // Unreachable: `availabilityProblem` has reported it.
  if (!config.google) throw new ConnectorError(`connection '${name}' is not configured`);
  return googleConnection(name, config.google, outbound);
}

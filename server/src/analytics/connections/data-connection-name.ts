import { formatName, hasWildcard, matchName, parseNamePattern } from "#aip";
import type { Ids } from "#base";
import { invalidArgument } from "#status";
import { isConnection } from "#warehouse";
import { checkLocation } from "../agents/data-agent-name.ts";

export const DATA_CONNECTION_TYPE = "geminidataanalytics.googleapis.com/DataConnection";

const LOCATION = parseNamePattern("projects/{project}/locations/{location}");
const CONNECTION = parseNamePattern("projects/{project}/locations/{location}/dataConnections/{data_connection}");

/** Name of a new connection below a location. Its id is the dataset of its tables, so that nobody chooses it (CA-61). */
export function newConnectionName(parent: string, ids: Ids): string {
  checkLocation(parent, { wildcards: false });
  const id = `connection_${ids.uuid().replaceAll("-", "")}`;
  return formatName(CONNECTION, { ...matchName(LOCATION, parent), data_connection: id });
}

/** Throws INVALID_ARGUMENT unless the name is that of a connection. */
export function checkConnectionName(name: string, field: string): void {
  if (matchName(CONNECTION, name) && !hasWildcard(name)) return;
  throw invalidArgument({ field, description: `'${name}' is not of the form ${CONNECTION.text}.` });
}

/** The connection that has a table of a context, in a location; undefined for tables of other data. */
export function connectionOfTable(location: string, dataset: string): string | undefined {
  return isConnection(dataset) ? `${location}/dataConnections/${dataset}` : undefined;
}

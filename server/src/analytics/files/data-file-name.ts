import { formatName, hasWildcard, matchName, parseNamePattern } from "#aip";
import type { Ids } from "#base";
import { invalidArgument } from "#status";
import { isUpload } from "#warehouse";
import { checkLocation } from "../agents/data-agent-name.ts";

export const DATA_FILE_TYPE = "geminidataanalytics.googleapis.com/DataFile";

const LOCATION = parseNamePattern("projects/{project}/locations/{location}");
const FILE = parseNamePattern("projects/{project}/locations/{location}/dataFiles/{data_file}");

/** Name of a new file below a location. Its id is the dataset of its tables, so that nobody chooses it (CA-45). */
export function newFileName(parent: string, ids: Ids): string {
  checkLocation(parent, { wildcards: false });
  return formatName(FILE, { ...matchName(LOCATION, parent), data_file: `upload_${ids.uuid().replaceAll("-", "")}` });
}

/** Throws INVALID_ARGUMENT unless the name is that of a file. */
export function checkFileName(name: string, field: string): void {
  if (matchName(FILE, name) && !hasWildcard(name)) return;
  throw invalidArgument({ field, description: `'${name}' is not of the form ${FILE.text}.` });
}

/** The file that has a table of a context, in a location; undefined for tables that were not uploaded. */
export function fileOfTable(location: string, dataset: string): string | undefined {
  return isUpload(dataset) ? `${location}/dataFiles/${dataset}` : undefined;
}

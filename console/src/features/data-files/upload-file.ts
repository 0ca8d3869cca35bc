import { callRest } from "../../api/rest.ts";

/** What a file picker offers. */
export const FILE_TYPES = [
  ".csv",
  ".tsv",
  ".json",
  ".jsonl",
  ".ndjson",
  ".xlsx",
  ".parquet",
  ".sqlite",
  ".sqlite3",
  ".db",
];

/** Uploads a file to a location (`projects/*​/locations/*`) and returns its resource name. Throws the API's error. */
export async function uploadFile(location: string, file: File): Promise<string> {
  const query = new URLSearchParams({ displayName: file.name });
  const headers = { "content-type": "application/octet-stream" };
  const init = { method: "POST", body: file, headers };
  const answer = await callRest<{ readonly name: string }>(`${location}/dataFiles?${query}`, init, "/upload/v1beta/");
  return answer.name;
}

/** Where the page of a file is, as the router writes addresses. */
export const DATA_FILE = "/console/projects/$project/locations/$location/dataFiles/$file";

/** The parts of a file's resource name. */
export function parseDataFile(name: string): {
  readonly project: string;
  readonly location: string;
  readonly file: string;
} {
  const [, project = "", , location = "", , file = ""] = name.split("/");
  return { project, location, file };
}

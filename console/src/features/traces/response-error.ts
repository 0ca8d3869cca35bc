import type { JsonObject } from "@bufbuild/protobuf";

/** What a tool answered as its error; undefined where it answered none. */
export function responseError(response: JsonObject | undefined): string | undefined {
  const { error } = response ?? {};
  if (error === undefined || error === null || error === "") return undefined;
  return typeof error === "string" ? error : JSON.stringify(error);
}

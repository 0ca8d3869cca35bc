import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import { addressOf, authorizationFor } from "../server/server-client.ts";

/** Makes a resource of a file: its bytes are sent as they are, and it is named like the file. Returns the resource. */
export async function uploadFile(
  parent: string,
  collection: string,
  path: string,
  input: Pick<CommandInput, "flags">,
): Promise<JsonObject> {
  const body = await readFile(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}`);
  });
  const query = new URLSearchParams({ displayName: basename(path) });
  const headers = { ...(await authorizationFor(input)), "content-type": "application/octet-stream" };
  const address = `${addressOf(input)}/upload/v1beta/${parent}/${collection}?${query}`;
  const response = await fetch(address, { method: "POST", headers, body }).catch((cause: unknown) => {
    throw new ConnectError("the server cannot be reached", Code.Unavailable, undefined, undefined, cause);
  });
  const answer = (await response.json().catch(() => ({}))) as JsonObject & {
    readonly error?: { readonly message?: string };
  };
  if (response.ok) return answer;
  const reason = `${path}: ${answer.error?.message ?? `the server responded ${response.status}`}`;
  throw new ConnectError(reason, response.status === 401 ? Code.Unauthenticated : Code.Unknown);
}

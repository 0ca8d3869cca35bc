import { idOf } from "#aip";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput } from "../command.ts";
import type { Collection } from "./collections.ts";
import { listResources } from "./list-resources.ts";
import { parentName } from "./resource-name.ts";

/** Resources that are looked through for a display name. */
const MOST_LOOKED_AT = 1_000;

/** The error; where an id was not found and is the display name of a resource beside it, one that says the id of that. */
export async function withSameDisplayName(
  error: unknown,
  { pattern, methods }: Collection,
  id: string | undefined,
  input: CommandInput,
): Promise<unknown> {
  const isNotFound = error instanceof ConnectError && error.code === Code.NotFound;
  if (!isNotFound || id === undefined || id.includes("/") || !methods.list) return error;
  const listing = { parent: parentName(pattern, input.flags, false), limit: MOST_LOOKED_AT };
  const beside = await listResources(methods.list, listing, input).catch(() => []);
  const same = beside.flatMap(({ name, displayName }) => (displayName === id ? [idOf(String(name))] : []));
  if (same.length === 0) return error;
  return new CommandError(`${error.rawMessage} '${id}' is the display name of ${same.join(" and ")}: name that.`);
}

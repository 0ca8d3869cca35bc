import { idOf } from "#aip";
import { Code, ConnectError } from "#status";
import { CommandError, type CommandInput, didYouMean } from "../command.ts";
import type { Collection, CollectionMethod } from "./collections.ts";
import { listResources } from "./list-resources.ts";
import { parentName } from "./resource-name.ts";

/** Resources that are looked through for a name. */
const MOST_LOOKED_AT = 1_000;

/** The error; where an id was not found, one that says the id of the resource beside it that has it as display name, else the id that is spelled nearly so. */
export async function withSameDisplayName(
  error: unknown,
  { pattern, methods: { list } }: Collection,
  id: string | undefined,
  input: CommandInput,
): Promise<unknown> {
  if (!(error instanceof ConnectError) || !list || id === undefined || id.startsWith("projects/")) return error;
  // A display name may have a slash, and what has one is refused as a name.
  if (error.code !== Code.NotFound && !(error.code === Code.InvalidArgument && id.includes("/"))) return error;
  const beside = await resourcesBeside(list, parentName(pattern, input.flags, false), id, input).catch(() => []);
  const same = beside.flatMap(({ name, displayName }) => (displayName === id ? [idOf(String(name))] : []));
  if (same.length > 0)
    return new CommandError(`${error.rawMessage} '${id}' is the display name of ${same.join(" and ")}: name that.`);
  const ids = beside.map(({ name }) => idOf(String(name)));
  const meant = didYouMean(id, ids);
  return meant === "" ? error : new CommandError(`${error.rawMessage}${meant}`);
}

/** Those of this display name, however many there are beside them; else the first. */
async function resourcesBeside(
  list: CollectionMethod<"list">,
  parent: string,
  displayName: string,
  input: CommandInput,
): ReturnType<typeof listResources> {
  const filter = `display_name = ${JSON.stringify(displayName)}`;
  const same = list.roles.filter ? await listResources(list, { parent, limit: MOST_LOOKED_AT, filter }, input) : [];
  return same.length > 0 ? same : listResources(list, { parent, limit: MOST_LOOKED_AT }, input);
}

import { ScalarType } from "@bufbuild/protobuf";
import { idOf, type NamePattern } from "#aip";
import { definedFields } from "#base";
import { CommandError, type CommandInput, noSuchVerb } from "../command.ts";
import { limitOf } from "../flags/limit-flag.ts";
import { textFlag } from "../flags/text-flag.ts";
import { checkAppExists } from "../known-app.ts";
import { callServer } from "../server/server-client.ts";
import { callMethod } from "./call-method.ts";
import { type Collection, type CollectionMethod, collections } from "./collections.ts";
import { deleteResources } from "./delete-resources.ts";
import { listResources } from "./list-resources.ts";
import { printList, printResource } from "./print-resources.ts";
import { resourceIn } from "./resource-file.ts";
import { parentName, resourceName } from "./resource-name.ts";
import { withSameDisplayName } from "./same-display-name.ts";
import { uploadFile } from "./upload-file.ts";

/** Runs a verb on a collection; resolves to the exit code. */
export async function runResourceCommand(word: string, input: CommandInput): Promise<number> {
  const collection = collections().get(word);
  if (!collection) throw new CommandError(`the API has no collection ${word}.`);
  const [verb, ...operands] = input.positionals;
  const [operand, surplus] = operands;
  const { methods } = collection;
  const run = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb as Verb] : undefined;
  const known = Object.keys(VERBS).filter((name) => methods[name as Verb]);
  if (!run || !known.includes(verb ?? "")) throw noSuchVerb(word, verb ?? "", known);
  if (surplus !== undefined && verb !== "delete")
    throw new CommandError(`${word} ${verb} takes one name; '${surplus}' is one too many.`);
  await callServer(input, () =>
    run(collection, operand, input, word).catch(async (error: unknown) => {
      throw await withSameDisplayName(error, collection, operand, input);
    }),
  );
  return 0;
}

type Verb = keyof Collection["methods"];
type Run = (collection: Collection, operand: string | undefined, input: CommandInput, word: string) => Promise<void>;

const VERBS: Readonly<Record<Verb, Run>> = {
  list,
  get,
  create,
  update,
  delete: (collection, _, input, word) => deleteResources(collection, input.positionals.slice(1), input, word),
};

async function list(
  { pattern, methods }: Collection,
  operand: string | undefined,
  input: CommandInput,
  word: string,
): Promise<void> {
  const { flags } = input;
  if (operand !== undefined) throw nameNotListed(word, operand, pattern, flags);
  const parent = parentName(pattern, flags, true);
  const limit = limitOf(flags, { standard: Number.POSITIVE_INFINITY });
  const listing = {
    parent,
    limit,
    ...definedFields({ filter: textFlag(flags.filter), orderBy: textFlag(flags["order-by"]) }),
  };
  const rows = await listResources(methods.list as CollectionMethod<"list">, listing, input);
  const [app] = /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+/.exec(parent) ?? [];
  if (rows.length === 0 && app !== undefined && !app.includes("/-")) await checkAppExists(app, input);
  printList(rows, flags);
}

/** What to say where `list` is given a name: an app is named by a flag. */
function nameNotListed(word: string, name: string, { text }: NamePattern, flags: CommandInput["flags"]): CommandError {
  const isApp = text.includes("/apps/{app}/") && flags.app === undefined && flags.parent === undefined;
  const meant = isApp ? `For those of an app, use --app ${name}.` : `For one of them, use get ${name}.`;
  return new CommandError(`${word} list takes no name. ${meant}`);
}

async function get({ pattern, methods }: Collection, operand: string | undefined, input: CommandInput): Promise<void> {
  const found = methods.get as CollectionMethod<"get">;
  const name = resourceName(pattern, operand, input.flags);
  printResource(await callMethod(found, input, { [found.roles.name.jsonName]: name }), input.flags);
}

async function create({ pattern, methods }: Collection, id: string | undefined, input: CommandInput): Promise<void> {
  const found = methods.create as CollectionMethod<"create">;
  const { parent, body, id: idField } = found.roles;
  if (id && takesFile(found)) {
    const [collection = ""] = pattern.text.split("/").slice(-2);
    return printResource(await uploadFile(parentName(pattern, input.flags, false), collection, id, input), input.flags);
  }
  if (id && !idField) throw new CommandError("the server gives the name of such a resource; leave it out.");
  const created = await callMethod(found, input, {
    [parent.jsonName]: parentName(pattern, input.flags, false),
    [body.jsonName]: resourceIn(input),
    ...(id && idField && { [idField.jsonName]: id }),
  });
  printResource(created, input.flags);
}

/** Whether a request has the bytes of a file: then the command takes its path. */
function takesFile({ method }: Pick<CollectionMethod, "method">): boolean {
  return method.input.fields.some((field) => field.fieldKind === "scalar" && field.scalar === ScalarType.BYTES);
}

async function update(
  { pattern, methods }: Collection,
  operand: string | undefined,
  input: CommandInput,
): Promise<void> {
  const { flags } = input;
  const found = methods.update as CollectionMethod<"update">;
  const { body, mask } = found.roles;
  const { name: given, ...resource } = resourceIn(input);
  const name = resourceName(pattern, operand, flags);
  if (typeof given === "string" && idOf(given) !== idOf(name))
    throw new CommandError(
      `the file has the resource ${given}, and ${operand} is another, which it would replace. Leave 'name' out of the file if that is meant.`,
    );
  const fields = typeof flags.mask === "string" ? flags.mask : Object.keys(resource).join(",");
  const updated = await callMethod(found, input, {
    [body.jsonName]: { ...resource, name },
    ...(mask && { [mask.jsonName]: fields }),
  });
  printResource(updated, flags);
}

import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { CommandError, type CommandInput } from "../command.ts";
import { canAsk, isConfirmed } from "../confirm.ts";
import { printResult } from "../output/print-result.ts";
import { appContents } from "./app-contents.ts";
import { callMethod } from "./call-method.ts";
import type { Collection, CollectionMethod } from "./collections.ts";
import { batchDeletion, deleteMany, singleDeletions } from "./delete-many.ts";
import { listResources } from "./list-resources.ts";
import { parentName, resourceName } from "./resource-name.ts";

/** Deletes the resources of these names, or all that `--filter` finds. */
export async function deleteResources(
  collection: Collection,
  operands: readonly string[],
  input: CommandInput,
  word: string,
): Promise<void> {
  const { filter } = input.flags;
  if (typeof filter === "string") return deleteFound(collection, filter, operands, input, word);
  const { pattern } = collection;
  const [first, ...others] = operands;
  if (others.length > 0) {
    if (word === "apps") throw ONE_BY_ONE;
    const names = [...new Set(operands.map((operand) => resourceName(pattern, operand, input.flags)))];
    return deleteAll(collection, names, input, word);
  }
  const name = resourceName(pattern, first, input.flags);
  if (word === "apps" && input.flags.force !== true) await checkMayDelete(name, input);
  await deleteOne(collection, name, input);
  printResult(input.flags, { value: { name }, text: `Deleted ${name}.` });
}

const ONE_BY_ONE = new CommandError("apps are deleted one by one, by their names.");

async function deleteOne({ methods }: Collection, name: string, input: CommandInput): Promise<void> {
  const found = methods.delete as CollectionMethod<"delete">;
  const { name: nameField, force } = found.roles;
  const isForced = input.flags.force === true && force;
  const request = { [nameField.jsonName]: name, ...(isForced && { [force.jsonName]: true }) };
  await callMethod(found, input, request, EmptySchema);
}

/** An app goes with everything in it: a person is asked, and anybody else says --force. An empty one goes at once. */
async function checkMayDelete(app: string, input: CommandInput): Promise<void> {
  const contents = await appContents(app, input);
  if (contents.length === 0) return;
  const found = contents.join(", ");
  await confirmed(`Delete ${app} with ${found}?`, `${app} has ${found}; --force deletes it with them.`);
}

async function deleteFound(
  collection: Collection,
  filter: string,
  operands: readonly string[],
  input: CommandInput,
  word: string,
): Promise<void> {
  const names = await namesFound(collection, filter, operands, input, word);
  const kind = kindOf(word);
  if (names.length > 0 && input.flags.force !== true)
    await confirmed(
      `Delete ${names.length} ${kind}?`,
      `the filter finds ${names.length} ${kind}; --force deletes them.`,
    );
  await deleteAll(collection, names, input, word);
}

/** All of one app's conversations in one request, which the API has for them; others one by one. */
async function deleteAll(
  collection: Collection,
  names: readonly string[],
  input: CommandInput,
  word: string,
): Promise<void> {
  const isFound = typeof input.flags.filter === "string";
  const parents = new Set(names.map((name) => name.split("/").slice(0, -2).join("/")));
  const [parent = ""] = parents;
  const deletion =
    word === "conversations" && parents.size === 1
      ? batchDeletion(parent, input)
      : singleDeletions((name) => deleteOne(collection, name, input), isFound);
  const kind = kindOf(word);
  await deleteMany(names, deletion, kind, input);
  const text = names.length === 0 ? `No ${kind} fit the filter.` : `Deleted ${names.length} ${kind}.`;
  printResult(input.flags, { value: names.map((name) => ({ name })), text });
}

const kindOf = (word: string) => word.replaceAll("-", " ");

async function namesFound(
  { pattern, methods: { list } }: Collection,
  filter: string,
  operands: readonly string[],
  input: CommandInput,
  word: string,
): Promise<readonly string[]> {
  if (operands.length > 0) throw new CommandError("give a name or --filter, not both.");
  if (word === "apps") throw ONE_BY_ONE;
  if (!list?.roles.filter) throw new CommandError(`${word} are not listed by a filter: delete them by their names.`);
  if (filter.trim() === "") throw new CommandError("an empty --filter would delete everything; say what to delete.");
  const parent = parentName(pattern, input.flags, false);
  const rows = await listResources(list, { parent, filter, limit: Number.POSITIVE_INFINITY }, input);
  return rows.map(({ name }) => String(name));
}

/** A person is asked; a script has to say --force. */
async function confirmed(question: string, refusal: string): Promise<void> {
  if (!canAsk()) throw new CommandError(refusal);
  if (!(await isConfirmed(question))) throw new CommandError("nothing was deleted.");
}

import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { inParallel } from "#base";
import { CommandError, type CommandInput } from "../command.ts";
import { canAsk, isConfirmed } from "../confirm.ts";
import { printResult } from "../output/print-result.ts";
import { appContents } from "./app-contents.ts";
import { callMethod } from "./call-method.ts";
import type { Collection, CollectionMethod } from "./collections.ts";
import { listResources } from "./list-resources.ts";
import { parentName, resourceName } from "./resource-name.ts";

/** Deletions at once, of many. */
const AT_ONCE = 8;

/** Deletes the resource of this name, or all that `--filter` finds. */
export async function deleteResources(
  collection: Collection,
  operand: string | undefined,
  input: CommandInput,
  word: string,
): Promise<void> {
  const { filter } = input.flags;
  if (typeof filter === "string") return deleteFound(collection, filter, operand, input, word);
  const name = resourceName(collection.pattern, operand, input.flags);
  if (word === "apps" && input.flags.force !== true) await checkMayDelete(name, input);
  await deleteOne(collection, name, input);
  printResult(input.flags, { value: { name }, text: `Deleted ${name}.` });
}

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
  operand: string | undefined,
  input: CommandInput,
  word: string,
): Promise<void> {
  const names = await namesFound(collection, filter, operand, input, word);
  const kind = word.replaceAll("-", " ");
  if (names.length > 0 && input.flags.force !== true)
    await confirmed(
      `Delete ${names.length} ${kind}?`,
      `the filter finds ${names.length} ${kind}; --force deletes them.`,
    );
  const deleted: string[] = [];
  try {
    await inParallel(names, AT_ONCE, new AbortController().signal, async (name) => {
      await deleteOne(collection, name, input);
      deleted.push(name);
    });
  } catch (error) {
    if (deleted.length === 0) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(`${deleted.length} of ${names.length} ${kind} are deleted, and then: ${reason}`);
  }
  const text = names.length === 0 ? `No ${kind} fit the filter.` : `Deleted ${names.length} ${kind}.`;
  printResult(input.flags, { value: names.map((name) => ({ name })), text });
}

async function namesFound(
  { pattern, methods: { list } }: Collection,
  filter: string,
  operand: string | undefined,
  input: CommandInput,
  word: string,
): Promise<readonly string[]> {
  if (operand !== undefined) throw new CommandError("give a name or --filter, not both.");
  if (word === "apps") throw new CommandError("apps are deleted one by one, by their names.");
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

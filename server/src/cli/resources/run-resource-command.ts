import { readFileSync } from "node:fs";
import { type DescMessage, fromJson, type JsonObject, type Message, ScalarType } from "@bufbuild/protobuf";
import { EmptySchema } from "@bufbuild/protobuf/wkt";
import { type Operation, OperationSchema } from "@frontdesk/protos/google/longrunning/operations";
import { parse } from "yaml";
import { CommandError, type CommandInput, noSuchVerb } from "../command.ts";
import { jsonOf } from "../json-of.ts";
import { limitOf } from "../limit-flag.ts";
import { finished } from "../operation.ts";
import { printResult } from "../print-result.ts";
import { callServer, clientFor } from "../server-client.ts";
import { type Collection, type CollectionMethod, collections } from "./collections.ts";
import { printList, printResource } from "./print-resources.ts";
import { parentName, resourceName } from "./resource-name.ts";
import { uploadFile } from "./upload-file.ts";

const PAGE_SIZE = 1_000;

/** Runs a verb on a collection; resolves to the exit code. */
export async function runResourceCommand(word: string, input: CommandInput): Promise<number> {
  const collection = collections().get(word);
  if (!collection) throw new CommandError(`the API has no collection ${word}.`);
  const [verb, operand, ...others] = input.positionals;
  if (others.length > 0) throw new CommandError(`one name at a time; '${others[0]}' is one too many.`);
  const { methods } = collection;
  const run = verb !== undefined && Object.hasOwn(VERBS, verb) ? VERBS[verb as Verb] : undefined;
  if (!run || !methods[verb as Verb]) throw noSuchVerb(word, verb ?? "", Object.keys(methods));
  await callServer(input, () => run(collection, operand, input));
  return 0;
}

type Verb = keyof Collection["methods"];
type Run = (collection: Collection, operand: string | undefined, input: CommandInput) => Promise<void>;

const VERBS: Readonly<Record<Verb, Run>> = { list, get, create, update, delete: remove };

async function list(
  { pattern, methods }: Collection,
  _operand: string | undefined,
  input: CommandInput,
): Promise<void> {
  const { flags } = input;
  const found = methods.list as CollectionMethod<"list">;
  const { parent, filter, orderBy, pageSize, pageToken, items, nextPageToken } = found.roles;
  const limit = limitOf(flags, { standard: Number.POSITIVE_INFINITY });
  const rows: JsonObject[] = [];
  for (let token = ""; rows.length < limit; ) {
    const page = await call(found, input, {
      [parent.jsonName]: parentName(pattern, flags, true),
      ...(filter && typeof flags.filter === "string" && { [filter.jsonName]: flags.filter }),
      ...(orderBy && typeof flags["order-by"] === "string" && { [orderBy.jsonName]: flags["order-by"] }),
      ...(pageSize && { [pageSize.jsonName]: Math.min(limit - rows.length, PAGE_SIZE) }),
      ...(pageToken && token !== "" && { [pageToken.jsonName]: token }),
    });
    rows.push(...((page[items.jsonName] ?? []) as JsonObject[]));
    token = String(page[nextPageToken.jsonName] ?? "");
    if (token === "") break;
  }
  printList(rows.slice(0, limit), flags);
}

async function get({ pattern, methods }: Collection, operand: string | undefined, input: CommandInput): Promise<void> {
  const found = methods.get as CollectionMethod<"get">;
  const name = resourceName(pattern, operand, input.flags);
  printResource(await call(found, input, { [found.roles.name.jsonName]: name }), input.flags);
}

async function create({ pattern, methods }: Collection, id: string | undefined, input: CommandInput): Promise<void> {
  const found = methods.create as CollectionMethod<"create">;
  const { parent, body, id: idField } = found.roles;
  if (id && takesFile(found)) {
    const [collection = ""] = pattern.text.split("/").slice(-2);
    return printResource(await uploadFile(parentName(pattern, input.flags, false), collection, id, input), input.flags);
  }
  if (id && !idField) throw new CommandError("the server gives the name of such a resource; leave it out.");
  const created = await call(found, input, {
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
  const { name: _given, ...resource } = resourceIn(input);
  const fields = typeof flags.mask === "string" ? flags.mask : Object.keys(resource).join(",");
  const updated = await call(found, input, {
    [body.jsonName]: { ...resource, name: resourceName(pattern, operand, flags) },
    ...(mask && { [mask.jsonName]: fields.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) }),
  });
  printResource(updated, flags);
}

async function remove(
  { pattern, methods }: Collection,
  operand: string | undefined,
  input: CommandInput,
): Promise<void> {
  const found = methods.delete as CollectionMethod<"delete">;
  const { name: nameField, force } = found.roles;
  const name = resourceName(pattern, operand, input.flags);
  const isForced = input.flags.force === true && force;
  await call(found, input, { [nameField.jsonName]: name, ...(isForced && { [force.jsonName]: true }) }, EmptySchema);
  printResult(input.flags, { value: { name }, text: `Deleted ${name}.` });
}

type Called = Pick<CollectionMethod, "service" | "method"> & { readonly roles: { readonly resource: DescMessage } };

/** Calls a method with a request in JSON, waits for the operation that it may start, and returns the result in JSON. */
async function call(
  { service, method, roles }: Called,
  input: CommandInput,
  request: JsonObject,
  response: DescMessage = roles.resource,
): Promise<JsonObject> {
  const client = clientFor(service, input) as unknown as Record<string, (request: Message) => Promise<Message>>;
  const answer = await client[method.localName]?.(readRequest(method.input, request));
  if (!answer) throw new CommandError(`the client has no method ${method.name}.`);
  if (method.output.typeName !== OperationSchema.typeName) return jsonOf(method.output, answer);
  return jsonOf(response, await finished(answer as Operation, response, input));
}

function readRequest(type: DescMessage, request: JsonObject): Message {
  try {
    return fromJson(type, request);
  } catch (error) {
    throw new CommandError(`the resource does not fit: ${(error as Error).message}.`);
  }
}

/** The resource in `--file`. */
function resourceIn({ flags }: CommandInput): JsonObject {
  const { file } = flags;
  if (typeof file !== "string")
    throw new CommandError("--file is missing: the resource as JSON or YAML; - for standard input.");
  let content: unknown;
  try {
    content = parse(readFileSync(file === "-" ? 0 : file, "utf8"));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof content === "object" && content !== null && !Array.isArray(content)) return content as JsonObject;
  throw new CommandError(`${file} has no resource: expected an object with its fields.`);
}

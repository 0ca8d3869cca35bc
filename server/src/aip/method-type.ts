import type { DescField, DescFile, DescMessage, DescMethod } from "@bufbuild/protobuf";
import { definedFields } from "#base";
import { referenceOf, resourceTypeOf } from "./annotations.ts";

/** A standard method (AIP-131 to 135) and which field of its request plays which role. Absent roles are undefined. */
export type StandardMethod =
  | (Common & {
      readonly kind: "create";
      readonly parent: DescField;
      readonly body: MessageField;
      readonly id?: DescField;
    })
  | (Common & { readonly kind: "get"; readonly name: DescField })
  | (Common & {
      readonly kind: "list";
      readonly parent: DescField;
      /** The repeated resource field of the response. */
      readonly items: DescField;
      readonly nextPageToken: DescField;
      readonly pageSize?: DescField;
      readonly pageToken?: DescField;
      readonly filter?: DescField;
      readonly orderBy?: DescField;
    })
  | (Common & { readonly kind: "update"; readonly body: MessageField; readonly mask?: DescField })
  | (Common & {
      readonly kind: "delete";
      readonly name: DescField;
      readonly etag?: DescField;
      readonly force?: DescField;
    });

/** A singular message field. */
export type MessageField = DescField & { fieldKind: "message"; message: DescMessage };

interface Common {
  /** The resource's message. */
  readonly resource: DescMessage;
}

const cache = new WeakMap<DescMethod, StandardMethod | null>();

/**
 * What kind of standard method a method is, by its name and the annotations of its request; undefined for custom methods. Long-running
 * variants count as the method that they run: CreateApp is a create although it returns an operation.
 */
export function classifyMethod(method: DescMethod): StandardMethod | undefined {
  let found = cache.get(method);
  if (found === undefined) {
    found = classify(method) ?? null;
    cache.set(method, found);
  }
  return found ?? undefined;
}

function classify(method: DescMethod): StandardMethod | undefined {
  if (method.methodKind !== "unary") return undefined;
  const verb = /^(Create|Get|List|Update|Delete)[A-Z]/.exec(method.name)?.[1];
  const field = (name: string) => method.input.fields.find((each) => each.name === name);
  switch (verb) {
    case "Create":
      return asCreate(method, field);
    case "Get":
      return asGet(method, field);
    case "List":
      return asList(method, field);
    case "Update":
      return asUpdate(method, field);
    case "Delete":
      return asDelete(method, field);
    default:
      return undefined;
  }
}

type FindField = (name: string) => DescField | undefined;

function asCreate(method: DescMethod, field: FindField): StandardMethod | undefined {
  const [parent, body] = [field("parent"), resourceField(method.input)];
  if (!parent || !body) return undefined;
  return definedFields<StandardMethod>({
    kind: "create",
    resource: body.message,
    parent,
    body,
    id: field(`${body.name}_id`),
  });
}

function asGet(method: DescMethod, field: FindField): StandardMethod | undefined {
  const name = field("name");
  return name && resourceTypeOf(method.output) ? { kind: "get", resource: method.output, name } : undefined;
}

function asList(method: DescMethod, field: FindField): StandardMethod | undefined {
  const parent = field("parent");
  const items = method.output.fields.find(
    (each) => each.fieldKind === "list" && each.message && resourceTypeOf(each.message),
  );
  const nextPageToken = method.output.fields.find(({ name }) => name === "next_page_token");
  if (!parent || !items?.message || !nextPageToken) return undefined;
  return definedFields<StandardMethod>({
    kind: "list",
    resource: items.message,
    parent,
    items,
    nextPageToken,
    pageSize: field("page_size"),
    pageToken: field("page_token"),
    filter: field("filter"),
    orderBy: field("order_by"),
  });
}

function asUpdate(method: DescMethod, field: FindField): StandardMethod | undefined {
  const body = resourceField(method.input);
  if (!body) return undefined;
  return definedFields<StandardMethod>({ kind: "update", resource: body.message, body, mask: field("update_mask") });
}

function asDelete(method: DescMethod, field: FindField): StandardMethod | undefined {
  const name = field("name");
  const type = name && referenceOf(name)?.type;
  const resource = type ? findResource(method.parent.file, type) : undefined;
  if (!name || !resource) return undefined;
  return definedFields<StandardMethod>({ kind: "delete", resource, name, etag: field("etag"), force: field("force") });
}

function resourceField(message: DescMessage): MessageField | undefined {
  return message.fields.find(
    (each): each is MessageField => each.fieldKind === "message" && resourceTypeOf(each.message) !== undefined,
  );
}

/** The message of a resource type among a file and what it imports. */
function findResource(file: DescFile, type: string): DescMessage | undefined {
  for (const each of withDependencies(file)) {
    const found = each.messages.find((message) => resourceTypeOf(message)?.type === type);
    if (found) return found;
  }
  return undefined;
}

function withDependencies(file: DescFile, seen = new Set<DescFile>()): ReadonlySet<DescFile> {
  if (!seen.has(file)) {
    seen.add(file);
    for (const each of file.dependencies) withDependencies(each, seen);
  }
  return seen;
}

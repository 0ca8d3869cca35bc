import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import {
  behaviorsOf,
  deepCopy,
  FieldBehavior,
  fieldPath,
  isOutputOnly,
  referenceOf,
  typesBelow,
  walkMessages,
} from "#aip";
import type { Resource } from "./resource.ts";

/** A reference to another resource in a message. */
export interface Reference {
  /** Path of the field, list index included, e.g. `toolsets[0].toolset`. */
  readonly path: string;
  /** Resource type that the field names, e.g. `ces.googleapis.com/Tool`. */
  readonly type: string;
  readonly name: string;
}

const CES_PREFIX = "ces.googleapis.com/";

/**
 * The references of a message to CES resources that clients set, at any depth. Output-only references are set by the server, and those to
 * other services (secrets, data stores, templates) cannot be checked.
 */
export function referencesIn(desc: DescMessage, resource: Resource): readonly Reference[] {
  const known = references.get(resource);
  if (known) return known;
  const found: Reference[] = [];
  const visit = (message: ReflectMessage, path: string) => {
    for (const field of message.fields) {
      if (!isReference(field) || !message.isSet(field)) continue;
      const type = referenceOf(field)?.type ?? "";
      const here = fieldPath(path, field);
      if (field.fieldKind !== "list") found.push({ path: here, type, name: String(message.get(field)) });
      else
        for (const [index, name] of message.get(field).entries())
          found.push({ path: `${here}[${index}]`, type, name: String(name) });
    }
  };
  walkMessages(desc, resource, visit, isReference);
  references.set(resource, found);
  return found;
}

/** The types of resources that a message of a type can refer to, at any depth, also in fields that only the server sets. */
export function referencedTypes(desc: DescMessage): ReadonlySet<string> {
  let known = typesReferredTo.get(desc);
  if (!known) {
    const fields = [...typesBelow(desc)].flatMap((type) => type.fields);
    known = new Set(fields.flatMap((field) => referenceOf(field)?.type ?? []));
    typesReferredTo.set(desc, known);
  }
  return known;
}

const typesReferredTo = new WeakMap<DescMessage, ReadonlySet<string>>();

/** Messages of a state do not change, and each change of an app asks for those of all its resources. */
const references = new WeakMap<Resource, readonly Reference[]>();

/**
 * The message without any reference to `targets`; the same object when it has none. A name is removed from a list; an optional
 * field is cleared; the message of a REQUIRED reference is removed from its list or field.
 *
 * @param depth `top` does not change nested messages
 */
export function withoutReferences(
  desc: DescMessage,
  resource: Resource,
  targets: ReadonlySet<string>,
  depth: "all" | "top" = "all",
): Resource {
  if (!referencesIn(desc, resource).some(({ name }) => targets.has(name))) return resource;
  const copy = reflect(desc, deepCopy(resource));
  prune(copy, targets, depth);
  return copy.message as Resource;
}

/** Removes the references; returns whether the message lost a REQUIRED one. */
function prune(message: ReflectMessage, targets: ReadonlySet<string>, depth: "all" | "top"): boolean {
  let lostRequired = false;
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (isReference(field)) lostRequired = pruneReference(message, field, targets) || lostRequired;
    else if (depth === "top" || !isGoogleMessage(field)) continue;
    else if (field.fieldKind === "message") {
      const below = message.get(field);
      if (prune(below, targets, depth)) message.clear(field);
      else message.set(field, below);
    } else if (field.fieldKind === "list") {
      pruneList(message.get(field), (item) => prune(item as ReflectMessage, targets, depth));
    }
  }
  return lostRequired;
}

function pruneReference(message: ReflectMessage, field: DescField, targets: ReadonlySet<string>): boolean {
  if (field.fieldKind === "list") {
    pruneList(message.get(field), (name) => targets.has(String(name)));
    return false;
  }
  if (!targets.has(String(message.get(field)))) return false;
  message.clear(field);
  return behaviorsOf(field).has(FieldBehavior.REQUIRED);
}

function pruneList(list: ReflectList, drop: (item: unknown) => boolean): void {
  const kept = [...list].filter((item) => !drop(item));
  if (kept.length === list.size) return;
  list.clear();
  for (const item of kept) list.add(item);
}

function isReference(field: DescField): boolean {
  return referenceOf(field)?.type.startsWith(CES_PREFIX) === true && !isOutputOnly(field);
}

function isGoogleMessage(field: DescField): boolean {
  return field.message?.typeName.startsWith("google.cloud.") === true;
}

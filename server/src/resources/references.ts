import { clone, type DescField, type DescMessage } from "@bufbuild/protobuf";
import { type ReflectList, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { behaviorsOf, FieldBehavior, fieldPath, isOutputOnly, referenceOf, walkMessages } from "#aip";
import type { Resource } from "./resource.ts";

/** One use of another resource's name in a message. */
export interface Reference {
  /** Path of the field, list index included, e.g. `toolsets[0].toolset`. */
  readonly path: string;
  /** Resource type that the field names, e.g. `ces.googleapis.com/Tool`. */
  readonly type: string;
  readonly name: string;
}

const OURS = "ces.googleapis.com/";

/**
 * The references of a message to CES resources that clients set, at any depth. Output-only ones are the server's own, and those to
 * other services (secrets, data stores, templates) cannot be looked up.
 */
export function referencesIn(desc: DescMessage, resource: Resource): readonly Reference[] {
  const found: Reference[] = [];
  walkMessages(desc, resource, (message, path) => {
    for (const field of message.fields) {
      const type = referenceOf(field)?.type;
      if (!type?.startsWith(OURS) || isOutputOnly(field) || !message.isSet(field)) continue;
      const here = fieldPath(path, field);
      if (field.fieldKind !== "list") found.push({ path: here, type, name: String(message.get(field)) });
      else
        for (const [index, name] of message.get(field).entries())
          found.push({ path: `${here}[${index}]`, type, name: String(name) });
    }
  });
  return found;
}

/**
 * The message without any reference to `targets`; the same object when it has none. A name is taken out of a list; an optional field
 * is cleared; where the reference is what its message is about (REQUIRED), that message goes: out of its list, or out of its field.
 *
 * @param depth `top` leaves the messages inside alone
 */
export function withoutReferences(
  desc: DescMessage,
  resource: Resource,
  targets: ReadonlySet<string>,
  depth: "all" | "top" = "all",
): Resource {
  if (!referencesIn(desc, resource).some(({ name }) => targets.has(name))) return resource;
  const copy = reflect(desc, clone(desc, resource));
  prune(copy, targets, depth);
  return copy.message as Resource;
}

/** Takes the references out; answers whether the message has lost what it is about. */
function prune(message: ReflectMessage, targets: ReadonlySet<string>, depth: "all" | "top"): boolean {
  let isVoid = false;
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    if (isReference(field)) isVoid = pruneReference(message, field, targets) || isVoid;
    else if (depth === "top" || !isOurs(field)) continue;
    else if (field.fieldKind === "message") {
      const below = message.get(field);
      if (prune(below, targets, depth)) message.clear(field);
      else message.set(field, below);
    } else if (field.fieldKind === "list") {
      pruneList(message.get(field), (item) => prune(item as ReflectMessage, targets, depth));
    }
  }
  return isVoid;
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
  return referenceOf(field)?.type.startsWith(OURS) === true && !isOutputOnly(field);
}

function isOurs(field: DescField): boolean {
  return field.message?.typeName.startsWith("google.cloud.") === true;
}

import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { type ReflectMap, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type FieldViolation, invalidArgument } from "#status";
import { behaviorsOf, FieldBehavior } from "./annotations.ts";
import { deepCopy } from "./deep-copy.ts";
import { isOutputOnly } from "./field-behavior.ts";
import { segmentsOf, unquoted } from "./mask-path.ts";

/**
 * The stored message with an update applied (AIP-134). Without paths, the populated fields of `incoming` replace the stored ones; `*` replaces
 * all fields; otherwise exactly the named fields are replaced, and cleared where `incoming` does not set them. Output-only fields, the
 * identifier and the etag stay as stored, named or not (AIP-203). All unknown paths are violations of one INVALID_ARGUMENT. Neither argument is changed; the result shares values of `incoming`.
 *
 * @param field name of the mask in the request, for violations
 */
export function applyUpdate<M extends Message>(
  desc: DescMessage,
  stored: M,
  incoming: M,
  paths: readonly string[],
  field = "update_mask",
): M {
  const result = reflect(desc, deepCopy(stored));
  const source = reflect(desc, incoming);
  if (paths.length === 0) for (const each of desc.fields) replaceIf(source.isSet(each), each, source, result);
  else if (paths.length === 1 && paths[0] === "*")
    for (const each of desc.fields) replaceIf(true, each, source, result);
  else {
    const steps = resolvePaths(desc, paths, field);
    for (const path of steps) copyPath(path, source, result);
  }
  return result.message as M;
}

function replaceIf(condition: boolean, field: DescField, source: ReflectMessage, target: ReflectMessage): void {
  if (condition && isSettable(field)) copyField(field, source, target);
}

/** Whether an update may touch the field at all. */
function isSettable(field: DescField): boolean {
  return !isOutputOnly(field) && field.name !== "etag" && !behaviorsOf(field).has(FieldBehavior.IDENTIFIER);
}

/** A step of a resolved path: a field, or one key of a map field. */
type Step = { readonly field: DescField; readonly key?: string };

/** Most paths of a mask, more than any message has fields (WIRE-24). */
const MAX_PATHS = 1_000;

/** Most characters of a path: reading one takes some nanoseconds for each. */
const MAX_PATH_LENGTH = 1_000;

/** The violations of a mask's paths for this message; empty when all paths resolve. `*` alone is valid. */
export function fieldMaskViolations(
  desc: DescMessage,
  paths: readonly string[],
  field = "update_mask",
): readonly FieldViolation[] {
  if (paths.length === 1 && paths[0] === "*") return [];
  if (paths.length > MAX_PATHS)
    return [
      { field, description: `It has ${paths.length} paths; the limit is ${MAX_PATHS}. Name whole messages, or '*'.` },
    ];
  if (paths.includes("*"))
    return [{ field, description: "'*' means all fields and cannot be combined with other paths." }];
  return paths.flatMap((path) => {
    const steps = resolvePath(desc, path);
    return typeof steps === "string" ? [{ field, description: steps }] : [];
  });
}

function resolvePaths(desc: DescMessage, paths: readonly string[], field: string): readonly (readonly Step[])[] {
  const violations = fieldMaskViolations(desc, paths, field);
  if (violations.length > 0) throw invalidArgument(violations);
  return paths.map((path) => resolvePath(desc, path)).filter((steps) => typeof steps !== "string");
}

/** The steps of one path, or why it does not resolve. */
function resolvePath(root: DescMessage, path: string): readonly Step[] | string {
  if (path.length > MAX_PATH_LENGTH) return `A path has at most ${MAX_PATH_LENGTH} characters.`;
  if (path.trim() === "") return "An empty path names no field.";
  if (!isClosed(path)) return `'${path}' has a backtick that is not closed; two of them mean one in a quoted key.`;
  const segments = segmentsOf(path);
  if (segments.includes("")) return `'${path}' has an empty segment.`;
  const steps: Step[] = [];
  let desc: DescMessage | undefined = root;
  const parts = segments.map(unquoted);
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index] ?? "";
    const field: DescField | undefined = desc?.fields.find(({ name, jsonName }) => name === part || jsonName === part);
    if (!field)
      return `'${path}' is not a field path of ${root.name}: there is no '${part}'${desc ? ` in ${desc.name}` : ""}.`;
    const isLast = index === parts.length - 1;
    if (field.fieldKind === "map" && !isLast) {
      steps.push({ field, key: parts[++index] ?? "" });
      if (index < parts.length - 1)
        return `'${path}' goes below an entry of the map '${field.name}'; name the whole entry.`;
      return steps;
    }
    if (field.fieldKind === "list" && !isLast)
      return `'${path}' goes into the list '${field.name}'; name the whole list.`;
    steps.push({ field });
    desc = field.message;
  }
  return steps;
}

function isClosed(path: string): boolean {
  return path.split("`").length % 2 === 1;
}

function copyPath([step, ...rest]: readonly Step[], source: ReflectMessage, target: ReflectMessage): void {
  if (!step || !isSettable(step.field)) return;
  const { field, key } = step;
  if (key !== undefined) copyEntry(field, key, source, target);
  else if (rest.length === 0 || field.fieldKind !== "message") copyField(field, source, target);
  else if (source.isSet(field) || target.isSet(field)) {
    const below = target.get(field);
    copyPath(rest, source.get(field), below);
    target.set(field, below);
  }
}

function copyEntry(field: DescField, key: string, source: ReflectMessage, target: ReflectMessage): void {
  if (field.fieldKind !== "map") return;
  const typedKey = mapKey(field.mapKey, key);
  const [from, to]: [ReflectMap, ReflectMap] = [source.get(field), target.get(field)];
  if (from.has(typedKey)) to.set(typedKey, from.get(typedKey));
  else to.delete(typedKey);
}

function mapKey(keyType: number, key: string): string | number | boolean | bigint {
  // Scalar types as descriptor.proto numbers them: 9 string, 8 bool; 64-bit integers are 3, 4, 6, 16, 18.
  if (keyType === 9) return key;
  if (keyType === 8) return key === "true";
  return [3, 4, 6, 16, 18].includes(keyType) ? BigInt(key) : Number(key);
}

function copyField(field: DescField, source: ReflectMessage, target: ReflectMessage): void {
  if (!source.isSet(field)) target.clear(field);
  else target.set(field, source.get(field));
}

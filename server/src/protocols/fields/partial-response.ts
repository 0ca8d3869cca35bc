import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isJsonObject, type JsonValue } from "#base";
import { fieldsByName } from "../json/fields.ts";
import { invalidSelector, type NameTree, parseSelector } from "./field-selector.ts";

/** The selected members of JSON: each name has the selection of its value; an empty tree selects all of it, and `*` any other member. */
export interface FieldTree {
  readonly [name: string]: FieldTree;
}

const ALL: FieldTree = {};

/**
 * Parses a partial-response selector for responses of a type. Fields have either of their names; keys of maps and of JSON objects are as
 * they are. Throws INVALID_ARGUMENT for another syntax, and for a name that the type does not have.
 */
export function parseFields(text: string, type: DescMessage): FieldTree {
  const refuse = (path: string): never => {
    throw invalidSelector(path);
  };
  return resolve(parseSelector(text), type, { path: "", reject: refuse }) ?? refuse(text);
}

/** Where names are resolved, and what happens to those that do not exist there. */
interface Place {
  readonly path: string;
  readonly reject: (path: string) => void;
  /**
   * What was resolved below `*`, where nothing is rejected, by names and type: there the same names mean the same wherever a type is, and types that hold
   * one another would be gone through time and again.
   */
  readonly known?: Map<NameTree, Map<DescMessage, FieldTree | undefined>>;
}

/** The selection in messages of a type; undefined when nothing of it exists there. */
function resolve(names: NameTree, type: DescMessage, place: Place): FieldTree | undefined {
  if (isWhole(names) || isOpen(type)) return names;
  if (isText(type)) return resolveNone(names, place);
  if (!place.known) return resolveFields(names, type, place);
  const ofTypes = place.known.get(names) ?? new Map<DescMessage, FieldTree | undefined>();
  place.known.set(names, ofTypes);
  if (!ofTypes.has(type)) ofTypes.set(type, resolveFields(names, type, place));
  return ofTypes.get(type);
}

function resolveFields(names: NameTree, type: DescMessage, place: Place): FieldTree | undefined {
  const named = new Map<DescField, NameTree>();
  for (const [name, inner] of Object.entries(names)) {
    const field = fieldsByName(type).get(name);
    if (field) named.set(field, joined(named.get(field), inner));
    else if (name !== "*") place.reject(below(place, name).path);
  }
  const { "*": any } = names;
  const others = any ? type.fields.filter((field) => !named.has(field)) : [];
  const anywhere: Place = place.known ? place : { path: "", reject: () => {}, known: new Map() };
  return treeOf([
    ...[...named].map(
      ([field, inner]) => [field.jsonName, resolveIn(field, inner, below(place, field.jsonName))] as const,
    ),
    ...others.map((field) => [field.jsonName, resolveIn(field, any ?? ALL, anywhere)] as const),
  ]);
}

function resolveIn(field: DescField, names: NameTree, place: Place): FieldTree | undefined {
  const ofValue = (inner: NameTree, at: Place): FieldTree | undefined =>
    field.message ? resolve(inner, field.message, at) : resolveNone(inner, at);
  if (field.fieldKind !== "map" || isWhole(names)) return ofValue(names, place);
  return treeOf(Object.entries(names).map(([key, inner]) => [key, ofValue(inner, below(place, key))]));
}

/** The selection in a value without members: all of it. */
function resolveNone(names: NameTree, place: Place): FieldTree | undefined {
  if (isWhole(names)) return ALL;
  for (const name of Object.keys(names)) place.reject(below(place, name).path);
  return undefined;
}

function isWhole(names: NameTree): boolean {
  return Object.keys(names).length === 0;
}

/** JSON of any shape: its names are nowhere defined. */
function isOpen({ typeName }: DescMessage): boolean {
  return /^google\.protobuf\.(Struct|Value|ListValue|Any|Empty)$/.test(typeName);
}

/** Messages whose JSON is no object. */
function isText({ typeName }: DescMessage): boolean {
  return typeName.startsWith("google.protobuf.");
}

/** What either of two selections has. */
function joined(one: NameTree | undefined, other: NameTree | undefined): NameTree {
  if (!one || !other) return one ?? other ?? ALL;
  if (isWhole(one) || isWhole(other)) return ALL;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return treeOf([...names].map((name) => [name, joined(one[name], other[name])])) ?? ALL;
}

/** A tree of the selections that exist; undefined for none. */
function treeOf(entries: readonly (readonly [string, FieldTree | undefined])[]): FieldTree | undefined {
  const present = entries.filter(([, inner]) => inner !== undefined);
  // Without a prototype: names come from the caller.
  const tree = Object.create(null) as Record<string, FieldTree>;
  for (const [name, inner] of present) tree[name] = inner ?? ALL;
  return present.length > 0 ? tree : undefined;
}

function below(place: Place, name: string): Place {
  if (place.known) return place;
  const { path, reject } = place;
  return { path: path === "" ? name : `${path}/${name}`, reject };
}

/** The selected part of a JSON value; a list has the selection of its items. */
export function selectFields(json: JsonValue, tree: FieldTree): JsonValue {
  if (Object.keys(tree).length === 0) return json;
  if (Array.isArray(json)) return json.map((item) => selectFields(item, tree));
  if (!isJsonObject(json)) return json;
  const selected = Object.entries(json).flatMap(([name, value]): [string, JsonValue][] => {
    const inner = selectionOf(tree, name);
    return inner ? [[name, selectFields(value, inner)]] : [];
  });
  return Object.fromEntries(selected);
}

/** The selection of a member's value; undefined when the member is not selected. */
export function selectionOf(tree: FieldTree, name: string): FieldTree | undefined {
  if (Object.keys(tree).length === 0) return tree;
  return Object.hasOwn(tree, name) ? tree[name] : tree["*"];
}

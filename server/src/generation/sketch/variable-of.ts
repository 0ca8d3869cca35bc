import { clone, create, fromJson, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type App_VariableDeclaration, App_VariableDeclarationSchema } from "@frontdesk/protos/ces/app";
import { SchemaSchema, Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import { typeFault } from "#aip";
import type { JsonValue } from "#base";
import { VARIABLE_TYPES, type VariableChange } from "./app-changes.ts";

/** A variable as a model is shown it. */
export function variableChangeOf({ name, description, schema }: App_VariableDeclaration): VariableChange {
  const type = VARIABLE_TYPES.find((known) => Type[known] === schema?.type) ?? "STRING";
  const default_json = schema?.default ? JSON.stringify(toJson(ValueSchema, schema.default)) : "";
  return { name, type, description, default_json };
}

/** The variable that a model wrote. What it does not write of its schema stays as `before` has it. */
export function variableOf(
  before: App_VariableDeclaration | undefined,
  { name, type, description, default_json: text }: VariableChange,
  problems: string[],
): App_VariableDeclaration {
  const same = before?.schema && before.schema.type === Type[type] ? before.schema : undefined;
  const schema = same ? clone(SchemaSchema, same) : create(SchemaSchema, { type: Type[type] });
  const value = defaultOf(text);
  if (value === undefined && text !== "") problems.push(`variables['${name}'].default_json: '${text}' is not JSON.`);
  if (value === undefined) delete schema.default;
  else schema.default = fromJson(ValueSchema, value);
  if (type === "ARRAY") schema.items ??= create(SchemaSchema, { type: typeOfItems(value) });
  return create(App_VariableDeclarationSchema, { name, description, schema });
}

function defaultOf(text: string): JsonValue | undefined {
  try {
    return text === "" ? undefined : (JSON.parse(text) as JsonValue);
  } catch {
    return undefined;
  }
}

/** A list's items are what its default holds; texts where that says nothing. */
function typeOfItems(value: JsonValue | undefined): Type {
  const [first] = Array.isArray(value) ? value : [];
  const types = [Type.STRING, Type.INTEGER, Type.NUMBER, Type.BOOLEAN, Type.OBJECT];
  return types.find((type) => first !== undefined && first !== null && !typeFault({ type }, first)) ?? Type.STRING;
}

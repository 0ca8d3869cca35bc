import { isJsonObject, type JsonObject } from "#base";
import { fromJsonSchema, toJsonSchema } from "../schema/json-schema.ts";
import type { Operation, OperationBody, OperationParameter } from "./read-operation.ts";
import { type SessionField, splitSessionFields } from "./session-context.ts";
import { withMemberProperties } from "./union-properties.ts";

/** What an argument of the function becomes. */
type InputTarget =
  | { readonly kind: "parameter"; readonly parameter: OperationParameter }
  | { readonly kind: "body-field"; readonly field: string }
  | { readonly kind: "body" };

/** An argument of the function. */
export interface FunctionInput {
  /** Unique name of at most 64 letters, digits, `_`, `.` and `-`. */
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly target: InputTarget;
}

/** The arguments of an operation, and the body fields that the session fills. */
interface FunctionInputs {
  readonly inputs: readonly FunctionInput[];
  readonly sessionFields: readonly SessionField[];
  /** JSON Schema of the arguments, for the function declaration. */
  readonly parameters: JsonObject;
}

/** The arguments of an operation, cached. Each property of an object body is an argument. */
export function functionInputs(operation: Operation): FunctionInputs {
  let inputs = cache.get(operation);
  if (!inputs) {
    inputs = build(operation);
    cache.set(operation, inputs);
  }
  return inputs;
}

const cache = new WeakMap<Operation, FunctionInputs>();

function build({ parameters, body }: Operation): FunctionInputs {
  const candidates: UnnamedInput[] = parameters
    .filter(({ sessionSource }) => sessionSource === undefined)
    .map((parameter) => ({
      name: parameter.name,
      location: parameter.in,
      schema: parameter.schema,
      required: parameter.required,
      target: { kind: "parameter", parameter },
    }));
  const fromModel = body && body.sessionSource === undefined ? body : undefined;
  const { modelSchema, sessionFields } = fromModel
    ? splitSessionFields(withMemberProperties(fromModel.schema))
    : { modelSchema: {}, sessionFields: [] };
  if (fromModel) candidates.push(...bodyInputs(fromModel, modelSchema, sessionFields.length > 0));
  const inputs = withUniqueNames(candidates);
  return { inputs, sessionFields, parameters: schemaOf(inputs) };
}

type UnnamedInput = FunctionInput & { readonly location: string };

/** One input for each property of an object body; one input for any other body. */
function bodyInputs(
  { required }: OperationBody,
  schema: JsonObject,
  hasSessionFields: boolean,
): readonly UnnamedInput[] {
  const fields = Object.entries(isJsonObject(schema.properties) ? schema.properties : {});
  if (fields.length === 0 && hasSessionFields) return [];
  if (fields.length === 0) return [{ name: "body", location: "request", schema, required, target: { kind: "body" } }];
  const names = Array.isArray(schema.required) ? schema.required : [];
  return fields.map(([field, property]) => ({
    name: field,
    location: "body",
    schema: isJsonObject(property) ? property : {},
    required: required && names.includes(field),
    target: { kind: "body-field", field },
  }));
}

/** The first input of a name keeps it; others are prefixed with their location or numbered. */
function withUniqueNames<I extends { readonly name: string; readonly location: string }>(
  inputs: readonly I[],
): readonly Omit<I, "location">[] {
  const taken = new Set<string>();
  return inputs.map(({ location, ...input }) => {
    const candidates = [validName(input.name), validName(`${location}_${input.name}`)];
    let name = candidates.find((candidate) => !taken.has(candidate)) ?? "";
    for (let number = 2; name === ""; number++) {
      const numbered = `${validName(input.name).slice(0, 58)}_${number}`;
      if (!taken.has(numbered)) name = numbered;
    }
    taken.add(name);
    return { ...input, name };
  });
}

function validName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_").slice(0, 64) || "_";
}

/** Converted to `schema.proto` and back, so that it has only keywords that every provider accepts. */
function schemaOf(inputs: readonly FunctionInput[]): JsonObject {
  const required = inputs.filter((input) => input.required).map(({ name }) => name);
  return toJsonSchema(
    fromJsonSchema({
      type: "object",
      properties: Object.fromEntries(inputs.map(({ name, schema }) => [name, schema])),
      ...(required.length > 0 && { required }),
    }),
  );
}

import { isJsonObject, type JsonObject } from "#base";
import { fromJsonSchema, toJsonSchema } from "../schema/json-schema.ts";
import type { Operation, OperationParameter } from "./read-operation.ts";
import { type SessionField, splitSessionFields } from "./session-context.ts";

/** What one argument of the function is for. */
export type InputTarget =
  | { readonly kind: "parameter"; readonly parameter: OperationParameter }
  | { readonly kind: "body-field"; readonly field: string }
  | { readonly kind: "body" };

/** An argument of the function. */
export interface FunctionInput {
  /** As the model writes it: letters, digits, `_`, `.` and `-`, 64 at most, no two alike. */
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  readonly target: InputTarget;
}

/** The arguments of an operation, and what the session fills of its body. */
export interface FunctionInputs {
  readonly inputs: readonly FunctionInput[];
  readonly sessionFields: readonly SessionField[];
  /** As the model request takes them. */
  readonly parameters: JsonObject;
}

/** The arguments of an operation, worked out once. Fields of a body that is an object are arguments of their own. */
export function functionInputs(operation: Operation): FunctionInputs {
  let inputs = known.get(operation);
  if (!inputs) {
    inputs = build(operation);
    known.set(operation, inputs);
  }
  return inputs;
}

const known = new WeakMap<Operation, FunctionInputs>();

function build({ parameters, body }: Operation): FunctionInputs {
  const wanted: (Omit<FunctionInput, "name"> & { readonly name: string; readonly place: string })[] = parameters
    .filter(({ sessionSource }) => sessionSource === undefined)
    .map((parameter) => ({
      name: parameter.name,
      place: parameter.in,
      schema: parameter.schema,
      required: parameter.required,
      target: { kind: "parameter", parameter },
    }));
  const { open, filled } =
    body && body.sessionSource === undefined ? splitSessionFields(body.schema) : { open: {}, filled: [] };
  if (body && body.sessionSource === undefined) {
    const fields = Object.entries(isJsonObject(open.properties) ? open.properties : {});
    const needed = Array.isArray(open.required) ? open.required : [];
    if (fields.length === 0 && filled.length === 0)
      wanted.push({ name: "body", place: "request", schema: open, required: body.required, target: { kind: "body" } });
    for (const [field, schema] of fields)
      wanted.push({
        name: field,
        place: "body",
        schema: isJsonObject(schema) ? schema : {},
        required: body.required && needed.includes(field),
        target: { kind: "body-field", field },
      });
  }
  const inputs = named(wanted);
  return { inputs, sessionFields: filled, parameters: schemaOf(inputs) };
}

/** The first of a name keeps it; others say where they stand. */
function named<I extends { readonly name: string; readonly place: string }>(
  wanted: readonly I[],
): readonly Omit<I, "place">[] {
  const taken = new Set<string>();
  return wanted.map(({ place, ...input }) => {
    const candidates = [fit(input.name), fit(`${place}_${input.name}`)];
    let name = candidates.find((candidate) => !taken.has(candidate)) ?? "";
    for (let number = 2; name === ""; number++) {
      const numbered = `${fit(input.name).slice(0, 58)}_${number}`;
      if (!taken.has(numbered)) name = numbered;
    }
    taken.add(name);
    return { ...input, name };
  });
}

function fit(name: string): string {
  return name.replaceAll(/[^\w.-]/g, "_").slice(0, 64) || "_";
}

/** In the platform's dialect, which every provider takes: through its schema and back. */
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

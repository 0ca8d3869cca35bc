import { z } from "zod";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { TestCase, TestContext } from "../suite/contract.ts";
import { TestFileError, type TestSource } from "./test-source.ts";
import { unreadableTest } from "./unreadable-test.ts";

/** Any value of YAML. */
export const JsonSchema = z.json() as unknown as z.ZodType<JsonValue>;

/** Names with values. */
export const ParametersSchema = z.record(z.string(), JsonSchema);

/** Arguments: an object, or JSON text of one. */
export const ArgumentsSchema = JsonSchema.nullish().transform((value, context) => toObject(value, context));

/** Values of variables: an object, or JSON text of one. A list of names means their defaults. */
export const VariablesSchema = JsonSchema.nullish().transform((value, context) =>
  Array.isArray(value) && value.every((name) => typeof name === "string") ? {} : toObject(value, context),
);

function toObject(value: JsonValue | null | undefined, context: z.RefinementCtx): JsonObject {
  const object = typeof value === "string" ? parsedObject(value) : (value ?? {});
  if (isJsonObject(object)) return object;
  context.addIssue({ code: "custom", message: 'must be an object or JSON text of one, e.g. {"name": "Ada"}' });
  return z.NEVER;
}

/** Blank text is no values. */
function parsedObject(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tags: a list, or one. */
export const TagsSchema = z
  .union([z.array(z.string()), z.string().transform((tag) => [tag])])
  .nullish()
  .transform((tags) => tags ?? []);

/** One text, or several. */
export const TextsSchema = z.union([z.array(z.string()), z.string().transform((text) => [text])]);

/** The cases of a list. One that cannot be read is not measured, and the others go on. */
export function eachItem<Schema extends z.ZodType, Context = TestContext>(
  source: TestSource,
  path: readonly (string | number)[],
  schema: Schema,
  toTest: (item: z.output<Schema>, line: number, path: readonly (string | number)[]) => TestCase<Context>,
): readonly TestCase<Context>[] {
  const { length } = source.read(path, z.array(z.unknown()).min(1, "has no cases; write at least one"));
  return Array.from({ length }, (_, position) => {
    const place = [...path, position];
    try {
      return toTest(source.read(place, schema), source.lineOf(place), place);
    } catch (error) {
      if (!(error instanceof TestFileError)) throw error;
      return unreadableTest(error, source.lineOf(place));
    }
  });
}

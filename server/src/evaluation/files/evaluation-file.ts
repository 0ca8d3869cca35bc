import { create, fromJson, type JsonValue as ProtoJson } from "@bufbuild/protobuf";
import { EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { TestCase } from "../suite/contract.ts";
import { evaluationTest } from "../suite/evaluation-test.ts";
import { TestFileError, type TestSource } from "./test-source.ts";
import { unknownKeys } from "./unknown-keys.ts";
import { unreadableTest } from "./unreadable-test.ts";

/** The evaluations of a file that ExportEvaluations wrote (EVAL-44); results and runs in it are no tests. */
export function readExportFile(source: TestSource): readonly TestCase[] {
  const { evaluations } = source.value as JsonObject;
  return (evaluations as readonly JsonValue[]).flatMap((value, at) => {
    const within = (path: Parameters<TestSource["lineOf"]>[0]) => ["evaluations", at, ...path];
    const entry: TestSource = {
      path: source.path,
      value,
      lineOf: (path) => source.lineOf(within(path)),
      read: (path, schema) => source.read(within(path), schema),
      error: (path, message) => source.error(within(path), message),
    };
    try {
      if (!isJsonObject(value)) throw entry.error([], "is no evaluation. Write it as an export does.");
      return readEvaluationFile(entry);
    } catch (error) {
      if (!(error instanceof TestFileError)) throw error;
      return [unreadableTest(error)];
    }
  });
}

/** An evaluation as packages and the API write it; its expectations may be objects (EVAL-30). */
export function readEvaluationFile(source: TestSource): readonly TestCase[] {
  const { value, criteria } = withoutCriteria(source.value as JsonObject);
  let evaluation = create(EvaluationSchema);
  const [unknown] = unknownKeys(EvaluationSchema, value);
  if (unknown)
    throw source.error(
      unknown,
      `'${unknown.at(-1)}' is no field of an evaluation here. Correct its name, or remove it.`,
    );
  try {
    evaluation = fromJson(EvaluationSchema, value as ProtoJson);
  } catch (error) {
    throw source.error([], `is no evaluation: ${(error as Error).message}. Write it as an export does.`);
  }
  const kind = evaluation.inputs.case === "scenario" ? "scenario" : "golden";
  if (evaluation.displayName === "") throw source.error([], "displayName is missing. Name the evaluation.");
  return [evaluationTest({ evaluation, kind, file: source.path, line: source.lineOf([]), criteria })];
}

/** Takes the criteria out of lists of expectations: `{displayName, llmCriteria: {prompt}}`. */
function withoutCriteria(value: JsonObject): { readonly value: JsonObject; readonly criteria: readonly string[] } {
  const criteria: string[] = [];
  const kept = (expectation: JsonValue): boolean => {
    const prompt = isJsonObject(expectation) && isJsonObject(expectation.llmCriteria) && expectation.llmCriteria.prompt;
    if (typeof prompt === "string") criteria.push(prompt);
    return typeof prompt !== "string";
  };
  const inner = Object.entries(value).map(([key, part]) => {
    if (!isJsonObject(part) || !Array.isArray(part.evaluationExpectations)) return [key, part];
    return [key, { ...part, evaluationExpectations: part.evaluationExpectations.filter(kept) }];
  });
  return { value: Object.fromEntries(inner) as JsonObject, criteria };
}

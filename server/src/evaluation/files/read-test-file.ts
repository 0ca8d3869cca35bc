import { isJsonObject, type JsonValue } from "#base";
import type { TestCase } from "../suite/contract.ts";
import { readEvaluationFile } from "./evaluation-file.ts";
import { readGoldenFile } from "./golden-file.ts";
import { parseTestSource, type TestFile, TestFileError, type TestSource } from "./test-source.ts";
import { unreadableTest } from "./unreadable-test.ts";

/** What a file is, by its content. */
interface FileKind {
  readonly matches: (value: JsonValue) => boolean;
  readonly read: (source: TestSource) => readonly TestCase[];
}

/** In the order in which they are tried. */
const FILE_KINDS: readonly FileKind[] = [
  { matches: (value) => hasKey(value, "golden") || hasKey(value, "scenario"), read: readEvaluationFile },
  { matches: (value) => hasKey(value, "conversations"), read: readGoldenFile },
];

/** The tests of a file, recognised by content (EVAL-30). What cannot be read is a test that is not measured. */
export function readTestFile(file: TestFile): readonly TestCase[] {
  try {
    const source = parseTestSource(file);
    const kind = FILE_KINDS.find(({ matches }) => matches(source.value));
    if (!kind) throw source.error([], UNKNOWN_KIND);
    return kind.read(source);
  } catch (error) {
    if (!(error instanceof TestFileError)) throw error;
    return [unreadableTest(error)];
  }
}

const UNKNOWN_KIND =
  "is no kind of test file that is known. Write goldens or turn evals (conversations), tool tests (tests), simulations (evals), an " +
  "evaluation (golden or scenario), or an ADK eval set (eval_cases).";

function hasKey(value: JsonValue, key: string): boolean {
  return isJsonObject(value) && value[key] !== undefined;
}

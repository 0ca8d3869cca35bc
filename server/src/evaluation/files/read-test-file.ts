import { isJsonObject, type JsonValue } from "#base";
import type { TestCase } from "../suite/contract.ts";
import { readCallbackFile } from "./callback-file.ts";
import { readEvalSetFile } from "./eval-set-file.ts";
import { readEvaluationFile, readExportFile } from "./evaluation-file.ts";
import { readEvaluationTable } from "./evaluation-table.ts";
import { readGoldenFile } from "./golden-file.ts";
import { isGuardrailTable, readGuardrailFile, readGuardrailTable } from "./guardrail-file.ts";
import { readSimulationFile } from "./simulation-file.ts";
import { parseTestSource, type TestFile, TestFileError, type TestSource } from "./test-source.ts";
import { readToolTestFile } from "./tool-test-file.ts";
import { readTurnEvalFile } from "./turn-eval-file.ts";
import { unreadableTest } from "./unreadable-test.ts";

/** What a file is, by its content. */
interface FileKind {
  readonly matches: (value: JsonValue) => boolean;
  readonly read: (source: TestSource) => readonly TestCase[];
}

/** In the order in which they are tried. */
const FILE_KINDS: readonly FileKind[] = [
  { matches: (value) => itemsOf(value, "evaluations").some(isJsonObject), read: readExportFile },
  { matches: (value) => hasKey(value, "golden") || hasKey(value, "scenario"), read: readEvaluationFile },
  { matches: (value) => hasKey(value, "eval_cases") || hasKey(value, "evalCases"), read: readEvalSetFile },
  { matches: (value) => Array.isArray(value) || hasKey(value, "evals"), read: readSimulationFile },
  { matches: (value) => itemsOf(value, "tests").some((item) => hasKey(item, "user_input")), read: readGuardrailFile },
  { matches: (value) => itemsOf(value, "tests").some((item) => hasKey(item, "tool")), read: readToolTestFile },
  {
    matches: (value) => hasKey(value, "tests") || itemsOf(value, "conversations").some(isTurnEval),
    read: readTurnEvalFile,
  },
  { matches: (value) => hasKey(value, "conversations"), read: readGoldenFile },
];

/** Turn evals have expectations of turns; goldens have an answer and tool calls. */
function isTurnEval(item: JsonValue): boolean {
  const own = ["user", "event", "historical_contexts", "turn_count", "config", "variables"];
  return (
    own.some((key) => hasKey(item, key)) ||
    itemsOf(item, "turns").some((turn) => hasKey(turn, "expectations") || hasKey(turn, "turn"))
  );
}

/** The tests of a file, and what of it was ignored. */
interface TestsOfFile {
  readonly tests: readonly TestCase[];
  readonly warnings: readonly string[];
}

/** The tests of a file, recognised by content (EVAL-30). What cannot be read is a test that is not measured. */
export async function readTestFile(file: TestFile): Promise<TestsOfFile> {
  try {
    if (file.problem !== undefined) throw new TestFileError({ file: file.path, line: 1, message: file.problem });
    if (file.path.endsWith(".csv") && !isGuardrailTable(file)) return await readEvaluationTable(file);
    return { tests: testsOf(file), warnings: [] };
  } catch (error) {
    if (!(error instanceof TestFileError)) throw error;
    return { tests: [unreadableTest(error)], warnings: [] };
  }
}

function testsOf(file: TestFile): readonly TestCase[] {
  if (file.path.endsWith(".csv")) return readGuardrailTable(file);
  if (file.path.endsWith(".py")) return [readCallbackFile(file)];
  const source = parseTestSource(file);
  if (hasKey(source.value, "test_cases"))
    throw source.error(["test_cases"], "test_cases is not read by the toolkit either. Rename it to tests.");
  const kind = FILE_KINDS.find(({ matches }) => matches(source.value));
  if (!kind) throw source.error([], UNKNOWN_KIND);
  return kind.read(source);
}

const UNKNOWN_KIND =
  "is no kind of test file that is known. Write goldens or turn evals (conversations), tool tests (tests), simulations (evals), an " +
  "evaluation (golden or scenario) or an export of them (evaluations), or an ADK eval set (eval_cases).";

function itemsOf(value: JsonValue, key: string): readonly JsonValue[] {
  const items = isJsonObject(value) ? value[key] : undefined;
  return Array.isArray(items) ? items : [];
}

function hasKey(value: JsonValue, key: string): boolean {
  return isJsonObject(value) && value[key] !== undefined;
}

import { ConnectError } from "#status";
import type { AppNames } from "../app-names.ts";
import type { TestCase } from "../suite/contract.ts";
import { evaluationTest } from "../suite/evaluation-test.ts";
import { entryTexts } from "../transfer/entry-texts.ts";
import { evaluationsFromCsv } from "../transfer/evaluations-from-csv.ts";
import { type TestFile, TestFileError } from "./test-source.ts";
import { unreadableTest } from "./unreadable-test.ts";

/** The goldens of a table, as ImportEvaluations reads it (EVAL-45, EVAL-109), and what of it was ignored. */
export async function readEvaluationTable({ path: file, text }: TestFile): Promise<{
  readonly tests: readonly TestCase[];
  readonly warnings: readonly string[];
}> {
  const texts = entryTexts(text);
  if (texts.kind !== "table") {
    const message = texts.kind === "unreadable" ? texts.description : "is no table; name it .json or .yaml.";
    throw new TestFileError({ file, line: 1, message });
  }
  const { evaluations, warnings } = await evaluationsFromCsv(texts, AS_WRITTEN, "").catch((error: unknown) => {
    if (!(error instanceof ConnectError)) throw error;
    throw new TestFileError({ file, line: 1, message: error.rawMessage.replace(/^: /, "") });
  });
  const tests = evaluations.map((entry) => {
    const line = Number(entry.where.replace("line ", ""));
    if ("problem" in entry) return unreadableTest(new TestFileError({ file, line, message: entry.problem }));
    return evaluationTest({ evaluation: entry.message, kind: "golden", file, line });
  });
  return { tests, warnings: warnings.map((warning) => `${file}: ${warning}`) };
}

/** Names as the table has them: they are looked up in the app when the golden runs. */
const AS_WRITTEN: AppNames = {
  agent: (reference) => reference,
  toolset: (reference) => reference,
  tool: (reference) => ({ case: "tool", value: reference }),
  toolOrMember: (reference) => ({ case: "tool", value: reference }),
  agents: [],
  tools: [],
  toolsets: [],
};

import type { TestCase } from "../suite/contract.ts";
import type { TestFileError } from "./test-source.ts";

/** A case of a file that cannot be read: it is not measured. */
export function unreadableTest(error: TestFileError, line: number = error.problem.line): TestCase<unknown> {
  const { file } = error.problem;
  return {
    name: `${file}:${line}`,
    kind: "unreadable",
    tags: [],
    file,
    line,
    run: () => Promise.reject(error),
  };
}

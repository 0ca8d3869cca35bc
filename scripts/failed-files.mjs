// A reporter of Node's test runner: the test files with a failure, one a line, for `.ci/run`. A failure of an unknown
// file (a top-level test that a shared file declares) is printed as `?`.
import { relative } from "node:path";
import { ROOT } from "./launch/progress.mjs";

export default async function* failedFiles(events) {
  const failed = new Set();
  for await (const { type, data } of events) {
    if (type !== "test:fail" || data.nesting > 0) continue;
    const file = fileOf(data);
    if (failed.has(file)) continue;
    failed.add(file);
    yield `${file}\n`;
  }
}

/** In a process of several files, the suite of each bears its name. */
function fileOf({ file, name }) {
  if (file?.endsWith(".test.ts")) return relative(ROOT, file);
  return name.endsWith(".test.ts") ? name : "?";
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestCase, TestFileError, unreadableTest } from "#evaluation";
import { locateViolations, type PlacedViolation } from "#lint";
import { packFolder, unpackToFolder } from "#resources";
import { type FieldViolation, failedPrecondition, fieldViolationsOf } from "#status";
import type { App } from "../build-app.ts";
import { type AppPackage, importPackage } from "./temporary-app.ts";

/** What an import of a package for its tests came to. */
interface ImportedForTests {
  readonly warnings: readonly string[];
  /** Evaluations that the app cannot have, each a case that is not measured (EVAL-62). */
  readonly unreadable: readonly TestCase[];
}

/** What may be left out of a package that is tested: the rest of the app is what it was. */
const EVALUATION = /^(evaluations|evaluationDatasets|evaluationExpectations)\/[^/]+\//;

/**
 * Imports a package to test it. An evaluation with a fault is left out and told as a case (EVAL-62). FAILED_PRECONDITION for faults of
 * the app itself, each with file and line.
 */
export async function importForTests(app: AppPackage, appId: string, server: App): Promise<ImportedForTests> {
  const violations: FieldViolation[] = [];
  const imported = await attempt(app, appId, server, violations);
  if (imported) return { warnings: imported, unreadable: [] };
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-faults-"));
  try {
    await unpackToFolder(app.zip, folder);
    return await importWithout(violations, folder, { app, appId, server });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Import {
  readonly app: AppPackage;
  readonly appId: string;
  readonly server: App;
}

/** Leaves faulty evaluations out until the rest can be imported: what names one of them goes with it. */
async function importWithout(
  violations: FieldViolation[],
  folder: string,
  { app, appId, server }: Import,
): Promise<ImportedForTests> {
  const faults: PlacedViolation[] = [];
  for (;;) {
    const found = await locateViolations(folder, violations, server.sandbox);
    faults.push(...found);
    if (found.some(({ file }) => !EVALUATION.test(file))) throw failedPrecondition(inLines(app, faults));
    for (const { file } of found)
      await rm(join(folder, EVALUATION.exec(file)?.[0] ?? file), { recursive: true, force: true });
    violations.length = 0;
    const { zip } = await packFolder(folder, server.clock.now());
    const warnings = await attempt({ ...app, zip }, appId, server, violations);
    if (warnings) return { warnings, unreadable: unreadableTests(faults) };
  }
}

/** The warnings of an import; undefined for a package with violations, which are added to those that are known. */
async function attempt(
  app: AppPackage,
  appId: string,
  server: App,
  violations: FieldViolation[],
): Promise<readonly string[] | undefined> {
  try {
    return await importPackage(app, appId, server);
  } catch (error) {
    violations.push(...fieldViolationsOf(error));
    if (violations.length === 0) throw error;
    return undefined;
  }
}

/** One case for each file, with all of its faults. */
function unreadableTests(faults: readonly PlacedViolation[]): readonly TestCase[] {
  return [...Map.groupBy(faults, ({ file }) => file)].map(([file, own]) => {
    const [{ line = 1 } = {}] = own;
    const message = own
      .map(({ line: at, message: text }) => (at === line ? `${text}.` : `line ${at}: ${text}.`))
      .join(" ");
    return unreadableTest(new TestFileError({ file, line, message }));
  });
}

function inLines({ name }: AppPackage, faults: readonly PlacedViolation[]): string {
  const lines = faults.map(({ file, line = 1, column = 1, message }) => `  ${file}:${line}:${column}: ${message}.`);
  return `${name} cannot be imported:\n${lines.join("\n")}`;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { createEgress, createLogger, systemClock, systemIds } from "#base";
import { type ImportFindings, type LintRequest, type LintResult, lintFolder } from "#lint";
import { createResources, packFolder } from "#resources";
import { createSandbox, type Sandbox } from "#sandbox";
import { filterProblems, findPersonalData, instructionProblems } from "#session";
import { ConnectError, fieldViolationsOf } from "#status";
import { openStorage } from "#storage";
import { createTools } from "#tools";
import type { Config } from "./config.ts";

/** The settings of the server that apply to a run of the linter. */
type LintConfig = Pick<Config, "dataDir" | "cacheDir" | "sandbox" | "egressAllow">;

/** Lints an app without a server: the import runs on a store of its own that is deleted afterwards. */
export async function lintApp(request: LintRequest, config: LintConfig): Promise<LintResult> {
  const { dataDir, cacheDir } = config;
  const logger = createLogger("silent");
  // A second guest would take longer to start than one takes to look at a hundred files.
  const sandbox = createSandbox({ dataDir, cacheDir, logger, ...config.sandbox, maxGuests: 1 });
  try {
    return await lintFolder(request, {
      sandbox,
      personalData: findPersonalData,
      importFindings: (folder) => importFindings(folder, sandbox, config),
    });
  } finally {
    await sandbox.close();
  }
}

async function importFindings(folder: string, sandbox: Sandbox, config: LintConfig): Promise<ImportFindings> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-lint-"));
  const logger = createLogger("silent");
  const egress = createEgress({ allowedPrivateHosts: config.egressAllow });
  const storage = await openStorage({ dataDir, clock: systemClock, logger });
  const tools = createTools({ sandbox, egress, logger });
  const resources = createResources({
    store: storage.resources,
    clock: systemClock,
    ids: systemIds,
    inspectPython: (code) => sandbox.inspect(code),
    server: { filterProblems, instructionProblems },
    toolChecks: {
      problems: (subject) => tools.problems(subject),
      knownToolIds: (toolset) => tools.knownToolIds(toolset),
      nameOf: (tool) => tools.nameOf(tool),
      // Linting sends no requests.
      refreshSnapshots: async (toolset) => toolset,
    },
  });
  try {
    const { zip } = await packFolder(folder, systemClock.now());
    const app = { case: "appContent", value: zip } as const;
    const parent = "projects/local/locations/us";
    const { name, warnings } = await resources.packages.importApp(create(ImportAppRequestSchema, { parent, app }));
    const validationErrors = await validationErrorsOf(name, resources);
    const known = new Set(validationErrors);
    return { violations: [], warnings: warnings.filter((warning) => !known.has(warning)), validationErrors };
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    const violations = fieldViolationsOf(error);
    const whole = violations.length > 0 ? violations : [{ field: "app", description: error.rawMessage }];
    return { violations: whole, warnings: [], validationErrors: [] };
  } finally {
    await tools.close();
    await Promise.all([egress.close(), storage.close()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The `validation_errors` of a stored app and its agents, as the linter reads them. */
export async function validationErrorsOf(
  name: string,
  { tree }: ReturnType<typeof createResources>,
): Promise<readonly string[]> {
  const { app, agents } = await tree.readTree(name);
  const ofAgents = agents.flatMap(({ displayName, validationErrors }) =>
    validationErrors.map((error) => `Agent '${displayName}', ${error}`),
  );
  return [...app.validationErrors, ...ofAgents];
}

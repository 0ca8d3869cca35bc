/** The program: configuration, the parts of a server put together, start and stop. */

export {
  type BudgetLimits,
  ctrfReport,
  fileText,
  type GatesFile,
  htmlReport,
  junitReport,
  markdownReport,
  readGates,
  readTestFile,
  resultReasons,
  type SuiteReport,
  type TestFile,
  terminalReport,
} from "#evaluation";
export { jsonReport, type LintResult, sarifReport, textReport } from "#lint";
export { type LineHandler, serveStdio } from "#protocols";
export {
  GATES_FILE,
  importFault,
  manifestAt,
  manifestPart,
  type PackageFile,
  type PackageFiles,
  packageFiles,
  packFiles,
  packFolder,
  readPackageFolder,
  unpackToFolder,
  withKnownIds,
  writePackageFolder,
} from "#resources";
export {
  FileFault,
  importModel,
  ModelFault,
  readModelFile,
  type SourceFile,
  writeModelFile,
  writeOsi,
} from "#semantics";
export { StorageError } from "#storage";
export type { ToolsetMember } from "#tools";
export { ConfigError } from "./config/config-values.ts";
export { migrateDatabase } from "./config/database-section.ts";
export { type Config, readConfig } from "./config.ts";
export { cachedSamples } from "./data-sample.ts";
export { type FolderChange, type ServedFolder, serveFolder } from "./dev/serve-folder.ts";
export { examine } from "./doctor/examine.ts";
export type { ClockOffsets, Finding } from "./doctor/finding.ts";
export { generatePackage, type PackageGeneration } from "./generate-package.ts";
export { lintApp } from "./lint-app.ts";
export { listenError } from "./listen/listen-error.ts";
export { moveData } from "./move-data.ts";
export { openAdmin } from "./open-admin.ts";
export { type DataAgentEvaluation, evaluateDataAgent, isDataAgentFile } from "./package-tests/evaluate-data-agent.ts";
export { evaluatePackage } from "./package-tests/evaluate-package.ts";
export type { AppPackage } from "./package-tests/temporary-app.ts";
export { watchPackage } from "./package-tests/watch-package.ts";
export { previewImport } from "./preview-import.ts";
export type { Difference } from "./recording/player.ts";
export { recordConversation } from "./recording/record-conversation.ts";
export { replay } from "./recording/replay.ts";
export { type PythonFileCall, type PythonFileRun, runPythonFile } from "./run-python-file.ts";
export { serveMcp } from "./serve-mcp.ts";
export { type Server, startServer } from "./start-server.ts";
export { copyTemplate, templateNames } from "./templates.ts";
export { VERSION } from "./version.ts";

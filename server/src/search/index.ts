/** Search for tools: data stores on this machine or in Vertex AI Search, files and the web, with rewriting, summaries and grounding. */

export { parseDayTimeDuration } from "./boost.ts";
export {
  type BoostCurve,
  type BoostRule,
  type FileQuery,
  type ModelStep,
  type Search,
  SearchError,
  type SearchHit,
  type SearchSource,
  type StoreAnswer,
  type StoreQuestion,
  type WebAnswer,
  type WebQuery,
} from "./contract.ts";
export { createSearch, noSearch } from "./create-search.ts";
export { createDocumentReader, type DocumentReader } from "./documents/document-reader.ts";
export type { SearchConfig, StoreSettings, WebSettings } from "./search-config.ts";
export { createMirror, type SharedFile, type SharedFiles, sweepCopies } from "./shared-files.ts";
export { LANGUAGES, languageOfTag } from "./text/languages.ts";
export { createToolFiles, MAX_TOOL_FILE, type ToolFiles } from "./tool-files.ts";
export type { ToolKey } from "./tool-folder.ts";

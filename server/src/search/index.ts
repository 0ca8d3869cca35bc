/** Finding things: data stores on this machine or at Vertex AI Search, files, the web; and what is made of what was found. */
export type { BoostCurve, BoostRule } from "./boost/boost-rule.ts";
export { parseDayTimeDuration } from "./boost/duration.ts";
export {
  type FileQuery,
  type ModelStep,
  type Search,
  SearchError,
  type SearchHit,
  type SearchSource,
  type StoreAnswer,
  type StoreQuestion,
  type StoreTarget,
  type WebAnswer,
  type WebQuery,
} from "./contract.ts";
export { createSearch, type SearchDeps } from "./create-search.ts";
export type { ToolPlace } from "./files/managed-folder.ts";
export { createToolFiles, MAX_TOOL_FILE, type ToolFile, type ToolFiles } from "./files/tool-files.ts";
export { noSearch } from "./no-search.ts";
export type { SearchConfig, StoreSettings, VertexSettings, WebSettings } from "./search-config.ts";
export { LANGUAGES, languageOfTag } from "./text/languages.ts";

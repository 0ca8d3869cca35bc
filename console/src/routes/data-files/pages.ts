/** Both pages in one chunk: whoever opens one opens the other next. */
export { DataFileRoute } from "./data-file-route.tsx";
export { DataFilesRoute } from "./data-files-route.tsx";

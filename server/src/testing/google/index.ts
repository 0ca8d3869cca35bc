/** Services of Google Cloud at the edge, on loopback, speaking their real wire. */
export { type BigQueryAnswer, type BigQueryProblem, startBigQuery } from "./bigquery-server.ts";
export { type FlowAnswer, startDialogflow } from "./dialogflow-server.ts";
export { startDlp } from "./dlp-server.ts";
export { startBigQueryTables, startCloudLogging } from "./export-servers.ts";
export { type GoogleReply, type GoogleServer, startGoogleServer } from "./google-server.ts";

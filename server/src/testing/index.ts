/** What tests build on: a scripted model, a whole server on a free port. Imported by tests alone. */

export { call, type ScriptedAnswer, ScriptedModel, say } from "./engine/index.ts";
export { modelsOf, startTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";
export { startPostgres, type ThrowawayPostgres, withoutPostgres } from "./throwaway-postgres.ts";

/** Utilities of tests: a scripted model, a complete server on a free port. Only tests import this. */

export { call, type ScriptedAnswer, ScriptedModel, say, TEST_CACHE } from "./engine/index.ts";
export { S3_KEYS, type S3Server, signatureOf, startS3Server } from "./s3-server.ts";
export { placeSample } from "./shared-sample.ts";
export { modelsOf, startTestServer, type TestServer, type TestServerOptions } from "./test-server.ts";
export { startMariaDb, type ThrowawayMariaDb, withoutMariaDb } from "./throwaway-mariadb.ts";
export { startPgBouncer, type ThrowawayPgBouncer, withoutPgBouncer } from "./throwaway-pgbouncer.ts";
export {
  freePort,
  startPostgres,
  startStandby,
  type ThrowawayPostgres,
  withoutPostgres,
} from "./throwaway-postgres.ts";

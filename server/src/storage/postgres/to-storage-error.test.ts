import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createLogger } from "#base";
import { Code, ConnectError, unavailable } from "#status";
import { StorageError } from "../errors.ts";
import { createOutages } from "./outages.ts";
import { toStorageError } from "./to-storage-error.ts";

function fault(code: string | undefined, message: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

const UNAVAILABLE = [
  ["the network is gone", fault("ECONNREFUSED", "connect ECONNREFUSED"), "FAILED", /cannot be reached/],
  ["all connections are taken", fault("53300", "sorry, too many clients already"), "FAILED", /no free connection/],
  ["the password was changed", fault("28P01", "password authentication failed"), "FAILED", /refuses the sign-in/],
  [
    "TLS is asked for",
    fault("28000", 'no pg_hba.conf entry for host "::1", user "u", database "d", no encryption'),
    "FAILED",
    /refuses connections without TLS \(.*\): set sslmode in FRONTDESK_DATABASE_URL/,
  ],
  [
    "a password is asked for",
    fault(undefined, "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string"),
    "FAILED",
    /wants a password/,
  ],
  ["a statement takes too long", fault("57014", "canceling statement due to statement timeout"), "FAILED", /statement/],
  ["the disk is full", fault("53100", "could not extend file"), "FULL", /no space left/],
  ["the disk is full for a new session", fault("XX000", "could not write init file"), "FULL", /no space left/],
  ["a standby is asked", fault("25006", "cannot execute INSERT in a read-only transaction"), "READ_ONLY", /no writes/],
  [
    "a right is missing",
    fault("42501", "permission denied for table turns"),
    "READ_ONLY",
    /grant it all on the tables/,
  ],
  [
    "several addresses were tried",
    Object.assign(new AggregateError([fault("ECONNREFUSED", "refused ::1")]), { code: "ECONNREFUSED" }),
    "FAILED",
    /cannot be reached \(refused ::1\)/,
  ],
] as const;

describe("an error of the database", () => {
  for (const [when, error, reason, sentence] of UNAVAILABLE)
    it(`is UNAVAILABLE with a time to try again for clients, and one sentence for the operator, when ${when} (DB-10)`, () => {
      const stored = toStorageError(error, "here");
      assert.equal(stored.reason, reason);
      assert.match(stored.message, sentence);
      const refusal = createOutages({ place: "here", logger: createLogger("silent") }).refusal(error);
      assert.ok(refusal instanceof ConnectError);
      assert.deepEqual([refusal.code, refusal.details.length], [Code.Unavailable, 2]);
    });

  it("is found in the error of a client, which says less", () => {
    const stored = new StorageError("FULL", "The database 'here' has no space left.");
    const refusal = createOutages({ place: "here", logger: createLogger("silent") }).refusal(stored);
    assert.equal(toStorageError(refusal, "here"), stored);
    const late = toStorageError(unavailable("The database is slow.", { reason: "STORAGE_OVERLOADED" }), "here");
    assert.equal(late.message, "The database 'here' was not asked: The database is slow.");
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Code, ConnectError } from "@connectrpc/connect";
import { toStatusError } from "../src/api/status-error.ts";

test("an error says what went wrong, also when a proxy answers in place of the server", () => {
  const rows: readonly (readonly [error: unknown, message: RegExp, code: string])[] = [
    [new ConnectError("'name' is empty.", Code.InvalidArgument), /^'name' is empty\.$/, "INVALID_ARGUMENT"],
    [new TypeError("Failed to fetch"), /^The server is not responding\.$/, "UNAVAILABLE"],
    [new ConnectError("HTTP 502", Code.Unavailable), /^The server is not responding\.$/, "UNAVAILABLE"],
    [new ConnectError("HTTP 429", Code.Unavailable), /^A proxy .* no more calls for now/, "RESOURCE_EXHAUSTED"],
    [new ConnectError("HTTP 413", Code.Unknown), /^A proxy .* so large/, "RESOURCE_EXHAUSTED"],
    [new ConnectError("HTTP 403", Code.PermissionDenied), /^A proxy .* status 403/, "PERMISSION_DENIED"],
    [new ConnectError("unsupported content type text/html", Code.Unknown), /^A proxy .* sign in there/, "UNKNOWN"],
  ];
  for (const [error, message, code] of rows) {
    const found = toStatusError(error);
    assert.match(found.message, message);
    assert.equal(found.code, code);
  }
});

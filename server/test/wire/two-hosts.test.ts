import assert from "node:assert/strict";
import { it } from "node:test";
import { startTestServer } from "#testing";
import { rawExchange } from "./wire-server.ts";

it("a request with two hosts, of which one is this server's own, is refused, WebSockets too (AUTH-30)", async () => {
  await using server = await startTestServer();
  const port = Number(new URL(server.address).port);
  const hosts = "Host: localhost\r\nhost: evil.example\r\nOrigin: http://localhost";
  for (const connection of ["close", "Upgrade\r\nUpgrade: websocket"])
    assert.match(
      await rawExchange(port, `GET /v1beta/projects HTTP/1.1\r\n${hosts}\r\nConnection: ${connection}\r\n\r\n`),
      /^HTTP\/1\.1 400 [\s\S]*more than one Host header/,
    );
});

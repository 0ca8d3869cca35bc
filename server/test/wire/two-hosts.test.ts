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

it("a request to a whole address is one for its path, and its host is the one that was called (WIRE-78)", async () => {
  await using server = await startTestServer();
  const port = Number(new URL(server.address).port);
  const get = (target: string, host: string) =>
    rawExchange(port, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  const path = "/v1beta/projects/local/locations/us/apps?pageSize=1";
  assert.match(await get(`http://localhost:${port}${path}`, "localhost"), /^HTTP\/1\.1 200 /);
  assert.match(await get(`HTTP://127.0.0.1:${port}${path}`, "evil.example"), /^HTTP\/1\.1 200 /);
  assert.match(
    await get(`http://evil.example${path}`, "localhost"),
    /^HTTP\/1\.1 403 [\s\S]*evil\.example is not one of/,
  );
  assert.match(await get(`http://localhost:${port}?pageSize=1`, "localhost"), /^HTTP\/1\.1 (?!400|500)/);
});

it("a host that is none is no host of this server (AUTH-31)", async () => {
  await using server = await startTestServer();
  const port = Number(new URL(server.address).port);
  for (const host of ["[evil", "a b", "evil:99999"])
    assert.match(
      await rawExchange(port, `GET /v1beta/projects HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1\.1 40[03] /,
      host,
    );
});

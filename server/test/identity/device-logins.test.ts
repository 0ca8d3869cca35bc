import assert from "node:assert/strict";
import { it } from "node:test";
import { startAccessServer } from "../access/access-server.ts";

it("logins of programs are refused to an address that begins too many, with when to try again (AUTH-23)", async () => {
  await using server = await startAccessServer([]);
  const begin = () => fetch(`${server.address}/auth/device`, { method: "POST" });
  for (let begun = 0; begun < 100; begun++) {
    const response = await begin();
    await response.arrayBuffer();
    assert.equal(response.status, 200);
  }
  const refused = await begin();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  assert.match(await refused.text(), /100 logins were begun from 127\.0\.0\.1 in 10 minutes/);
});

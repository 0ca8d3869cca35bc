// What deploy/test-image.sh asks of the image where nothing outside can: run in it, this starts the server, has it answer, and stops it.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

const PORT = 18080;
const ADDRESS = `http://127.0.0.1:${PORT}`;
const SESSION = "projects/local/locations/us/apps/order-desk/sessions/image-1";

const server = spawn("frontdesk", ["start", "--port", `${PORT}`], { stdio: ["ignore", "inherit", "inherit"] });
const ended = once(server, "exit");
try {
  await ready();
  assert.match(await post(`/v1beta/${SESSION}:runSession`), /A-1001/);
  assert.match(await fetch(`${ADDRESS}/docs/`).then((response) => response.text()), /<title>/);
  assert.equal(process.getuid(), 10001);
} finally {
  server.kill("SIGTERM");
}
assert.deepEqual(await ended, [0, null]);

async function ready() {
  for (let tries = 0; tries < 300 && server.exitCode === null; tries++) {
    const answer = await fetch(`${ADDRESS}/readyz`).catch(() => undefined);
    if (answer?.ok) return;
    await pause(200);
  }
  throw new Error("the server did not become ready");
}

async function post(path) {
  const inputs = [{ text: "Where is my order A-1001?" }];
  const body = JSON.stringify({ config: { session: SESSION }, inputs });
  const response = await fetch(ADDRESS + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return response.text();
}

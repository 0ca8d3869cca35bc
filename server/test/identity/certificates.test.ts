import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { request } from "node:https";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Caller } from "#base";
import { type AuthServer, LOCATION, startAuthServer } from "./auth-server.ts";

const fixture = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const CERTIFICATE = fixture("../wire/__fixtures__/localhost.crt");
const KEY = fixture("../wire/__fixtures__/localhost.key");
const APPS = `/v1beta/${LOCATION}/apps`;

/** Callers as the protocols found them out. */
const callers: Caller[] = [];
let server: AuthServer;
before(async () => {
  const tls = { cert: CERTIFICATE, key: KEY, clientCa: fixture("./__fixtures__/client-ca.crt") };
  server = await startAuthServer({ config: { tls } });
  const { authenticator } = server.app.authentication;
  const { authenticate } = authenticator;
  authenticator.authenticate = async (credentials) => {
    const caller = await authenticate(credentials);
    callers.push(caller);
    return caller;
  };
});
after(() => server[Symbol.asyncDispose]());

/** What a client has: a certificate of the fixtures, or none. */
function identityOf(name: string | undefined) {
  const ca = readFileSync(CERTIFICATE);
  if (name === undefined) return { ca };
  return {
    ca,
    cert: readFileSync(fixture(`./__fixtures__/${name}.crt`)),
    key: readFileSync(fixture(`./__fixtures__/${name}.key`)),
  };
}

const port = () => new URL(server.address).port;

function getOverHttp1(name: string | undefined): Promise<{ readonly status: number; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const options = { ...identityOf(name), host: "localhost", port: port(), path: APPS, agent: false };
    const sent = request(options, (response) => {
      let body = "";
      response.on("data", (chunk) => {
        body += String(chunk);
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    sent.on("error", reject).end();
  });
}

async function getOverHttp2(name: string): Promise<number> {
  const session = connect(`https://localhost:${port()}`, identityOf(name));
  try {
    return await new Promise((resolve, reject) => {
      session.on("error", reject);
      const stream = session.request({ ":path": APPS });
      stream.on("response", ({ ":status": status }) => resolve(Number(status)));
      stream.resume();
    });
  } finally {
    session.close();
  }
}

const ACCEPTED: Readonly<Record<string, readonly [kind: string, principal: string]>> = {
  person: ["user", "user:ann@example.com"],
  service: ["workload", "principal://certificates/subject/spiffe://example.com/ci"],
  plain: ["workload", "principal://certificates/subject/pump-7"],
};

describe("a client certificate (AUTH-16)", () => {
  for (const [name, expected] of Object.entries(ACCEPTED)) {
    it(`shows who calls over HTTP/1.1 and HTTP/2: that of a ${name}`, async () => {
      callers.length = 0;
      assert.deepEqual([(await getOverHttp1(name)).status, await getOverHttp2(name)], [200, 200]);
      assert.deepEqual(
        callers.map(({ kind, principal }) => [kind, principal]),
        [expected, expected],
      );
      assert.match(callers[0]?.credentialId ?? "", /^certificate:[0-9a-f]{64}$/);
    });
  }

  it("is refused when no authority of the operator vouches for it", async () => {
    const { status, body } = await getOverHttp1("stranger");
    assert.equal(status, 401);
    assert.match(body, /certificate of the client was not accepted/);
  });

  it("is not needed by who has another credential", async () => {
    assert.equal((await getOverHttp1(undefined)).status, 401);
    const key = await server.createApiKey();
    assert.equal((await server.call(APPS, { "x-goog-api-key": key.text })).status, 200);
  });
});

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { connect } from "node:tls";
import { fileURLToPath } from "node:url";
import { pino } from "pino";
import { startTestServer, type TestServer } from "#testing";
import { checkTls } from "../../src/app/doctor/check-tls.ts";
import { readTls } from "../../src/app/tls-identity.ts";

const fixture = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const [FIRST, SECOND] = [fixture("__fixtures__/localhost"), fixture("../identity/__fixtures__/person")];

describe("files of TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-tls-"));
  const tls = { cert: join(folder, "desk.crt"), key: join(folder, "desk.key") };
  const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
  let server: TestServer;
  const put = (kind: keyof typeof tls, pair: string) =>
    copyFileSync(`${pair}.${kind === "cert" ? "crt" : "key"}`, tls[kind]);

  before(async () => {
    put("cert", FIRST);
    put("key", FIRST);
    const logger = pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) });
    server = await startTestServer({ config: { tls }, logger });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  /** Whom the certificate is of that a new connection is shown. */
  function shown(): Promise<string | undefined> {
    const port = Number(new URL(server.address).port);
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false }, () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      });
      socket.on("error", reject);
    });
  }

  it("that were renewed count for new connections, once both of them are", async () => {
    assert.equal(await shown(), "localhost");
    put("cert", SECOND);
    for (const _ of [1, 2]) server.reread();
    assert.equal(await shown(), "localhost");
    const refused = lines.filter(({ err }) => err !== undefined).map(({ err }) => err?.message);
    assert.deepEqual(refused, [`tls.key: '${tls.key}' is not the key of the certificate '${tls.cert}'.`]);
    put("key", SECOND);
    server.reread();
    assert.equal(await shown(), "Ann");
    assert.equal(lines.filter(({ msg }) => msg === "the files of TLS were read anew").length, 1);
  });

  it("tell in the metrics when the certificate ends, and doctor who it is of", async () => {
    const { endTime } = readTls(tls);
    const page = await fetch(`${server.address.replace("https:", "http:")}/metrics`).then((answer) => answer.text());
    assert.match(page, new RegExp(`^frontdesk_tls_certificate_end_seconds ${endTime / 1_000}$`, "m"));
    const stateAt = async (now: number) =>
      (await checkTls({ tls }, now)).map(({ state, detail }) => `${state} ${detail}`);
    const [end] = [new Date(endTime).toISOString()];
    assert.deepEqual(await stateAt(Date.now()), [`ok the certificate of CN=Ann ends at ${end}`]);
    assert.deepEqual(await stateAt(endTime - 86_400_000), [`warning the certificate of CN=Ann ends at ${end}`]);
    assert.deepEqual(await stateAt(endTime), [`fault the certificate of CN=Ann ended at ${end}`]);
  });

  it("that cannot be used end a start in one sentence, and doctor has it", async () => {
    const broken = { ...tls, cert: join(folder, "broken.crt") };
    writeFileSync(broken.cert, "no certificate");
    const faults: readonly (readonly [config: typeof tls & { clientCa?: string }, message: RegExp])[] = [
      [broken, /^tls\.cert: '.*broken\.crt' has no certificate in PEM \(/],
      [{ ...tls, key: broken.cert }, /^tls\.key: '.*broken\.crt' has no key in PEM without a passphrase \(/],
      [{ ...tls, clientCa: broken.cert }, /^tls\.clientCa: '.*broken\.crt' has no certificate in PEM \(/],
      [{ ...tls, key: `${FIRST}.key` }, /^tls\.key: '.*' is not the key of the certificate '.*'\.$/],
    ];
    for (const [config, message] of faults) {
      await assert.rejects(startTestServer({ config: { tls: config } }), { name: "ConfigError", message });
      const [finding] = await checkTls({ tls: config });
      assert.equal(finding?.state, "fault");
      assert.match(`${finding?.detail}.`, message);
    }
  });
});

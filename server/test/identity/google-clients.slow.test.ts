import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import { type FakeIssuer, startFakeIssuer } from "./fake-issuer.ts";

const PROGRAM = fileURLToPath(new URL("./__clients__/google-clients.ts", import.meta.url));
const CERTIFICATE = fileURLToPath(new URL("../wire/__fixtures__/localhost.crt", import.meta.url));
const KEY = fileURLToPath(new URL("../wire/__fixtures__/localhost.key", import.meta.url));

let server: AuthServer;
let issuer: FakeIssuer;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-clients-"));
  issuer = await startFakeIssuer(
    "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/ci",
  );
  server = await startAuthServer({
    auth: {
      issuers: [{ name: "ci", issuer: issuer.issuer, audiences: [], kind: "workload", project: "local" }],
      metadata: { port: 0, account: "vm", project: "local" },
    },
    config: { tls: { cert: CERTIFICATE, key: KEY } },
  });
});
after(async () => {
  await Promise.all([server[Symbol.asyncDispose](), issuer[Symbol.asyncDispose]()]);
  await rm(folder, { recursive: true });
});

/** The address as certificates name it. */
const endpoint = () => `https://localhost:${new URL(server.address).port}`;

async function fileOf(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const GENERATED = { "generated over gRPC": "0 agents", "generated over REST": "0 agents" };
const GOOGLEAPIS = { googleapis: "status 200" };

/** What clients answer in an environment that has nothing of this machine's. */
function run(clients: object, environment: NodeJS.ProcessEnv): Promise<Readonly<Record<string, string>>> {
  const trust = { NODE_EXTRA_CA_CERTS: CERTIFICATE, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: CERTIFICATE };
  const env = { HOME: folder, METADATA_SERVER_DETECTION: "none", ...trust, ...environment };
  const args = [PROGRAM, endpoint(), Object.keys(clients).join(",")];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(stderr || error.message));
      else resolve(JSON.parse(stdout) as Record<string, string>);
    });
  });
}

describe("Google's clients over TLS, of which only the endpoint is changed", () => {
  it("sign in with a key file; the generated ones sign their tokens themselves (AUTH-2)", async () => {
    const key = await server.createKey("ci");
    const answers = await run(GENERATED, { GOOGLE_APPLICATION_CREDENTIALS: await fileOf("key.json", key.text) });
    assert.deepEqual(answers, GENERATED);
  });

  it("sign in with a key file that names a universe, for the client that otherwise asks Google for a token (AUTH-3)", async () => {
    const key = await server.createKey("ci", "?universeDomain=frontdesk.local");
    const answers = await run(GOOGLEAPIS, {
      GOOGLE_APPLICATION_CREDENTIALS: await fileOf("universe.json", key.text),
      GOOGLE_CLOUD_UNIVERSE_DOMAIN: "frontdesk.local",
    });
    assert.deepEqual(answers, GOOGLEAPIS);
  });

  it("exchange the token of a workload (AUTH-5)", async () => {
    const audience = "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/ci/providers/ci";
    const token = await fileOf("subject-token", await issuer.sign({ aud: audience }));
    const configuration = {
      ...{ type: "external_account", audience, subject_token_type: "urn:ietf:params:oauth:token-type:jwt" },
      ...{ token_url: `${endpoint()}/token`, credential_source: { file: token } },
    };
    const clients = { ...GENERATED, ...GOOGLEAPIS };
    const answers = await run(clients, {
      GOOGLE_APPLICATION_CREDENTIALS: await fileOf("external.json", JSON.stringify(configuration)),
      // Otherwise the libraries ask Google for the id of the project in the audience.
      GOOGLE_CLOUD_PROJECT: "local",
    });
    assert.deepEqual(answers, clients);
  });

  it("ask the metadata server, at the address that the environment names (AUTH-7)", async () => {
    const clients = { ...GENERATED, ...GOOGLEAPIS };
    const answers = await run(clients, {
      GCE_METADATA_IP: server.metadataAddress,
      GCE_METADATA_HOST: server.metadataAddress,
      METADATA_SERVER_DETECTION: "assume-present",
    });
    assert.deepEqual(answers, clients);
  });
});

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { seconds } from "./sign.ts";

/** How the issuer answers for its keys. */
export type Behaviour = "well" | "slow" | "huge" | "gone" | "nonsense";

/** An issuer whose keys a test can turn, hide and slow down: the wire of an issuer, over a socket of its own. */
export interface FakeIssuer extends AsyncDisposable {
  readonly issuer: string;
  behaviour: Behaviour;
  /** Reads of the keys so far. */
  readonly reads: number;
  /** Ends the connections of those who wait. */
  hangUp(): void;
  /** A new key; the old one is no longer shown. */
  turnKey(): Promise<void>;
  sign(claims: JWTPayload, header?: Readonly<Record<string, string>>): Promise<string>;
}

export async function startFakeIssuer(audience = "desk"): Promise<FakeIssuer> {
  let key = await newKey("k1");
  let reads = 0;
  let turns = 1;
  const server = createServer((request, response) => {
    if (request.url === "/.well-known/openid-configuration")
      return send(response, { issuer: self.issuer, jwks_uri: `${self.issuer}/keys` });
    reads += 1;
    const { behaviour } = self;
    if (behaviour === "slow") return; // It is never answered.
    if (behaviour === "gone") return response.writeHead(503).end();
    if (behaviour === "nonsense") return response.end("<html>");
    send(response, { keys: [key.jwk], ...(behaviour === "huge" && { padding: "x".repeat(1_000_000) }) });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const self = {
    issuer: `http://127.0.0.1:${port}`,
    behaviour: "well" as Behaviour,
    get reads() {
      return reads;
    },
    hangUp: () => server.closeAllConnections(),
    turnKey: async () => {
      turns += 1;
      key = await newKey(`k${turns}`);
    },
    sign: (claims: JWTPayload, header = {}) =>
      new SignJWT({ iss: self.issuer, sub: "subject-1", aud: audience, exp: seconds() + 600, ...claims })
        .setProtectedHeader({ alg: "ES256", kid: key.jwk.kid as string, ...header })
        .sign(key.privateKey),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

async function newKey(kid: string): Promise<{ readonly jwk: JWK; readonly privateKey: CryptoKey }> {
  const { publicKey, privateKey } = await generateKeyPair("ES256");
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg: "ES256", use: "sig" }, privateKey };
}

function send(response: ServerResponse, json: object): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(json));
}

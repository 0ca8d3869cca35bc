import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { jwtVerify } from "jose";
import { keyFileTokens } from "./key-file.ts";

describe("a key file", () => {
  const folder = mkdtempSync(join(tmpdir(), "key-file-"));
  after(() => rmSync(folder, { recursive: true }));
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const fileOf = (email: string) => {
    const path = join(folder, `${email}.json`);
    const key = { type: "service_account", private_key_id: "k1", private_key: privateKey, client_email: email };
    writeFileSync(path, JSON.stringify(key));
    return path;
  };
  const google = fileOf("ci@my-project.iam.gserviceaccount.com");
  const own = fileOf("ci@local.frontdesk.local");

  it("of Google signs tokens for Google's own addresses, over TLS, and for nobody else", async () => {
    const token = await keyFileTokens("The key", google, "https://ces.googleapis.com")?.();
    const { payload, protectedHeader } = await jwtVerify(token ?? "", createPublicKey(publicKey));
    assert.deepEqual(
      [payload.aud, payload.iss, payload.sub, protectedHeader.kid],
      ["https://ces.googleapis.com/", "ci@my-project.iam.gserviceaccount.com", payload.iss, "k1"],
    );
    for (const address of [
      "http://ces.googleapis.com",
      "https://desk.example.com",
      "https://ces.googleapis.com.example.com",
      "https://notgoogleapis.com",
    ])
      assert.equal(keyFileTokens("The key", google, address), undefined, address);
  });

  it("of a Frontdesk server signs none for Google", () => {
    assert.equal(keyFileTokens("The key", own, "https://ces.googleapis.com"), undefined);
    assert.ok(keyFileTokens("The key", own, "https://desk.example.com"));
  });
});

import { randomBytes } from "node:crypto";
import type { SecureContextOptions } from "node:tls";

/**
 * Connections between servers are TLS with a key that both sides have before (RFC 4279, RFC 5489): it proves each to the other, so there are no certificates to make
 * and to renew, and what was recorded cannot be read once the key is known. Node has such keys for TLS 1.2 alone.
 */
export const TLS_WITH_KEY: SecureContextOptions = {
  ciphers: "ECDHE-PSK-CHACHA20-POLY1305",
  minVersion: "TLSv1.2",
  maxVersion: "TLSv1.2",
};

/** A key for the connections to one server, 32 bytes. */
export function newConnectionKey(): Uint8Array {
  return randomBytes(32);
}

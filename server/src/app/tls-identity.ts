import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { Logger } from "#base";
import { ConfigError } from "./config/config-values.ts";
import type { Config } from "./config.ts";
import type { TlsIdentity } from "./listen/tls-server.ts";

type TlsPaths = NonNullable<Config["tls"]>;

/** What the port shows and asks for over TLS, as its files have it now. */
interface TlsFiles extends TlsIdentity {
  /** Whom the certificate is of, on one line: `CN=desk.example.com`. */
  readonly subject: string;
  /** When the certificate ends, milliseconds since the epoch. */
  readonly endTime: number;
}

/** Reads the files and checks that they fit together. Throws `ConfigError` that names the file. */
export function readTls({ cert: certPath, key: keyPath, clientCa: caPath }: TlsPaths): TlsFiles {
  const [cert, key] = [read("cert", certPath), read("key", keyPath)];
  const certificate = attempt(() => new X509Certificate(cert), `tls.cert: '${certPath}' has no certificate in PEM`);
  const privateKey = attempt(
    () => createPrivateKey(key),
    `tls.key: '${keyPath}' has no key in PEM without a passphrase`,
  );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(`tls.key: '${keyPath}' is not the key of the certificate '${certPath}'.`);
  const clientCa = caPath === undefined ? {} : { clientCa: read("clientCa", caPath) };
  if (caPath !== undefined)
    attempt(() => new X509Certificate(read("clientCa", caPath)), `tls.clientCa: '${caPath}' has no certificate in PEM`);
  attempt(() => createSecureContext({ cert, key, ca: clientCa.clientCa }), `tls: '${certPath}' cannot be used`);
  const subject = certificate.subject.replaceAll("\n", ", ");
  return { cert, key, ...clientCa, subject, endTime: Date.parse(certificate.validTo) };
}

function read(name: string, path: string): Buffer {
  return attempt(() => readFileSync(path), `tls.${name}: '${path}' cannot be read`);
}

function attempt<T>(action: () => T, fault: string): T {
  try {
    return action();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${fault} (${code ?? message}).`);
  }
}

/** Files of TLS that are replaced while the server runs, as every renewal of a certificate does. */
export interface FollowedTls {
  /** What counts now. */
  readonly current: TlsFiles;
  /** Reads the files anew, and gives them to new connections when they differ and fit together; else what was there counts, and the log says why. */
  look(): void;
}

/** `replace`: gets what new connections are to have. */
export function followTls(
  paths: TlsPaths,
  first: TlsFiles,
  replace: (identity: TlsIdentity) => void,
  logger: Logger,
): FollowedTls {
  let current = first;
  let refused = "";
  return {
    get current() {
      return current;
    },
    look() {
      try {
        const found = readTls(paths);
        refused = "";
        if (isSame(found, current)) return;
        replace(found);
        current = found;
        const { subject, endTime } = found;
        logger.info({ subject, endTime: new Date(endTime).toISOString() }, "the files of TLS were read anew");
      } catch (error) {
        const { message } = error as Error;
        // Two files are rarely replaced in the same moment, so the next look may well find them in order.
        if (message !== refused)
          logger.warn({ err: error }, "the files of TLS have changed and cannot be used; what was read before counts");
        refused = message;
      }
    },
  };
}

function isSame(one: TlsIdentity, other: TlsIdentity): boolean {
  const parts = ({ cert, key, clientCa = "" }: TlsIdentity) => [cert, key, clientCa].map(String).join("\0");
  return parts(one) === parts(other);
}

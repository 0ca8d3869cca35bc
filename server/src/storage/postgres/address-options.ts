import { queryOptionFault } from "#base";
import { StorageError } from "../errors.ts";
import { TLS_PARAMETERS, type TlsOptions, tlsFault, tlsOptionsOf } from "./tls-options.ts";

/** What the options of an address say of connections. */
export interface AddressOptions {
  /** The address with the options that the driver reads. */
  readonly address: string;
  readonly tls: TlsOptions;
  /** Milliseconds for making a connection. */
  readonly connectTimeoutMs: number;
  /** Whether the sign-in is bound to the certificate: where the server can, or else not at all. */
  readonly channelBinding: "disable" | "prefer" | "require";
}

const CONNECT_TIMEOUT_MS = 5_000;

/** What the driver reads and sends to the database. */
const OF_THE_DRIVER = [
  ...["host", "port", "user", "password", "application_name", "fallback_application_name", "options"],
  ...["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "query_timeout"],
];

/** What is read here. */
const OURS = ["connect_timeout", "channel_binding"];

/** What libpq has and this program does in one way only, with the values that say so: addresses of providers have them. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  target_session_attrs: ["any", "read-write", "primary"],
  gssencmode: ["disable", "prefer"],
  client_encoding: ["UTF8", "utf8", "utf-8", "auto"],
  uselibpqcompat: ["true"],
};

const KNOWN = [...TLS_PARAMETERS, ...OURS, ...OF_THE_DRIVER, ...Object.keys(FIXED)];

/** Reads the options of an address of PostgreSQL. Throws a `StorageError` without the address, which has a password. */
export function addressOptionsOf(url: string): AddressOptions {
  const fault = addressFault(url);
  if (fault !== undefined) throw new StorageError("FAILED", `FRONTDESK_DATABASE_URL ${fault}.`);
  const tls = tlsOptionsOf(url);
  const address = new URL(tls.address);
  const query = address.searchParams;
  const seconds = query.get("connect_timeout");
  const channelBinding = (query.get("channel_binding") ?? "disable") as AddressOptions["channelBinding"];
  const read = [...OURS, ...Object.keys(FIXED)].filter((name) => query.has(name));
  for (const name of read) query.delete(name);
  return {
    address: read.length > 0 ? address.href : tls.address,
    tls,
    connectTimeoutMs: seconds === null ? CONNECT_TIMEOUT_MS : Number(seconds) * 1_000,
    channelBinding,
  };
}

/** What is wrong with the options of an address, to stand behind the name of its setting. Undefined: nothing. */
export function addressFault(text: string): string | undefined {
  const url = new URL(text);
  return queryOptionFault(url, KNOWN) ?? tlsFault(text) ?? valueFault(url.searchParams);
}

function valueFault(query: URLSearchParams): string | undefined {
  const seconds = query.get("connect_timeout");
  if (seconds !== null && !/^[1-9]\d{0,3}$/.test(seconds))
    return `has connect_timeout=${seconds}: use seconds, from 1 to 9999`;
  const choices = { ...FIXED, channel_binding: ["disable", "prefer", "require"] };
  for (const [name, values] of Object.entries(choices)) {
    const value = query.get(name);
    if (value !== null && !values.includes(value))
      return `has ${name}=${value}: use ${values.join(", ")}, or take it out`;
  }
  return undefined;
}

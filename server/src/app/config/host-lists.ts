import { isIPv6 } from "node:net";
import { ConfigError, list } from "./config-values.ts";

type Entries = readonly string[] | undefined;

/** Private hosts that requests may reach, as requests name them. Throws `ConfigError` for what no request could ever name. */
export function privateHosts(environment: NodeJS.ProcessEnv, section: Entries): readonly string[] {
  const setting = settingOf("FRONTDESK_EGRESS_ALLOW", "egress.allow", environment, section);
  return checked(setting, privateHost, "use name or name:port, e.g. crm.internal:8443; without a port all are meant");
}

/** Origins of pages, as browsers name them, or `*`. Throws `ConfigError` for what no browser could ever name. */
export function pageOrigins(environment: NodeJS.ProcessEnv, section: Entries): readonly string[] {
  const setting = settingOf("FRONTDESK_ALLOWED_ORIGINS", "allowedOrigins", environment, section);
  return checked(setting, pageOrigin, "use scheme and host, e.g. https://desk.example.com, or * for any");
}

interface Setting {
  readonly name: string;
  readonly entries: readonly string[];
}

/** The environment wins. */
function settingOf(variable: string, key: string, environment: NodeJS.ProcessEnv, section: Entries): Setting {
  const given = list(environment[variable]);
  return given ? { name: variable, entries: given } : { name: key, entries: section ?? [] };
}

function checked(
  { name, entries }: Setting,
  read: (entry: string) => string | undefined,
  fix: string,
): readonly string[] {
  return entries.map((entry) => {
    const value = read(entry);
    if (value !== undefined) return value;
    throw new ConfigError(`${name} has '${entry}', which would never count; ${fix}.`);
  });
}

/** No address with a scheme or a path, no range, no pattern: hosts are opened one by one. */
const HOST = /^(?<host>\[[^\]]+\]|[^\s/*?#@:[\]]+)(?::(?<port>\d{1,5}))?$/;

function privateHost(entry: string): string | undefined {
  const { host = "", port } = HOST.exec(isIPv6(entry) ? `[${entry}]` : entry)?.groups ?? {};
  const url = host === "" ? null : URL.parse(`http://${host}`);
  if (!url || Number(port) > 65_535) return undefined;
  const name = url.hostname.replace(/^\[|\]$/g, "");
  return port === undefined ? name : `${name}:${port}`;
}

/** A scheme and a host, of apps that bring a browser along too: `tauri://localhost`. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/*?#@]+\/?$/i;

function pageOrigin(entry: string): string | undefined {
  // Browsers name pages without an origin, such as files, `null`.
  if (entry === "*" || entry === "null") return entry;
  const url = URL.parse(entry);
  if (!url || !ORIGIN.test(entry)) return undefined;
  return url.origin === "null" ? entry.replace(/\/$/, "") : url.origin;
}

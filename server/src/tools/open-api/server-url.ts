import { isJsonObject, type JsonValue } from "#base";

/** Placeholder for a URL that belongs to an environment (PKG-20). */
const ENV_VAR = "$env_var";

/**
 * The URL of the first server in the first non-empty list, with variables replaced by their defaults; "" when there is none. Callers
 * pass the servers of the operation, of its path item and of the document, in this order.
 */
export function serverUrlOf(lists: readonly (JsonValue | undefined)[]): string {
  for (const list of lists) {
    const [server] = Array.isArray(list) ? list : [];
    if (isJsonObject(server) && typeof server.url === "string") return withVariables(server.url, server.variables);
  }
  return "";
}

function withVariables(url: string, variables: JsonValue | undefined): string {
  return url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = isJsonObject(variables) && Object.hasOwn(variables, name) ? variables[name] : undefined;
    const value = isJsonObject(variable) ? variable.default : undefined;
    return value === undefined || value === null || typeof value === "object" ? whole : String(value);
  });
}

/**
 * The base URL of requests, or why there is none. `url` is the field of tool or toolset: it replaces the placeholder, and is what a relative
 * server is relative to.
 */
export function baseUrl(serverUrl: string, url: string): { readonly url: string } | { readonly problem: string } {
  const chosen = serverUrl === ENV_VAR || serverUrl === "" ? url : serverUrl;
  if (chosen === "" || chosen === ENV_VAR) {
    const missing =
      serverUrl === ENV_VAR ? "its server is $env_var and 'url' is not set" : "it names no server and 'url' is not set";
    return { problem: missing };
  }
  const variable = /\{([^{}]+)\}/.exec(chosen)?.[1];
  if (variable !== undefined)
    return {
      problem: `its server '${chosen}' has the variable '${variable}', for which the document gives no default`,
    };
  const found = URL.parse(chosen) ?? (url === "" ? null : URL.parse(chosen, url));
  if (!found) return { problem: notAbsolute(chosen, url) };
  const { protocol } = found;
  if (protocol !== "https:" && protocol !== "http:")
    return { problem: `its server '${chosen}' is neither http nor https` };
  return { url: (URL.canParse(chosen) ? chosen : found.href).replace(/\/+$/, "") };
}

function notAbsolute(server: string, url: string): string {
  return url === "" && /^[./]/.test(server)
    ? `its server '${server}' is relative; set 'url' to what it is relative to, e.g. https://api.example.com`
    : `its server '${server}' is not an absolute URL`;
}

import { isJsonObject, type JsonValue } from "#base";

/** What stands for a URL that belongs to a deployment (PKG-20). */
const ENV_VAR = "$env_var";

/**
 * The first server of the first list that has one, its variables by their defaults. Servers of an operation come before those of
 * its path, those before the document's. "" when there is none.
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

/** The address that requests go to, or why there is none. `url` is the field of tool and toolset: it fills the placeholder. */
export function baseUrl(serverUrl: string, url: string): { readonly url: string } | { readonly problem: string } {
  const chosen = serverUrl === ENV_VAR || serverUrl === "" ? url : serverUrl;
  if (chosen === "" || chosen === ENV_VAR) {
    const missing =
      serverUrl === ENV_VAR ? "its server is $env_var and 'url' is not set" : "it names no server and 'url' is not set";
    return { problem: missing };
  }
  if (!URL.canParse(chosen)) return { problem: `its server '${chosen}' is no absolute URL` };
  const { protocol } = new URL(chosen);
  if (protocol !== "https:" && protocol !== "http:")
    return { problem: `its server '${chosen}' is neither http nor https` };
  return { url: chosen.replace(/\/+$/, "") };
}

import { readFile, stat } from "node:fs/promises";
import { ifThere } from "#base";
import type { Config } from "../config.ts";
import type { Finding } from "./finding.ts";

/** Whether the secrets that tools may use have values, and whether any app may use them. */
export async function checkSecrets({ outbound }: Pick<Config, "outbound">): Promise<readonly Finding[]> {
  const { environment, files, variable } = outbound.secrets;
  const name = "secrets";
  const missing = Object.entries(environment)
    .filter(([, source]) => !variable(source))
    .map(([secret, source]) => `${secret} (environment variable ${source})`);
  for (const [secret, path] of Object.entries(files))
    if ((await readFile(path, "utf8")).trim() === "") missing.push(`${secret} (file ${path})`);
  const count = Object.keys(environment).length + Object.keys(files).length;
  if (count === 0) return [];
  if (missing.length > 0)
    return [
      { name, state: "fault", detail: `without a value: ${missing.join(", ")}`, fix: "set it where the server starts" },
    ];
  if (outbound.grants.length > 0) return [{ name, state: "ok", detail: `${count} with a value` }];
  const fix = "grant them to apps and hosts under outbound.grants of the configuration file";
  return [{ name, state: "warning", detail: "no app may use any", fix }];
}

/** Whether the folders that search tools look into are there. */
export async function checkSearch({ search }: Pick<Config, "search">): Promise<readonly Finding[]> {
  const stores = [...Object.entries(search.dataStores), ...Object.entries(search.corpora)];
  const folders = stores.flatMap(([store, settings]) =>
    "folder" in settings ? [{ store, folder: settings.folder }] : [],
  );
  const name = "search";
  const missing: Finding[] = [];
  for (const { store, folder } of folders) {
    if ((await ifThere(stat(folder)))?.isDirectory()) continue;
    missing.push({
      name,
      state: "fault",
      detail: `${store} is to be searched in ${folder}, which is not a folder`,
      fix: "make the folder, or correct it in the section search of the configuration file",
    });
  }
  if (missing.length > 0 || folders.length === 0) return missing;
  return [{ name, state: "ok", detail: `${folders.length} folders to search` }];
}

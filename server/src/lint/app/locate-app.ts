import { readdir, readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { ifThere, isJsonObject, type JsonObject, textOrEmpty } from "#base";
import { failedPrecondition } from "#status";

const APP_MANIFESTS = ["app.json", "app.yaml", "app.yml"];
/** The configuration of the linter, as the toolkit names it (LINT-2). */
const CONFIG_FILE = "cxaslint.yaml";
/** The toolkit's own settings, which name the app's folder too. */
const WORKSPACE_FILE = "gecx-config.json";

/** Where the parts of a linted folder are. */
export interface Location {
  /** Paths of findings are relative to this folder. */
  readonly root: string;
  /** The app's folder, relative to the root; "" or with a slash at its end. */
  readonly prefix: string;
  /** The evaluations' folder. */
  readonly evaluations: string;
  /** The configuration's file, if there is one, and what it holds. */
  readonly configFile: string;
  readonly config: JsonObject;
}

/**
 * Finds app, evaluations and configuration from a folder: the app itself, or a folder with the app in it, named by `cxaslint.yaml` or
 * `gecx-config.json`, or the only one. A configuration above an app counts when its `app_dir` is that app (LINT-2). FAILED_PRECONDITION
 * when there is no app or more than one.
 */
export async function locateApp(folder: string, configFile?: string): Promise<Location> {
  const root = resolve(folder);
  const file = configFile ? resolve(configFile) : await configurationFor(root);
  const config = await readConfiguration(file);
  const app = (await hasApp(root)) ? root : await appBelow(root, config);
  const base = file === "" ? root : dirname(file);
  const evaluations = resolve(configFile ? root : base, textOrEmpty(config.evals_dir) || "evals");
  const prefix = app === root ? "" : `${relative(root, app).split(sep).join("/")}/`;
  return { root, prefix, evaluations, configFile: file, config };
}

async function configurationFor(root: string): Promise<string> {
  const own = join(root, CONFIG_FILE);
  if (await exists(own)) return own;
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, CONFIG_FILE);
    if (!(await exists(file))) continue;
    const { app_dir: app } = await readConfiguration(file);
    return resolve(folder, textOrEmpty(app)) === root ? file : "";
  }
  return "";
}

async function readConfiguration(file: string): Promise<JsonObject> {
  if (file === "") return {};
  let value: unknown;
  try {
    value = parse(await readFile(file, "utf8"), { merge: true }) ?? {};
  } catch (error) {
    throw failedPrecondition(`${file}: ${(error as Error).message}`);
  }
  if (!isJsonObject(value)) throw failedPrecondition(`${file}: must be a map of settings, such as 'rules:'.`);
  return value;
}

async function appBelow(root: string, config: JsonObject): Promise<string> {
  const named = textOrEmpty(config.app_dir) || (await workspaceApp(root));
  if (named !== "") {
    const app = resolve(root, named);
    if (await hasApp(app)) return app;
    // A pulled app lies one folder below the one that the toolkit's settings name.
    return onlyAppIn(app, `app_dir names '${named}', which`);
  }
  return onlyAppIn(root, `${root}`);
}

async function workspaceApp(root: string): Promise<string> {
  const text = await readFile(join(root, WORKSPACE_FILE), "utf8").catch(() => "{}");
  try {
    return textOrEmpty((JSON.parse(text) as JsonObject).app_dir);
  } catch {
    return "";
  }
}

async function onlyAppIn(folder: string, subject: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  const apps: string[] = [];
  for (const each of folders) if (await hasApp(each)) apps.push(each);
  const [only, ...others] = apps;
  if (only && others.length === 0) return only;
  const found = only ? `has several apps (${apps.map((app) => relative(folder, app)).join(", ")})` : "has no app";
  throw failedPrecondition(`${subject} ${found}: name the folder with app.json or app.yaml.`);
}

async function hasApp(folder: string): Promise<boolean> {
  for (const name of APP_MANIFESTS) if (await exists(join(folder, name))) return true;
  return false;
}

async function exists(path: string): Promise<boolean> {
  return (await ifThere(stat(path))) !== undefined;
}

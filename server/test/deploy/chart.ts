import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Ajv } from "ajv";
import { parse, parseAllDocuments, stringify } from "yaml";
import { parseTemplates } from "./go-template.ts";

const CHART = resolve(import.meta.dirname, "../../../deploy/helm/frontdesk");
const TEMPLATES = join(CHART, "templates");

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: never;
}

type Values = Readonly<Record<string, unknown>>;

/** The chart's manifests for values over its own, as release `desk` in the namespace `support`. */
export function renderChart(values: Values = {}): readonly Manifest[] {
  const chart = parse(readFileSync(join(CHART, "Chart.yaml"), "utf8"));
  const own = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
  const files = Object.fromEntries(
    readdirSync(TEMPLATES).map((name) => [name, readFileSync(join(TEMPLATES, name), "utf8")]),
  );
  const render = parseTemplates(files);
  const dot = {
    Release: { Name: "desk", Namespace: "support", Service: "Helm" },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Values: merged(own, values),
  };
  const manifests = Object.keys(files).filter((name) => name.endsWith(".yaml"));
  return manifests.flatMap((name) => documentsOf(render(name, dot)));
}

/** What helm would say of values before it renders anything: their faults by the chart's schema. */
export function valueFaults(values: Values = {}): readonly string[] {
  const own = parse(readFileSync(join(CHART, "values.yaml"), "utf8"));
  const check = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(join(CHART, "values.schema.json"), "utf8")),
  );
  if (check(merged(own, values))) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(" "),
  );
}

/** Why helm itself cannot render here; false where it can. */
export const withoutHelm =
  spawnSync("helm", ["version"]).status === 0 ? false : "no helm on this machine (get.helm.sh, in no Debian release)";

/** The same by `helm template`. */
export function renderWithHelm(values: Values = {}): readonly Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-chart-"));
  try {
    writeFileSync(join(folder, "values.yaml"), stringify(values));
    const args = ["template", "desk", CHART, "--namespace", "support", "--values", join(folder, "values.yaml")];
    const { status, stdout, stderr } = spawnSync("helm", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return documentsOf(stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a manifest of this kind asks for. */
// biome-ignore lint/suspicious/noExplicitAny: the schemas check the type of what was rendered
export function specOf(manifests: readonly Manifest[], kind: string): any {
  return manifests.find((manifest) => manifest.kind === kind)?.spec;
}

function documentsOf(text: string): readonly Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors[0]) throw new Error(`${document.errors[0].message}\n${text}`);
    const manifest = document.toJS();
    return manifest ? [manifest] : [];
  });
}

/** As helm lays values over those of the chart: objects by key, and without those that are null in an object; everything else whole. */
function merged(own: Values, given: Values): Values {
  const entries = Object.entries(given).map(([name, value]) => {
    const base = own[name];
    return [name, isObject(base) && isObject(value) ? merged(base, value) : value];
  });
  const all = Object.entries({ ...own, ...Object.fromEntries(entries) });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

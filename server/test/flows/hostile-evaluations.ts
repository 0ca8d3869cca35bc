import type { HostileRequest } from "./hostile-requests.ts";

const APP = "projects/local/locations/us/apps/order-desk";

/** Imports of evaluations that are hard to read: texts of this length. None has an entry that is written. */
export function hostileEvaluations(length: number): readonly HostileRequest[] {
  const filled = (part: string) => part.repeat(Math.ceil(length / part.length));
  const table = "display_name,turn_index,action_type";
  const texts: Readonly<Record<string, () => string>> = {
    "JSON of many entries": () => `{"evaluations":[${filled('{"unknown":[1]},')}{}]}`,
    "JSON of one long entry": () => `{"evaluations":[{"tags":[${filled('"a",')}"b"]}]}`,
    "JSON of levels": () => `{"evaluations":${filled("[")}`,
    "YAML of many entries": () => `evaluations:\n${filled("  - unknown: a\n")}`,
    "YAML of levels": () => `evaluations: ${filled("[")}`,
    "a table of many rows": () => `${table}\n${filled(",1,INPUT_TEXT\n")}`,
    "a table of one golden": () => `${table}\na,,\n${filled(",1,INPUT_TEXT\n")}`,
    "a table of many columns": () => `${table}${filled(",a")}\na,1,INPUT_TEXT`,
    "a table of quotes": () => `${table}\n"${filled('""')}`,
  };
  return Object.entries(texts).map(([name, text]) => ({
    group: "imports of evaluations",
    name: `evaluations: ${name}`,
    path: `/v1beta/${APP}:importEvaluations`,
    body: () => ({ csvContent: Buffer.from(text()).toString("base64") }),
  }));
}

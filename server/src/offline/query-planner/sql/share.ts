import { clause } from "./clause.ts";
import type { Parts, Value } from "./parts.ts";

/** What part each row has of all that are shown, as a column in percent. */
export function shareColumn({ text }: Value, { words, model }: Parts): string {
  const share = words.rounded(`100.0 * ${text} / nullif(sum(${text}) OVER (), 0)`);
  return `${share} AS ${model.source.quoteName("share_percent")}`;
}

/** What part the chosen rows are of all in the same time, as a statement. */
export function shareOfAll({ values: [value], from, when, where, model, words }: Parts): string {
  const select = `SELECT ${value?.text ?? "count(*)"}`;
  const chosen = [select, from.text(), ...clause("WHERE", [...when, ...where], " AND ")].join("\n");
  const all = [select, from.text(), ...clause("WHERE", when, " AND ")].join("\n");
  const share = words.rounded(`100.0 * (\n${chosen}\n) / nullif((\n${all}\n), 0)`);
  return `SELECT ${share} AS ${model.source.quoteName("share_percent")}`;
}

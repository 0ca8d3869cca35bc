/** Words of names that are written in their own way. */
const SPELLED: Readonly<Record<string, string>> = {
  api: "API",
  bigquery: "BigQuery",
  ca: "CA",
  dtmf: "DTMF",
  gcs: "Cloud Storage",
  html: "HTML",
  http: "HTTP",
  id: "ID",
  ids: "IDs",
  json: "JSON",
  llm: "LLM",
  mcp: "MCP",
  oauth: "OAuth",
  sc: "SC",
  tls: "TLS",
  ui: "UI",
  uri: "URI",
  uris: "URIs",
  url: "URL",
  vpc: "VPC",
  whatsapp: "WhatsApp",
};

/** A name of the definition as a person reads it: `tool_execution_mode` is "Tool execution mode". */
export function fieldLabel(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_")
    .filter(Boolean)
    .map((word) => SPELLED[word] ?? word);
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The same within a sentence. */
export function fieldLabelInSentence(name: string): string {
  return lowercaseFirst(fieldLabel(name));
}

/** Words that begin a sentence, within one: names that are written in their own way stay as they are. */
export function lowercaseFirst(words: string): string {
  return /^[A-Z][a-z]+(?![A-Z])\b/.test(words) ? words.charAt(0).toLowerCase() + words.slice(1) : words;
}

/** One of several, by its plural: "messages" is "message". Words that are no plural stay. */
export function singular(words: string): string {
  return words.replace(/(?<=[a-z])ies$/, "y").replace(/(?<=[^s])s$/, "");
}

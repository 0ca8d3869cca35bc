const KINDS: Readonly<Record<string, string>> = {
  user: "Person",
  serviceAccount: "Service account",
  workload: "Workload",
  apiKey: "API key",
  operator: "Operator of this server",
};

/** What a kind of caller is called. */
export function kindLabel(kind: string): string {
  return KINDS[kind] ?? kind;
}

/** A caller's name without the kind before it: `ann@example.com`. */
export function shortPrincipal(principal: string): string {
  return principal.replace(/^(?:user|serviceAccount|group|domain|apiKey):/, "");
}

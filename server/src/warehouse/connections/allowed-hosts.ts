/** A host, or `*.` and what it ends with, or `*`; then a port, if only that one is meant. IPv6 in brackets. */
const PATTERN = /^(\*|(?:\*\.)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/;

/** Whether a text is a pattern of hosts. */
export function isHostPattern(text: string): boolean {
  return PATTERN.test(text.toLowerCase());
}

/** Whether one of the patterns names a host and its port. IPv6 without brackets. */
export function isListedHost(patterns: readonly string[], host: string, port: number): boolean {
  return patterns.some((pattern) => {
    const [, name = "", only] = PATTERN.exec(pattern.toLowerCase()) ?? [];
    return (only === undefined || Number(only) === port) && matches(name, host.toLowerCase());
  });
}

function matches(name: string, host: string): boolean {
  if (name === "*") return true;
  if (name.startsWith("*.")) return host.endsWith(name.slice(1)) && host.length > name.length - 1;
  return name.replace(/^\[|\]$/g, "") === host;
}

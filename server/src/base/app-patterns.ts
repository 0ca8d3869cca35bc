/** Whether an app is among those that the operator names: resource names, which may end in `*`. Without names every app is. */
export function isAmongApps(app: string, patterns: readonly string[] | undefined): boolean {
  if (!patterns) return true;
  return patterns.some((pattern) => (pattern.endsWith("*") ? app.startsWith(pattern.slice(0, -1)) : app === pattern));
}

/** The app that a resource name is of or in; "" for other names. */
export function appOfName(name: string): string {
  return /^projects\/[^/]+\/locations\/[^/]+\/apps\/[^/]+/.exec(name)?.[0] ?? "";
}

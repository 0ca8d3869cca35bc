const BASE = ["base", "status", "aip"];
const FLOORS = [
  ...BASE,
  "models",
  "sandbox",
  "warehouse",
  "storage",
  "rpc",
  "operations",
  "resources",
  "tools",
  "session",
];
const BELOW_APP = [...FLOORS, "analytics", "evaluation", "services", "protocols"];
/** The arrows of ARCHITECTURE.md: which doors a room may open. `plan.test.ts` holds the code to it, `docs.test.ts` the page. */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  status: ["base"],
  aip: ["base", "status"],
  models: BASE,
  sandbox: BASE,
  warehouse: BASE,
  storage: BASE,
  rpc: BASE,
  operations: [...BASE, "storage"],
  resources: [...BASE, "storage", "operations"],
  tools: [...BASE, "models", "sandbox"],
  session: [...BASE, "models", "sandbox", "tools", "storage"],
  analytics: [...BASE, "models", "warehouse", "storage"],
  evaluation: [...BASE, "models", "session", "storage", "operations"],
  services: [...BASE, "rpc", "resources", "operations", "tools", "session", "analytics", "evaluation"],
  protocols: [...BASE, "rpc"],
  app: BELOW_APP,
  cli: [...BASE, "app"],
  testing: [...BELOW_APP, "app"],
};

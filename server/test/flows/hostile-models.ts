import type { HostileRequest } from "./hostile-requests.ts";

const AGENT = "projects/local/locations/us/dataAgents/shop";

/** Semantic models of this length: imported, refused for all their faults, kept as the model of an agent and asked. */
export function hostileModels(length: number): readonly HostileRequest[] {
  const lines = (part: (at: number) => string) => {
    const one = part(100_000);
    return Array.from({ length: Math.floor(length / one.length) }, (_, at) => part(at)).join("");
  };
  const dimension = (at: number) => `      - { name: name${at}, type: text, expr: status, synonyms: [state ${at}] }\n`;
  const own = () => `${OWN}    dimensions:\n${lines(dimension)}`;
  const cube = () => `${CUBE}${lines((at) => `      - { name: measure${at}, type: sum, sql: amount }\n`)}`;
  const lookml = () =>
    `view: orders {\n${lines((at) => `  measure: m${at} { type: sum sql: \${TABLE}.amount ;; }\n`)}}\n`;
  return [
    imported("a model of many dimensions", "shop.yaml", own),
    imported("a model of many measures in Cube", "shop.cube.yml", cube),
    imported("a model of many measures in LookML", "shop.lkml", lookml),
    imported("a model of many faults", "faults.yaml", () => own().replaceAll("type: text", "type: words")),
    {
      name: "a model of many dimensions, kept",
      method: "PATCH" as const,
      path: `/v1beta/${AGENT}:updateSync?updateMask=semanticModel`,
      body: () => ({ semanticModel: own() }),
    },
    {
      name: "a question to a model of many dimensions",
      path: `/v1beta/projects/local/locations/us:chat`,
      body: () => ({
        messages: [{ userMessage: { text: "how many orders are there by state 7?" } }],
        dataAgentContext: { dataAgent: AGENT },
      }),
    },
    {
      name: "a small model again",
      method: "PATCH" as const,
      path: `/v1beta/${AGENT}:updateSync?updateMask=semanticModel`,
      body: () => ({ semanticModel: "" }),
    },
  ].map((request) => ({ group: "semantic models", ...request }));
}

const OWN = "name: shop\ndatasets:\n  - name: orders\n    table: local.shop.orders\n";
const CUBE = "cubes:\n  - name: orders\n    sql_table: orders\n    measures:\n";

function imported(name: string, path: string, text: () => string): Omit<HostileRequest, "group"> {
  const body = () => ({ files: [{ path, text: text() }], validateOnly: true });
  return { name, path: `/v1beta/${AGENT}:importSemanticModel`, body };
}

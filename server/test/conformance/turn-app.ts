/** An app in a few words, in the JSON of the API. `$APP` is replaced by its name; the first agent is the root. */
export interface AppSketch {
  readonly agents: Readonly<Record<string, object>>;
  readonly tools?: Readonly<Record<string, object>>;
  readonly toolsets?: Readonly<Record<string, object>>;
  readonly guardrails?: Readonly<Record<string, object>>;
  readonly examples?: Readonly<Record<string, object>>;
  readonly app?: object;
}

/** Makes the app over the API, as anybody would, and answers its name. Ids are the keys of the sketch in small letters. */
export async function createTurnApp(
  address: string,
  appId: string,
  sketch: AppSketch,
  parent = "projects/test/locations/us",
): Promise<string> {
  const name = `${parent}/apps/${appId}`;
  const call = async (method: string, path: string, body: object): Promise<void> => {
    const response = await fetch(`${address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body).replaceAll("$APP", name),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  };
  const { agents, tools = {}, toolsets = {}, guardrails = {}, examples = {}, app = {} } = sketch;
  await call("POST", `${parent}/apps?appId=${appId}`, { displayName: appId, ...withoutReferences(app) });
  // Neighbours refer to each other: all of them first, then what each says of the others.
  for (const displayName of Object.keys(agents))
    await call("POST", `${name}/agents?agentId=${idOf(displayName)}`, { displayName, instruction: displayName });
  for (const [id, tool] of Object.entries(tools)) await call("POST", `${name}/tools?toolId=${idOf(id)}`, tool);
  for (const [displayName, toolset] of Object.entries(toolsets))
    await call("POST", `${name}/toolsets?toolsetId=${idOf(displayName)}`, { displayName, ...toolset });
  for (const [displayName, guardrail] of Object.entries(guardrails))
    await call("POST", `${name}/guardrails?guardrailId=${idOf(displayName)}`, {
      displayName,
      enabled: true,
      ...guardrail,
    });
  for (const [displayName, agent] of Object.entries(agents)) {
    if (Object.keys(agent).length === 0) continue;
    const mask = Object.keys(agent).join(",");
    await call("PATCH", `${name}/agents/${idOf(displayName)}?updateMask=${mask}`, agent);
  }
  for (const [displayName, example] of Object.entries(examples))
    await call("POST", `${name}/examples?exampleId=${idOf(displayName)}`, { displayName, ...example });
  const [root = ""] = Object.keys(agents);
  const references = { rootAgent: `$APP/agents/${idOf(root)}`, ...referencesIn(app) };
  await call("PATCH", `${name}?updateMask=${Object.keys(references).join(",")}`, references);
  return name;
}

/** The id of what a sketch calls so: ids have five letters at least. */
export function idOf(name: string): string {
  return `the-${name.toLowerCase().replace(/[ _]/g, "-")}`;
}

const refers = (value: unknown) => JSON.stringify(value).includes("$APP");

function withoutReferences(app: object): object {
  return Object.fromEntries(Object.entries(app).filter(([, value]) => !refers(value)));
}

function referencesIn(app: object): object {
  return Object.fromEntries(Object.entries(app).filter(([, value]) => refers(value)));
}

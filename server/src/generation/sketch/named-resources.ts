import { type AppTree, isSystemToolName } from "#resources";

/** The lists of an app whose resources a model may name. */
type NamedPart = "agents" | "tools" | "evaluations";

/** Finds resources of a draft by display name, and notes each name that leads nowhere. */
export class NamedResources {
  readonly #app: string;
  readonly #byName: Readonly<Record<NamedPart, ReadonlyMap<string, string>>>;
  readonly #problems: string[];

  /** `problems` gets a sentence for each unknown name. */
  constructor(tree: AppTree, problems: string[]) {
    this.#app = tree.app.name;
    const index = (part: NamedPart) => new Map(tree[part].map(({ displayName, name }) => [displayName, name]));
    this.#byName = { agents: index("agents"), tools: index("tools"), evaluations: index("evaluations") };
    this.#problems = problems;
  }

  /** Resource name of an agent; undefined when there is none. `place` is where the name stands. */
  agent(name: string, place: string): string | undefined {
    return this.#byName.agents.get(name) ?? this.#missing("agent", name, place, [...this.#byName.agents.keys()]);
  }

  /** Resource name of a tool or system tool. A model is told of `end_session` only, and must be able to leave an agent the others. */
  tool(name: string, place: string): string | undefined {
    if (isSystemToolName(name)) return `${this.#app}/tools/${name}`;
    const known = [...this.#byName.tools.keys(), "end_session"];
    return this.#byName.tools.get(name) ?? this.#missing("tool", name, place, known);
  }

  #missing(kind: string, name: string, place: string, known: readonly string[]): undefined {
    this.#problems.push(`${place}: there is no ${kind} '${name}'; there are ${known.join(", ") || "none"}.`);
  }
}

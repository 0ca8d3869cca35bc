import { failedPrecondition, notFound } from "#status";
import type { AppTree, InspectedModule, ResourceTree, WriteTreeOptions } from "../../contract.ts";
import { KINDS, type PackagedResource } from "../kinds.ts";
import { type PackagesDeps, createPackages } from "../packages.ts";

/** A resource tree in memory, without the checks of the real one, so that tests of packages see what packages do. */
class MemoryTree implements ResourceTree {
  readonly apps = new Map<string, AppTree>();
  readonly writes: WriteTreeOptions[] = [];

  async readTree(app: string): Promise<AppTree> {
    const tree = this.apps.get(app);
    if (!tree) throw notFound(app, "ces.googleapis.com/App");
    return tree;
  }

  async writeTree(tree: AppTree, options: WriteTreeOptions = {}): Promise<{ readonly warnings: readonly string[] }> {
    const stored = this.apps.get(tree.app.name);
    if (stored?.app.locked && !options.ignoreLock) throw failedPrecondition("The app is locked.");
    this.writes.push(options);
    if (!options.validateOnly) this.apps.set(tree.app.name, stored ? merged(stored, tree, options) : tree);
    return { warnings: [] };
  }
}

function merged(stored: AppTree, tree: AppTree, { deleteOthers = [] }: WriteTreeOptions): AppTree {
  const parts = KINDS.map(({ part }) => {
    const next: readonly PackagedResource[] = tree[part];
    const before: readonly PackagedResource[] = deleteOthers.includes(part) ? [] : stored[part];
    const kept = before.filter(({ name }) => !next.some((resource) => resource.name === name));
    return [part, [...kept, ...next]];
  });
  return { ...(Object.fromEntries(parts) as Omit<AppTree, "app">), app: tree.app };
}

/** Packages over a tree in memory: a fixed clock, sequential ids, Python that always loads. */
export function testPackages(overrides: Partial<PackagesDeps> = {}) {
  const tree = new MemoryTree();
  let count = 0;
  const packages = createPackages({
    tree,
    snapshots: { version: async (name) => Promise.reject(notFound(name)) },
    appDisplayNames: async (parent) =>
      [...tree.apps.values()].filter(({ app }) => app.name.startsWith(`${parent}/`)).map(({ app }) => app.displayName),
    inspectPython: async (): Promise<InspectedModule> => ({ kind: "module", functions: [] }),
    clock: { now: () => Date.UTC(2026, 8, 1, 12, 30, 10) },
    ids: { uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}` },
    ...overrides,
  });
  return { tree, packages };
}

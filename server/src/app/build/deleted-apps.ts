import { matchName, parseNamePattern } from "#aip";
import type { ResourceStore, ResourceWrite } from "#storage";

const APP = parseNamePattern("projects/{project}/locations/{location}/apps/{app}");

interface DeletedAppsDeps {
  /** Removes what is kept of an app outside of the store. */
  readonly forget: (app: string) => Promise<void>;
  /** Called where that fails: the app is deleted all the same. */
  readonly onFault: (error: unknown, app: string) => void;
}

/** The store, which has what is kept elsewhere of an app forgotten once the app is deleted, also by another server of the same database. */
export function watchDeletedApps(store: ResourceStore, { forget, onFault }: DeletedAppsDeps): ResourceStore {
  const forgetApp = (app: string) => forget(app).catch((error: unknown) => onFault(error, app));
  store.onForeignWrite?.((write) => {
    const app = write && appIn(write.name);
    if (!app) return;
    store
      .get(app)
      .then((row) => (row ? undefined : forgetApp(app)))
      .catch((error: unknown) => onFault(error, app));
  });
  return {
    ...store,
    write: async (writes) => {
      await store.write(writes);
      for (const app of new Set(writes.flatMap(deletedApp))) await forgetApp(app);
    },
  };
}

/** The app that a write deletes; none for most. */
function deletedApp(write: ResourceWrite): string[] {
  const name = write.kind === "delete" ? appIn(write.name) : undefined;
  return name ? [name] : [];
}

/** The name, where it is one of an app or of all below it. */
function appIn(name: string): string | undefined {
  const whole = name.replace(/\/$/, "");
  return matchName(APP, whole) ? whole : undefined;
}

import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/** How a session of the simulator is run. */
export interface SessionSettings {
  /** Resource name of a version or a deployment; "" = the app as it is edited now. */
  readonly target: string;
  readonly useToolFakes: boolean;
  /** Resource name; "" = the root agent. */
  readonly entryAgent: string;
  /** IANA name; "" = the app's own. */
  readonly timeZone: string;
  /** Sent with the first input. */
  readonly variables: JsonObject;
  /** Historical contexts of the session: messages in their JSON form. */
  readonly history: readonly JsonValue[];
  /** Event that opens the session; "" = the person speaks first. */
  readonly opening: string;
}

const DEFAULT_SETTINGS: SessionSettings = {
  target: "",
  useToolFakes: false,
  entryAgent: "",
  timeZone: "",
  variables: {},
  history: [],
  opening: "welcome",
};

const KEY = "frontdesk.sessions";
/** Sessions whose settings this browser remembers: the newest. */
const MOST = 60;

type Stored = Readonly<Record<string, SessionSettings>>;

/** Those of this page, which do not depend on the browser's having room. */
const here = new Map<string, SessionSettings>();

/** The settings of a session (its whole name), as this browser remembers them. */
export function readSettings(session: string): SessionSettings {
  return here.get(session) ?? { ...DEFAULT_SETTINGS, ...readAll()[session] };
}

/** Stores the settings of a session, so that it continues with them after a reload. */
export function writeSettings(session: string, settings: SessionSettings): void {
  here.set(session, settings);
  const { [session]: _, ...others } = readAll();
  const kept = Object.entries({ ...others, [session]: settings }).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser without room forgets when the page is left.
  }
}

function readAll(): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Stored) : {};
  } catch {
    return {};
  }
}

/** Whether anything was set apart from the target. */
export function isAdjusted(settings: SessionSettings): boolean {
  return JSON.stringify({ ...settings, target: "" }) !== JSON.stringify({ ...DEFAULT_SETTINGS });
}

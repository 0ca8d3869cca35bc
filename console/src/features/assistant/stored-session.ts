/** The assistant's session of an app in this tab. */
export interface StoredSession {
  /** Resource name; "" before the first message. */
  name: string;
}

/** The session that was open last in this tab, also after a reload. */
export function storedSession(app: string): StoredSession {
  const key = `frontdesk-assistant ${app}`;
  let name = read(key);
  return {
    get name() {
      return name;
    },
    set name(next) {
      name = next;
      try {
        if (next) sessionStorage.setItem(key, next);
        else sessionStorage.removeItem(key);
      } catch {
        // A browser without storage: the conversation is found again among the suggestions.
      }
    },
  };
}

function read(key: string): string {
  try {
    return sessionStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

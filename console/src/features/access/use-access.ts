import { useSyncExternalStore } from "react";
import { type Access, onAccess, readAccess } from "../../api/access-token.ts";

/** Who this tab is for the server; draws anew when that changes. */
export function useAccess(): Access {
  return useSyncExternalStore(onAccess, readAccess);
}

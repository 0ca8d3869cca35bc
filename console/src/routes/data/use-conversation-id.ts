import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";

const ID = /^[\w-]{1,128}$/;

/** The conversation that the address names when the page is opened ("" = none), and how the address follows what is on screen. */
export function useConversationId(): readonly [string, (id: string) => void] {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const [id] = useState(() => String(search.conversation ?? ""));
  const navigate = useNavigate();
  const show = useCallback(
    (next: string) => void navigate({ to: ".", search: (next ? { conversation: next } : {}) as never, replace: true }),
    [navigate],
  );
  return [ID.test(id) ? id : "", show];
}

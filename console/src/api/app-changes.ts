import { queryOptions, useQuery } from "@tanstack/react-query";
import { accessState, reportRejectedToken } from "./access-token.ts";

/** Milliseconds between two looks at the log of changes. */
const POLL_INTERVAL_MS = 5_000;

/** What is known of the log when it cannot be read: the server is away, or the app is gone. */
const UNREADABLE = "";

/**
 * Keeps what was read of an app up to date for as long as the caller is on screen and its tab is in sight. One small question is
 * asked, whatever is shown: which change of the app was the last one. When there is another answer, whoever made the change,
 * everything that was read of the app is read again: each query whose meta has the app as `refreshWithApp`.
 */
export function useAppChanges(app: string): void {
  useQuery({ ...latestChangeQuery(app), enabled: app !== "", notifyOnChangeProps: [] });
}

/** The name of the last entry in the log of an app. It has to be known before anything is read that it keeps up to date. */
export function latestChangeQuery(app: string) {
  return queryOptions({
    queryKey: ["last-change", app],
    queryFn: async ({ client, queryKey, signal }) => {
      const before = client.getQueryData<string>(queryKey);
      const last = await readLatestChange(app, signal);
      const isOther = before !== undefined && before !== last;
      if (isOther) void client.invalidateQueries({ predicate: ({ meta }) => meta?.refreshWithApp === app });
      return last;
    },
    refetchInterval: POLL_INTERVAL_MS,
    staleTime: 0,
    // Forgotten, it could not tell that something was changed meanwhile.
    gcTime: Number.POSITIVE_INFINITY,
  });
}

interface LogPage {
  readonly changelogs?: readonly { readonly name: string }[];
}

/** Entries hold the whole resource before and after, so only the name is asked for. */
async function readLatestChange(app: string, signal: AbortSignal): Promise<string> {
  const path = `${app}/changelogs?pageSize=1&fields=changelogs(name)`;
  const { changelogs } = await readRest<LogPage>(path, signal).catch((): LogPage => ({}));
  return changelogs?.[0]?.name ?? UNREADABLE;
}

/** Reads over the REST form of the API, which alone can be asked for a part of an answer (`fields`). Throws what is refused. */
async function readRest<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const { token } = accessState();
  const answer = await fetch(`/v1beta/${path}`, {
    signal,
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  if (answer.status === 401) reportRejectedToken(token, await messageOf(answer));
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as Answer;
}

async function messageOf(answer: Response): Promise<string> {
  const told: { readonly error?: { readonly message?: string } } = await answer.json().catch(() => ({}));
  return told.error?.message ?? "";
}

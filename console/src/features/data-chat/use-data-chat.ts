import { createClient } from "@connectrpc/connect";
import { useQuery } from "@connectrpc/connect-query";
import type { DataAgent } from "@frontdesk/protos/gda/data_agent";
import { DataAgentService } from "@frontdesk/protos/gda/data_agent_service";
import { DataChatService } from "@frontdesk/protos/gda/data_chat_service";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { locationOf } from "../../api/resource-names.ts";
import { listAllPages } from "../../api/resource-types.ts";
import { type StatusError, toStatusError } from "../../api/status-error.ts";
import { transport } from "../../api/transport.ts";
import { type Answer, answersOf, NO_ANSWER, stopped, withMessage } from "./answer.ts";

/** Why something was not answered, and the question it was; without one a stored conversation could not be read. */
export interface ChatError {
  readonly error: StatusError;
  readonly question?: string;
}

/** A conversation about data, stored by the server. */
export interface DataChat {
  readonly answers: readonly Answer[];
  readonly running: boolean;
  /** Whether the messages of a stored conversation are still read. */
  readonly opening: boolean;
  readonly failure: ChatError | undefined;
  /** Resource name once the first question was asked; "" before. */
  readonly conversation: string;
  ask(question: string): void;
  stop(): void;
  /** Opens a stored conversation; "" begins a new one. */
  open(conversation: string): void;
  /** Removes the rejected question from the page. */
  discardFailed(): void;
}

/**
 * Asks a data agent (`projects/*​/locations/*​/dataAgents/*`). The conversation is made with the first question.
 *
 * @param begun resource name of the conversation that is opened at first; "" for none
 */
export function useDataChat(agent: string, begun: string): DataChat {
  const client = useMemo(() => createClient(DataChatService, transport), []);
  const [answers, setAnswers] = useState<readonly Answer[]>([]);
  const [conversation, setConversation] = useState(begun);
  const [running, setRunning] = useState(false);
  const [opening, setOpening] = useState(begun !== "");
  const [failure, setFailure] = useState<ChatError>();
  const aborter = useRef<AbortController>(null);
  const parent = locationOf(agent);

  const ask = useCallback(
    (question: string) => {
      aborter.current = new AbortController();
      const { signal } = aborter.current;
      setFailure(undefined);
      setRunning(true);
      setAnswers((before) => [...before, { question, ...NO_ANSWER }]);
      const run = async () => {
        const name =
          conversation ||
          (await client.createConversation({ parent, conversation: { agents: [agent] } }, { signal })).name;
        setConversation(name);
        for await (const message of client.chat(chatRequest(agent, name, question), { signal })) {
          setAnswers((before) =>
            before.map((answer, at) => (at === before.length - 1 ? withMessage(answer, message) : answer)),
          );
        }
      };
      run()
        .catch((error: unknown) => {
          if (!signal.aborted) setFailure({ error: toStatusError(error), question });
        })
        .finally(() => setRunning(false));
    },
    [agent, client, conversation, parent],
  );

  const open = useCallback(
    (name: string) => {
      aborter.current?.abort();
      setConversation(name);
      setAnswers([]);
      setFailure(undefined);
      setOpening(name !== "");
      if (!name) return;
      listAllPages(async (pageToken) => {
        const { messages, nextPageToken: next } = await client.listMessages({ parent: name, pageSize: 100, pageToken });
        return { items: messages, next };
      })
        .then((messages) => setAnswers(answersOf(messages.flatMap(({ message }) => message ?? []).reverse())))
        .catch((error: unknown) => setFailure({ error: toStatusError(error) }))
        .finally(() => setOpening(false));
    },
    [client],
  );

  const first = useRef(begun);
  useEffect(() => {
    if (first.current) open(first.current);
    first.current = "";
  }, [open]);

  const stop = useCallback(() => {
    aborter.current?.abort();
    setAnswers((before) => before.map((answer, at) => (at === before.length - 1 ? stopped(answer) : answer)));
  }, []);

  const discardFailed = useCallback(() => {
    setFailure(undefined);
    setAnswers((before) => before.slice(0, -1));
  }, []);

  return { answers, running, opening, failure, conversation, ask, stop, open, discardFailed };
}

function chatRequest(dataAgent: string, conversation: string, question: string) {
  return {
    parent: locationOf(dataAgent),
    messages: [{ kind: { case: "userMessage" as const, value: { kind: { case: "text" as const, value: question } } } }],
    contextProvider: {
      case: "conversationReference" as const,
      value: { conversation, dataAgentContext: { dataAgent } },
    },
  };
}

/** Milliseconds between two looks for an agent that is not there. */
const POLL_INTERVAL_MS = 2_000;

/** A data agent as far as it is known. */
export interface FoundAgent {
  readonly agent: DataAgent | undefined;
  /** The server has none of this name; it is looked for again all the time. */
  readonly missing: boolean;
  readonly error: StatusError | undefined;
}

/** Reads a data agent. A server that has just begun to serve is still making its example, so one that is missing may come. */
export function useDataAgent(name: string): FoundAgent {
  const { data, error } = useQuery(
    DataAgentService.method.getDataAgent,
    { name },
    { refetchInterval: ({ state }) => (state.data ? false : POLL_INTERVAL_MS) },
  );
  const status = error ? toStatusError(error) : undefined;
  const missing = data === undefined && status?.code === "NOT_FOUND";
  return { agent: data, missing, error: missing ? undefined : status };
}

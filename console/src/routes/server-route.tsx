import { useQuery } from "@tanstack/react-query";
import { Badge } from "../components/badge.tsx";
import { Banner } from "../components/banner.tsx";
import { Busy } from "../components/busy.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import type { Fact } from "../components/facts.tsx";
import { Page } from "../components/page.tsx";
import { FactList } from "../features/server/fact-list.tsx";
import {
  firstValue,
  readMetrics,
  readServerState,
  type Sample,
  type ServerState,
  sumBy,
} from "../features/server/server-state.ts";
import "../styles/server.css";

const REFRESH_MS = 5_000;

/** How the server is: models and keys, the sandbox, storage, and what it counted. */
export function ServerRoute() {
  const state = useQuery({
    queryKey: ["readyz"],
    queryFn: ({ signal }) => readServerState(signal),
    refetchInterval: REFRESH_MS,
  });
  const metrics = useQuery({
    queryKey: ["metrics"],
    queryFn: ({ signal }) => readMetrics(signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page title="Server">
      <div className="stack">
        {state.error && <Banner tone="bad">The server does not answer. It is asked again every five seconds.</Banner>}
        {state.isPending && <Busy>Asking the server how it is</Busy>}
        <div className="fact-lists">
          {state.data && (
            <>
              <ServerFacts state={state.data} samples={metrics.data ?? []} />
              <ModelFacts state={state.data} />
              <SandboxFacts state={state.data} />
            </>
          )}
          {metrics.data && <Counted samples={metrics.data} />}
        </div>
        {state.data && state.data.models.providers.length === 0 && <NoKey />}
      </div>
    </Page>
  );
}

function ServerFacts({ state, samples }: { readonly state: ServerState; readonly samples: readonly Sample[] }) {
  const started = firstValue(samples, "process_start_time_seconds");
  const memory = firstValue(samples, "process_resident_memory_bytes");
  const facts: readonly Fact[] = [
    {
      name: "State",
      value: state.status === "ok" ? <Badge tone="good">Serving</Badge> : <Badge tone="bad">{state.status}</Badge>,
    },
    {
      name: "Storage",
      value:
        state.storage === "ok" ? <Badge tone="good">Takes writes</Badge> : <Badge tone="bad">{state.storage}</Badge>,
    },
    { name: "Version", value: state.version },
    { name: "Address", value: <code>{window.location.origin}</code> },
    ...(started ? [{ name: "Up since", value: new Date(started * 1_000).toLocaleString() }] : []),
    ...(memory ? [{ name: "Memory", value: `${Math.round(memory / 2 ** 20).toLocaleString()} MiB` }] : []),
  ];
  return <FactList title="This server" facts={facts} />;
}

function ModelFacts({ state: { models } }: { readonly state: ServerState }) {
  const facts: readonly Fact[] = [
    { name: "Answers by default", value: <code>{models.defaultModel || "none"}</code> },
    ...models.providers.map(({ name, keySource }) => ({
      name,
      value: (
        <>
          <Badge tone="good">{keySource ? "Key present" : "Needs no key"}</Badge>{" "}
          {keySource && <span className="muted">{keySource}</span>}
        </>
      ),
    })),
  ];
  return <FactList title="Models and keys" facts={facts} />;
}

const HOSTS: Readonly<Record<string, string>> = {
  deno: "Deno process without permissions",
  node: "Node process with its permission model",
  worker: "thread of the server (for development only)",
};

function SandboxFacts({ state: { sandbox } }: { readonly state: ServerState }) {
  const facts: readonly Fact[] = [
    { name: "Python runs in a", value: HOSTS[sandbox.host] ?? sandbox.host },
    {
      name: "bubblewrap",
      value: sandbox.bubblewrap ? <Badge tone="good">Around it</Badge> : <Badge>Not on this machine</Badge>,
    },
    { name: "Guests alive", value: sandbox.guests },
    ...(sandbox.warning ? [{ name: "Warning", value: <span className="warning-text">{sandbox.warning}</span> }] : []),
  ];
  return <FactList title="Sandbox" facts={facts} />;
}

function Counted({ samples }: { readonly samples: readonly Sample[] }) {
  const numbers = (name: string, label: string, prefix: string): readonly Fact[] =>
    sumBy(samples, name, label).map(([key, value]) => ({ name: `${prefix} ${key}`, value: value.toLocaleString() }));
  const refused = sumBy(samples, "frontdesk_requests_total", "code").filter(([code]) => code !== "OK");
  const facts: readonly Fact[] = [
    ...numbers("frontdesk_turn_duration_seconds_count", "outcome", "Turns,"),
    ...numbers("frontdesk_model_calls_total", "model", "Calls of"),
    ...numbers("frontdesk_model_tokens_total", "direction", "Tokens,"),
    ...numbers("frontdesk_tool_calls_total", "outcome", "Tool calls,"),
    ...refused.map(([code, value]) => ({ name: `Refused, ${code}`, value: value.toLocaleString() })),
  ];
  return (
    <FactList title="Since it started" facts={facts.length > 0 ? facts : [{ name: "Turns", value: "none yet" }]} />
  );
}

function NoKey() {
  return (
    <section className="card stack tight">
      <h2>No language model yet</h2>
      <p className="muted">
        The built-in model follows rules: it is good for a first look and for tests. For a language model set the key of
        a provider before the server starts, for example:
      </p>
      <CodeBlock text="GEMINI_API_KEY=… npm start" label="the command" />
    </section>
  );
}

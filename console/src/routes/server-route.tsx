import { useQuery } from "@tanstack/react-query";
import { Badge } from "../components/badge.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { DateTime } from "../components/date-time.tsx";
import { type DescriptionItem, DescriptionList } from "../components/description-list.tsx";
import { Loading } from "../components/loading.tsx";
import { Page } from "../components/page.tsx";
import {
  firstValue,
  readMetrics,
  readServerStatus,
  type Sample,
  type ServerStatus,
  sumBy,
} from "../features/server/server-status.ts";
import "../styles/server.css";

const REFRESH_MS = 5_000;

/** How the server is: models and keys, the sandbox, storage, and what it counted. */
export function ServerRoute() {
  const state = useQuery({
    queryKey: ["readyz"],
    queryFn: ({ signal }) => readServerStatus(signal),
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
        {state.isPending && <Loading>Loading server status…</Loading>}
        <div className="status-cards">
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

function ServerFacts({ state, samples }: { readonly state: ServerStatus; readonly samples: readonly Sample[] }) {
  const started = firstValue(samples, "process_start_time_seconds");
  const memory = firstValue(samples, "process_resident_memory_bytes");
  const facts: readonly DescriptionItem[] = [
    {
      name: "Status",
      value: state.status === "ok" ? <Badge tone="success">Serving</Badge> : <Badge tone="error">{state.status}</Badge>,
    },
    {
      name: "Storage",
      value:
        state.storage === "ok" ? <Badge tone="success">Writable</Badge> : <Badge tone="error">{state.storage}</Badge>,
    },
    { name: "Version", value: state.version },
    { name: "Address", value: <code>{window.location.origin}</code> },
    ...(started ? [{ name: "Running since", value: <DateTime time={new Date(started * 1_000)} /> }] : []),
    ...(memory ? [{ name: "Memory", value: `${Math.round(memory / 2 ** 20).toLocaleString()} MiB` }] : []),
  ];
  return <FactList title="This server" facts={facts} />;
}

function ModelFacts({ state: { models } }: { readonly state: ServerStatus }) {
  const facts: readonly DescriptionItem[] = [
    { name: "Default model", value: <code>{models.defaultModel || "none"}</code> },
    ...models.providers.map(({ name, keySource }) => ({
      name,
      value: (
        <>
          <Badge tone="success">{keySource ? "API key set" : "No key needed"}</Badge>{" "}
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
  worker: "Server thread (development only)",
};

function SandboxFacts({ state: { sandbox } }: { readonly state: ServerStatus }) {
  const facts: readonly DescriptionItem[] = [
    { name: "Isolation backend", value: HOSTS[sandbox.host] ?? sandbox.host },
    {
      name: "bubblewrap",
      value: sandbox.bubblewrap ? <Badge tone="success">Enabled</Badge> : <Badge>Not available</Badge>,
    },
    { name: "Running processes", value: sandbox.guests },
    ...(sandbox.warning ? [{ name: "Warning", value: <span className="warning-text">{sandbox.warning}</span> }] : []),
  ];
  return <FactList title="Sandbox" facts={facts} />;
}

function Counted({ samples }: { readonly samples: readonly Sample[] }) {
  const numbers = (name: string, label: string, prefix: string): readonly DescriptionItem[] =>
    sumBy(samples, name, label)
      .filter(([, value]) => value > 0)
      .map(([key, value]) => ({ name: `${prefix} ${key}`, value: value.toLocaleString() }));
  const refused = sumBy(samples, "frontdesk_requests_total", "code").filter(
    ([code, value]) => code !== "OK" && value > 0,
  );
  const facts: readonly DescriptionItem[] = [
    ...numbers("frontdesk_turn_duration_seconds_count", "outcome", "Turns:"),
    ...numbers("frontdesk_model_calls_total", "model", "Model calls:"),
    ...numbers("frontdesk_model_tokens_total", "direction", "Tokens:"),
    ...numbers("frontdesk_tool_calls_total", "outcome", "Tool calls:"),
    ...refused.map(([code, value]) => ({ name: `Errors: ${code}`, value: value.toLocaleString() })),
  ];
  return (
    <FactList title="Since server start" facts={facts.length > 0 ? facts : [{ name: "Turns", value: "None yet" }]} />
  );
}

function NoKey() {
  return (
    <section className="card stack tight">
      <h2>No language model configured</h2>
      <p className="muted">
        The built-in model follows rules and is meant for a first look and for tests. To use a language model, set the
        API key of a provider before you start the server, for example:
      </p>
      <CodeBlock text="GEMINI_API_KEY=… npm start" label="command" />
    </section>
  );
}

/** A card of things that are so. */
function FactList({ title, facts }: { readonly title: string; readonly facts: readonly DescriptionItem[] }) {
  return (
    <section className="card status-card">
      <h2>{title}</h2>
      <DescriptionList facts={facts} />
    </section>
  );
}

/** The JSON response of `/readyz`. */
export interface ServerStatus {
  readonly status: string;
  readonly version: string;
  readonly storage: string;
  readonly models: {
    readonly defaultModel: string;
    readonly providers: readonly { readonly name: string; readonly keySource: string }[];
  };
  readonly sandbox: {
    readonly host: string;
    readonly bubblewrap: boolean;
    readonly guests: number;
    readonly warning?: string;
  };
}

/** Reads the status. A server that is not ready responds with the same body. */
export async function readServerStatus(signal: AbortSignal): Promise<ServerStatus> {
  const answer = await fetch("/readyz", { headers: { accept: "application/json" }, signal });
  return (await answer.json()) as ServerStatus;
}

/** Reads what the server counted since it started. */
export async function readMetrics(signal: AbortSignal): Promise<readonly Sample[]> {
  const answer = await fetch("/metrics", { signal });
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  return parseMetrics(await answer.text());
}

/** One line of Prometheus text. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)/;
const LABEL = /(?<key>\w+)="(?<text>(?:[^"\\]|\\.)*)"/g;

/** The samples of a page of metrics; comments and what is no sample are left out. */
export function parseMetrics(text: string): readonly Sample[] {
  return text.split("\n").flatMap((line) => {
    const { name, labels = "", value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(({ groups }) => [groups?.key ?? "", groups?.text ?? ""]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The sum of the samples of a name, by the value of one label. Largest first. */
export function sumBy(samples: readonly Sample[], name: string, label: string): readonly (readonly [string, number])[] {
  const groups = Map.groupBy(
    samples.filter((sample) => sample.name === name),
    ({ labels }) => labels[label] ?? "",
  );
  return [...groups]
    .map(([key, own]) => [key, own.reduce((sum, { value }) => sum + value, 0)] as const)
    .toSorted(([, left], [, right]) => right - left);
}

/** The first sample of a name; 0 when there is none. */
export function firstValue(samples: readonly Sample[], name: string): number {
  return samples.find((sample) => sample.name === name)?.value ?? 0;
}

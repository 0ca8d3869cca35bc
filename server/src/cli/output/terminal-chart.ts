import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** Most bars of a chart; the table has the rest. */
const MAX_BARS = 20;
const MAX_LABEL_WIDTH = 28;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const HEIGHTS = "▁▂▃▄▅▆▇█";

/** A chart of one measure by one dimension as text: bars for categories, a sparkline for times. "" for other charts. */
export function terminalChart(config: JsonObject, width: number): string {
  const { encoding, data, title } = config;
  if (!isJsonObject(encoding ?? null) || !isJsonObject(data ?? null)) return "";
  const channels = Object.values(encoding as JsonObject).filter(isJsonObject);
  const values = (data as JsonObject).values;
  const number = channels.find(({ type }) => type === "quantitative");
  const name = channels.find(({ type }) => type !== "quantitative" && type !== undefined);
  if (!number || !name || !Array.isArray(values) || hasSeries(encoding as JsonObject)) return "";
  const points = values.filter(isJsonObject).flatMap((value) => {
    const [label, size] = [value[String(name.field)], value[String(number.field)]];
    return typeof size === "number" ? [{ label: plain(label), size }] : [];
  });
  if (points.length < 2) return "";
  const drawn = name.type === "temporal" ? sparkline(points, width) : bars(points, width);
  return [plain(title), drawn].filter(Boolean).join("\n");
}

interface Point {
  readonly label: string;
  readonly size: number;
}

function hasSeries({ x, y, color }: JsonObject): boolean {
  return x !== undefined && y !== undefined && color !== undefined;
}

function bars(points: readonly Point[], width: number): string {
  const shown = points.slice(0, MAX_BARS);
  const largest = Math.max(...shown.map(({ size }) => Math.abs(size)), Number.MIN_VALUE);
  const labels = Math.min(MAX_LABEL_WIDTH, Math.max(...shown.map(({ label }) => label.length)));
  const numbers = shown.map(({ size }) => size.toLocaleString("en-US", { maximumFractionDigits: 2 }));
  const room = Math.max(10, width - labels - Math.max(...numbers.map((text) => text.length)) - 4);
  return shown
    .map(
      ({ label, size }, at) =>
        `${label.slice(0, labels).padEnd(labels)}  ${bar((Math.abs(size) / largest) * room, size < 0)} ${numbers[at]}`,
    )
    .join("\n");
}

function bar(length: number, negative: boolean): string {
  if (negative) return "░".repeat(Math.max(1, Math.round(length)));
  return `${"█".repeat(Math.floor(length))}${EIGHTHS[Math.floor((length % 1) * 8)]}`;
}

/** The last points that fit, as block characters of eight heights. */
function sparkline(points: readonly Point[], width: number): string {
  const shown = points.slice(-Math.max(10, width - 2));
  const sizes = shown.map(({ size }) => size);
  const [low, high] = [Math.min(...sizes), Math.max(...sizes)];
  const column = (size: number) => HEIGHTS[high > low ? Math.round(((size - low) / (high - low)) * 7) : 3];
  const format = (size: number) => size.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return [
    sizes.map(column).join(""),
    `${shown[0]?.label} to ${shown.at(-1)?.label}, lowest ${format(low)}, highest ${format(high)}`,
  ].join("\n");
}

/** Labels are data: control characters in them must not move the cursor. */
function plain(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.replace(/\p{Cc}+/gu, " ") : value === undefined ? "" : JSON.stringify(value);
}

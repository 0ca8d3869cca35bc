import { useEffect, useMemo, useRef, useState } from "react";
import type { View } from "vega";
import { barListHeight } from "../../../server/src/analytics/charts/bar-list-height.ts";
import { Loading } from "../components/loading.tsx";
import { useResolvedTheme } from "../shell/theme.ts";
import { tokenColour } from "./token-colour.ts";

interface VegaChartProps {
  /** A Vega-Lite specification with its data in it. */
  readonly config: object;
  /** Accessible name of the chart. */
  readonly label: string;
  /** Called with the rendered view, from which an image can be exported. */
  readonly onView?: (view: View) => void;
}

/** A Vega-Lite chart. The libraries load with the first one; nothing is evaluated as code and nothing is fetched. */
export function VegaChart({ config, label, onView }: VegaChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const height = useMemo(() => heightOf(config), [config]);
  const [state, setState] = useState<"loading" | "drawn" | "failed">("loading");
  const theme = useResolvedTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another set of colours
  useEffect(() => {
    let cancelled = false;
    let finalize = () => {};
    void draw(frame.current, { height, ...config }).then(
      (result) => {
        if (cancelled) return result.finalize();
        finalize = () => result.finalize();
        setState("drawn");
        onView?.(result.view);
      },
      () => !cancelled && setState("failed"),
    );
    return () => {
      cancelled = true;
      finalize();
    };
  }, [config, height, theme, onView]);
  return (
    <figure className="chart" aria-label={label}>
      {state === "loading" && (
        // What is below must not move from under the pointer when the chart arrives.
        <div style={{ height, display: "flow-root" }}>
          <Loading>Loading chart…</Loading>
        </div>
      )}
      {state === "failed" && <p className="muted">This chart can't be displayed. See the table for its data.</p>}
      <div ref={frame} role="img" aria-label={label} />
    </figure>
  );
}

/** Pixels of a chart, and of what a title and an axis take of it. */
const HEIGHT = 375;
const TITLE_AND_AXIS = 75;

/** The height of a chart with its title, axes and legend, pixels: a plot is as high as they leave it. */
function heightOf(config: object): number {
  return Math.max(HEIGHT, (barListHeight(config) ?? 0) + TITLE_AND_AXIS);
}

async function draw(element: HTMLElement | null, config: object) {
  if (!element) throw new Error("the chart has no container");
  const { default: embed } = await import("vega-embed");
  return embed(
    element,
    { width: "container", autosize: { type: "fit", contains: "padding" }, ...config } as never,
    {
      actions: false,
      // Expressions are interpreted instead of compiled, as the page's content security policy asks.
      ast: true,
      renderer: "svg",
      config: looksOf(element),
      loader: { load: refuse, sanitize: refuse, http: refuse, file: refuse },
    } as never,
  );
}

/** The Vega config for the page's theme. A saved image includes the theme's background, so it is readable anywhere. */
function looksOf(element: HTMLElement): object {
  const [ink, muted, line, mark] = ["--ink", "--muted", "--line", "--llm"].map((name) => tokenColour(element, name));
  return {
    background: getComputedStyle(element.parentElement ?? element).backgroundColor,
    font: "system-ui, sans-serif",
    mark: { color: mark },
    title: { color: ink },
    axis: { labelColor: muted, titleColor: muted, gridColor: line, domainColor: line, tickColor: line },
    legend: { labelColor: muted, titleColor: muted },
    view: { stroke: "transparent" },
    text: { color: ink },
  };
}

async function refuse(): Promise<never> {
  throw new Error("Charts can't load external resources.");
}

import { useEffect, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { dateTimeText } from "../components/date-time-text.ts";
import { useResolvedTheme } from "../shell/theme.ts";
import { tokenColour } from "./token-colour.ts";

/** A line or bars over time. */
export interface PlotSeries {
  readonly label: string;
  /** One value a time; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** A custom property of `tokens.css` with its colour, e.g. `--accent`. */
  readonly colour: string;
  readonly bars?: boolean;
}

interface TimePlotProps {
  readonly title: string;
  /** Text alternative: the plot in one sentence. */
  readonly summary: string;
  /** Milliseconds since the epoch, ascending. */
  readonly times: readonly number[];
  readonly series: readonly PlotSeries[];
  /** How a value is written on the axis and below the pointer. */
  readonly format: (value: number) => string;
}

const HEIGHT = 190;
const BARS = uPlot.paths.bars?.({ size: [0.7, 40] });

/** Values over time with their legend, which shows the values at the pointer, or the newest ones where there is none. */
export function TimePlot({ title, summary, times, series, format }: TimePlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const theme = useResolvedTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another set of colours
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const data = [times.map((time) => time / 1_000), ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
    const plot = new uPlot(optionsOf(element, times, series, format), data, element);
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [times, series, format, theme]);
  return (
    <figure className="time-plot">
      <figcaption>
        <h2>{title}</h2>
        <p className="muted">{summary}</p>
      </figcaption>
      <div ref={frame} aria-hidden="true" />
    </figure>
  );
}

function optionsOf(
  element: HTMLElement,
  times: readonly number[],
  series: readonly PlotSeries[],
  format: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(element);
  const colour = (name: string) => tokenColour(element, name);
  const axis = { stroke: colour("--muted"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false } };
  const font = `12px ${style.fontFamily}`;
  // In seconds: a bar is as wide as a step and stands around its time, also the first and the last.
  const halfStep = ((times[1] ?? 0) - (times[0] ?? 0)) / 2_000;
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 30, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_plot, least, most) => [least - halfStep, most + halfStep] },
      y: { range: (_plot, _least, most) => [0, Math.max(most * 1.1, 1)] },
    },
    axes: [
      { ...axis, font },
      { ...axis, font, size: 58, values: (_plot, values) => values.map((value) => format(value)) },
    ],
    series: [
      {
        label: "Time",
        value: (_plot, value: number | null) => timeText(value === null ? times.at(-1) : value * 1_000),
      },
      ...series.map(
        ({ label, values, bars, colour: name }): uPlot.Series => ({
          label,
          stroke: colour(name),
          width: 2,
          points: bars ? { show: false } : { size: 5 },
          value: (_plot, _value, _series, index) => valueText(values, index, format),
          fill: bars ? colour(name) : undefined,
          paths: bars ? BARS : undefined,
        }),
      ),
    ],
  };
}

function timeText(time: number | undefined): string {
  return time === undefined ? "" : dateTimeText(new Date(time), { seconds: true });
}

/** The value at an index, or the last of all without one; a dash stands for no value. */
function valueText(values: PlotSeries["values"], index: number | null, format: (value: number) => string): string {
  const value = index === null ? values.at(-1) : values[index];
  return value === null || value === undefined ? "–" : format(value);
}

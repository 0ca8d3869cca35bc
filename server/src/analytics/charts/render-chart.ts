import type { JsonObject } from "#base";
import { requirePackage } from "#status";
import { barListHeight } from "./bar-list-height.ts";

/** A chart as a picture. Libraries are loaded with the first one. */
export async function renderSvg(config: JsonObject): Promise<string> {
  const { compile, vega } = await libraries();
  const height = barListHeight(config) ?? SIZE.height;
  const drawn = { ...SIZE, height, ...config, config: THEME } as unknown as Parameters<typeof compile>[0];
  const { spec } = compile(drawn, { logger: SILENT });
  const view = new vega.View(vega.parse(spec), { renderer: "none", loader: NO_LOADER, logger: SILENT });
  try {
    return await view.toSVG();
  } finally {
    view.finalize();
  }
}

/** The same picture in pixels, twice as dense as the drawing, on white: pictures are pasted into pages. */
export async function renderPng(svg: string): Promise<Uint8Array> {
  requirePackage("@resvg/resvg-js", "Charts as PNG");
  const { Resvg } = await import("@resvg/resvg-js");
  return new Resvg(svg, {
    fitTo: { mode: "zoom", value: 2 },
    background: "white",
    font: { defaultFontFamily: FONT, sansSerifFamily: FONT },
  })
    .render()
    .asPng();
}

async function libraries() {
  const [{ compile }, vega] = await Promise.all([import("vega-lite"), import("vega")]);
  return { compile, vega };
}

const SIZE = { width: 560, height: 320 };
const FONT = "DejaVu Sans";

/** Greys that can be read on white and on black, colours that differ for most eyes, no background of its own. */
const INK = "#737a86";
const THEME = {
  background: "transparent",
  font: `${FONT}, Helvetica, Arial, sans-serif`,
  title: { color: INK, fontSize: 15, anchor: "start", offset: 12 },
  axis: {
    labelColor: INK,
    titleColor: INK,
    domainColor: INK,
    tickColor: INK,
    gridColor: INK,
    gridOpacity: 0.2,
    labelFontSize: 11,
  },
  legend: { labelColor: INK, titleColor: INK, labelLimit: 200 },
  view: { stroke: "transparent" },
  mark: { color: "#4a7fb5" },
  range: {
    category: [
      "#4a7fb5",
      "#e08a3c",
      "#4fa06b",
      "#b06fa8",
      "#d65f5f",
      "#3fa7a3",
      "#a58a4a",
      "#8d8fd1",
      "#c77f9b",
      "#7d9a3f",
      "#8a7a6d",
      "#5f8f9f",
    ],
  },
};

/** A chart has its data in it; one that asks for an address gets nothing. */
const reject = async (): Promise<never> => {
  throw new Error("Charts load nothing from elsewhere.");
};
const NO_LOADER = { load: reject, sanitize: reject, http: reject, file: reject, options: {}, fileAccess: false };

const quiet = () => SILENT;
const SILENT = {
  level: () => 0,
  error: quiet,
  warn: quiet,
  info: quiet,
  debug: quiet,
} as unknown as import("vega").LoggerInterface;

import { Download } from "lucide-react";
import { useState } from "react";
import type { View } from "vega";
import { VegaChart } from "../../charts/vega-chart.tsx";
import { Button } from "../../components/button.tsx";
import { download } from "../../components/download.ts";

/** A chart, which can be saved. */
export function ChartPart({ config, title }: { readonly config: object; readonly title: string }) {
  const [view, setView] = useState<View>();
  const saveSvg = async () => {
    if (view) download(`${title}.svg`, "image/svg+xml", await view.toSVG());
  };
  const savePng = async () => {
    if (view) download(`${title}.png`, "image/png", await pngOf(view));
  };
  return (
    <div className="stack tight">
      <VegaChart config={config} label={title} onView={setView} />
      <div className="row wrap">
        <Button small tone="plain" isDisabled={!view} onPress={() => void saveSvg()}>
          <Download size={15} aria-hidden="true" /> Download SVG
        </Button>
        <Button small tone="plain" isDisabled={!view} onPress={() => void savePng()}>
          <Download size={15} aria-hidden="true" /> Download PNG
        </Button>
      </div>
    </div>
  );
}

/** Twice as many pixels as on screen, for paper and slides. */
const PICTURE_SCALE = 2;

async function pngOf(view: View): Promise<Blob> {
  const canvas = await view.toCanvas(PICTURE_SCALE);
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The image is too large."))), "image/png");
  return promise;
}

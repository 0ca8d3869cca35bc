import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { APP, converse, openConsole, withoutBrowser } from "./open-console.ts";

/** Pixels of the last bar of the plot of turns: where its row above the axis is filled, from the right edge of the plot. */
const LAST_BAR = `(() => {
  const plot = [...document.querySelectorAll(".time-plot")].find((one) => one.textContent.startsWith("Turns"));
  const [canvas, over] = [plot.querySelector("canvas"), plot.querySelector(".u-over")];
  const scale = canvas.width / canvas.getBoundingClientRect().width;
  const left = (over.getBoundingClientRect().left - canvas.getBoundingClientRect().left) * scale;
  const bottom = (over.getBoundingClientRect().bottom - canvas.getBoundingClientRect().top) * scale;
  const width = over.clientWidth * scale;
  const { data } = canvas.getContext("2d").getImageData(left, bottom - 6 * scale, width + 20 * scale, 1);
  let filled = 0;
  for (let at = 0; at < data.length; at += 4) filled += data[at + 3] > 200 && data[at + 2] > data[at] + 60 ? 1 : 0;
  return { filled: filled / scale, step: width / scale / 12 };
})()`;

describe("the plots of metrics", { skip: withoutBrowser }, () => {
  it("have values in their legends without a pointer, and a last bar of full width", async () => {
    await using console = await openConsole();
    await converse(console.server, "plotted", "Where is my order A-1001?");
    await using opened = await console.open(`/console/${APP}/conversations?view=metrics`);
    const { page, faults } = opened;
    await page.locator(".time-plot canvas").nth(3).waitFor();
    const legends = await page.locator(".time-plot .u-legend .u-value").allInnerTexts();
    assert.equal(legends.length, 11, "four times and seven series");
    assert.deepEqual(
      legends.filter((text) => !/\d/.test(text)),
      [],
    );
    const { filled, step } = await page.evaluate<{ filled: number; step: number }>(LAST_BAR);
    assert.ok(filled > step * 0.6 && filled < step * 1.1, `a bar of ${filled} pixels in a step of ${step}`);
    assert.deepEqual(faults, []);
  });
});

/** Lines of context around a difference. */
const CONTEXT = 3;

/**
 * The difference of two texts in lines: `-` for the first, `+` for the second, a blank for the context. Everything between the first and
 * the last differing line counts as different.
 */
export function lineDiff(before: string, after: string): readonly string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const same = (first: number, second: number) => old[first] === now[second];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && same(head, head)) head++;
  let tail = 0;
  while (tail < shorter - head && same(old.length - 1 - tail, now.length - 1 - tail)) tail++;
  const shared = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
  return [
    ...shared(old.slice(Math.max(0, head - CONTEXT), head)),
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
    ...shared(old.slice(old.length - tail, old.length - tail + CONTEXT)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

import type { Notes } from "../../files/notes.ts";
import { type LookmlNode, textOf } from "./parse-lookml.ts";

/** The views of all files, with what refinements (`view: +orders`) and `extends` add. */
export function readViews(files: readonly LookmlNode[], notes: Notes): readonly LookmlNode[] {
  const views = files.filter(({ key }) => key === "view");
  const bases = views.filter(({ name }) => !name.startsWith("+"));
  for (const refinement of views.filter(({ name }) => name.startsWith("+")))
    if (!bases.some(({ name }) => name === refinement.name.slice(1)))
      notes.add(refinement, `view ${refinement.name} is left out: there is no view ${refinement.name.slice(1)}`);
  const refined = bases.map((base) => {
    let { children } = base;
    for (const refinement of views)
      if (refinement.name === `+${base.name}`) children = merge(children, refinement.children);
    return { ...base, children };
  });
  return refined.flatMap((view) => {
    const whole = extended(view, refined, []);
    if (!whole) notes.add(view, `view ${view.name} is left out: a view that it extends is missing`);
    return whole && textOf(whole, "extension") !== "required" ? [whole] : [];
  });
}

function extended(view: LookmlNode, all: readonly LookmlNode[], seen: readonly string[]): LookmlNode | undefined {
  const names = view.children
    .filter(({ key }) => key === "extends" || key === "extends__all")
    .flatMap(({ items = [] }) => items.map(({ text }) => text));
  let children: readonly LookmlNode[] = [];
  for (const name of names) {
    const base = seen.includes(name) ? undefined : all.find((one) => one.name === name);
    const whole = base && extended(base, all, [...seen, view.name]);
    if (!whole) return undefined;
    children = merge(
      children,
      whole.children.filter(({ key }) => key !== "extension"),
    );
  }
  return { ...view, children: merge(children, view.children) };
}

/** Later parameters win, and blocks of the same name are merged. */
function merge(before: readonly LookmlNode[], after: readonly LookmlNode[]): readonly LookmlNode[] {
  const merged = [...before];
  for (const node of after) {
    const at = merged.findIndex(
      ({ key, name }) => key === node.key && name === node.name && (name !== "" || node.text !== undefined),
    );
    const known = merged[at];
    if (!known) merged.push(node);
    else merged[at] = node.name === "" ? node : { ...node, children: merge(known.children, node.children) };
  }
  return merged;
}

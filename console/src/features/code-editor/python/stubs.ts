import source from "../../../../../server/guest/frontdesk.pyi?raw";

/** A name of the guest's stubs. */
export interface Stub {
  readonly name: string;
  readonly kind: "class" | "function" | "method" | "property" | "variable";
  /** As it is declared: parameters and type. */
  readonly signature: string;
  /** The class of its value: what a method returns, what a variable is. */
  readonly type: string;
  readonly doc: string;
}

/** A class of the stubs with its members; its parents' are among them. */
interface StubClass extends Stub {
  readonly members: readonly Stub[];
}

/** What Python of an app finds without importing it, as the published stubs declare it. */
export interface Stubs {
  readonly globals: readonly Stub[];
  readonly classes: ReadonlyMap<string, StubClass>;
}

const CLASS = /^class (\w+)(?:\(([^)]*)\))?:/;
const FUNCTION = /^(\s*)def (\w+)\((.*)\) -> ([^:]+):/;
const VARIABLE = /^(\s*)(\w+): ([^=]+)$/;

/** The published stubs, read once. */
export const STUBS: Stubs = readStubs(source);

/** Reads stubs: declarations at the left are globals, those below a class its members. Names that start with `_` are private. */
function readStubs(text: string): Stubs {
  const classes = new Map<string, StubClass>();
  const globals: Stub[] = [];
  let members: Stub[] = [];
  let property = false;
  for (const { line, doc } of declarations(text)) {
    const heading = CLASS.exec(line);
    if (heading) {
      const [, name = "", parents = ""] = heading;
      members = parents.split(",").flatMap((parent) => [...(classes.get(parent.trim())?.members ?? [])]);
      const found: StubClass = { name, kind: "class", signature: parents && `(${parents})`, type: name, doc, members };
      classes.set(name, found);
      if (!name.startsWith("_")) globals.push(found);
      continue;
    }
    if (line.trim() === "@property") property = true;
    const stub = stubOf(line, doc, property);
    if (!stub) continue;
    property = false;
    if (!line.startsWith(" ")) globals.push(stub);
    else if (!stub.name.startsWith("_")) put(members, stub);
  }
  return { globals, classes };
}

/** A member of a class takes the place of its parent's. */
function put(members: Stub[], stub: Stub): void {
  const at = members.findIndex(({ name }) => name === stub.name);
  if (at === -1) members.push(stub);
  else members[at] = stub;
}

function stubOf(line: string, doc: string, property: boolean): Stub | undefined {
  const called = FUNCTION.exec(line);
  if (called) {
    const [, indent, name = "", parameters = "", returned = ""] = called;
    const kind = property ? "property" : indent ? "method" : "function";
    const shown = parameters.replace(/^(self|cls)(, )?/, "");
    return { name, kind, signature: `${property ? "" : `(${shown})`} → ${returned}`, type: bare(returned, name), doc };
  }
  const [, indent, name = "", type = ""] = VARIABLE.exec(line) ?? [];
  if (name === "") return undefined;
  return { name, kind: indent ? "property" : "variable", signature: `: ${type}`, type: bare(type, name), doc };
}

/** The innermost type: `Content` for `Optional[Content]`, `Part` for `list[Part]`. */
function bare(type: string, name: string): string {
  return type === "Self" ? name : (/(\w+)\]*\s*$/.exec(type)?.[1] ?? type).replace(/^_(?=Function)/, "");
}

/** Declarations, each on one line, with the docstring that follows. */
function declarations(text: string): readonly { readonly line: string; readonly doc: string }[] {
  const joined = text.replace(
    /\(\n([^)]*?)\n\s*\) ->/g,
    (_, inner: string) => `(${inner.trim().replace(/,?\n\s*/g, ", ")}) ->`,
  );
  const lines = joined.split("\n");
  return lines.flatMap((line, at) => {
    if (line.trim() === "" || line.trim().startsWith('"""')) return [];
    const doc = /^\s*"""(.*?)(?:""")?$/.exec(lines[at + 1] ?? "")?.[1] ?? "";
    return [{ line, doc }];
  });
}

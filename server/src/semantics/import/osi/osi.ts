import { createNotes } from "../../files/notes.ts";
import type { Importer } from "../contract.ts";
import { readOsi } from "./read-osi.ts";
import { embeddedModel } from "./write-osi.ts";

/** Reads a document, and in it our own form of the model where nobody changed the document since (SEM-7). */
export const importOsi: Importer = (files, options, notes) => {
  // What the document states in other words is told only where it counts.
  const stated = createNotes();
  const model = readOsi(files, options, stated);
  const { extensions = [], ...bare } = model;
  const embedded = embeddedModel(extensions, model);
  if (embedded !== undefined && embedded !== "changed") return embedded;
  for (const { file, line, message } of stated.all) notes.add({ file, line }, message);
  if (embedded === undefined) return model;
  const [file] = files;
  if (file)
    notes.add(
      { file: file.path, line: 1 },
      "the document was changed since it was exported: what only its extension FRONTDESK has is not carried",
    );
  const others = extensions.filter(({ vendor }) => vendor !== "FRONTDESK");
  return { ...bare, ...(others.length > 0 && { extensions: others }) };
};

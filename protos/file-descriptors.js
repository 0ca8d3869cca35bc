// Reading the definitions is a tenth of a start, and most of that is the library's search through the dependencies of each file along every path. A
// file needs only what it imports itself; so the library sees its dependencies without theirs, and gets them back afterwards. All that is generated
// calls this function in place of the library's.
import { fileDesc as libraryFileDesc } from "@bufbuild/protobuf/codegenv2";

/** As `fileDesc` of the library. */
export function fileDesc(text, imports = []) {
  const alone = imports.map((file) => ({ ...file, dependencies: [] }));
  const file = libraryFileDesc(text, alone);
  return Object.assign(file, { dependencies: imports });
}

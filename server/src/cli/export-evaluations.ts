import { writeFile } from "node:fs/promises";
import {
  EvaluationService,
  ExportEvaluationsResponseSchema,
  ExportOptions_ExportFormat as Format,
} from "@frontdesk/protos/ces/evaluation_service";
import { appName } from "./app-name.ts";
import { STREAM } from "./app-package.ts";
import { type Command, CommandError, SERVER_FLAGS } from "./command.ts";
import { chosenEvaluations, evaluationsOf } from "./evaluations-of-app.ts";
import { OUTPUT_FLAGS, printResult } from "./output/print-result.ts";
import { finished } from "./server/operation.ts";
import { callServer, clientFor } from "./server/server-client.ts";
import { checkWritable } from "./writable-file.ts";

/** `frontdesk export-evaluations`: evaluations of an app on a server as one file, which import-evaluations reads. */
export const exportEvaluations: Command = {
  name: "export-evaluations",
  operands: "<app> <file.json|file.yaml|-> [evaluation …]",
  summary: "export evaluations of an app as a JSON or YAML file, - for JSON on standard output (default: all)",
  flags: [
    { name: "tags", value: "a,b", summary: "only evaluations with one of these tags" },
    { name: "results", summary: "export their results, too" },
    ...OUTPUT_FLAGS,
    ...SERVER_FLAGS,
  ],
  examples: ["export-evaluations order-desk goldens.json", "export-evaluations order-desk smoke.yaml --tags smoke"],
  run: async (input) => {
    const [app, file, ...named] = input.positionals;
    if (!app || !file) throw new CommandError("the app or the file is missing; - is standard output.");
    if (file !== STREAM) await checkWritable(file);
    const { parent, names, content } = await callServer(input, async () => {
      const parent = appName(app, input);
      const client = clientFor(EvaluationService, input);
      const names = chosenEvaluations(parent, named, await evaluationsOf(parent, client), input);
      const operation = await client.exportEvaluations({
        parent,
        names,
        includeEvaluations: true,
        includeEvaluationResults: input.flags.results === true,
        exportOptions: { exportFormat: /\.ya?ml$/i.test(file) ? Format.YAML : Format.JSON },
      });
      const { evaluations } = await finished(operation, ExportEvaluationsResponseSchema, input);
      if (evaluations.case !== "evaluationsContent") throw new CommandError("the server returned no evaluations.");
      return { parent, names, content: evaluations.value };
    });
    if (file === STREAM) {
      await new Promise<void>((resolve) => process.stdout.write(content, () => resolve()));
      return 0;
    }
    await writeFile(file, content);
    const count = names.length === 1 ? "1 evaluation" : `${names.length} evaluations`;
    printResult(input.flags, { value: { names, file }, text: `exported ${count} of ${parent} to ${file}` });
    return 0;
  },
};

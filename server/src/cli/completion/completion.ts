import { type Command, CommandError, didYouMean } from "../command.ts";
import { bashScript } from "./bash-script.ts";
import { fishScript } from "./fish-script.ts";

/** Where the person's own settings have not opened zsh's completions. */
const ZSH = "autoload -U +X compinit bashcompinit\n(( $+functions[compdef] )) || compinit\nbashcompinit\n";

type Script = (commands: readonly Command[]) => string;

const SHELLS: Readonly<Record<string, Script>> = {
  bash: bashScript,
  // zsh runs completions of bash.
  zsh: (commands) => `${ZSH}${bashScript(commands)}`,
  fish: fishScript,
};

/** `frontdesk completion`: a script that completes commands, flags and their values in a shell. `commands`: all, this one too. */
export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: "completion",
  operands: Object.keys(SHELLS).join("|"),
  words: Object.keys(SHELLS),
  summary: "print the script that completes commands, flags and values in a shell",
  flags: [],
  examples: ["completion bash", "completion zsh", "completion fish"],
  run: async ({ positionals }) => {
    const [shell = "", ...others] = positionals;
    const shells = Object.keys(SHELLS);
    const script = Object.hasOwn(SHELLS, shell) && others.length === 0 ? SHELLS[shell] : undefined;
    if (!script) throw new CommandError(`name one shell: ${shells.join(", ")}.${didYouMean(shell, shells)}`);
    process.stdout.write(script(commands()));
    return 0;
  },
});

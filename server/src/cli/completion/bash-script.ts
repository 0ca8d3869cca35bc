import type { Command } from "../command.ts";

/**
 * Completions for bash. All words are in the script: a key press starts no program, and nothing of the command line is evaluated. What has no words is
 * completed with names of files.
 */
export function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completions of frontdesk.
_frontdesk() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words="" flags="" first=""
  # bash takes --flag=value for three words.
  [[ $current == "=" ]] && current=""
  [[ $previous == "=" ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="help ${names.join(" ")}"
  else
    case \${COMP_WORDS[1]} in
      help) first="${names.join(" ")}" ;;
${commands.map(commandCase).join("\n")}
    esac
    if [[ $current == -* ]]; then words=$flags
    elif [[ -z $words && $COMP_CWORD -eq 2 ]]; then words=$first
    fi
  fi
  COMPREPLY=( $(compgen -W "$words" -- "$current") )
}
complete -o default -F _frontdesk frontdesk
`;
}

function commandCase({ name, words = [], flags }: Command): string {
  const listed = flags
    .filter(({ values }) => values)
    .map((flag) => `--${flag.name}) words="${flag.values?.join(" ")}" ;;`);
  // The value of such a flag is often a file.
  const others = flags.filter(({ value, values }) => value && !values).map((flag) => `--${flag.name}`);
  const cases = [...listed, ...(others.length > 0 ? [`${others.join("|")}) return ;;`] : [])];
  const names = ["--help", ...flags.map((flag) => `--${flag.name}`)].join(" ");
  return [
    `      ${name})`,
    `        flags="${names}" first="${words.join(" ")}"`,
    ...(cases.length > 0
      ? ["        case $previous in", ...cases.map((one) => `          ${one}`), "        esac"]
      : []),
    "        ;;",
  ].join("\n");
}

import type { Command } from "../command.ts";

/**
 * Completions for bash. All words are in the script: a key press starts no program, and nothing of the command line is evaluated. What has no words is
 * completed with names of files.
 */
export function bashScript(commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  return `# Completions of frontdesk.
_frontdesk() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words="" flags="" first="" valued="" joined="" word at
  # bash takes --flag=value for three words, or for one, as it is set up.
  [[ $current == "=" ]] && current=""
  [[ $previous == "=" ]] && previous=\${COMP_WORDS[COMP_CWORD-2]}
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    joined=$previous=
    current=\${current#*=}
  fi
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="help ${names.join(" ")}"
    [[ $current == -* ]] && words="--help --version"
  else
    case \${COMP_WORDS[1]} in
      help) first="${names.join(" ")}" ;;
${commands.map(commandCase).join("\n")}
    esac
    # Behind the first operand, none has known words. Flags and their values are no operands.
    for ((at = 2; at < COMP_CWORD; at++)); do
      word=\${COMP_WORDS[at]}
      if [[ -n $word && " $valued " == *" $word "* ]]; then
        [[ \${COMP_WORDS[at+1]} == "=" ]] && ((at++))
        ((at++))
      elif [[ $word != -* ]]; then
        first=""
      fi
    done
    if [[ -n $words ]]; then :
    elif [[ $current == -* ]]; then words=$flags
    else words=$first
    fi
  fi
  COMPREPLY=( $(compgen -P "$joined" -W "$words" -- "$current") )
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
  const valued = flags.filter(({ value }) => value).map((flag) => `--${flag.name}`);
  return [
    `      ${name})`,
    `        flags="${names}" first="${words.join(" ")}" valued="${valued.join(" ")}"`,
    ...(cases.length > 0
      ? ["        case $previous in", ...cases.map((one) => `          ${one}`), "        esac"]
      : []),
    "        ;;",
  ].join("\n");
}

#!/usr/bin/env bash
# Installs the command: what the action's input names, else packages made of the checkout that this action is in, which need no registry to have them.
set -euo pipefail

place=$RUNNER_TEMP/frontdesk
# Several files are separated by spaces.
read -ra packages <<<"${PACKAGE:-}"
if [ ${#packages[@]} -eq 0 ]; then
  packed=$RUNNER_TEMP/frontdesk-packages
  echo "::group::Pack"
  node "$(dirname "$0")/../../scripts/launch.mjs" pack "$packed" --without-docs
  echo "::endgroup::"
  packages=("$packed"/frontdesk-{sealed-python,server}-*.tgz)
fi
npm install --prefix "$place" --ignore-scripts --no-audit --no-fund "${packages[@]}"
echo "$place/node_modules/.bin" >>"$GITHUB_PATH"

#!/usr/bin/env bash
# Builds the image and has it answer, where a builder is: docker, podman, or Debian's buildah. Skips with its reason otherwise.
#   deploy/test-image.sh [another base image with Node 22.19 or newer and npm]
set -euo pipefail
cd "$(dirname "$0")/.."

base=${1:-$(sed -n 's/^ARG NODE_IMAGE=//p' deploy/Containerfile)}
for builder in docker podman buildah; do "$builder" info >/dev/null 2>&1 && break || builder=; done
if [ -z "$builder" ]; then
  echo "skipped: no docker, podman or buildah that runs on this machine (Debian packages: podman, buildah)"
  exit 0
fi
inspect=(image inspect)
if [ "$builder" = buildah ]; then inspect=(inspect --type image); fi
if ! "$builder" "${inspect[@]}" "$base" >/dev/null 2>&1 && ! reason=$("$builder" pull -q "$base" 2>&1); then
  echo "skipped: $builder cannot reach the base image $base: ${reason##*$'\n'}"
  exit 0
fi

# Builds nothing but the image, and runs commands of the build: the server is started, asked and stopped by such a command.
if [ "$builder" = buildah ]; then
  # Without a runtime for containers, a root folder of its own.
  if ! command -v crun runc >/dev/null; then export BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}; fi
  buildah build --pull=false --build-arg "NODE_IMAGE=$base" -f deploy/Containerfile -t frontdesk-test .
  container=$(buildah from --pull=false frontdesk-test)
  trap 'buildah rm "$container" >/dev/null' EXIT
  buildah run --cap-drop ALL --mount type=tmpfs,destination=/tmp,tmpfs-mode=1777 --env FRONTDESK_ALLOW_UNAUTHENTICATED=1 "$container" -- \
    node --input-type=module - <deploy/image/answers.mjs
  echo "the image answers, as user 10001, and stops; its root could be written to, because buildah runs no other"
  exit 0
fi

"$builder" build --build-arg "NODE_IMAGE=$base" -f deploy/Containerfile -t frontdesk-test .
container=$("$builder" run -d --read-only --tmpfs /tmp --tmpfs /var/lib/frontdesk:uid=10001,gid=10001 --cap-drop ALL \
  -e FRONTDESK_ALLOW_UNAUTHENTICATED=1 -p 127.0.0.1:18080:8080 frontdesk-test)
trap '"$builder" logs "$container" | tail -20; "$builder" rm -f "$container" >/dev/null' EXIT

for _ in $(seq 60); do curl -sf http://127.0.0.1:18080/readyz && break || sleep 1; done
session=projects/local/locations/us/apps/order-desk/sessions/image-1
curl -sf "http://127.0.0.1:18080/v1beta/$session:runSession" -H 'content-type: application/json' \
  -d "{\"config\":{\"session\":\"$session\"},\"inputs\":[{\"text\":\"Where is my order A-1001?\"}]}" | grep A-1001
# Not grep -q, which would end before curl does.
curl -sf http://127.0.0.1:18080/docs/ | grep '<title>' >/dev/null
test "$("$builder" exec "$container" node -p 'process.getuid()')" = 10001
"$builder" stop -t 40 "$container" >/dev/null
test "$("$builder" inspect -f '{{.State.ExitCode}}' "$container")" = 0
echo "the image answers, as user 10001 with a read-only root, and stops"

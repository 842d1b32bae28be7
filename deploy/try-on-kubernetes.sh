#!/usr/bin/env bash
# Installs the chart in its evaluation mode on a cluster, runs the demo through its gateway, tries forbidden connections, and changes
# the installation under load: see trial/under-load.mjs.
#
# Environment:
#   KUBECONFIG            the cluster (needed)
#   PARLANCE_IMAGES       prefix of the images of the processes, "parlance" by default; they are built where it is unset
#   PARLANCE_LOAD_IMAGES  command that brings images, named as arguments, onto the nodes where they cannot be pulled from
#   PARLANCE_TRIAL_HOST   address under which pods reach this machine, for the git repositories; found out where unset
#   PARLANCE_TRIAL_URL    address of the gateway; a node port by default
#   NAMESPACE             default parlance-trial
# With the argument "down" everything of the trial is removed.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${KUBECONFIG:?must name the cluster}"
namespace=${NAMESPACE:-parlance-trial}
kube() { kubectl --namespace "$namespace" "$@"; }
helm=$(command -v helm || echo "${PARLANCE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/parlance}/tools/helm")

if [ "${1:-}" = down ]; then
  "$helm" uninstall parlance --namespace "$namespace" --wait || true
  kubectl delete namespace "$namespace" --wait
  exit 0
fi

# check-chart also installs helm where it is missing.
node deploy/check-chart.mjs
prefix=${PARLANCE_IMAGES:-parlance}
if [ -z "${PARLANCE_IMAGES:-}" ]; then node deploy/image.mjs; fi
version=$(node -p 'require("./package.json").version')
if [ -n "${PARLANCE_LOAD_IMAGES:-}" ]; then
  node deploy/engines/cli.mjs images
  images=(mongo:8 nats:2.15-alpine valkey/valkey:9 minio/minio:RELEASE.2025-09-07T16-13-09Z)
  for name in gateway identity catalog translation vcs-worker media statistics hooks; do images+=("$prefix/$name:$version"); done
  $PARLANCE_LOAD_IMAGES "${images[@]}"
fi

repositories=$(mktemp -d)
daemon=
trap 'kill $daemon 2>/dev/null || true; rm -rf "$repositories"' EXIT
# The repositories are on this machine: pods reach them over git://.
git_port=$(node -e "require('node:net').createServer().listen(0, function () { console.log(this.address().port); this.close(); })")
node_address=$(kubectl get nodes -o jsonpath='{.items[0].status.addresses[?(@.type=="InternalIP")].address}')
host=${PARLANCE_TRIAL_HOST:-$(ip -4 route get "$node_address" | sed -n 's/.* src \([0-9.]*\).*/\1/p')}
"$(git --exec-path)/git-daemon" --reuseaddr --export-all --enable=receive-pack --port="$git_port" --base-path="$repositories" "$repositories" &
daemon=$!

# With no values but those of the machine: the images, and where the repositories are.
values=(--values deploy/trial/values.yaml --set image.repository="$prefix" --set image.tag="$version" --set "networkPolicy.remotePorts={$git_port}")
"$helm" upgrade --install parlance charts/parlance --namespace "$namespace" --create-namespace "${values[@]}" --timeout 10m
"$helm" test parlance --namespace "$namespace" --logs
node deploy/trial/forbidden-calls.mjs "$namespace"

export PARLANCE_TOKEN PARLANCE_URL
PARLANCE_TOKEN=$(kube get secret parlance-administrator -o go-template='{{.data.token | base64decode}}')
PARLANCE_URL=${PARLANCE_TRIAL_URL:-http://$node_address:$(kube get service parlance-gateway -o jsonpath='{.spec.ports[0].nodePort}')}
export TMPDIR=$repositories PARLANCE_GIT_BASE="git://$host:$git_port"
node e2e/demo.mjs

two=()
for name in gateway identity catalog translation vcs-worker media statistics hooks; do two+=(--set "services.$name.replicas=2"); done
"$helm" upgrade parlance charts/parlance --namespace "$namespace" "${values[@]}" "${two[@]}" --wait --timeout 10m
# Every process gets another environment, so every pod is replaced.
upgrade=("$helm" upgrade parlance charts/parlance --namespace "$namespace" "${values[@]}" "${two[@]}" --set config.LOG_LEVEL=warn --wait --timeout 10m)
PARLANCE_TRIAL_UPGRADE=$(printf '%q ' "${upgrade[@]}") node deploy/trial/under-load.mjs "$namespace"

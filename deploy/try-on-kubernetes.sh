#!/usr/bin/env bash
# Installs the chart on a cluster for trial, with engines of its own inside, and runs the demo through its gateway.
#
# Environment:
#   KUBECONFIG            the cluster (needed)
#   PARLANCE_IMAGE        image of the processes; built where unset
#   PARLANCE_LOAD_IMAGES  command that brings images, named as arguments, onto the nodes where they cannot be pulled from
#   PARLANCE_DEMO_HOST    address under which pods reach this machine, for the demo's git repository; found out where unset
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
node deploy/engines/cli.mjs images
image=${PARLANCE_IMAGE:-$(node deploy/image.mjs)}
engines=(mongo:8 nats:2.15-alpine valkey/valkey:9 minio/minio:RELEASE.2025-09-07T16-13-09Z)
if [ -n "${PARLANCE_LOAD_IMAGES:-}" ]; then $PARLANCE_LOAD_IMAGES "$image" "${engines[@]}"; fi

kubectl get namespace "$namespace" >/dev/null 2>&1 || kubectl create namespace "$namespace"
# A trial that is installed again keeps its credentials.
kube get secret parlance-trial parlance-trial-engines >/dev/null 2>&1 || node deploy/trial/secrets.mjs | kube apply -f -
kube apply -f deploy/trial/engines.yaml
kube wait --for=condition=Available --timeout=180s deployment/mongo deployment/nats deployment/redis deployment/minio
values=(
  --set image.repository="${image%:*}" --set image.tag="${image##*:}"
  --values deploy/trial/values.yaml
)
"$helm" upgrade --install parlance charts/parlance --namespace "$namespace" "${values[@]}" --wait --timeout 5m
kube get pods

kube exec deploy/parlance-identity -- parlance user create admin --superuser --token >"${TMPDIR:-/tmp}/parlance-trial-token" \
  || kube exec deploy/parlance-identity -- parlance token create --user admin >"${TMPDIR:-/tmp}/parlance-trial-token"
export PARLANCE_TOKEN
PARLANCE_TOKEN=$(cat "${TMPDIR:-/tmp}/parlance-trial-token")
rm "${TMPDIR:-/tmp}/parlance-trial-token"

# The demo's repository lies on this machine: pods reach it over git://.
repositories=$(mktemp -d)
free_port() { node -e "require('node:net').createServer().listen(0, function () { console.log(this.address().port); this.close(); })"; }
port=$(free_port)
git_port=$(free_port)
kube port-forward service/parlance-gateway "$port:80" >/dev/null &
forward=$!
daemon=
trap 'kill $forward $daemon 2>/dev/null; rm -rf "$repositories"' EXIT
node_address=$(kubectl get nodes -o jsonpath='{.items[0].status.addresses[?(@.type=="InternalIP")].address}')
host=${PARLANCE_DEMO_HOST:-$(ip -4 route get "$node_address" | sed -n 's/.* src \([0-9.]*\).*/\1/p')}
"$(git --exec-path)/git-daemon" --reuseaddr --export-all --enable=receive-pack --port="$git_port" --base-path="$repositories" "$repositories" &
daemon=$!
until curl --silent --fail --output /dev/null http://127.0.0.1:$port/api/; do kill -0 $forward; sleep 0.2; done
git init --quiet --bare "$repositories/listens.git"
until git ls-remote --quiet git://127.0.0.1:$git_port/listens.git; do kill -0 $daemon; sleep 0.2; done 2>/dev/null
TMPDIR=$repositories PARLANCE_GIT_BASE="git://$host:$git_port" PARLANCE_URL=http://127.0.0.1:$port node e2e/demo.mjs

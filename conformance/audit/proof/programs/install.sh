#!/bin/sh
# Installs what the programs need into dist/programs, each language by itself. What is missing is said, and skipped.
cd "$(dirname "$0")/../../../.." || exit 2
from=conformance/audit/proof/programs
to=dist/programs
mkdir -p "$to" && cp -R "$from/npm" "$from/python" "$from/go" "$from/shell" "$to" || exit 2
failed=0
skip() {
  echo "SKIPPED: the programs in $from/$1 ($2)" >&2
  failed=1
}
(cd "$to/npm" && npm ci --ignore-scripts --no-audit --no-fund) || skip npm 'npm ci failed'
(cd "$to/python" && python3 -m venv venv && venv/bin/pip install -q -r requirements.txt) || skip python 'pip install failed'
(cd "$to/go" && go build -o client .) || skip go 'go build failed'
command -v curl >/dev/null || skip shell 'no curl'
exit $failed

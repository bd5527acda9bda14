# Builds the server with a time.Now that can be moved: Go reads the clock where no preloaded library can step in.
set -e
source=$(go env GOROOT)/src/time/time.go
sed 's/^func Now() Time {/func machineNow() Time {/' "$source" > time.go.txt
cat >> time.go.txt <<'GO'

// Ahead is how far this process's clock is ahead of the machine's.
var Ahead Duration

// Now returns the moved time, without a monotonic reading.
func Now() Time { return machineNow().Round(0).Add(Ahead) }
GO
printf '{"Replace":{"%s":"%s/time.go.txt"}}' "$source" "$PWD" > overlay.json
go build -mod=mod -overlay overlay.json -o server .

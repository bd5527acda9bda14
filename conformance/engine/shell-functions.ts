/** Shell functions that scripts may use, by name. */
export const functions: Readonly<Record<string, string>> = {
  // Asks for what a script cannot do: shows its arguments, and answers the line that is entered.
  by_hand: `by_hand() {
  printf '%s\\n' "$@" >&2
  read -r reply || { echo 'Nothing was entered: run this script in a terminal.' >&2; exit 1; }
  printf '%s\\n' "$reply"
}`,
  encode: `encode() {
  printf %s "$1" | od -An -v -tu1 | awk '{
    for (i = 1; i <= NF; i++) {
      one = $i < 128 ? sprintf("%c", $i + 0) : ""
      if (one ~ /^[A-Za-z0-9._~-]$/) printf "%s", one; else printf "%%%02X", $i
    }
  }'
}`,
  request: `request() { curl -q -sS -i -g --path-as-is --http1.1 -H 'accept-encoding: identity' --noproxy '*' --max-time 60 "$@" || echo '(no answer)'; }`,
  unescape: `unescape() {
  awk '{
    text = $0; digits = "0123456789abcdef"; gsub(/\\\\\\//, "/", text); done = ""
    while (match(text, /\\\\u00[2-7][0-9A-Fa-f]/)) {
      hex = tolower(substr(text, RSTART + 4, 2))
      one = sprintf("%c", 16 * (index(digits, substr(hex, 1, 1)) - 1) + index(digits, substr(hex, 2, 1)) - 1)
      done = done substr(text, 1, RSTART - 1) (hex == "22" || hex == "5c" ? substr(text, RSTART, 6) : one)
      text = substr(text, RSTART + 6)
    }
    print done text
  }'
}`,
};

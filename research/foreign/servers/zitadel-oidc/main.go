// zitadel/oidc as its example assembles it, with its login page, over a storage that knows lives and scopes.
package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
)

const day = 24 * time.Hour

type application struct {
	ClientID     string   `json:"client_id"`
	ClientSecret string   `json:"client_secret"`
	RedirectURI  string   `json:"redirect_uri"`
	RedirectURIs []string `json:"redirect_uris"`
	Scopes       []string
	Refresh      bool
}

type world struct {
	Accounts map[string]string
	Clients  map[string]application
}

func main() {
	http.Handle("/", exampleop.SetupServer(os.Getenv("PUBLIC_URL"), newStore(read()), nil, true))
	http.HandleFunc("/__control/", control)
	check(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// The control protocol's clock.
func control(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/__control/clock" {
		answer(w, http.StatusOK, map[string]any{"protocol": 1, "capabilities": []string{"clock"}})
		return
	}
	var move struct{ Advance float64 }
	_ = json.NewDecoder(r.Body).Decode(&move)
	time.Ahead += time.Duration(move.Advance * float64(time.Second))
	answer(w, http.StatusOK, map[string]any{"now": time.Now().UTC().Format(time.RFC3339Nano), "frozen": false})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func read() world {
	var known world
	text, err := os.ReadFile("../world.json")
	check(err)
	check(json.Unmarshal(text, &known))
	return known
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

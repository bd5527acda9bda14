// zitadel/oidc as its example assembles it, with its login page, over a storage that knows lives and scopes.
package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
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
	known := read()
	provider := exampleop.SetupServer(os.Getenv("PUBLIC_URL"), newStore(known), nil, true)
	http.Handle("/", provider)
	for path, scope := range map[string]string{
		"/profile": "account:profile", "/character": "account:characters", "/league": "service:leagues",
	} {
		http.HandleFunc(path, resource(provider, known, path, scope))
	}
	http.HandleFunc("/__control/", control)
	check(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// A resource behind the provider's introspection, asked as the client of operations.
func resource(provider http.Handler, known world, path, scope string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, _ := strings.CutPrefix(r.Header.Get("authorization"), "Bearer ")
		form := url.Values{"token": {token}}.Encode()
		question := httptest.NewRequest(http.MethodPost, "/oauth/introspect", strings.NewReader(form))
		question.Header.Set("content-type", "application/x-www-form-urlencoded")
		question.SetBasicAuth(known.Clients["operations"].ClientID, known.Clients["operations"].ClientSecret)
		found := httptest.NewRecorder()
		provider.ServeHTTP(found, question)
		var meaning struct {
			Active               bool
			Scope, Sub, Username string
		}
		_ = json.Unmarshal(found.Body.Bytes(), &meaning)
		if !meaning.Active {
			answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_token"})
			return
		}
		if !slices.Contains(strings.Fields(meaning.Scope), scope) {
			answer(w, http.StatusForbidden, map[string]any{"error": "insufficient_scope"})
			return
		}
		answer(w, http.StatusOK, map[string]map[string]any{
			"/profile":   {"uuid": meaning.Sub, "name": meaning.Username, "locale": nil},
			"/character": {"characters": []string{}},
			"/league":    {"leagues": []string{}},
		}[path])
	}
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

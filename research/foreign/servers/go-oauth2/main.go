// go-oauth2's authorization server, assembled as its example does, with the memory store that it ships.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/go-oauth2/oauth2/v4"
	"github.com/go-oauth2/oauth2/v4/errors"
	"github.com/go-oauth2/oauth2/v4/manage"
	"github.com/go-oauth2/oauth2/v4/models"
	"github.com/go-oauth2/oauth2/v4/server"
	"github.com/go-oauth2/oauth2/v4/store"
)

type client struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	RedirectURI  string `json:"redirect_uri"`
	Scopes       []string
	Refresh      bool
}

type world struct {
	Accounts map[string]string
	Clients  map[string]client
}

const page = `<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>`

const day = 24 * time.Hour

func main() {
	known := read()
	srv := configured(known)
	http.HandleFunc("/oauth/authorize", func(w http.ResponseWriter, r *http.Request) {
		if err := srv.HandleAuthorizeRequest(w, r); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
	})
	http.HandleFunc("/oauth/token", func(w http.ResponseWriter, r *http.Request) {
		check(srv.HandleTokenRequest(w, r))
	})
	for path, scope := range map[string]string{
		"/profile": "account:profile", "/character": "account:characters", "/league": "service:leagues",
	} {
		http.HandleFunc(path, resource(srv, known, path, scope))
	}
	http.HandleFunc("/__control/", control)
	check(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

func configured(known world) *server.Server {
	manager := manage.NewDefaultManager()
	manager.MustTokenStorage(store.NewMemoryTokenStore())
	manager.SetAuthorizeCodeExp(30 * time.Second)
	manager.SetAuthorizeCodeTokenCfg(&manage.Config{
		AccessTokenExp: 28 * day, RefreshTokenExp: 90 * day, IsGenerateRefresh: true,
	})
	manager.SetClientTokenCfg(&manage.Config{AccessTokenExp: 36500 * day})
	clients := store.NewClientStore()
	for _, one := range known.Clients {
		check(clients.Set(one.ClientID, &models.Client{
			ID: one.ClientID, Secret: one.ClientSecret, Domain: one.RedirectURI, Public: one.ClientSecret == "",
		}))
	}
	manager.MapClientStorage(clients)

	config := server.NewConfig()
	config.AllowedResponseTypes = []oauth2.ResponseType{oauth2.Code}
	config.AllowedGrantTypes = []oauth2.GrantType{oauth2.AuthorizationCode, oauth2.ClientCredentials, oauth2.Refreshing}
	config.AllowedCodeChallengeMethods = []oauth2.CodeChallengeMethod{oauth2.CodeChallengeS256}
	config.ForcePKCE = true
	srv := server.NewServer(config, manager)
	srv.SetClientInfoHandler(server.ClientFormHandler)
	srv.SetClientAuthorizedHandler(func(id string, grant oauth2.GrantType) (bool, error) {
		one := known.client(id)
		switch grant {
		case oauth2.ClientCredentials:
			return one.RedirectURI == "", nil
		case oauth2.Refreshing:
			return one.Refresh, nil
		}
		return one.RedirectURI != "", nil
	})
	srv.SetClientScopeHandler(func(request *oauth2.TokenGenerateRequest) (bool, error) {
		return within(request.Scope, known.client(request.ClientID).Scopes), nil
	})
	srv.SetRefreshingScopeHandler(func(request *oauth2.TokenGenerateRequest, granted string) (bool, error) {
		return within(request.Scope, strings.Fields(granted)), nil
	})
	srv.SetAccessTokenExpHandler(func(_ http.ResponseWriter, r *http.Request) (time.Duration, error) {
		if known.client(r.FormValue("client_id")).ClientSecret == "" {
			return 10 * time.Hour, nil
		}
		return 28 * day, nil
	})
	srv.SetUserAuthorizationHandler(consent)
	srv.SetExtensionFieldsHandler(func(token oauth2.TokenInfo) map[string]any {
		name := owner(token)
		return map[string]any{"username": name, "sub": known.Accounts[name]}
	})
	return srv
}

// The login and the decision, on one page. No user and no error means that the page has answered.
func consent(w http.ResponseWriter, r *http.Request) (string, error) {
	if r.Method == http.MethodGet {
		w.Header().Set("content-type", "text/html")
		_, err := fmt.Fprint(w, page)
		return "", err
	}
	if r.PostFormValue("decision") != "approve" {
		return "", errors.ErrAccessDenied
	}
	return r.PostFormValue("account"), nil
}

// A resource behind the library's check of bearer tokens.
func resource(srv *server.Server, known world, path, scope string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		token, err := srv.ValidationBearerToken(r)
		if err != nil {
			answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_token"})
			return
		}
		if !within(scope, strings.Fields(token.GetScope())) {
			answer(w, http.StatusForbidden, map[string]any{"error": "insufficient_scope"})
			return
		}
		name := owner(token)
		answer(w, http.StatusOK, map[string]map[string]any{
			"/profile":   {"uuid": known.Accounts[name], "name": name, "locale": nil},
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

// The account of a token: of client_credentials, the one that owns the application.
func owner(token oauth2.TokenInfo) string {
	if name := token.GetUserID(); name != "" {
		return name
	}
	return "owner"
}

func within(scopes string, allowed []string) bool {
	for _, scope := range strings.Fields(scopes) {
		if !slices.Contains(allowed, scope) {
			return false
		}
	}
	return true
}

func (known world) client(id string) client {
	for _, one := range known.Clients {
		if one.ClientID == id {
			return one
		}
	}
	return client{}
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

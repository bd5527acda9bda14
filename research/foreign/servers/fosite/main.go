// Fosite's authorization server, put together as its documentation and its example store do.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/ory/fosite"
	"github.com/ory/fosite/compose"
	"github.com/ory/fosite/storage"
	"golang.org/x/crypto/bcrypt"
)

type world struct {
	Accounts map[string]string
	Clients  map[string]struct {
		ClientID     string   `json:"client_id"`
		ClientSecret string   `json:"client_secret"`
		RedirectURI  string   `json:"redirect_uri"`
		RedirectURIs []string `json:"redirect_uris"`
		Scopes       []string
		Refresh      bool
	}
}

const page = `<!doctype html><title>Consent</title><form method="post">
<label>Account <input name="account"></label>
<button name="decision" value="approve">Approve</button><button name="decision" value="deny">Deny</button></form>`

const day = 24 * time.Hour

func main() {
	var known world
	text, err := os.ReadFile("../world.json")
	check(err)
	check(json.Unmarshal(text, &known))

	config := &fosite.Config{
		AuthorizeCodeLifespan: 30 * time.Second,
		EnforcePKCE:           true,
		ScopeStrategy:         fosite.ExactScopeStrategy,
		RefreshTokenScopes:    []string{},
		MinParameterEntropy:   1,
		HashCost:              bcrypt.MinCost,
		GlobalSecret:          []byte("thirty-two bytes of test secret."),
	}
	provider := compose.Compose(
		config,
		storeOf(known),
		compose.NewOAuth2HMACStrategy(config),
		compose.OAuth2AuthorizeExplicitFactory,
		compose.OAuth2ClientCredentialsGrantFactory,
		compose.OAuth2RefreshTokenGrantFactory,
		compose.OAuth2TokenIntrospectionFactory,
		compose.OAuth2TokenRevocationFactory,
		compose.OAuth2PKCEFactory,
	)
	session := func(name string) *fosite.DefaultSession {
		return &fosite.DefaultSession{Username: name, Subject: known.Accounts[name]}
	}

	http.HandleFunc("/oauth/authorize", func(w http.ResponseWriter, r *http.Request) {
		request, err := provider.NewAuthorizeRequest(r.Context(), r)
		if err != nil {
			provider.WriteAuthorizeError(r.Context(), w, request, err)
			return
		}
		if r.Method == http.MethodGet {
			w.Header().Set("content-type", "text/html")
			fmt.Fprint(w, page)
			return
		}
		if r.PostFormValue("decision") != "approve" {
			provider.WriteAuthorizeError(r.Context(), w, request, fosite.ErrAccessDenied)
			return
		}
		for _, scope := range request.GetRequestedScopes() {
			request.GrantScope(scope)
		}
		response, err := provider.NewAuthorizeResponse(r.Context(), request, session(r.PostFormValue("account")))
		if err != nil {
			provider.WriteAuthorizeError(r.Context(), w, request, err)
			return
		}
		provider.WriteAuthorizeResponse(r.Context(), w, request, response)
	})

	http.HandleFunc("/oauth/token", func(w http.ResponseWriter, r *http.Request) {
		request, err := provider.NewAccessRequest(r.Context(), r, session("owner"))
		if err != nil {
			provider.WriteAccessError(r.Context(), w, request, err)
			return
		}
		if request.GetGrantTypes().ExactOne("client_credentials") {
			for _, scope := range request.GetRequestedScopes() {
				request.GrantScope(scope)
			}
		}
		response, err := provider.NewAccessResponse(r.Context(), request)
		if err != nil {
			provider.WriteAccessError(r.Context(), w, request, err)
			return
		}
		response.SetExtra("username", request.GetSession().GetUsername())
		response.SetExtra("sub", request.GetSession().GetSubject())
		provider.WriteAccessResponse(r.Context(), w, request, response)
	})

	http.HandleFunc("/oauth/token/revoke", func(w http.ResponseWriter, r *http.Request) {
		provider.WriteRevocationResponse(r.Context(), w, provider.NewRevocationRequest(r.Context(), r))
	})

	http.HandleFunc("/oauth/token/introspect", func(w http.ResponseWriter, r *http.Request) {
		response, err := provider.NewIntrospectionRequest(r.Context(), r, session("owner"))
		if err != nil {
			provider.WriteIntrospectionError(r.Context(), w, err)
			return
		}
		provider.WriteIntrospectionResponse(r.Context(), w, response)
	})

	http.HandleFunc("/__clock", func(w http.ResponseWriter, r *http.Request) {
		seconds, _ := strconv.ParseFloat(r.URL.Query().Get("advance"), 64)
		time.Ahead += time.Duration(seconds * float64(time.Second))
		fmt.Fprint(w, time.Now().UTC().Format(time.RFC3339Nano))
	})

	check(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}

// The memory store revokes refresh tokens without the lock under which it reads them (memory.go:374), and Go ends the
// process then. With one at a time, it does not.
type lockedStore struct {
	*storage.MemoryStore
	refreshTokens sync.Mutex
}

func (s *lockedStore) CreateRefreshTokenSession(ctx context.Context, signature, access string, request fosite.Requester) error {
	s.refreshTokens.Lock()
	defer s.refreshTokens.Unlock()
	return s.MemoryStore.CreateRefreshTokenSession(ctx, signature, access, request)
}

func (s *lockedStore) GetRefreshTokenSession(ctx context.Context, signature string, session fosite.Session) (fosite.Requester, error) {
	s.refreshTokens.Lock()
	defer s.refreshTokens.Unlock()
	return s.MemoryStore.GetRefreshTokenSession(ctx, signature, session)
}

func (s *lockedStore) DeleteRefreshTokenSession(ctx context.Context, signature string) error {
	s.refreshTokens.Lock()
	defer s.refreshTokens.Unlock()
	return s.MemoryStore.DeleteRefreshTokenSession(ctx, signature)
}

func (s *lockedStore) RevokeRefreshToken(ctx context.Context, requestID string) error {
	s.refreshTokens.Lock()
	defer s.refreshTokens.Unlock()
	return s.MemoryStore.RevokeRefreshToken(ctx, requestID)
}

func (s *lockedStore) RotateRefreshToken(ctx context.Context, requestID, signature string) error {
	s.refreshTokens.Lock()
	defer s.refreshTokens.Unlock()
	return s.MemoryStore.RotateRefreshToken(ctx, requestID, signature)
}

func storeOf(known world) *lockedStore {
	store := &lockedStore{MemoryStore: storage.NewMemoryStore()}
	for _, one := range known.Clients {
		redirects := one.RedirectURIs
		if redirects == nil && one.RedirectURI != "" {
			redirects = []string{one.RedirectURI}
		}
		grants := []string{"client_credentials"}
		if one.RedirectURI != "" {
			grants = []string{"authorization_code"}
		}
		if one.Refresh {
			grants = append(grants, "refresh_token")
		}
		access, refresh, forever := 28*day, 90*day, 36500*day
		client := &fosite.DefaultClient{
			ID:            one.ClientID,
			RedirectURIs:  redirects,
			GrantTypes:    grants,
			ResponseTypes: []string{"code"},
			Scopes:        one.Scopes,
			Public:        one.ClientSecret == "",
		}
		if client.Public {
			access, refresh = 10*time.Hour, 7*day
		} else {
			hash, err := bcrypt.GenerateFromPassword([]byte(one.ClientSecret), bcrypt.MinCost)
			check(err)
			client.Secret = hash
		}
		store.Clients[one.ClientID] = &fosite.DefaultClientWithCustomTokenLifespans{
			DefaultClient: client,
			TokenLifespans: &fosite.ClientLifespanConfig{
				AuthorizationCodeGrantAccessTokenLifespan:  &access,
				AuthorizationCodeGrantRefreshTokenLifespan: &refresh,
				RefreshTokenGrantAccessTokenLifespan:       &access,
				RefreshTokenGrantRefreshTokenLifespan:      &refresh,
				ClientCredentialsGrantAccessTokenLifespan:  &forever,
			},
		}
	}
	return store
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

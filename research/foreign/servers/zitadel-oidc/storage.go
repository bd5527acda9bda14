package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"github.com/zitadel/oidc/v3/pkg/op"
)

// The example's storage, whose lives are fixed and whose scopes are OpenID's, with tokens and clients of its own.
type store struct {
	*storage.Storage
	known   world
	users   users
	mutex   sync.Mutex
	clients map[string]*client
	codes   map[string]time.Time
	access  map[string]*storage.Token
	refresh map[string]*storage.RefreshToken
}

func newStore(known world) *store {
	s := &store{
		known:   known,
		users:   users{known},
		clients: map[string]*client{},
		codes:   map[string]time.Time{},
		access:  map[string]*storage.Token{},
		refresh: map[string]*storage.RefreshToken{},
	}
	s.Storage = storage.NewStorage(s.users)
	for _, one := range known.Clients {
		redirects := one.RedirectURIs
		if redirects == nil {
			redirects = []string{one.RedirectURI}
		}
		base := storage.WebClient(one.ClientID, one.ClientSecret, redirects...)
		if one.ClientSecret == "" {
			base = storage.NativeClient(one.ClientID, redirects...)
		}
		s.clients[one.ClientID] = &client{base, one}
	}
	return s
}

// A client of the example with the grants and scopes of the world, and its secret in the body.
type client struct {
	*storage.Client
	own application
}

func (c *client) AuthMethod() oidc.AuthMethod {
	if c.own.ClientSecret == "" {
		return oidc.AuthMethodNone
	}
	return oidc.AuthMethodPost
}

func (c *client) ResponseTypes() []oidc.ResponseType {
	return []oidc.ResponseType{oidc.ResponseTypeCode}
}

func (c *client) GrantTypes() []oidc.GrantType {
	grants := []oidc.GrantType{oidc.GrantTypeClientCredentials}
	if c.own.RedirectURI != "" {
		grants = []oidc.GrantType{oidc.GrantTypeCode}
	}
	if c.own.Refresh {
		grants = append(grants, oidc.GrantTypeRefreshToken)
	}
	return grants
}

func (c *client) DevMode() bool {
	return false
}

func (c *client) IsScopeAllowed(scope string) bool {
	return slices.Contains(c.own.Scopes, scope)
}

func (c *client) lives() (access, refresh time.Duration) {
	switch {
	case c.own.RedirectURI == "":
		return 36500 * day, 0
	case c.own.ClientSecret == "":
		return 10 * time.Hour, 7 * day
	}
	return 28 * day, 90 * day
}

// What client_credentials asks for, with the client, which the package's own request does not tell.
type serviceRequest struct {
	*oidc.JWTTokenRequest
	client string
}

func (s *store) GetClientByClientID(_ context.Context, id string) (op.Client, error) {
	if found, ok := s.clients[id]; ok {
		return found, nil
	}
	return nil, errors.New("client not found")
}

func (s *store) AuthorizeClientIDSecret(_ context.Context, id, secret string) error {
	if found, ok := s.clients[id]; ok && found.own.ClientSecret == secret {
		return nil
	}
	return errors.New("unknown client or wrong secret")
}

func (s *store) ClientCredentials(ctx context.Context, id, secret string) (op.Client, error) {
	if err := s.AuthorizeClientIDSecret(ctx, id, secret); err != nil {
		return nil, err
	}
	return s.GetClientByClientID(ctx, id)
}

func (s *store) ClientCredentialsTokenRequest(_ context.Context, id string, scopes []string) (op.TokenRequest, error) {
	for _, scope := range scopes {
		if !s.clients[id].IsScopeAllowed(scope) {
			return nil, oidc.ErrInvalidScope()
		}
	}
	request := &oidc.JWTTokenRequest{Subject: s.known.Accounts["owner"], Audience: []string{id}, Scopes: scopes}
	return &serviceRequest{request, id}, nil
}

// The package gives refresh tokens to who asks for offline_access, which is none of the scopes of the world: it is
// added for the clients that may have them, and taken out of what is granted.
func (s *store) CreateAuthRequest(ctx context.Context, request *oidc.AuthRequest, user string) (op.AuthRequest, error) {
	if s.clients[request.ClientID].own.Refresh && !slices.Contains(request.Scopes, oidc.ScopeOfflineAccess) {
		request.Scopes = append(request.Scopes, oidc.ScopeOfflineAccess)
	}
	return s.Storage.CreateAuthRequest(ctx, request, user)
}

func (s *store) SaveAuthCode(ctx context.Context, id, code string) error {
	s.mutex.Lock()
	s.codes[code] = time.Now()
	s.mutex.Unlock()
	return s.Storage.SaveAuthCode(ctx, id, code)
}

func (s *store) AuthRequestByCode(ctx context.Context, code string) (op.AuthRequest, error) {
	s.mutex.Lock()
	issued := s.codes[code]
	s.mutex.Unlock()
	if time.Since(issued) > 30*time.Second {
		return nil, errors.New("code invalid or expired")
	}
	return s.Storage.AuthRequestByCode(ctx, code)
}

func (s *store) CreateAccessToken(_ context.Context, request op.TokenRequest) (string, time.Time, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	token := s.issue(request, "")
	return token.ID, token.Expiration, nil
}

func (s *store) CreateAccessAndRefreshTokens(_ context.Context, request op.TokenRequest, current string) (string, string, time.Time, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	_, life := s.clients[clientOf(request)].lives()
	expiration := time.Now().Add(life)
	if current != "" {
		used, ok := s.refresh[current]
		if !ok {
			return "", "", time.Time{}, oidc.ErrInvalidGrant()
		}
		expiration = used.Expiration
		delete(s.refresh, current)
	}
	if first, ok := request.(*storage.AuthRequest); ok {
		first.Scopes = slices.DeleteFunc(first.Scopes, func(scope string) bool { return scope == oidc.ScopeOfflineAccess })
	}
	text := uuid.NewString()
	access := s.issue(request, text)
	s.refresh[text] = &storage.RefreshToken{
		ID: text, Token: text, Audience: request.GetAudience(), UserID: request.GetSubject(),
		ApplicationID: clientOf(request), Expiration: expiration, Scopes: access.Scopes, AccessToken: access.ID,
	}
	return access.ID, text, access.Expiration, nil
}

func (s *store) issue(request op.TokenRequest, refresh string) *storage.Token {
	id := clientOf(request)
	life, _ := s.clients[id].lives()
	token := &storage.Token{
		ID: uuid.NewString(), ApplicationID: id, Subject: request.GetSubject(), RefreshTokenID: refresh,
		Audience: request.GetAudience(), Expiration: time.Now().Add(life), Scopes: request.GetScopes(),
	}
	s.access[token.ID] = token
	return token
}

func clientOf(request op.TokenRequest) string {
	if service, ok := request.(*serviceRequest); ok {
		return service.client
	}
	return request.(interface{ GetClientID() string }).GetClientID()
}

func (s *store) TokenRequestByRefreshToken(_ context.Context, text string) (op.RefreshTokenRequest, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	token, ok := s.refresh[text]
	if !ok || token.Expiration.Before(time.Now()) {
		return nil, errors.New("invalid refresh_token")
	}
	copied := *token
	return storage.RefreshTokenRequestFromBusiness(&copied), nil
}

func (s *store) GetRefreshTokenInfo(_ context.Context, _, text string) (string, string, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if token, ok := s.refresh[text]; ok {
		return token.UserID, token.ID, nil
	}
	return "", "", op.ErrInvalidRefreshToken
}

// As the example's, over these tokens.
func (s *store) RevokeToken(_ context.Context, text, _, client string) *oidc.Error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if token, ok := s.access[text]; ok {
		if token.ApplicationID != client {
			return oidc.ErrInvalidClient().WithDescription("token was not issued for this client")
		}
		delete(s.access, text)
	}
	if token, ok := s.refresh[text]; ok {
		if token.ApplicationID != client {
			return oidc.ErrInvalidClient().WithDescription("token was not issued for this client")
		}
		delete(s.refresh, text)
		delete(s.access, token.AccessToken)
	}
	return nil
}

// As the example's: to the client of the token, and to the one of operations.
func (s *store) SetIntrospectionFromToken(_ context.Context, response *oidc.IntrospectionResponse, id, subject, client string) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	token, ok := s.access[id]
	if !ok || token.Expiration.Before(time.Now()) {
		return errors.New("token is invalid or has expired")
	}
	if client != token.ApplicationID && client != s.known.Clients["operations"].ClientID {
		return errors.New("token is not valid for this client")
	}
	response.Scope = token.Scopes
	response.ClientID = token.ApplicationID
	response.Subject = subject
	response.Username = s.users.GetUserByID(subject).Username
	response.Expiration = oidc.FromTime(token.Expiration)
	return nil
}

// The accounts of the world, each with the password `password`.
type users struct{ known world }

func (u users) GetUserByID(id string) *storage.User {
	for name, uuid := range u.known.Accounts {
		if uuid == id {
			return &storage.User{ID: uuid, Username: name, Password: "password"}
		}
	}
	return nil
}

func (u users) GetUserByUsername(name string) *storage.User {
	if uuid, ok := u.known.Accounts[name]; ok {
		return u.GetUserByID(uuid)
	}
	return nil
}

func (u users) ExampleClientID() string {
	return storage.ServiceUserID
}

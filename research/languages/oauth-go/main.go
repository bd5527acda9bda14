package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var base, id, secret = os.Getenv("GAME_URL"), os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func nameOf(client *http.Client) (profile struct{ Name string }) {
	reply := must(client.Get(base + "/profile"))
	defer reply.Body.Close()
	if err := json.NewDecoder(reply.Body).Decode(&profile); err != nil {
		log.Fatal(err)
	}
	return profile
}

func main() {
	ctx := context.Background()
	// The library finds out how a client authenticates by failing first; stated, it does not.
	endpoint := oauth2.Endpoint{AuthURL: base + "/oauth/authorize", TokenURL: base + "/oauth/token", AuthStyle: oauth2.AuthStyleInParams}
	application := oauth2.Config{ClientID: id, ClientSecret: secret, Endpoint: endpoint,
		RedirectURL: "https://app.example/callback", Scopes: []string{"account:profile"}}

	verifier, state := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	page := application.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier))
	// A browser goes to the page; here the mock consents at once and says where the browser would come back.
	reply := must(http.DefaultTransport.RoundTrip(must(http.NewRequest("GET", page, nil))))
	back := must(reply.Location()).Query()
	if back.Get("state") != state {
		log.Fatal("this answer is to another request")
	}
	tokens := must(application.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(verifier)))
	fmt.Println("code:", nameOf(application.Client(ctx, tokens)).Name)

	fresh := must(application.TokenSource(ctx, &oauth2.Token{RefreshToken: tokens.RefreshToken}).Token())
	fmt.Println("refresh:", nameOf(application.Client(ctx, fresh)).Name)

	service := clientcredentials.Config{ClientID: id, ClientSecret: secret, TokenURL: endpoint.TokenURL,
		Scopes: []string{"service:leagues"}, AuthStyle: oauth2.AuthStyleInParams}
	fmt.Println("client credentials:", must(service.Client(ctx).Get(base+"/league")).StatusCode)

	// The library knows no revocation: a form of RFC 7009 with client authentication.
	form := url.Values{"token": {fresh.AccessToken}, "client_id": {id}, "client_secret": {secret}}
	must(http.PostForm(base+"/oauth/token/revoke", form))
	fmt.Println("revocation:", must(application.Client(ctx, &oauth2.Token{AccessToken: fresh.AccessToken}).Get(base+"/profile")).StatusCode)
}
